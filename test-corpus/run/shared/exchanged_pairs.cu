// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keys that a condition compares are exchanged in shared memory, and what goes along with them: by
// a function that gets references, or where the sort stands; also values in memory, and values at
// other places.
#include <cstdio>

#include <cuda_runtime.h>

typedef unsigned int uint;
constexpr uint SIZE = 512, HALF = SIZE / 2;

__device__ inline void comparator(uint& keyA, uint& valA, uint& keyB, uint& valB, bool ascending) {
  if ((keyA > keyB) == ascending) {
    uint t;
    t = keyA;
    keyA = keyB;
    keyB = t;
    t = valA;
    valA = valB;
    valB = t;
  }
}
template <class Key, class Value>
__device__ void order(Key& a, Key& b, Value& va, Value& vb, bool up) {
  if ((a > b) == up) {
    Key k = a;
    a = b;
    b = k;
    Value v = va;
    va = vb;
    vb = v;
  }
}

__global__ void sortPairs(uint* key, uint* val) {
  __shared__ uint k[SIZE], v[SIZE];
  const uint base = blockIdx.x * SIZE + threadIdx.x;
  k[threadIdx.x] = key[base];
  v[threadIdx.x] = val[base];
  k[threadIdx.x + HALF] = key[base + HALF];
  v[threadIdx.x + HALF] = val[base + HALF];
  for (uint size = 2; size <= SIZE; size <<= 1) {
    const bool up = (threadIdx.x & (size / 2)) == 0;
    for (uint stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      const uint pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      comparator(k[pos], v[pos], k[pos + stride], v[pos + stride], up);
    }
  }
  __syncthreads();
  key[base] = k[threadIdx.x];
  val[base] = v[threadIdx.x];
  key[base + HALF] = k[threadIdx.x + HALF];
  val[base + HALF] = v[threadIdx.x + HALF];
}

// Partners by bits; doubles as keys, small numbers as values; written out where it stands, with the
// values' elements the other way around.
__global__ void sortByPartners(double* key, short* val) {
  __shared__ double k[256];
  __shared__ short v[256];
  const uint t = threadIdx.x;
  k[t] = key[t];
  v[t] = val[t];
  __syncthreads();
  for (uint size = 2; size <= 256; size <<= 1)
    for (uint stride = size >> 1; stride > 0; stride >>= 1) {
      const uint other = t ^ stride;
      if (other > t) {
        if ((k[t] > k[other]) == ((t & size) == 0)) {
          double one = k[t];
          k[t] = k[other];
          k[other] = one;
          short two = v[other];
          v[other] = v[t];
          v[t] = two;
        }
      }
      __syncthreads();
    }
  key[t] = k[t];
  val[t] = v[t];
}

// Odd-even steps by a template; the values lie in memory.
__global__ void sortInMemory(int* key, float* val, int n) {
  __shared__ int k[128];
  const int t = threadIdx.x;
  k[t] = key[t];
  k[t + 64] = key[t + 64];
  for (int step = 0; step < n; ++step) {
    __syncthreads();
    const int i = 2 * t + (step & 1);
    if (i + 1 < n)
      order(k[i], k[i + 1], val[i], val[i + 1], true);
  }
  __syncthreads();
  key[t] = k[t];
  key[t + 64] = k[t + 64];
}

// Values at other places than the keys.
__global__ void others(const int* in, int* out) {
  __shared__ int k[128], v[128], w[128];
  const int t = threadIdx.x;
  k[t] = in[t];
  k[t + 64] = in[t + 64];
  v[t] = t;
  v[t + 64] = t + 64;
  w[t] = 2 * t;
  w[t + 64] = 2 * t + 1;
  for (int stride = 32; stride > 0; stride /= 2) {
    __syncthreads();
    const int pos = 2 * t - (t & (stride - 1));
    comparator(reinterpret_cast<uint&>(k[pos]), reinterpret_cast<uint&>(v[127 - pos]),
               reinterpret_cast<uint&>(k[pos + stride]),
               reinterpret_cast<uint&>(v[127 - pos - stride]), true);
    order(k[pos], k[pos + stride], w[pos], w[pos + stride], (t & 1) != 0);
  }
  __syncthreads();
  out[t] = k[t] + 1000 * v[t] + 200000 * w[t];
  out[t + 64] = k[t + 64] + 1000 * v[t + 64] + 200000 * w[t + 64];
}

int main() {
  uint *key, *val;
  double* wide;
  short* small;
  int *in, *out;
  float* floats;
  const int n = 2 * SIZE;
  cudaMallocManaged(&key, n * sizeof(uint));
  cudaMallocManaged(&val, n * sizeof(uint));
  cudaMallocManaged(&wide, 256 * sizeof(double));
  cudaMallocManaged(&small, 256 * sizeof(short));
  cudaMallocManaged(&in, 128 * sizeof(int));
  cudaMallocManaged(&out, 128 * sizeof(int));
  cudaMallocManaged(&floats, 128 * sizeof(float));
  for (int i = 0; i < n; ++i) {
    key[i] = (i * 2654435761u >> 12) % 900;
    val[i] = i;
  }
  for (int i = 0; i < 256; ++i) {
    wide[i] = (i * 7919 % 501) / 4.0;
    small[i] = static_cast<short>(i);
  }
  for (int i = 0; i < 128; ++i) {
    in[i] = i * 977 % 128;
    floats[i] = static_cast<float>(i) / 2;
  }
  others<<<1, 64>>>(in, out);
  sortPairs<<<2, HALF>>>(key, val);
  sortByPartners<<<1, 256>>>(wide, small);
  cudaDeviceSynchronize();
  sortInMemory<<<1, 64>>>(in, floats, 128);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; i += 37)
    printf("%u %u\n", key[i], val[i]);
  for (int i = 0; i < 256; i += 11)
    printf("%.2f %d\n", wide[i], small[i]);
  for (int i = 0; i < 128; i += 5)
    printf("%d %.1f %d\n", in[i], floats[i], out[i]);
  return 0;
}
