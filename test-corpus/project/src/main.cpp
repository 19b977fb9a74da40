// Host code without a kernel, which calls the runtime and includes a header that gets a new name.
#include <cstdio>
#include <vector>

#include "interface.cuh"

void addOne(int* device);

int main() {
  const int n = 64;
  std::vector<int> host(n, 1);
  int* device = nullptr;
  cudaMalloc(&device, n * sizeof(int));
  cudaMemcpy(device, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  scaleBy2(device, n); // 2
  scaleBy3(device, n); // 6
  addPairs(device, n); // 12
  addOne(device);      // 13
  const int sum = sumOf(device, n);
  cudaFree(device);
  std::printf("%d\n%s\n", sum, sum == 13 * n ? "PASS" : "FAIL");
  return sum != 13 * n;
}
