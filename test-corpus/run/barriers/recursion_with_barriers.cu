// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device function that calls itself with a barrier at each level, at run time and through template recursion.
#include <cstdio>

__device__ int descend(int* s, int depth, int v) {
  if (depth == 0)
    return v;
  s[threadIdx.x] = v;
  __syncthreads();
  int next = s[(threadIdx.x + depth) % blockDim.x] + depth;
  __syncthreads();
  return descend(s, depth - 1, next) + (v & 1);
}

template <int N> struct Halve {
  __device__ static void run(int* s) {
    if (threadIdx.x < N)
      s[threadIdx.x] += s[threadIdx.x + N];
    __syncthreads();
    Halve<N / 2>::run(s);
  }
};
template <> struct Halve<0> {
  __device__ static void run(int*) {}
};

__global__ void k(int* out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int v = descend(s, 5, t * 3);
  s[t] = v;
  __syncthreads();
  Halve<32>::run(s);
  out[t] = v * 10000 + s[0];
}

int main() {
  int* out;
  cudaMallocManaged(&out, 64 * sizeof(int));
  k<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; i += 9)
    printf("%d ", out[i]);
  printf("\n");
  return 0;
}
