// Translated from vector_add.cu by cu2cpp.
#include <cu2cpp/launch.h>
// Adds two vectors on the device, checks every element and says how long it took.
//
//   vector_add [elements]

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    cudaError_t error_ = (call);                                                                   \
    if (error_ != cudaSuccess) {                                                                   \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error_));         \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

// One thread adds one pair of elements.
void vectorAdd(const float* a, const float* b, float* c, int n) {
  const auto cuBlock = cu2cpp::thisLongRow<256>();
  const uint3 blockIdx = cuBlock.blockIdx;
  const dim3 blockDim = cuBlock.blockDim;
  cu2cpp::eachThread(cuBlock, [&](const uint3 threadIdx) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return; // the last block may be wider than what is left
  c[i] = a[i] + b[i];
  });
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 10'000'000;
  if (n <= 0) {
    std::fprintf(stderr, "usage: %s [elements]\n", argv[0]);
    return 2;
  }
  const size_t bytes = n * sizeof(float);
  std::vector<float> a(n), b(n), c(n);
  for (int i = 0; i < n; ++i) {
    a[i] = 0.5f * i;
    b[i] = std::sin(0.001f * i);
  }

  float *deviceA, *deviceB, *deviceC;
  CHECK(cudaMalloc(&deviceA, bytes));
  CHECK(cudaMalloc(&deviceB, bytes));
  CHECK(cudaMalloc(&deviceC, bytes));
  CHECK(cudaMemcpy(deviceA, a.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(deviceB, b.data(), bytes, cudaMemcpyHostToDevice));

  const int threads = 256;
  const int blocks = (n + threads - 1) / threads;
  cu2cpp::launch(vectorAdd, blocks, threads)(deviceA, deviceB, deviceC, n); // warm up: touches the memory
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());

  const int rounds = 20;
  const auto start = std::chrono::steady_clock::now();
  for (int round = 0; round < rounds; ++round)
    cu2cpp::launch(vectorAdd, blocks, threads)(deviceA, deviceB, deviceC, n);
  CHECK(cudaDeviceSynchronize());
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;

  CHECK(cudaMemcpy(c.data(), deviceC, bytes, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i)
    if (c[i] != a[i] + b[i]) {
      std::printf("FAIL: element %d is %g, expected %g\n", i, c[i], a[i] + b[i]);
      return 1;
    }
  const double milliseconds = time.count() / rounds;
  std::printf("PASS: %d elements added in %d blocks of %d threads, every one checked\n", n, blocks,
              threads);
  std::printf("time: %.3f ms a launch, %.1f GB/s\n", milliseconds, 3e-6 * bytes / milliseconds);

  CHECK(cudaFree(deviceA));
  CHECK(cudaFree(deviceB));
  CHECK(cudaFree(deviceC));
  return 0;
}
