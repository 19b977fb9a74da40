// Translated from histogram.cu by cu2cpp.
#include <cu2cpp/launch.h>
// Counts the bytes of a text in bins: each block counts in shared memory first, then adds its counts to the result.
//
//   histogram [bytes]

#include <chrono>
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

constexpr int BINS = 256;

void histogram(const unsigned char* text, size_t length, unsigned* bins) {
  cu2cpp::runBlock<256>([&](const auto& cuBlock) CU2CPP_INLINE {
  const uint3 blockIdx = cuBlock.blockIdx;
  const dim3 blockDim = cuBlock.blockDim;
  const dim3 gridDim = cuBlock.gridDim;
  alignas(64) unsigned counts[BINS];
  { int cuStep_bin = 0;
  for (bool cuMore1 = true; cuMore1; cuStep_bin += blockDim.x)
    cuMore1 = cu2cpp::eachThreadRising(cuBlock, [&](const uint3 threadIdx) { const int bin = cuStep_bin + int(threadIdx.x); return bin < BINS; }, [&](const uint3 threadIdx) {
    const int bin = cuStep_bin + int(threadIdx.x);
        counts[bin] = 0;
    }); }
  // __syncthreads();

  // The threads of the whole grid walk through the text together.
  const size_t stride = static_cast<size_t>(gridDim.x) * blockDim.x;
  { cu2cpp::Counters cuCounters_counts(counts);
  size_t cuStep_i = static_cast<size_t>(blockIdx.x) * blockDim.x;
  for (bool cuMore2 = true; cuMore2; cuStep_i += stride, cu2cpp::prefetchRow(cuBlock, text, cuStep_i, stride))
    cuMore2 = cu2cpp::eachThreadRising(cuBlock, [&](const uint3 threadIdx) { const size_t i = cuStep_i + (threadIdx.x); return i < length; }, [&](const uint3 threadIdx) {
    const size_t i = cuStep_i + (threadIdx.x);
        cuCounters_counts.add(threadIdx.x, text[i], 1u);
    }); }
  // __syncthreads();

  { int cuStep_bin = 0;
  for (bool cuMore3 = true; cuMore3; cuStep_bin += blockDim.x)
    cuMore3 = cu2cpp::eachThreadRising(cuBlock, [&](const uint3 threadIdx) { const int bin = cuStep_bin + int(threadIdx.x); return bin < BINS; }, [&](const uint3 threadIdx) {
    const int bin = cuStep_bin + int(threadIdx.x);
        if (counts[bin] != 0)
      atomicAdd(&bins[bin], counts[bin]);
    }); }
});
}

int main(int argc, char** argv) {
  const long long wanted = argc > 1 ? std::atoll(argv[1]) : 16 << 20;
  if (wanted <= 0) {
    std::fprintf(stderr, "usage: %s [bytes]\n", argv[0]);
    return 2;
  }
  const size_t length = static_cast<size_t>(wanted);
  std::vector<unsigned char> text(length);
  std::vector<unsigned> expected(BINS, 0), bins(BINS);
  unsigned random = 1;
  for (unsigned char& c : text) {
    random = random * 1664525u + 1013904223u;
    c = static_cast<unsigned char>((random >> 24) & (random >> 16)); // low values are commoner
    ++expected[c];
  }

  unsigned char* deviceText;
  unsigned* deviceBins;
  CHECK(cudaMalloc(&deviceText, length));
  CHECK(cudaMalloc(&deviceBins, BINS * sizeof(unsigned)));
  CHECK(cudaMemcpy(deviceText, text.data(), length, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(deviceBins, 0, BINS * sizeof(unsigned)));

  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  const int blocks = 4 * properties.multiProcessorCount;
  const auto start = std::chrono::steady_clock::now();
  cu2cpp::launch(histogram, blocks, 256)(deviceText, length, deviceBins);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
  CHECK(cudaMemcpy(bins.data(), deviceBins, BINS * sizeof(unsigned), cudaMemcpyDeviceToHost));

  for (int bin = 0; bin < BINS; ++bin)
    if (bins[bin] != expected[bin]) {
      std::printf("FAIL: bin %d has %u, expected %u\n", bin, bins[bin], expected[bin]);
      return 1;
    }
  std::printf("PASS: %zu bytes in %d bins, every bin checked (%d blocks on '%s')\n", length, BINS,
              blocks, properties.name);
  std::printf("time: %.3f ms, %.2f GB/s\n", time.count(), 1e-6 * length / time.count());

  CHECK(cudaFree(deviceText));
  CHECK(cudaFree(deviceBins));
  return 0;
}

// Threads that a block may have, and bytes of shared variables.
[[maybe_unused]] static const bool cu2cppLimits[] = {
    cu2cpp::limitKernel(&::histogram, 1024, 1024),
};
