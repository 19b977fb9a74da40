// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What courses and helper headers do: operators for vector types, dot, lerp and clamp of their own, 128-bit integers, memory
// functions, constants of math_constants.h, compiler built-ins, an empty asm as a fence for the compiler, error macros.
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <math_constants.h>

#define CHECK(call)                                                                                                     \
  do {                                                                                                                  \
    const cudaError_t status = (call);                                                                                  \
    if (status != cudaSuccess) {                                                                                        \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status));                                   \
      exit(EXIT_FAILURE);                                                                                               \
    }                                                                                                                   \
  } while (0)
#define DIV_UP(a, b) (((a) + (b) - 1) / (b))
#define IDX2(i, j, ld) (((j) * (ld)) + (i))
#define GLOBAL_INDEX (blockIdx.x * blockDim.x + threadIdx.x)

inline __host__ __device__ float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
inline __host__ __device__ float3 operator-(const float3& a, const float3& b) {
  return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}
inline __host__ __device__ float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
inline __host__ __device__ float3 operator*(float s, float3 a) { return a * s; }
inline __host__ __device__ void operator+=(float3& a, float3 b) { a = a + b; }
inline __host__ __device__ float3 operator-(const float3& a) { return make_float3(-a.x, -a.y, -a.z); }
inline __host__ __device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline __host__ __device__ float3 cross(float3 a, float3 b) {
  return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
inline __host__ __device__ float length(float3 v) { return sqrtf(dot(v, v)); }
inline __device__ __host__ float lerp(float a, float b, float t) { return a + t * (b - a); }
inline __device__ __host__ float clamp(float f, float a, float b) { return fmaxf(a, fminf(f, b)); }
inline __device__ __host__ int clamp(int f, int a, int b) { return max(a, min(f, b)); }
inline __host__ __device__ float3 make_float3(float s) { return make_float3(s, s, s); }
inline __host__ __device__ float smoothstep(float a, float b, float x) {
  const float y = clamp((x - a) / (b - a), 0.0f, 1.0f);
  return y * y * (3.0f - 2.0f * y);
}
__device__ inline float warpReduceSum(float v) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    v += __shfl_down_sync(0xffffffff, v, offset);
  return v;
}
__inline__ __device__ float blockReduceSum(float v) {
  static __shared__ float shared[32];
  const int lane = threadIdx.x % warpSize, wid = threadIdx.x / warpSize;
  v = warpReduceSum(v);
  if (lane == 0)
    shared[wid] = v;
  __syncthreads();
  v = (threadIdx.x < blockDim.x / warpSize) ? shared[lane] : 0;
  if (wid == 0)
    v = warpReduceSum(v);
  return v;
}

__global__ void vectors(const float3* in, float* out, int n) {
  const int i = GLOBAL_INDEX;
  float3 sum = make_float3(0.0f);
  if (i < n) {
    const float3 a = in[i], b = in[(i + 1) % n];
    sum += cross(a, b) * 0.5f + 2.0f * -a;
    out[i] = dot(sum, a - b) + lerp(a.x, b.x, 0.25f) + clamp(a.y, -1.0f, 1.0f) + clamp(i, 3, 7) + smoothstep(0, 4, b.z);
  }
}
__global__ void sums(const float* in, float* out, int n) {
  float v = 0;
  for (int i = GLOBAL_INDEX; i < n; i += blockDim.x * gridDim.x)
    v += in[i];
  v = blockReduceSum(v);
  if (threadIdx.x == 0)
    out[blockIdx.x] = v;
}
__global__ void transpose(float* out, const float* in, int rows, int columns) {
  __shared__ float tile[16][16 + 1];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < columns && y < rows)
    tile[threadIdx.y][threadIdx.x] = in[y * columns + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  if (x < rows && y < columns)
    out[IDX2(x, y, rows)] = tile[threadIdx.x][threadIdx.y];
}

__global__ void odds(const float* in, long long* out) {
  __int128 wide = (__int128)0x123456789abcdefll * 0x7edcba9876543210ll;
  unsigned __int128 u = (unsigned __int128)(wide >> 3) + 5;
  out[0] = (long long)(wide >> 64);
  out[1] = (long long)u;
  out[2] = (long long)(u % 1000007);
  char a[16], b[16];
  memset(a, 7, sizeof a);
  memcpy(b, a, 8);
  memset(b + 8, 0, 8);
  for (int k = 8; k > 0; --k)
    b[k] = b[k - 1];
  out[3] = b[0] + b[8] * 10 + b[9] * 100;
  asm volatile("" ::: "memory");
  out[4] = __builtin_popcount(0xff0fu) + __builtin_clz(1u) + __builtin_ctz(8u) * 100;
  out[5] = (long long)(CUDART_PI_F * 1000) + (CUDART_INF_F > FLT_MAX) + (isnan(CUDART_NAN) ? 10 : 0) * 1000;
  out[6] = (long long)(M_PI * 1e6) + (INFINITY > 1) + isnan(NAN) + long(0x1.8p3);
  float f = 3.7f;
  out[7] = (long long)(f + .5f) + int(1e3) + 'a' + sizeof(1.0L > 0) + 0xFFu;
  int i = 5;
  i = i++ + 1;
  out[8] = i + (i ?: 3) + ((i > 2) ? 10 : 20);
  const float4 q = __ldg((const float4*)in);
  const int2 p = __ldg((const int2*)(in + 4));
  out[9] = p.y + int(q.w * 8);
}

int main(void) {
  const int n = 1000;
  float3* in;
  float *out, *m;
  long long* wide;
  CHECK(cudaMallocManaged(&in, n * sizeof(float3)));
  CHECK(cudaMallocManaged((void**)&out, n * sizeof(float)));
  CHECK(cudaMallocManaged(&m, 2 * 40 * 50 * sizeof(float)));
  CHECK(cudaMallocManaged(&wide, 16 * sizeof *wide));
  for (int i = 0; i < n; ++i)
    in[i] = make_float3(float(i % 7), float(i % 5 - 2), float(i % 3) * 0.5f);
  vectors<<<DIV_UP(n, 128), 128>>>(in, out, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += out[i];
  printf("%.3f %g %g\n", sum, out[0], out[999]);
  for (int i = 0; i < n; ++i)
    m[i] = float(i % 10);
  sums<<<4, 256>>>(m, out, n);
  CHECK(cudaDeviceSynchronize());
  printf("%g\n", out[0] + out[1] + out[2] + out[3]);
  for (int i = 0; i < 40 * 50; ++i)
    m[i] = float(i);
  transpose<<<dim3(DIV_UP(50, 16), DIV_UP(40, 16)), dim3(16, 16)>>>(m + 2000, m, 40, 50);
  CHECK(cudaDeviceSynchronize());
  int wrong = 0;
  for (int r = 0; r < 40; ++r)
    for (int c = 0; c < 50; ++c)
      wrong += m[2000 + c * 40 + r] != m[r * 50 + c];
  printf("wrong %d\n", wrong);
  odds<<<1, 1>>>(out, wide);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 10; ++i)
    printf("%lld ", wide[i]);
  printf("\n");
  CHECK(cudaFree(in));
  return EXIT_SUCCESS;
}
