// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dynamic shared memory of several types under different names and through a struct template, one program.
#include <cstdio>

template <class T> struct SharedMemory {
  __device__ T* get() {
    extern __shared__ char bytes[];
    return reinterpret_cast<T*>(bytes);
  }
};

template <class T> __global__ void rotate(T* data, int by) {
  SharedMemory<T> shared;
  T* s = shared.get();
  s[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = s[(threadIdx.x + by) % blockDim.x];
}

__global__ void carve(double* out) {
  extern __shared__ double doubles[];
  int* ints = (int*)&doubles[blockDim.x];
  unsigned char* bytes = (unsigned char*)&ints[blockDim.x];
  int t = threadIdx.x;
  doubles[t] = t * 0.25;
  ints[t] = -t;
  bytes[t] = (unsigned char)(t * 9);
  __syncthreads();
  int o = blockDim.x - 1 - t;
  out[t] = doubles[o] + ints[o] * 1000.0 + bytes[o] * 1000000.0;
}

template <class T> void test(int by) {
  T* data;
  cudaMallocManaged(&data, 40 * sizeof(T));
  for (int i = 0; i < 40; ++i)
    data[i] = T(i * 3);
  rotate<T><<<1, 40, 40 * sizeof(T)>>>(data, by);
  cudaDeviceSynchronize();
  printf("%zu: %g %g\n", sizeof(T), double(data[0]), double(data[39]));
  cudaFree(data);
}

int main() {
  test<char>(2);
  test<short>(3);
  test<float>(5);
  test<double>(7);
  double* out;
  cudaMallocManaged(&out, 30 * sizeof(double));
  carve<<<1, 30, 30 * 13>>>(out);
  cudaDeviceSynchronize();
  printf("%.2f %.2f\n", out[0], out[29]);
  return 0;
}
