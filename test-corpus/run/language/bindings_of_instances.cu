// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structured bindings of what functions return in which threads meet: in kernels with several
// instances, and in device functions.
#include <cstdio>

struct Ends {
  float first, last;
};

template <int N> __device__ Ends ends(float v) {
  __shared__ float s[N];
  s[threadIdx.x] = v;
  __syncthreads();
  const Ends both{s[0], s[N - 1] + v};
  __syncthreads();
  return both;
}

template <int N> __global__ void spread(float* x, int n) {
  const auto [first, last] = ends<N>(x[threadIdx.x]);
  if (threadIdx.x == 0)
    x[N] = first - last;
  for (int i = threadIdx.x; i < n; i += N)
    x[i] = first * i + last;
  __syncthreads();
  x[threadIdx.x] += last;
}

template <int N> __device__ float range(float v) {
  auto [first, last] = ends<N>(v);
  last -= v;
  const auto& [again, other] = ends<N>(first + v);
  __syncthreads();
  return last - first + again * other;
}

template <int N> __global__ void ranges(float* x) {
  float v = x[threadIdx.x];
  v += range<N>(v);
  x[threadIdx.x] = v * 2;
}

int main() {
  float* x;
  cudaMallocManaged(&x, 256 * sizeof(float));
  const auto run = [&](const char* name, auto&& launch) {
    for (int i = 0; i < 256; ++i)
      x[i] = float(i % 37) / 4;
    launch();
    cudaDeviceSynchronize();
    double sum = 0;
    for (int i = 0; i < 256; ++i)
      sum += x[i] * (i % 7 + 1);
    std::printf("%s %.2f\n", name, sum);
  };
  run("spread", [&] { spread<64><<<1, 64>>>(x, 64); });
  run("spread", [&] { spread<128><<<1, 128>>>(x, 100); });
  run("ranges", [&] { ranges<64><<<1, 64>>>(x); });
  run("ranges", [&] { ranges<192><<<1, 192>>>(x); });
}
