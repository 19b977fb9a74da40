// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches in a kernel that cannot take place: the error that the launching thread reads, that it is the thread's own, and
// that good launches around it take place.
// FLAGS: -rdc=true
#include <cstdio>

__global__ void child(int* out) { atomicAdd(out, 1); }
__global__ void __launch_bounds__(64) bounded(int* out) { atomicAdd(out, 100); }

__global__ void parent(int* out, int* errors) {
  int n = 0;
  child<<<1, 4096>>>(out);
  errors[n++] = cudaPeekAtLastError();
  errors[n++] = cudaGetLastError();
  errors[n++] = cudaGetLastError();
  child<<<0, 32>>>(out);
  errors[n++] = cudaGetLastError();
  child<<<1, 0>>>(out);
  errors[n++] = cudaGetLastError();
  child<<<1, dim3(1, 1, 65)>>>(out);
  errors[n++] = cudaGetLastError();
  child<<<dim3(1, 70000), 1>>>(out);
  errors[n++] = cudaGetLastError();
  child<<<1, 32, 1 << 20>>>(out);
  errors[n++] = cudaGetLastError();
  bounded<<<1, 65>>>(out);
  errors[n++] = cudaGetLastError();
  bounded<<<2, 2>>>(out);
  errors[n++] = cudaGetLastError();
  child<<<2, 3>>>(out);
  errors[n++] = cudaGetLastError();
}

__global__ void eachItsOwn(int* out, int* errors) {
  const unsigned threads = threadIdx.x % 3 == 0 ? 2000 : 1;
  child<<<1, threads>>>(out);
  errors[threadIdx.x] = cudaGetLastError();
}

int main() {
  int *out, *errors;
  cudaMallocManaged(&out, sizeof(int));
  cudaMallocManaged(&errors, 32 * sizeof(int));
  *out = 0;
  parent<<<1, 1>>>(out, errors);
  const char* waited = cudaGetErrorName(cudaDeviceSynchronize());
  for (int i = 0; i < 11; ++i)
    printf("%d ", errors[i]);
  printf("%s %d\n", waited, *out);
  *out = 0;
  eachItsOwn<<<1, 8>>>(out, errors);
  waited = cudaGetErrorName(cudaDeviceSynchronize());
  for (int i = 0; i < 8; ++i)
    printf("%d ", errors[i]);
  printf("%s %d\n", waited, *out);
  cudaFree(out);
  cudaFree(errors);
}
