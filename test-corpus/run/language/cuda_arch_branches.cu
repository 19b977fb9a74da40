// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __CUDA_ARCH__ picks code: in kernels it reads 900, in __host__ __device__ functions each side runs its own version.
#include <cstdio>

__host__ __device__ int side() {
#ifdef __CUDA_ARCH__
  return 1;
#else
  return 2;
#endif
}

template <class T> __host__ __device__ T scaled(T x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 600
  return x * T(10);
#elif defined(__CUDA_ARCH__)
  return x * T(100);
#else
  return x * T(1000);
#endif
}

struct Both {
  __host__ __device__ int where() const {
#if !defined(__CUDA_ARCH__)
    return -1;
#else
    return int(threadIdx.x) + 50;
#endif
  }
};

__global__ void k(int* out) {
#if __CUDA_ARCH__ >= 700
  out[0] = 7;
#else
  out[0] = 1;
#endif
  out[1] = side();
  out[2] = scaled(3);
  out[3] = Both().where();
#ifdef __CUDACC__
  out[4] = 44;
#endif
}

int main() {
  int* out;
  cudaMallocManaged(&out, 5 * sizeof(int));
  k<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  printf("device %d %d %d %d %d\n", out[0], out[1], out[2], out[3], out[4]);
  printf("host %d %d %d\n", side(), scaled(3), Both().where());
#ifdef __NVCC__
  printf("compiled as CUDA\n");
#endif
  return 0;
}
