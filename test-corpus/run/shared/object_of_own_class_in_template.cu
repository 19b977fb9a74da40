// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A class template keeps its state in a shared object of its own type and calls its member templates without `template`.
#include <cstdio>

template <int N> class Window {
  int values_[N];

  template <bool REVERSED> __device__ void fill(int start) {
    for (int i = threadIdx.x; i < N; i += blockDim.x)
      values_[REVERSED ? N - 1 - i : i] = start + i;
  }

public:
  __device__ static void run(int* out, int start, bool reversed) {
    __shared__ Window<N> window;
    __shared__ Window<N> two[2];
    if (reversed)
      window.fill<true>(start);
    else
      window.fill<false>(start);
    for (int i = threadIdx.x; i < N; i += blockDim.x)
      two[1].values_[i] = 1000 * start;
    __syncthreads();
    for (int i = threadIdx.x; i < N; i += blockDim.x)
      out[i] = window.values_[N - 1 - i] + two[1].values_[(i + 1) % N];
  }
};

template <int N> __global__ void k(int* out) {
  Window<N>::run(out + blockIdx.x * N, blockIdx.x, blockIdx.x % 2);
}

int main() {
  const int n = 48, blocks = 4;
  int* out;
  cudaMallocManaged(&out, blocks * n * sizeof(int));
  k<n><<<blocks, 32>>>(out);
  cudaDeviceSynchronize();
  bool right = true;
  for (int b = 0; b < blocks; ++b)
    for (int i = 0; i < n; ++i)
      right = right && out[b * n + i] == 1001 * b + (b % 2 ? i : n - 1 - i);
  printf("%d %d %d %d\n", out[0], out[n], out[n + 1], out[blocks * n - 1]);
  printf(right ? "PASS\n" : "FAIL\n");
  cudaFree(out);
  return 0;
}
