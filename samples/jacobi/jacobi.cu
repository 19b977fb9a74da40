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

__global__ void smooth(const float* from, float* to, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < n - 1 && y > 0 && y < n - 1)
    to[y * n + x] = 0.25f * (from[y * n + x - 1] + from[y * n + x + 1] + from[(y - 1) * n + x] + from[(y + 1) * n + x]);
}

// The largest difference of two plates. Floats that are not negative keep their order as integers.
__global__ void largestChange(const float* a, const float* b, int* largest, int count) {
  __shared__ float s[256];
  float mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    mine = fmaxf(mine, fabsf(a[i] - b[i]));
  s[threadIdx.x] = mine;
  __syncthreads();
  for (int width = blockDim.x / 2; width > 0; width /= 2) {
    if (threadIdx.x < width)
      s[threadIdx.x] = fmaxf(s[threadIdx.x], s[threadIdx.x + width]);
    __syncthreads();
  }
  if (threadIdx.x == 0)
    atomicMax(largest, __float_as_int(s[0]));
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
    smooth<<<grid, block, 0, work>>>(a, b, n);
    smooth<<<grid, block, 0, work>>>(b, a, n);
  }
  largestChange<<<16, 256, 0, work>>>(a, b, device, count);
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
