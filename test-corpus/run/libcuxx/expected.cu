// cuda::std::expected in kernels: values and errors that go through functions, and its helpers.
#include <cstdio>
#include <cuda/std/expected>

enum class Fault { odd, negative };

__host__ __device__ cuda::std::expected<int, Fault> half(int v) {
  if (v < 0)
    return cuda::std::unexpected<Fault>(Fault::negative);
  if (v & 1)
    return cuda::std::unexpected(Fault::odd);
  return v / 2;
}
__host__ __device__ cuda::std::expected<float, Fault> quarter(int v) {
  const auto first = half(v);
  if (!first)
    return cuda::std::unexpected<Fault>(first.error());
  return *first * 0.5f;
}

__global__ void use(int* out) {
  __shared__ int faults;
  const int t = threadIdx.x;
  if (t == 0)
    faults = 0;
  __syncthreads();
  const int v = t * 3 - 12;
  const auto h = half(v);
  if (!h.has_value())
    atomicAdd(&faults, h.error() == Fault::odd ? 1 : 100);
  const auto twice = h.and_then([](int x) { return half(x); });
  const auto more = h.transform([](int x) { return x + 1000; });
  __syncthreads();
  out[t] = h.value_or(-7) * 100 + twice.value_or(-1) + (more ? more.value() : 5) +
           int(quarter(v).value_or(0.25f) * 4) + faults * 100000;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 40 * sizeof(int));
  use<<<1, 40>>>(out);
  printf("%d\n", cudaDeviceSynchronize());
  for (int t = 0; t < 40; ++t)
    printf("%d ", out[t]);
  printf("\n%d %d\n", half(8) == half(9) ? 1 : 0, half(8).value());
  return 0;
}
