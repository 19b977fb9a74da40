// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process may exit with work pending: static destructors can still use the runtime, and nothing
// hangs or crashes.
#include <cstdio>
#include <ctime>

#include <cu2cpp/launch.h>

namespace {

void slow(int* counter) {
  const timespec time{0, 2'000'000};
  nanosleep(&time, nullptr);
  __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

struct Holder {
  int* counter = nullptr;
  cudaStream_t stream = nullptr;
  // Destroyed after main() has returned. (cudaFree() would wait for the other stream too.)
  ~Holder() {
    int value = 0;
    const cudaError_t copied =
        cudaMemcpyAsync(&value, counter, sizeof value, cudaMemcpyDeviceToHost, stream);
    std::puts(copied == cudaSuccess && value == 20 ? "PASS" : "FAIL");
  }
} holder;

} // namespace

int main() {
  if (cudaMalloc(&holder.counter, sizeof(int)) != cudaSuccess ||
      cudaStreamCreate(&holder.stream) != cudaSuccess)
    return 1;
  cudaMemset(holder.counter, 0, sizeof(int));
  cu2cpp::launch(slow, 20, 1, 0, holder.stream)(holder.counter);
  cudaStream_t other = nullptr;
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  static int ignored = 0;
  for (int i = 0; i < 1000; ++i) // left over when the process ends
    cu2cpp::launch(slow, 64, 1, 0, other)(&ignored);
  return 0;
}
