// The sum, the smallest and the largest of an array, in one pass: warp shuffles within a warp, shared memory between the
// warps of a block, atomics between blocks.
//
//   reduction [elements]
#include <chrono>
#include <climits>
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

struct Result {
  unsigned long long sum;
  int smallest;
  int largest;
};

// Each step halves the distance between the lanes that add up; after five, lane 0 has the warp's sum.
__device__ long long warpSum(long long value) {
  for (int distance = warpSize / 2; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffffu, value, distance);
  return value;
}

template <int threads> __global__ void reduce(const int* in, int n, Result* out) {
  __shared__ long long sums[threads / 32];
  __shared__ int smallest, largest;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (threadIdx.x == 0) {
    smallest = INT_MAX;
    largest = INT_MIN;
  }
  __syncthreads();

  long long sum = 0;
  int low = INT_MAX, high = INT_MIN;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) {
    const int value = in[i];
    sum += value;
    low = min(low, value);
    high = max(high, value);
  }
  sum = warpSum(sum);
  if (lane == 0)
    sums[warp] = sum;
  low = __reduce_min_sync(0xffffffffu, low);
  high = __reduce_max_sync(0xffffffffu, high);
  if (lane == 0) {
    atomicMin(&smallest, low);
    atomicMax(&largest, high);
  }
  __syncthreads();

  if (warp == 0) {
    sum = warpSum(lane < threads / 32 ? sums[lane] : 0);
    if (lane == 0) {
      atomicAdd(&out->sum, static_cast<unsigned long long>(sum));
      atomicMin(&out->smallest, smallest);
      atomicMax(&out->largest, largest);
    }
  }
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1 << 24;
  std::vector<int> host(n);
  unsigned state = 1;
  Result expected = {0, INT_MAX, INT_MIN};
  for (int& value : host) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<int>(state >> 8) - (1 << 23);
    expected.sum += value;
    expected.smallest = value < expected.smallest ? value : expected.smallest;
    expected.largest = value > expected.largest ? value : expected.largest;
  }

  int* in;
  Result *out, result = {0, INT_MAX, INT_MIN};
  CHECK(cudaMalloc(&in, n * sizeof(int)));
  CHECK(cudaMalloc(&out, sizeof(Result)));
  CHECK(cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(out, &result, sizeof(Result), cudaMemcpyHostToDevice));

  constexpr int threads = 256;
  const auto start = std::chrono::steady_clock::now();
  reduce<threads><<<128, threads>>>(in, n, out);
  CHECK(cudaDeviceSynchronize());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  CHECK(cudaMemcpy(&result, out, sizeof(Result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));

  const bool right = result.sum == expected.sum && result.smallest == expected.smallest &&
                     result.largest == expected.largest;
  std::printf("%d elements: sum %lld, from %d to %d; %.1f ms, %.1f GB/s\n%s\n", n,
              static_cast<long long>(result.sum), result.smallest, result.largest, seconds * 1e3,
              n * sizeof(int) / seconds / 1e9, right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
