// cuBLAS from a host file.
#include <cstdio>
#include <cublas_v2.h>
#include <cuda_runtime.h>

int main() {
  cublasHandle_t handle;
  float* x = nullptr;
  float sum = 0;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS ||
      cudaMallocManaged(&x, 8 * sizeof(float)) != cudaSuccess)
    return 1;
  for (int i = 0; i < 8; ++i)
    x[i] = float(i);
  const cublasStatus_t done = cublasSasum(handle, 8, x, 1, &sum);
  cublasDestroy(handle);
  cudaFree(x);
  std::printf("value %.0f\n", sum);
  return done == CUBLAS_STATUS_SUCCESS ? 0 : 1;
}
