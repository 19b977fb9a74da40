// The lesser and greater of numbers of which some are none (NaN), infinite or zeros of either sign:
// in vectors of many lengths, one by one, with constants, in chains as sorting networks have them,
// of floats and doubles, among lanes, and in scans whose one value waits for the last.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>

__host__ __device__ unsigned bitsOf(float value) {
  unsigned bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}
__host__ __device__ unsigned long long bitsOf(double value) {
  unsigned long long bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

// A NaN's own bits differ from GPU to processor: any one is told as one.
template <class Type> __host__ __device__ unsigned long long told(Type value) {
  return value != value ? 0x7ffull : bitsOf(value);
}

#define EXCHANGE(a, b)                                                                             \
  {                                                                                                \
    const float lesser = fminf(a, b);                                                              \
    b = fmaxf(a, b);                                                                               \
    a = lesser;                                                                                    \
  }

__global__ void pairs(const float* a, const float* b, float* lesser, float* greater, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  lesser[i] = fminf(a[i], b[i]);
  greater[i] = fmaxf(a[i], b[i]);
}

__global__ void pairsOfDoubles(const double* a, const double* b, double* lesser, double* greater,
                               int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  lesser[i] = fmin(a[i], b[i]);
  greater[i] = max(a[i], b[i]);
}

__global__ void constants(const float* a, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = fmaxf(a[i], 0.0f);
  out[n + i] = fmaxf(a[i], -0.0f);
  out[2 * n + i] = fminf(0.0f, a[i]);
  out[3 * n + i] = fminf(-0.0f, a[i]);
  out[4 * n + i] = fminf(fmaxf(a[i], -1.5f), 1.5f);
}

__global__ void medians(const float* a, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 5 > n)
    return;
  float p[5];
#pragma unroll
  for (int k = 0; k < 5; ++k)
    p[k] = a[i + k];
  EXCHANGE(p[0], p[1]);
  EXCHANGE(p[3], p[4]);
  EXCHANGE(p[0], p[3]);
  EXCHANGE(p[1], p[4]);
  EXCHANGE(p[1], p[2]);
  EXCHANGE(p[2], p[3]);
  EXCHANGE(p[1], p[2]);
  out[i] = p[2];
}

// One thread: nothing but numbers one after the other, and structures of two and three.
struct Three {
  float x, y, z;
};
__global__ void alone(const float* a, const Three* b, Three* box, float* running, int n) {
  Three low{INFINITY, INFINITY, INFINITY};
  float last = NAN;
  for (int i = 0; i < n; ++i) {
    last = fmaxf(last * 0.5f, a[i]);
    running[i] = last;
    low.x = fminf(low.x, b[i].x);
    low.y = fminf(low.y, b[i].y);
    low.z = fminf(low.z, b[i].z);
  }
  *box = low;
}

__global__ void warps(const float* a, float* out) {
  float v = a[threadIdx.x];
  for (int apart = 16; apart; apart /= 2)
    v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, apart));
  out[threadIdx.x] = v;
}

template <class Type> unsigned long long sumOf(const Type* values, int n) {
  unsigned long long sum = 0;
  for (int i = 0; i < n; ++i)
    sum = sum * 1099511628211ull + told(values[i]);
  return sum;
}

int main() {
  const float special[] = {0.0f, -0.0f,     NAN,    1.0f,    -1.0f, INFINITY,
                           -NAN, -INFINITY, 1e-40f, -1e-40f, 2.5f,  -2.5f};
  constexpr int kinds = sizeof special / sizeof *special, n = kinds * kinds + 5;
  float *a, *b, *out, *more;
  double *c, *d, *wide, *wider;
  Three *points, *box;
  cudaMallocManaged(&a, n * sizeof *a);
  cudaMallocManaged(&b, n * sizeof *b);
  cudaMallocManaged(&out, 5 * n * sizeof *out);
  cudaMallocManaged(&more, n * sizeof *more);
  cudaMallocManaged(&c, n * sizeof *c);
  cudaMallocManaged(&d, n * sizeof *d);
  cudaMallocManaged(&wide, n * sizeof *wide);
  cudaMallocManaged(&wider, n * sizeof *wider);
  cudaMallocManaged(&points, n * sizeof *points);
  cudaMallocManaged(&box, sizeof *box);
  for (int i = 0; i < n; ++i) {
    a[i] = special[i % kinds];
    b[i] = special[i / kinds % kinds];
    c[i] = a[i];
    d[i] = b[i];
    points[i] = {a[i], b[i] + 1.0f, i % 3 ? NAN : -0.0f};
  }
  pairs<<<1, 160>>>(a, b, out, more, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < kinds * kinds; ++i)
    printf("%08llx %08llx%c", told(out[i]), told(more[i]), i % kinds == kinds - 1 ? '\n' : ' ');
  for (int width : {32, 48, 7}) {
    pairsOfDoubles<<<(n + width - 1) / width, width>>>(c, d, wide, wider, n);
    cudaDeviceSynchronize();
    printf("doubles %d: %016llx %016llx\n", width, sumOf(wide, n), sumOf(wider, n));
    constants<<<(n + width - 1) / width, width>>>(a, out, n);
    cudaDeviceSynchronize();
    for (int part = 0; part < 5; ++part)
      printf("constants %d: %016llx\n", part, sumOf(out + part * n, n));
    memset(out, 0, n * sizeof *out);
    medians<<<(n + width - 1) / width, width>>>(b, out, n);
    cudaDeviceSynchronize();
    printf("medians: %016llx\n", sumOf(out, n));
  }
  alone<<<1, 1>>>(a, points, box, more, n);
  cudaDeviceSynchronize();
  printf("alone: %016llx, %08llx %08llx %08llx\n", sumOf(more, n), told(box->x), told(box->y),
         told(box->z));
  warps<<<1, 32>>>(b, out);
  cudaDeviceSynchronize();
  printf("warps: %016llx\n", sumOf(out, 32));
  return 0;
}
