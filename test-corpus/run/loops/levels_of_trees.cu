// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sweeps over binary trees in shared memory: scans of several types and sizes, trees that are not
// whole, pairs in the other order, blocks of two rows, and loops that look the same but read what
// another step has left.
#include <cstdio>
#include <vector>

#include <cuda_runtime.h>

// A work-efficient scan; sizes from less than a few vectors to more than many.
template <typename T, int N> __global__ void scan(const T* in, T* out, T* sums) {
  __shared__ T temp[N];
  const int t = threadIdx.x, base = blockIdx.x * N;
  temp[t] = in[base + t];
  temp[t + N / 2] = in[base + t + N / 2];
  int step = 1;
  for (int d = N >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) {
      const int i = step * (2 * t + 1) - 1;
      const int j = step * (2 * t + 2) - 1;
      temp[j] += temp[i];
    }
    step *= 2;
  }
  if (t == 0) {
    sums[blockIdx.x] = temp[N - 1];
    temp[N - 1] = 0;
  }
  for (int d = 1; d < N; d *= 2) {
    step >>= 1;
    __syncthreads();
    if (t < d) {
      const int i = step * (2 * t + 1) - 1;
      const int j = step * (2 * t + 2) - 1;
      const T kept = temp[i];
      temp[i] = temp[j];
      temp[j] += kept;
    }
  }
  __syncthreads();
  out[base + t] = temp[t];
  out[base + t + N / 2] = temp[t + N / 2];
}

// The size comes with the launch; threads that have no pair; a tree of which only a part is summed.
__global__ void part(const unsigned* in, unsigned* out, int n, int levels) {
  extern __shared__ unsigned s[];
  const unsigned t = threadIdx.x;
  for (int i = t; i < n; i += blockDim.x)
    s[i] = in[i];
  unsigned d = n / 2, step = 1;
  int level = 0;
  while (d > 0 && level < levels) {
    __syncthreads();
    if (t < d)
      s[step * (2 * t + 2) - 1] ^= s[step * (2 * t + 1) - 1];
    step <<= 1;
    d >>= 1;
    ++level;
  }
  __syncthreads();
  for (int i = t; i < n; i += blockDim.x)
    out[i] = s[i];
}

// From the left: the lower element of a pair gets the sum.
__global__ void fromLeft(const int* in, int* out) {
  __shared__ int s[512];
  const int t = threadIdx.x;
  s[t] = in[t];
  s[t + 256] = in[t + 256];
  for (int stride = 1, d = 256; d > 0; stride *= 2, d /= 2) {
    __syncthreads();
    if (t < d)
      s[2 * stride * t] += s[2 * stride * t + stride];
  }
  __syncthreads();
  out[t] = s[t];
  out[t + 256] = s[t + 256];
}

// Both elements change, the higher one first; two rows of threads, each with its own array.
__global__ void twoRows(const long long* in, long long* out) {
  __shared__ long long s[256];
  const int t = threadIdx.x + 128 * threadIdx.y;
  s[t] = in[t];
  int step = 1;
  for (int d = 128; d > 0; d >>= 1) {
    __syncthreads();
    if (threadIdx.x < d && threadIdx.y == 0) {
      int i = step * (2 * threadIdx.x + 1) - 1, j = i + step;
      s[j] -= s[i];
      s[i] = s[i] + s[j];
    }
    step *= 2;
  }
  __syncthreads();
  out[t] = s[t];
}
__global__ void bothChange(const long long* in, long long* out) {
  __shared__ long long s[256];
  const int t = threadIdx.x;
  s[t] = in[t];
  s[t + 128] = in[t + 128];
  int step = 1;
  for (int d = 128; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) {
      int i = step * (2 * t + 1) - 1;
      int j = i + step;
      s[j] -= s[i];
      s[i] = s[i] + s[j];
    }
    step *= 2;
  }
  __syncthreads();
  out[t] = s[t];
  out[t + 128] = s[t + 128];
}

// Pairs overlap those of other threads' steps before: no tree.
__global__ void chains(const int* in, int* out) {
  __shared__ int s[1024];
  const int t = threadIdx.x;
  for (int i = t; i < 1024; i += 256)
    s[i] = in[i % 512];
  for (int step = 1; step <= 64; step *= 2) {
    __syncthreads();
    if (t < 7)
      s[2 * step * t + step] += s[2 * step * t + 2 * step];
  }
  __syncthreads();
  for (int i = t; i < 512; i += 256)
    out[i] = s[i] + s[i + 512];
}

// What is added depends on the step, and the loop reads the array itself.
__global__ void reads(const int* in, int* out) {
  __shared__ int s[256];
  const int t = threadIdx.x;
  s[t] = in[t];
  s[t + 128] = in[t + 128];
  int step = 1;
  for (int d = 128; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d)
      s[step * (2 * t + 2) - 1] += s[step * (2 * t + 1) - 1] + step;
    step *= 2;
  }
  __syncthreads();
  step = 1;
  int seen = 0;
  for (int d = 128; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d)
      s[step * (2 * t + 2) - 1] += s[step * (2 * t + 1) - 1];
    __syncthreads();
    seen += s[255];
    step *= 2;
  }
  __syncthreads();
  out[t] = s[t] + seen;
  out[t + 128] = s[t + 128];
}

template <typename T> unsigned long long sumOf(const T* values, int n) {
  unsigned long long sum = 0;
  for (int i = 0; i < n; ++i)
    sum = sum * 31 + static_cast<unsigned long long>(static_cast<long long>(values[i] * 8));
  return sum;
}

template <typename T, int N> void tryScan(const char* type) {
  constexpr int blocks = 3;
  T *in, *out, *sums;
  cudaMallocManaged(&in, blocks * N * sizeof(T));
  cudaMallocManaged(&out, blocks * N * sizeof(T));
  cudaMallocManaged(&sums, blocks * sizeof(T));
  for (int i = 0; i < blocks * N; ++i)
    in[i] = static_cast<T>((i * 7 + i / 5) % 23) / static_cast<T>(4);
  scan<T, N><<<blocks, N / 2>>>(in, out, sums);
  cudaDeviceSynchronize();
  printf("%s %d: %llx %llx\n", type, N, sumOf(out, blocks * N), sumOf(sums, blocks));
  cudaFree(in);
  cudaFree(out);
  cudaFree(sums);
}

int main() {
  tryScan<int, 16>("int");
  tryScan<int, 64>("int");
  tryScan<int, 256>("int");
  tryScan<unsigned, 512>("unsigned");
  tryScan<unsigned, 1024>("unsigned");
  tryScan<int, 2048>("int");
  tryScan<float, 32>("float");
  tryScan<float, 128>("float");
  tryScan<float, 512>("float");
  tryScan<float, 2048>("float");
  tryScan<double, 64>("double");
  tryScan<double, 256>("double");
  tryScan<double, 1024>("double");
  tryScan<unsigned long long, 512>("unsigned long long");
  tryScan<short, 512>("short");
  tryScan<unsigned char, 256>("unsigned char");

  int *in, *out;
  long long *wide, *wideOut;
  cudaMallocManaged(&in, 1024 * sizeof(int));
  cudaMallocManaged(&out, 1024 * sizeof(int));
  cudaMallocManaged(&wide, 256 * sizeof(long long));
  cudaMallocManaged(&wideOut, 256 * sizeof(long long));
  for (int i = 0; i < 1024; ++i)
    in[i] = (i * 2654435761u >> 9) % 1000;
  for (int i = 0; i < 256; ++i)
    wide[i] = in[i] - 400;
  const auto show = [&](const char* name, int n) {
    cudaDeviceSynchronize();
    printf("%s: %llx\n", name, sumOf(out, n));
  };
  const unsigned* from = reinterpret_cast<unsigned*>(in);
  unsigned* to = reinterpret_cast<unsigned*>(out);
  for (const int threads : {64, 256})
    for (const int n : {2, 48, 128, 512, 600, 1024})
      for (const int levels : {1, 3, 5, 16}) {
        part<<<1, threads, n * sizeof(int)>>>(from, to, n, levels);
        char name[40];
        snprintf(name, sizeof name, "part %d %d %d", threads, n, levels);
        show(name, n);
      }
  fromLeft<<<1, 256>>>(in, out);
  show("fromLeft", 512);
  chains<<<1, 256>>>(in, out);
  show("chains", 512);
  reads<<<1, 128>>>(in, out);
  show("reads", 256);
  twoRows<<<1, dim3(128, 2)>>>(wide, wideOut);
  cudaDeviceSynchronize();
  printf("twoRows: %llx\n", sumOf(wideOut, 256));
  bothChange<<<1, 128>>>(wide, wideOut);
  cudaDeviceSynchronize();
  printf("bothChange: %llx\n", sumOf(wideOut, 256));
  return 0;
}
