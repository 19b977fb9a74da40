// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host classes that derive from std::exception and override what(), beside kernels.
#include <cstdio>
#include <exception>
#include <optional>
#include <stdexcept>

struct Mine : std::exception {
  const char* what() const noexcept override { return "mine"; }
};
struct Failure : std::runtime_error {
  Failure() : std::runtime_error("failure") {}
  const char* what() const noexcept override { return "overridden"; }
};

__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x * 2; }

int main() {
  int* p;
  cudaMallocManaged(&p, 32 * sizeof *p);
  fill<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  try {
    if (p[31] == 62)
      throw Mine();
  } catch (const std::exception& e) {
    printf("%s\n", e.what());
  }
  try {
    throw Failure();
  } catch (const std::runtime_error& e) {
    printf("%s\n", e.what());
  }
  try {
    std::optional<int>().value();
  } catch (const std::bad_optional_access&) {
    printf("empty\n");
  }
}
