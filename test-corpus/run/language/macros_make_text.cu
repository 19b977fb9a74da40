// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Macros that make text of a launch or of a kernel's address show the text as it was written.
// FORMS: auto,fibers,fibers-all lines of translations for readers have other numbers
#include <cstdio>
#include <cuda_runtime.h>
__global__ void plain(int* p) { *p += 1; }
template <class T> __global__ void typed(T* p, T v) { *p += v; }
__global__ void dynamic() {
  extern __shared__ int words[];
  words[0] = 1;
}

#define SHOW(call)                                                                                                     \
  do {                                                                                                                 \
    const cudaError_t error = (call);                                                                                  \
    printf("%s: %s\n", #call, cudaGetErrorName(error));                                                                \
  } while (0)
#define RUN(...)                                                                                                       \
  do {                                                                                                                 \
    __VA_ARGS__;                                                                                                       \
    printf("ran '%s' at line %d: %s\n", #__VA_ARGS__, __LINE__, cudaGetErrorName(cudaGetLastError()));                 \
  } while (0)
#define TEXT(...) #__VA_ARGS__
#define OUTER(...) RUN(__VA_ARGS__)
#define CALL(kernel, ...) (printf("%s(%s)\n", #kernel, #__VA_ARGS__), kernel<<<1, 1>>>(__VA_ARGS__))

int main() {
  int* p;
  SHOW(cudaMallocManaged(&p, sizeof(int)));
  *p = 0;
  RUN(plain<<<1, 32>>>(p));
  RUN(plain<<< dim3(2, 1), 1 , 0 , 0 >>>( p ));
  RUN(typed<<<1, 1>>>(p, 5); plain<<<1, 1>>>(p));
  RUN(typed<int><<<1, 1>>>(p, 5));
  OUTER(plain<<<1, 1>>>(p));
  CALL(plain, p);
  CALL(typed<int>, p, 3);
  SHOW(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
  RUN(dynamic<<<1, 1, 60000>>>());
  cudaFuncAttributes attributes;
  SHOW(cudaFuncGetAttributes(&attributes, plain));
  SHOW(cudaFuncGetAttributes(&attributes, (const void*)&plain));
  SHOW(cudaFuncGetAttributes(&attributes, typed<float>));
  int blocks = 0;
  SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 128, 0));
  void* arguments[] = {&p};
  SHOW(cudaLaunchKernel((void*)plain, dim3(1), dim3(1), arguments, 0, 0));
  printf("%s\n", TEXT(plain<<<1, 1>>>(p)));
  SHOW(cudaDeviceSynchronize());
  printf("%d\n", *p > 0);
  return 0;
}
