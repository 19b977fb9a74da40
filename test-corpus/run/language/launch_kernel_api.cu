// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaLaunchKernel with an array of argument pointers, for a plain kernel, a template instance and a pointer in a table.
#include <cstdio>

struct Params {
  int a;
  double b;
};

__global__ void plain(int* out, Params p, char c) {
  out[threadIdx.x + blockIdx.x * blockDim.x] = p.a + int(p.b * 4) + c;
}
template <class T, int N> __global__ void tmpl(int* out, T v) {
  extern __shared__ char bytes[];
  T* s = reinterpret_cast<T*>(bytes);
  s[threadIdx.x] = v + T(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = int(s[(threadIdx.x + N) % blockDim.x]);
}

int main() {
  int* out;
  cudaMallocManaged(&out, 32 * sizeof(int));
  Params p{100, 2.25};
  char c = 7;
  void* args[] = {&out, &p, &c};
  cudaError_t e = cudaLaunchKernel((void*)plain, dim3(2), dim3(8), args, 0, 0);
  p.a = -1;  // the arguments were copied
  cudaDeviceSynchronize();
  printf("%s %d %d\n", cudaGetErrorName(e), out[0], out[15]);
  long v = 50;
  void* args2[] = {&out, &v};
  e = cudaLaunchKernel((const void*)&tmpl<long, 3>, dim3(1), dim3(16), args2, 16 * sizeof(long), nullptr);
  cudaDeviceSynchronize();
  printf("%s %d %d %d\n", cudaGetErrorName(e), out[0], out[13], out[15]);
  const void* table[] = {(const void*)plain, (const void*)tmpl<float, 1>};
  float f = 0.5f;
  void* args3[] = {&out, &f};
  e = cudaLaunchKernel(table[1], dim3(1), dim3(4), args3, 4 * sizeof(float), nullptr);
  cudaDeviceSynchronize();
  printf("%s %d %d\n", cudaGetErrorName(e), out[0], out[3]);
  return 0;
}
