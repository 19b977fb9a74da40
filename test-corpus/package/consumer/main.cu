#include <cstdio>
#include <factor.cuh>

void scale(int* data, int n);
bool hostSide(int* data, int n);
extern "C" int deviceCount(void);
int sumOfEntries();

__global__ void fill(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = times(i);
}

int main() {
  const int n = 1000;
  int* data = nullptr;
  if (cudaMallocManaged(&data, n * sizeof(int)) != cudaSuccess)
    return 1;
  fill<<<4, 256>>>(data, n);
  scale(data, n);
  if (!hostSide(data, n) || deviceCount() < 1)
    return 1;
  // 2 * (1 + 2 + 3 + 4) + 8 * 1
  if (sumOfEntries() != 28)
    return 2;
  // 10 * FACTOR * FACTOR + 7
  std::printf("value %d\n", data[10]);
  return cudaFree(data) == cudaSuccess ? 0 : 1;
}
