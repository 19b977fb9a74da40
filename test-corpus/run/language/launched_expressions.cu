// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches of expressions: overloads chosen by a cast, conditional kernels, members, tables,
// dereferenced kernels.
#include <cstdio>
__global__ void over(int* o) { o[threadIdx.x] += 1; }
__global__ void over(float* o) { o[threadIdx.x] += 0.5f; }
__global__ void one(int* o) { o[threadIdx.x] = 1; }
__global__ void two(int* o) { o[threadIdx.x] = 2; }
template <class T> __global__ void tk(T* o) { o[threadIdx.x] += 7; }
struct H {
  void (*k)(int*);
  void (*table[2])(int*);
};
int main(int c, char**) {
  int* o;
  cudaMallocManaged(&o, 128);
  static_cast<void (*)(int*)>(over)<<<1, 32>>>(o);
  ((void (*)(int*))over)<<<1, 32>>>(o);
  cudaDeviceSynchronize();
  printf("%d\n", o[3]);
  (c > 5 ? one : two)<<<1, 32>>>(o);
  cudaDeviceSynchronize();
  printf("%d\n", o[3]);
  (c > 5 ? &one : tk<int>)<<<1, 32>>>(o);
  cudaDeviceSynchronize();
  printf("%d\n", o[3]);
  H h{one, {two, &one}};
  h.table[1]<<<1, 32>>>(o);
  (*h.table[0])<<<1, 32>>>(o);
  h.k<<<1, 32>>>(o);
  (&two)<<<1, 32>>>(o);
  (*two)<<<1, 32>>>(o);
  cudaDeviceSynchronize();
  printf("%d\n", o[3]);
}
