// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks in braces that end by changing a variable which all threads have alike: an odd-even merge
// sort, and blocks that declare something of that name, end objects or hide code.
#include <cstdio>

#include <cuda_runtime.h>

__device__ void order(unsigned& a, unsigned& va, unsigned& b, unsigned& vb, unsigned up) {
  unsigned t;
  if ((a > b) == up) {
    t = a;
    a = b;
    b = t;
    t = va;
    va = vb;
    vb = t;
  }
}

__global__ void sort(unsigned* keys, unsigned* values, unsigned length, unsigned up) {
  __shared__ unsigned k[256], v[256];
  for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) {
    k[i] = keys[blockIdx.x * 256 + i];
    v[i] = values[blockIdx.x * 256 + i];
  }
  for (unsigned size = 2; size <= length; size <<= 1) {
    unsigned stride = size / 2;
    unsigned offset = threadIdx.x & (stride - 1);
    __syncthreads();
    {
      unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      order(k[pos], v[pos], k[pos + stride], v[pos + stride], up);
      stride >>= 1;
    }
    for (; stride > 0; stride >>= 1) {
      __syncthreads();
      unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      if (offset >= stride)
        order(k[pos - stride], v[pos - stride], k[pos], v[pos], up);
    }
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) {
    keys[blockIdx.x * 256 + i] = k[i];
    values[blockIdx.x * 256 + i] = v[i];
  }
}

struct Adds {
  int* to;
  int by;
  __device__ ~Adds() { *to += by; }
};

__global__ void others(int* out, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  int step = 1, round = 0, total = 0;
  s[t] = t * t;
  while (step < n) {
    __syncthreads();
    int kept;
    {
      kept = s[(t + step) % 64];
      int step = t; // another one
      total += kept;
      step += 2;
      total += step;
      step *= 2;
    }
    __syncthreads();
    {
      Adds adds{&round, step};
      s[t] += kept;
      round *= 2;
    }
    {
      const int by = 2;
      s[t] ^= round;
      step *= by;
    }
    {
      s[t] += step, total ^= 5;
#ifdef NEVER
      int round = 7;
#endif
      round++;
    }
    {
      if (t & 1)
        total -= step;
      else
        total += round;
      total += s[t], step = step + 0;
    }
    {
      total += 3;
      round -= 1;
      step++;
    }
  }
  __syncthreads();
  out[t] = total + s[63 - t] * 3 + round + step;
}

int main() {
  const unsigned n = 1024;
  unsigned *keys, *values;
  int* out;
  cudaMallocManaged(&keys, n * sizeof(unsigned));
  cudaMallocManaged(&values, n * sizeof(unsigned));
  cudaMallocManaged(&out, 64 * sizeof(int));
  for (const unsigned up : {1u, 0u}) {
    for (unsigned i = 0; i < n; ++i) {
      keys[i] = (i * 2654435761u) >> 20;
      values[i] = i;
    }
    sort<<<n / 256, 128>>>(keys, values, 256, up);
    cudaDeviceSynchronize();
    unsigned sum = 0, wrong = 0;
    for (unsigned i = 0; i < n; ++i) {
      sum = sum * 31 + keys[i] * 7 + values[i];
      wrong += i % 256 && (up ? keys[i - 1] > keys[i] : keys[i - 1] < keys[i]);
    }
    printf("%u %u\n", sum, wrong);
  }
  others<<<1, 64>>>(out, 40);
  cudaDeviceSynchronize();
  unsigned long long sum = 0;
  for (int t = 0; t < 64; ++t)
    sum = sum * 17 + out[t];
  printf("%d %d %llu\n", out[3], out[40], sum);
  return 0;
}
