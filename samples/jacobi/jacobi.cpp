// Translated from jacobi.cu by cu2cpp.
#include <cu2cpp/launch.h>
// The temperature of a plate whose upper edge is hot, by Jacobi's iteration: each step takes the mean of four
// neighbours. Two steps and the measurement of what has changed are captured into a graph, which is launched again and
// again; a copy on a second stream brings each result to the host meanwhile.
//
//   jacobi [size]
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                                    \
  do {                                                                                                                 \
    cudaError_t error = (call);                                                                                        \
    if (error != cudaSuccess) {                                                                                        \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));                              \
      std::exit(1);                                                                                                    \
    }                                                                                                                  \
  } while (0)

void smooth(const float* from, float* to, int n) {
  const auto cuBlock = cu2cpp::thisLongRow<32, 8>();
  const uint3 blockIdx = cuBlock.blockIdx;
  const dim3 blockDim = cuBlock.blockDim;
  cu2cpp::eachThread(cuBlock, [&](const uint3 threadIdx) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < n - 1 && y > 0 && y < n - 1)
    to[y * n + x] = 0.25f * (from[y * n + x - 1] + from[y * n + x + 1] + from[(y - 1) * n + x] + from[(y + 1) * n + x]);
  });
}

// The largest difference of two plates. Floats that are not negative keep their order as integers.
void largestChange(const float* a, const float* b, int* largest, int count) {
  cu2cpp::runBlock<256>([&](const auto& cuBlock) CU2CPP_INLINE {
  const uint3 blockIdx = cuBlock.blockIdx;
  const dim3 blockDim = cuBlock.blockDim;
  const dim3 gridDim = cuBlock.gridDim;
  cu2cpp::PerThread<float> cuEach_mine(cuBlock);
  alignas(64) float s[256];
  cu2cpp::eachThread(cuBlock, [&](const cu2cpp::Thread cuThisThread) {
  auto& mine = cuEach_mine[cuThisThread];
  mine = 0;
  });
  { int cuStep_i = blockIdx.x * blockDim.x;
  for (bool cuMore1 = true; cuMore1; cuStep_i += gridDim.x * blockDim.x, cu2cpp::prefetchRow(cuBlock, a, cuStep_i, gridDim.x * blockDim.x), cu2cpp::prefetchRow(cuBlock, b, cuStep_i, gridDim.x * blockDim.x))
    cuMore1 = cu2cpp::eachThreadRising(cuBlock, [&](const uint3 threadIdx) { const int i = cuStep_i + int(threadIdx.x); return i < count; }, [&](const cu2cpp::Thread cuThisThread) {
    const uint3 threadIdx = cuThisThread.threadIdx;
    auto& mine = cuEach_mine[cuThisThread];
    const int i = cuStep_i + int(threadIdx.x);
        mine = fmaxf(mine, fabsf(a[i] - b[i]));
    }); }
  cu2cpp::eachThread(cuBlock, [&](const cu2cpp::Thread cuThisThread) {
  const uint3 threadIdx = cuThisThread.threadIdx;
  auto& mine = cuEach_mine[cuThisThread];
  s[threadIdx.x] = mine;
  });
  // __syncthreads();
  for (int width = blockDim.x / 2; width > 0; width /= 2) {
    cu2cpp::eachThreadBelow(cuBlock, static_cast<unsigned>(width), [&](const uint3 threadIdx) {
    if (threadIdx.x < width)
      s[threadIdx.x] = fmaxf(s[threadIdx.x], s[threadIdx.x + width]);
    });
    // __syncthreads();
  }
  cu2cpp::eachThreadAt(cuBlock, 0, [&](const uint3 threadIdx) {
  if (threadIdx.x == 0)
    atomicMax(largest, __float_as_int(s[0]));
  });
});
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 128, count = n * n;
  const float goal = 1e-5f;
  std::vector<float> plate(count, 0.0f);
  for (int x = 0; x < n; ++x)
    plate[x] = 100.0f;

  float *a, *b;
  int *device, *change;
  CHECK(cudaMalloc(&a, count * sizeof(float)));
  CHECK(cudaMalloc(&b, count * sizeof(float)));
  CHECK(cudaMalloc(&device, sizeof(int)));
  CHECK(cudaMallocHost(&change, sizeof(int)));
  CHECK(cudaMemcpy(a, plate.data(), count * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(b, plate.data(), count * sizeof(float), cudaMemcpyHostToDevice));
  cudaStream_t work, copies;
  cudaEvent_t measured;
  CHECK(cudaStreamCreate(&work));
  CHECK(cudaStreamCreate(&copies));
  CHECK(cudaEventCreateWithFlags(&measured, cudaEventDisableTiming));

  const dim3 block(32, 8), grid((n + 31) / 32, (n + 7) / 8);
  cudaGraph_t graph;
  cudaGraphExec_t steps;
  CHECK(cudaStreamBeginCapture(work, cudaStreamCaptureModeGlobal));
  CHECK(cudaMemsetAsync(device, 0, sizeof(int), work));
  for (int s = 0; s < 10; ++s) {
    cu2cpp::launch(smooth, grid, block, 0, work)(a, b, n);
    cu2cpp::launch(smooth, grid, block, 0, work)(b, a, n);
  }
  cu2cpp::launch(largestChange, 16, 256, 0, work)(a, b, device, count);
  CHECK(cudaStreamEndCapture(work, &graph));
  CHECK(cudaGraphInstantiateWithFlags(&steps, graph, 0));

  const auto start = std::chrono::steady_clock::now();
  int launches = 0;
  float difference = 1;
  while (difference > goal && launches < 10000) {
    CHECK(cudaGraphLaunch(steps, work));
    CHECK(cudaEventRecord(measured, work));
    CHECK(cudaStreamWaitEvent(copies, measured, 0));
    CHECK(cudaMemcpyAsync(change, device, sizeof(int), cudaMemcpyDeviceToHost, copies));
    CHECK(cudaStreamSynchronize(copies));
    difference = *reinterpret_cast<float*>(change);
    ++launches;
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  CHECK(cudaMemcpy(plate.data(), a, count * sizeof(float), cudaMemcpyDeviceToHost));

  // In the middle a quarter of the heat arrives: one of four equal edges is hot. The error of the iteration is larger
  // than its last step by about 1 / (1 - its rate of convergence).
  const float middle = n % 2 ? plate[n / 2 * n + n / 2]
                             : 0.25f * (plate[n / 2 * n + n / 2] + plate[n / 2 * n + n / 2 - 1] +
                                        plate[(n / 2 - 1) * n + n / 2] + plate[(n / 2 - 1) * n + n / 2 - 1]);
  const bool right = difference <= goal && std::fabs(middle - 25.0f) < 0.5f;
  CHECK(cudaGraphExecDestroy(steps));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaEventDestroy(measured));
  CHECK(cudaStreamDestroy(work));
  CHECK(cudaStreamDestroy(copies));
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  CHECK(cudaFree(device));
  CHECK(cudaFreeHost(change));
  std::printf("%d x %d: %d steps, %.1f ms, middle %.2f\n%s\n", n, n, launches * 20, seconds * 1e3, middle,
              right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}

// Threads that a block may have, and bytes of shared variables.
[[maybe_unused]] static const bool cu2cppLimits[] = {
    cu2cpp::limitKernel(&::largestChange, 1024, 1024),
};
