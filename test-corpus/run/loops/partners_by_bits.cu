// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that find partners by bits of their places: all strides from 1 on, in kernels with barriers
// and without, for blocks whose places start at any number, and with functions that exchange.
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>

__device__ inline void exchange(unsigned& a, unsigned& b, bool up) {
  if ((a > b) == up) {
    unsigned t = a;
    a = b;
    b = t;
  }
}

// One step of a sorting network for half as many threads as elements.
__global__ void halfStep(unsigned* keys, unsigned size, unsigned stride) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned p = 2 * t - (t & (stride - 1));
  exchange(keys[p], keys[p + stride], (p & size) == 0);
}

// The same with values in between, and threads that are too many.
__global__ void guardedStep(unsigned* keys, int n, int size, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * t >= n)
    return;
  const int p = 2 * t - (t & (stride - 1));
  unsigned a = keys[p], b = keys[p + stride];
  exchange(a, b, (p & size) == 0);
  keys[p] = a;
  keys[p + stride] = b;
}

// A thread for each element; the lower one of two does the work.
__global__ void wholeStep(float* keys, int j, int k) {
  unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
  unsigned partner = i ^ j;
  if (partner > i) {
    if ((i & k) == 0) {
      if (keys[i] > keys[partner]) {
        float t = keys[i];
        keys[i] = keys[partner];
        keys[partner] = t;
      }
    } else if (keys[i] < keys[partner]) {
      float t = keys[i];
      keys[i] = keys[partner];
      keys[partner] = t;
    }
  }
}

// Declared first, set later.
__global__ void laterStep(float* keys, int j, int k) {
  unsigned int i, ixj;
  i = threadIdx.x + blockDim.x * blockIdx.x;
  ixj = i ^ j;
  if ((ixj) > i) {
    if ((i & k) == 0 && keys[i] > keys[ixj]) {
      float t = keys[i];
      keys[i] = keys[ixj];
      keys[ixj] = t;
    }
    if ((i & k) != 0 && keys[i] < keys[ixj]) {
      float t = keys[i];
      keys[i] = keys[ixj];
      keys[ixj] = t;
    }
  }
}

// Both ways to find places in one kernel, with a start that is no multiple of anything.
__global__ void bothWays(const int* in, int* out, int first, int low, int flip) {
  const int t = first + threadIdx.x;
  out[threadIdx.x] = in[2 * t - (t & (low - 1))] * 3 + in[t ^ flip];
}

// A mask that is no power less one, and a partner of several bits.
__global__ void otherMasks(const int* in, int* out, int low, int flip) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  out[t] = in[t & (low - 1)] * 5 + in[t ^ flip] * 7 + in[t];
}

template <int COUNT> __global__ void sortInBlock(unsigned* keys) {
  __shared__ unsigned s[COUNT];
  const unsigned t = threadIdx.x;
  keys += blockIdx.x * COUNT;
  s[t] = keys[t];
  s[t + COUNT / 2] = keys[t + COUNT / 2];
  for (unsigned size = 2; size <= COUNT; size *= 2)
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const unsigned p = 2 * t - (t & (stride - 1));
      exchange(s[p], s[p + stride], (p & size) == 0);
    }
  __syncthreads();
  keys[t] = s[t];
  keys[t + COUNT / 2] = s[t + COUNT / 2];
}

// Sums and differences of partners, as fast transforms build them.
__global__ void transform(int* data, int n) {
  extern __shared__ int values[];
  const int t = threadIdx.x;
  values[t] = data[blockIdx.x * n + t];
  for (int step = 1; step < n; step *= 2) {
    __syncthreads();
    const int other = values[t ^ step], own = values[t];
    __syncthreads();
    values[t] = t & step ? other - own : own + other;
  }
  __syncthreads();
  data[blockIdx.x * n + t] = values[t];
}

__global__ void pairsInBlock(int* data, int n) {
  extern __shared__ int values[];
  const int t = threadIdx.x;
  values[t] = data[blockIdx.x * n + t];
  for (int step = n / 2; step > 0; step >>= 1) {
    __syncthreads();
    const int partner = t ^ step;
    if (partner > t) {
      const int a = values[t], b = values[partner];
      values[t] = a + b;
      values[partner] = (a - b) * 3;
    }
  }
  __syncthreads();
  data[blockIdx.x * n + t] = values[t];
}

static unsigned seed = 77;
static unsigned nextValue() {
  seed = seed * 1664525u + 1013904223u;
  return seed >> 8;
}

template <class Type> static void print(const char* what, const Type* values, int n) {
  unsigned long long sum = 0;
  for (int i = 0; i < n; ++i)
    sum = sum * 31 + static_cast<unsigned>(static_cast<int>(values[i]));
  printf("%s: %llu, %d %d, %s\n", what, sum, static_cast<int>(values[n / 2]),
         static_cast<int>(values[n - 1]), cudaGetErrorString(cudaGetLastError()));
}

int main() {
  const int n = 4096;
  unsigned* keys;
  float* numbers;
  int *in, *out;
  cudaMallocManaged(&keys, n * sizeof(unsigned));
  cudaMallocManaged(&numbers, n * sizeof(float));
  cudaMallocManaged(&in, 2 * n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  for (int block : {16, 32, 256, 8}) {
    for (int i = 0; i < n; ++i)
      keys[i] = nextValue();
    for (unsigned size = 2; size <= n; size *= 2)
      for (unsigned stride = size / 2; stride > 0; stride /= 2)
        halfStep<<<n / 2 / block, block>>>(keys, size, stride);
    cudaDeviceSynchronize();
    print("half", keys, n);
    printf("sorted: %d\n", std::is_sorted(keys, keys + n));
  }
  for (int block : {24, 64, 100}) {
    for (int i = 0; i < n; ++i)
      keys[i] = nextValue();
    for (int size = 2; size <= n; size *= 2)
      for (int stride = size / 2; stride > 0; stride /= 2)
        guardedStep<<<(n / 2 + block - 1) / block, block>>>(keys, n, size, stride);
    cudaDeviceSynchronize();
    print("guarded", keys, n);
    printf("sorted: %d\n", std::is_sorted(keys, keys + n));
  }
  for (int block : {8, 64, 512}) {
    for (int i = 0; i < n; ++i)
      numbers[i] = nextValue() % 10000 - 5000.0f;
    for (int k = 2; k <= n; k *= 2)
      for (int j = k / 2; j > 0; j /= 2)
        if (block != 64)
          wholeStep<<<n / block, block>>>(numbers, j, k);
        else
          laterStep<<<n / block, block>>>(numbers, j, k);
    cudaDeviceSynchronize();
    print("whole", numbers, n);
    printf("sorted: %d\n", std::is_sorted(numbers, numbers + n));
  }
  for (int i = 0; i < 2 * n; ++i)
    in[i] = nextValue() % 1000;
  for (int first : {0, 1, 16, 32, 37})
    for (int low : {1, 2, 8, 64})
      for (int flip : {1, 2, 4, 8, 32}) {
        bothWays<<<1, 64>>>(in, out, first, low, flip);
        cudaDeviceSynchronize();
        print("both", out, 64);
      }
  for (int low : {1, 3, 4, 12, 16, 17, 256})
    for (int flip : {0, 1, 3, 5, 8, 12, 16, 48, 64}) {
      otherMasks<<<16, 64>>>(in, out, low, flip);
      cudaDeviceSynchronize();
      print("others", out, 1024);
    }
  for (int i = 0; i < n; ++i)
    keys[i] = nextValue();
  sortInBlock<512><<<4, 256>>>(keys);
  sortInBlock<64><<<16, 32>>>(keys + 2048);
  sortInBlock<16><<<16, 8>>>(keys + 3072);
  sortInBlock<2048><<<1, 1024>>>(keys);
  cudaDeviceSynchronize();
  print("in block", keys, n);
  printf("sorted: %d %d %d\n", std::is_sorted(keys, keys + 2048),
         std::is_sorted(keys + 2048, keys + 2112), std::is_sorted(keys + 3072, keys + 3088));
  for (int size : {8, 16, 32, 128, 256}) {
    for (int i = 0; i < n; ++i)
      out[i] = nextValue() % 100;
    transform<<<4, size, size * sizeof(int)>>>(out, size);
    cudaDeviceSynchronize();
    print("transform", out, 4 * size);
    pairsInBlock<<<4, size, size * sizeof(int)>>>(out, size);
    cudaDeviceSynchronize();
    print("pairs", out, 4 * size);
  }
}
