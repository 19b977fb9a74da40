// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block reduction by warp shuffles and one value per warp in shared memory, for block sizes with a partial last warp.
#include <cstdio>

template <class T> __inline__ __device__ T warpSum(T v) {
#pragma unroll
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    v += __shfl_down_sync(0xffffffff, v, offset);
  return v;
}

template <class T> __inline__ __device__ T blockSum(T v) {
  static __shared__ T shared[32];
  int lane = threadIdx.x % warpSize, wid = threadIdx.x / warpSize;
  v = warpSum(v);
  if (lane == 0)
    shared[wid] = v;
  __syncthreads();
  v = threadIdx.x < blockDim.x / warpSize ? shared[lane] : T(0);
  if (wid == 0)
    v = warpSum(v);
  return v;
}

template <class T> __global__ void sum(const T* in, T* out, int n) {
  T mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    mine += in[i];
  mine = blockSum(mine);
  if (threadIdx.x == 0)
    atomicAdd(out, mine);
}

template <class T> void test(int block) {
  const int n = 12345;
  T *in, *out;
  cudaMallocManaged(&in, n * sizeof(T));
  cudaMallocManaged(&out, sizeof(T));
  for (int i = 0; i < n; ++i)
    in[i] = T(i % 64) / 4;
  *out = 0;
  sum<<<7, block>>>(in, out, n);
  cudaDeviceSynchronize();
  printf("%d: %.2f\n", block, double(*out));
  cudaFree(in);
  cudaFree(out);
}

int main() {
  test<int>(64);
  test<float>(256);
  test<double>(1024);
  test<unsigned long long>(32);
  return 0;
}
