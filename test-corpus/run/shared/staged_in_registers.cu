// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that load the next tile into registers and store it into shared memory later; and what
// only looks like it: memory that changes in between, places that move on, other conditions, names
// that mean something else, registers that are read twice or before they are loaded again.
#include <cstdio>

struct Tile {
  static constexpr int M = 32, K = 16, Threads = 128, ItemsA = M * K / Threads;
};

// A product of A and its own columns: double-buffered tiles by lambdas.
template <class T>
__global__ void product(const int* __restrict__ A, int* __restrict__ C, int rows, int depth) {
  __shared__ int s[2][T::K][T::M + 1];
  int keep[T::ItemsA];
  const int tid = threadIdx.x, row0 = blockIdx.x * T::M;
  auto fetch = [&](int k0) {
#pragma unroll
    for (int l = 0; l < T::ItemsA; ++l) {
      const int e = tid + l * T::Threads;
      const int r = row0 + e / T::K, k = k0 + e % T::K;
      keep[l] = r < rows && k < depth ? A[r * depth + k] : 0;
    }
  };
  auto stash = [&](int buf) {
#pragma unroll
    for (int l = 0; l < T::ItemsA; ++l) {
      const int e = tid + l * T::Threads;
      s[buf][e % T::K][e / T::K] = keep[l];
    }
  };
  int sum = 0;
  fetch(0);
  stash(0);
  __syncthreads();
  int buf = 0;
  for (int k0 = 0; k0 < depth; k0 += T::K) {
    const bool more = k0 + T::K < depth;
    if (more)
      fetch(k0 + T::K);
    for (int k = 0; k < T::K; ++k)
      sum += s[buf][k][tid % T::M] * s[buf][k][tid / T::M];
    if (more)
      stash(buf ^ 1);
    __syncthreads();
    buf ^= 1;
  }
  C[blockIdx.x * T::Threads + tid] = sum;
}

// Written as loops, without braces, with another counter and a conversion.
__global__ void plain(const float* __restrict__ in, int* out, int n) {
  __shared__ int s[4][64];
  const int tid = threadIdx.x;
  int kept[4], sum = 0;
  const float* from = in + blockIdx.x * 256;
  for (int step = 0; step < n; ++step) {
    for (int l = 0; l < 4; ++l)
      kept[l] = from[(step * 7 + l * 64 + tid) % 256] * 1.5f;
    sum += tid;
    __syncthreads();
    for (int l = 0; l < 4; ++l)
      s[l][tid] = kept[l];
    __syncthreads();
    for (int l = 0; l < 4; ++l)
      sum += s[l][63 - tid] * (l + 1);
  }
  out[blockIdx.x * 64 + tid] = sum;
}

// What is loaded changes before it is stored.
__global__ void changed(int* data, int* out) {
  __shared__ int s[4][64];
  const int tid = threadIdx.x;
  int kept[4];
  for (int l = 0; l < 4; ++l)
    kept[l] = data[l * 64 + tid];
  __syncthreads();
  data[255 - tid] = -tid;
  __syncthreads();
  for (int l = 0; l < 4; ++l)
    s[l][tid] = kept[l];
  __syncthreads();
  for (int l = 0; l < 4; ++l)
    out[l * 64 + tid] = s[l][63 - tid];
}

// A place that moves on, a name that is hidden, another condition, and a pointer that moves.
__global__ void moved(const int* __restrict__ in, int* out, int n) {
  __shared__ int s[4][64], other[4][64];
  const int tid = threadIdx.x;
  int kept[4], more[4], third[4], at = 1, sum = 0;
  const int* __restrict__ pointer = in;
  for (int l = 0; l < 4; ++l)
    s[l][tid] = other[l][tid] = 0;
  for (int step = 0; step < n; ++step) {
    __syncthreads();
    for (int l = 0; l < 4; ++l)
      kept[l] = in[at + l * 64 + tid];
    if (step % 2 == 0)
      for (int l = 0; l < 4; ++l)
        more[l] = in[step + l * 64 + tid];
    for (int l = 0; l < 4; ++l)
      third[l] = pointer[l + tid];
    at += 3;
    ++pointer;
    for (int l = 0; l < 4; ++l)
      s[l][tid] = kept[l];
    if (step > 0) {
      const int step = 5;
      for (int l = 0; l < 4; ++l)
        other[l][tid] = step % 2 == 1 ? more[l] : 0;
    }
    for (int l = 0; l < 4; ++l)
      s[3 - l][tid] += third[l];
    __syncthreads();
    for (int l = 0; l < 4; ++l)
      sum += s[l][63 - tid] * (l + 1) - other[l][tid ^ 1];
  }
  out[tid] = sum;
}

// The store comes first: it takes what the step before has loaded.
__global__ void before(const int* __restrict__ in, int* out, int n) {
  __shared__ int s[4][64];
  const int tid = threadIdx.x;
  int kept[4], twice[2], sum = 0;
  for (int l = 0; l < 4; ++l)
    kept[l] = in[l * 64 + tid];
  for (int step = 0; step < n; ++step) {
    for (int l = 0; l < 4; ++l)
      s[l][tid] = kept[l];
    for (int i = 0; i < 2; ++i)
      twice[i] = in[step + i + tid];
    __syncthreads();
    for (int l = 0; l < 4; ++l)
      kept[l] = in[(step + 1) * 5 + l * 64 + tid];
    for (int l = 0; l < 4; ++l)
      sum += s[l][(tid + step) % 64] * (l + 1);
    __syncthreads();
    for (int i = 0; i < 2; ++i)
      s[i][tid] = twice[i];
    __syncthreads();
    sum += s[0][63 - tid] + s[1][tid ^ 3] + twice[0];
    __syncthreads();
  }
  out[tid] = sum;
}

static void print(const char* name, const int* out, int n) {
  long long sum = 0;
  for (int i = 0; i < n; ++i)
    sum += (long long)out[i] * (i % 71 + 1);
  printf("%s: %lld, %d %d %d\n", name, sum, out[0], out[n / 2], out[n - 1]);
}

int main() {
  const int rows = 90, depth = 75;
  int *in, *out;
  float* numbers;
  cudaMallocManaged(&in, rows * depth * sizeof(int));
  cudaMallocManaged(&numbers, 1024 * sizeof(float));
  cudaMallocManaged(&out, 1024 * sizeof(int));
  for (int i = 0; i < rows * depth; ++i)
    in[i] = i * 29 % 83 - 40;
  for (int i = 0; i < 1024; ++i)
    numbers[i] = (i * 13 % 64) / 2.0f;
  product<Tile><<<3, Tile::Threads>>>(in, out, rows, depth);
  cudaDeviceSynchronize();
  print("product", out, 3 * Tile::Threads);
  plain<<<4, 64>>>(numbers, out, 6);
  cudaDeviceSynchronize();
  print("plain", out, 256);
  moved<<<1, 64>>>(in, out, 5);
  cudaDeviceSynchronize();
  print("moved", out, 64);
  before<<<1, 64>>>(in, out, 5);
  cudaDeviceSynchronize();
  print("before", out, 64);
  changed<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  print("changed", out, 256);
}
