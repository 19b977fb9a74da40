// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints what a launch costs: launch and synchronise, many launches and one wait, a small copy.
// Best of several rounds.
#include <algorithm>
#include <chrono>
#include <cstdio>

#include <cu2cpp/launch.h>

namespace {

void touch(int* counters) { ++counters[cu2cpp::thisBlock().blockIdx.x * 64]; }

template <class Body> double bestMicroseconds(int repetitions, Body body) {
  double best = 1e30;
  for (int round = 0; round < 20; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < repetitions; ++i)
      body();
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count() / repetitions);
  }
  return best;
}

} // namespace

int main() {
  int* counters = nullptr;
  cudaMalloc(&counters, 64 * 1024 * sizeof(int));
  cudaMemset(counters, 0, 64 * 1024 * sizeof(int));
  for (unsigned blocks : {1u, 4u, 64u, 1024u}) {
    const double waited = bestMicroseconds(1000, [&] {
      cu2cpp::launch(touch, blocks, 1)(counters);
      cudaDeviceSynchronize();
    });
    const double queued = bestMicroseconds(1, [&] {
      for (int i = 0; i < 1000; ++i)
        cu2cpp::launch(touch, blocks, 1)(counters);
      cudaDeviceSynchronize();
    });
    std::printf("%5u blocks: launch and wait %8.3f us, 1000 launches and one wait %8.3f us each\n",
                blocks, waited, queued / 1000);
  }
  int host[16] = {};
  std::printf("64-byte cudaMemcpy to the host: %8.3f us\n", bestMicroseconds(1000, [&] {
                cudaMemcpy(host, counters, sizeof host, cudaMemcpyDeviceToHost);
              }));
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
