// Translated from matrix_product.cu by cu2cpp.
#include <cu2cpp/launch.h>
// Product of two square matrices, tile by tile through shared memory, checked against a plain loop on the host.
//
//   matrix_product [n]

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

constexpr int TILE = 16;

// Each block computes one TILE x TILE piece of c. Its threads load a tile of a and a tile of b together, wait for each
// other, multiply, and wait again before the tiles are overwritten.
void matrixProduct(const float* a, const float* b, float* c, int n) {
  cu2cpp::runBlock<16, 16>([&](const auto& cuBlock) CU2CPP_INLINE {
  const uint3 blockIdx = cuBlock.blockIdx;
  cu2cpp::PerThread<float> cuEach_sum(cuBlock);
  alignas(64) float tileA[TILE][TILE];
  alignas(64) float tileB[TILE][TILE];

  cu2cpp::eachThread(cuBlock, [&](const cu2cpp::Thread cuThisThread) {
  const uint3 threadIdx = cuThisThread.threadIdx;
  auto& sum = cuEach_sum[cuThisThread];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = blockIdx.y * TILE + y;
  const int column = blockIdx.x * TILE + x;
  sum = 0.0f;
  });

  for (int tile = 0; tile < (n + TILE - 1) / TILE; ++tile) {
    cu2cpp::eachThreadInside(cuBlock, [&](const uint3 threadIdx) {
        const int x = threadIdx.x;
        const int column = blockIdx.x * TILE + x;
        const int k = tile * TILE;
        return cu2cpp::Inside().below(k + x, n).below(column, n); }(uint3{}),
        [&](const auto cuInside, const uint3 threadIdx) CU2CPP_INLINE {
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int row = blockIdx.y * TILE + y;
    const int column = blockIdx.x * TILE + x;
    const int k = tile * TILE;
    // Outside of the matrix is zero, so that n need not be a multiple of TILE.
    tileA[y][x] = row < n && (cuInside || k + x < n) ? a[row * n + k + x] : 0.0f;
    tileB[y][x] = k + y < n && (cuInside || column < n) ? b[(k + y) * n + column] : 0.0f;
    });
    // __syncthreads();

    cu2cpp::eachThread(cuBlock, [&](const cu2cpp::Thread cuThisThread) {
    const uint3 threadIdx = cuThisThread.threadIdx;
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    auto& sum = cuEach_sum[cuThisThread];
    for (int i = 0; i < TILE; ++i)
      sum += tileA[y][i] * tileB[i][x];
    });
    // __syncthreads();
  }

  cu2cpp::eachThreadInBox(cuBlock, [&](const uint3 threadIdx) {
      const int x = threadIdx.x;
      const int y = threadIdx.y;
      const int row = blockIdx.y * TILE + y;
      const int column = blockIdx.x * TILE + x;
      return cu2cpp::Box{cu2cpp::Inside().below(column, n),
          cu2cpp::Inside().below(row, n),
          cu2cpp::Inside()}; }(uint3{}),
      [&](const auto cuInside, const cu2cpp::Thread cuThisThread) CU2CPP_INLINE {
  const uint3 threadIdx = cuThisThread.threadIdx;
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = blockIdx.y * TILE + y;
  const int column = blockIdx.x * TILE + x;
  auto& sum = cuEach_sum[cuThisThread];
  if ((cuInside || row < n) && (cuInside || column < n))
    c[row * n + column] = sum;
  });
});
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 500;
  if (n <= 0 || n > 20000) {
    std::fprintf(stderr, "usage: %s [n]\n", argv[0]);
    return 2;
  }
  const size_t count = static_cast<size_t>(n) * n;
  const size_t bytes = count * sizeof(float);
  std::vector<float> a(count), b(count), c(count), expected(count, 0.0f);
  for (size_t i = 0; i < count; ++i) {
    a[i] = static_cast<float>(i % 17) - 8.0f; // small whole numbers: sums are exact in any order
    b[i] = static_cast<float>(i % 13) - 6.0f;
  }

  float *deviceA, *deviceB, *deviceC;
  CHECK(cudaMalloc(&deviceA, bytes));
  CHECK(cudaMalloc(&deviceB, bytes));
  CHECK(cudaMalloc(&deviceC, bytes));
  CHECK(cudaMemcpy(deviceA, a.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(deviceB, b.data(), bytes, cudaMemcpyHostToDevice));

  const dim3 threads(TILE, TILE);
  const dim3 blocks((n + TILE - 1) / TILE, (n + TILE - 1) / TILE);
  const auto start = std::chrono::steady_clock::now();
  cu2cpp::launch(matrixProduct, blocks, threads)(deviceA, deviceB, deviceC, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
  CHECK(cudaMemcpy(c.data(), deviceC, bytes, cudaMemcpyDeviceToHost));

  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j)
        expected[static_cast<size_t>(i) * n + j] +=
            a[static_cast<size_t>(i) * n + k] * b[static_cast<size_t>(k) * n + j];
  for (size_t i = 0; i < count; ++i)
    if (c[i] != expected[i]) {
      std::printf("FAIL: element %zu is %g, expected %g\n", i, c[i], expected[i]);
      return 1;
    }
  std::printf("PASS: %d x %d product in %u blocks of %d x %d threads, every element checked\n", n, n,
              blocks.x * blocks.y, TILE, TILE);
  std::printf("time: %.3f ms, %.2f GFLOP/s\n", time.count(), 2e-6 * n * n * n / time.count());

  CHECK(cudaFree(deviceA));
  CHECK(cudaFree(deviceB));
  CHECK(cudaFree(deviceC));
  return 0;
}

// Threads that a block may have, and bytes of shared variables.
[[maybe_unused]] static const bool cu2cppLimits[] = {
    cu2cpp::limitKernel(&::matrixProduct, 1024, 2048),
};
