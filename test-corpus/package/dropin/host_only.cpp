// A program without kernels of its own, in C++14: random numbers on the device, and a library with
// kernels.
#include "parts.cuh"

#include <cstdio>
#include <cuda_runtime.h>
#include <curand.h>
#include <vector>

int main() {
  std::vector<int> data(100);
  if (fillAll(data.data(), 100) != 0)
    return 1;
  float* numbers = nullptr;
  curandGenerator_t generator;
  if (cudaMallocManaged(&numbers, 16 * sizeof(float)) != cudaSuccess ||
      curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT) != CURAND_STATUS_SUCCESS ||
      curandGenerateUniform(generator, numbers, 16) != CURAND_STATUS_SUCCESS ||
      cudaDeviceSynchronize() != cudaSuccess)
    return 1;
  const bool inside = numbers[0] > 0 && numbers[0] <= 1;
  curandDestroyGenerator(generator);
  cudaFree(numbers);
  std::printf("value %d %s\n", data[10], inside ? "inside" : "outside");
  return 0;
}
