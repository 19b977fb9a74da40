// The header of an algorithm declares thrust::device and thrust::host too.
#include <thrust/reduce.h>
#include <thrust/partition.h>

#include <cstdio>

struct IsOdd {
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};

int main() {
  constexpr int n = 1000;
  int* values;
  cudaMallocManaged(&values, n * sizeof(int));
  for (int i = 0; i < n; ++i)
    values[i] = i;
  std::printf("sum on the device %d, on the host %d\n", thrust::reduce(thrust::device, values, values + n, 0),
              thrust::reduce(thrust::host, values, values + n, 0));
  int* middle = thrust::partition(thrust::device, values, values + n, IsOdd());
  std::printf("%d odd, the first part sums to %d\n", int(middle - values),
              thrust::reduce(thrust::device, values, middle));
  cudaFree(values);
  return 0;
}
