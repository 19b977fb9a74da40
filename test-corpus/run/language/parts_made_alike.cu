// Structures of numbers whose parts are all made alike, and others: vectors of two, three and four
// parts, numbers that are one for all parts or one for each, choices, integers, and parts that
// change places.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int threads = 128;

__global__ void alike(const float4* x, const float4* b, float4* y, float a, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i < n) {
    const float own = i % 5;
    float4 v = x[i];
    v.x = a * v.x + b[i].x - own;
    v.y = a * v.y + b[i].y - own;
    v.z = a * v.z + b[i].z - own;
    v.w = a * v.w + b[i].w - own;
    y[i] = v;
  }
}
__global__ void unlike(const float4* x, float4* y, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i < n) {
    const float4 v = x[i];
    y[i] = make_float4(v.y + 1, v.x + 2, v.w + 3, v.z + 4);
  }
}
__global__ void chosen(const float4* x, float4* y, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i < n) {
    float4 v = x[i];
    v.x = v.x > 0 ? v.x * 2 : -1;
    v.y = v.y > 0 ? v.y * 2 : -1;
    v.z = v.z > 0 ? v.z * 2 : -1;
    v.w = v.w > 0 ? v.w * 2 : -1;
    y[i] = v;
  }
}
__global__ void pairs(const float2* x, float2* y, const float* scale, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i < n)
    y[i] = make_float2(fmaf(x[i].x, scale[i], 1.5f), fmaf(x[i].y, scale[i], -1.5f));
}
__global__ void threes(const float3* x, float3* y, float3 by, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i < n)
    y[i] = make_float3(fabsf(x[i].x) * by.x, fabsf(x[i].y) * by.y, fabsf(x[i].z) * by.z);
}
__global__ void doubles(const double2* x, double2* y, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i < n)
    y[i] = make_double2(sqrt(x[i].x * x[i].x + i), sqrt(x[i].y * x[i].y + i));
}
__global__ void integers(const int4* x, int4* y, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i < n) {
    const int4 v = x[i];
    y[i] = make_int4(max(v.x >> 1, i & 7), max(v.y >> 1, i & 7), max(v.z >> 1, i & 7),
                     max(v.w >> 1, i & 7));
  }
}
// A row of structures in registers, its sum by shuffles, and all parts again.
__global__ void rows(const float4* x, const float4* g, float4* y) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  float4 v[3];
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 3; ++k) {
    v[k] = x[row * 96 + k * 32 + lane];
    sum += v[k].x + v[k].y + v[k].z + v[k].w;
  }
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_xor_sync(~0u, sum, d);
  const float mean = sum / 384;
#pragma unroll
  for (int k = 0; k < 3; ++k) {
    const float4 by = g[k * 32 + lane];
    y[row * 96 + k * 32 + lane] =
        make_float4((v[k].x - mean) * by.x, (v[k].y - mean) * by.y, (v[k].z - mean) * by.z,
                    (v[k].w - mean) * by.w);
  }
}

template <class T> T* filled(int n, int from) {
  T* out;
  cudaMallocManaged(&out, n * sizeof(T));
  auto* numbers = &out->x;
  for (size_t i = 0; i < n * (sizeof(T) / sizeof(*numbers)); ++i)
    numbers[i] = int(i * 7 + from) % 61 - 30;
  return out;
}
template <class T> void print(const char* name, const T* y, int n) {
  cudaDeviceSynchronize();
  const auto* numbers = &y->x;
  double sum = 0;
  for (size_t i = 0; i < n * (sizeof(T) / sizeof(*numbers)); ++i)
    sum += double(numbers[i]) * (i % 9 + 1);
  printf("%s %.10g\n", name, sum);
}

int main() {
  const int n = 1003, blocks = (n + threads - 1) / threads;
  const float4 *x4 = filled<float4>(n, 1), *b4 = filled<float4>(n, 5);
  float4* y4 = filled<float4>(n, 0);
  alike<<<blocks, threads>>>(x4, b4, y4, 1.25f, n);
  print("alike", y4, n);
  alike<<<blocks, threads>>>(y4, b4, y4, 0.5f, n);
  print("in place", y4, n);
  unlike<<<blocks, threads>>>(x4, y4, n);
  print("unlike", y4, n);
  chosen<<<blocks, threads>>>(x4, y4, n);
  print("chosen", y4, n);
  float* scale;
  cudaMallocManaged(&scale, n * sizeof(float));
  for (int i = 0; i < n; ++i)
    scale[i] = i % 3 - 1;
  float2* y2 = filled<float2>(n, 0);
  pairs<<<blocks, threads>>>(filled<float2>(n, 3), y2, scale, n);
  print("pairs", y2, n);
  float3* y3 = filled<float3>(n, 0);
  threes<<<blocks, threads>>>(filled<float3>(n, 2), y3, make_float3(1, 2, 4), n);
  print("threes", y3, n);
  double2* d2 = filled<double2>(n, 0);
  doubles<<<blocks, threads>>>(filled<double2>(n, 4), d2, n);
  print("doubles", d2, n);
  int4* z4 = filled<int4>(n, 0);
  integers<<<blocks, threads>>>(filled<int4>(n, 6), z4, n);
  print("integers", z4, n);
  float4* r4 = filled<float4>(8 * 96, 0);
  rows<<<2, dim3(32, 4)>>>(filled<float4>(8 * 96, 8), filled<float4>(96, 9), r4);
  print("rows", r4, 8 * 96);
  return 0;
}
