// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A macro declares dynamic shared memory whose type and name are its parameters: the macro's body is translated, once
// for all its uses; a macro's argument that holds a whole declaration is translated where it stands.
#include <cstdio>

template <class T> struct Block;

#define BLOCK_OF(type, name)                                                                       \
  template <> struct Block<type> {                                                                 \
    __device__ type& operator[](int i) {                                                           \
      extern __shared__ type name[];                                                               \
      return name[i];                                                                              \
    }                                                                                              \
    __device__ type& first() {                                                                     \
      extern __shared__ type name[];                                                               \
      return *name;                                                                                \
    }                                                                                              \
  }
BLOCK_OF(int, ints);
BLOCK_OF(float, floats);

#define FIXED(type, name, count) __shared__ type name[count]

template <class T> __global__ void reverse(T* data) {
  Block<T> block;
  FIXED(T, copy, 32);
  block[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  copy[threadIdx.x] = block[31 - threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = copy[threadIdx.x] + block.first();
}

template <class T> void show(const char* format) {
  T* data = nullptr;
  cudaMallocManaged(&data, 32 * sizeof(T));
  for (int i = 0; i < 32; ++i)
    data[i] = T(i + 1);
  reverse<<<1, 32, 32 * sizeof(T)>>>(data);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; ++i)
    std::printf(format, data[i]);
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  cudaFree(data);
}

int main() {
  show<int>("%d ");
  show<float>("%g ");
}
