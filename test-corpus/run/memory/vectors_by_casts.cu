// Neighbours of an array that threads take as one: by a cast of a place, by a cast of the array, in
// loops that step by the grid, and places that are not four times the thread's.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int threads = 128;

__global__ void byPlaces(const unsigned* in, unsigned* out, int n) {
  const int base = blockIdx.x * (4 * threads) + threadIdx.x * 4;
  uint4 v = make_uint4(0, 0, 0, 0);
  if (base < n)
    v = *reinterpret_cast<const uint4*>(in + base);
  __shared__ unsigned sums[threads];
  sums[threadIdx.x] = v.x + v.y + v.z + v.w;
  __syncthreads();
  const unsigned other = sums[threadIdx.x ^ 1];
  if (base < n)
    *reinterpret_cast<uint4*>(out + base) = make_uint4(v.x + other, v.y, v.z - other, v.w);
}
__global__ void byArrays(const float* __restrict__ in, float* __restrict__ out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float4 v = ((const float4*)in)[i];
    reinterpret_cast<float2*>(out)[i] = make_float2(v.x * v.z, v.y - v.w);
  }
}
__global__ void bySteps(const float* in, const float* weights, float* out, int n) {
  float sum = 0, most = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) {
    const float4 v = reinterpret_cast<const float4*>(in)[i];
    const float2 w = ((const float2*)weights)[i];
    sum += v.x * w.x + v.y * w.y + v.z - v.w;
    most = fmaxf(most, v.x);
  }
  __syncthreads();
  out[blockIdx.x * threads + threadIdx.x] = sum + most;
}
// Bytes as words, and pairs that overlap.
__global__ void others(const unsigned char* in, const double* pairs, float* out, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i < n) {
    const uchar4 v = *(const uchar4*)(in + i * 4);
    const double2 p = *reinterpret_cast<const double2*>(pairs + 2 * (i / 2));
    out[i] = v.x + 2 * v.y + 3 * v.z - v.w + float(p.x - p.y);
  }
}

int main() {
  const int n = 8 * threads * 5 + 40;
  unsigned *in, *out;
  float *f, *g, *h;
  double* d;
  cudaMallocManaged(&in, n * sizeof(unsigned));
  cudaMallocManaged(&out, n * sizeof(unsigned));
  cudaMallocManaged(&f, n * 4 * sizeof(float));
  cudaMallocManaged(&g, n * 2 * sizeof(float));
  cudaMallocManaged(&h, n * 2 * sizeof(float));
  cudaMallocManaged(&d, n * sizeof(double));
  for (int i = 0; i < n; ++i) {
    in[i] = i * 2654435761u >> 20;
    d[i] = i % 19;
    g[2 * i] = i % 3 * 0.5f;
    g[2 * i + 1] = 1 - i % 4;
    for (int k = 0; k < 4; ++k)
      f[4 * i + k] = (i * 5 + k * 3) % 23 - 11;
  }
  byPlaces<<<(n + 4 * threads - 1) / (4 * threads), threads>>>(in, out, n);
  cudaDeviceSynchronize();
  unsigned long long total = 0;
  for (int i = 0; i < n; ++i)
    total += (unsigned long long)out[i] * (i % 7);
  printf("places %llu\n", total);
  const auto print = [&](const char* name, int count) {
    cudaDeviceSynchronize();
    double sum = 0;
    for (int i = 0; i < count; ++i)
      sum += h[i] * (i % 11 + 1);
    printf("%s %.10g\n", name, sum);
  };
  byArrays<<<(n + threads - 1) / threads, threads>>>(f, h, n);
  print("arrays", 2 * n);
  bySteps<<<6, threads>>>(f, g, h, n);
  print("steps", 6 * threads);
  others<<<(n + threads - 1) / threads, threads>>>((const unsigned char*)in, d, h, n);
  print("others", n);
  return 0;
}
