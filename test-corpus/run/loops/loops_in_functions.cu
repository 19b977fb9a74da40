// Device functions with loops that all threads take alike are written out where they are called:
// with structures by value, by reference and by pointer, tiles as arguments, nested, as templates,
// with guards that return, and not where a name or a value would mean something else there.
#include <cstdio>

#include <cuda_runtime.h>

constexpr float EPS = 0.01f;

struct Sums {
  float a, b;
};

__device__ float3 interact(float3 acc, float4 bi, float4 bj) {
  const float dx = bj.x - bi.x, dy = bj.y - bi.y, dz = bj.z - bi.z;
  const float s = bj.w / (dx * dx + dy * dy + dz * dz + EPS);
  acc.x += dx * s;
  acc.y += dy * s;
  acc.z += dz * s;
  return acc;
}

// The tile is the function's own declaration of what the kernel declares.
__device__ float3 pullOfTile(float4 me, float3 acc) {
  extern __shared__ float4 tile[];
  for (int i = 0; i < blockDim.x; i++) {
    acc = interact(acc, me, tile[i]);
  }
  return acc;
}

__global__ void pull(const float4* in, float3* out, int n) {
  extern __shared__ float4 tile[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = make_float4(0, 0, 0, 0);
  if (i < n)
    me = in[i];
  float3 acc = make_float3(0, 0, 0);
  for (int first = 0; first < n; first += blockDim.x) {
    const int at = first + threadIdx.x;
    tile[threadIdx.x] = at < n ? in[at] : make_float4(0, 0, 0, 0);
    __syncthreads();
    acc = pullOfTile(me, acc);
    __syncthreads();
  }
  if (i < n)
    out[i] = acc;
}

// By reference and by pointer; the loop calls another function.
__device__ void addTo(float x, float y, float m, Sums& sums) {
  const float d = x - y;
  sums.a += m * d;
  sums.b += d * d;
}
__device__ void addAt(float x, float m, Sums* sums) {
  sums->a += m * x;
  sums->b -= x;
}
__device__ void sumOfTile(const float* tile, int count, float x, Sums& sums) {
#pragma unroll 4
  for (int k = 0; k < count; ++k)
    addTo(x, tile[k], 0.5f, sums);
}
__device__ Sums sumTwice(const float* tile, int count, float x) {
  Sums sums = {0, 0};
  sumOfTile(tile, count, x, sums);
  for (int k = 0; k < count; ++k)
    addAt(tile[k] - x, 2, &sums);
  return sums;
}
__global__ void references(const float* in, Sums* out, int n) {
  __shared__ float tile[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  Sums sums = {1, 2};
  for (int round = 0; round < 2; ++round) {
    sumOfTile(tile, 64, i, sums);
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      addAt(tile[k] * i, 0.25f, &sums);
    __syncthreads();
  }
  const Sums more = sumTwice(tile, 32, i);
  if (i < n) {
    out[i].a = sums.a + more.a;
    out[i].b = sums.b - more.b;
  }
}

// Results inside of expressions, guards, early ends, values that the function changes.
__device__ float polynomial(const float* c, int n, float x) {
  if (n <= 0)
    return -1.0f;
  if (x < -2) {
    x = -2;
    return x * n;
  }
  float sum = 0, power = 1;
  for (int k = 0; k < n; ++k) {
    sum += c[k] * power;
    power *= x;
  }
  return sum;
}
__device__ float weighted(float x, const float* w, int n) {
  float k = 0; // the callers' names
  for (int i = 0; i < n; ++i)
    k = k * 0.5f + w[i] * x + i;
  return k;
}
__global__ void expressions(const float* c, float* out, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float x = i % 28 * 0.125f - 2.5f;
  float k = 1;
  k = 2 * polynomial(c, m, x) + weighted(k, c, m);
  out[i] += k - polynomial(c, m - 20, x);
  if (i % 3 == 0)
    out[i] = weighted(weighted(x, c, m), c, 9);
  else
    k = weighted(k, c, 10);
  out[i] *= 1 + k;
}

// A template, a macro, the same variable twice, and a name that the kernel has for something else.
template <typename T, int N> __device__ T dot(const T* a, const T* b) {
  T sum = T(0);
  for (int k = 0; k < N; ++k)
    sum += a[k] * b[k * N];
  return sum;
}
#define SCALE 3
__device__ void grow(float& a, float b, const float* c, int n) {
  for (int k = 0; k < n; ++k)
    a += b * c[k] * SCALE;
}
#undef SCALE
#define SCALE 4
__device__ float shift = 10;
__device__ float shifted(const float* c, int n, float x) {
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += c[k] * x + shift;
  return sum;
}
template <int N> __global__ void matrices(const float* in, float* out, const float* c) {
  __shared__ float a[N][N], b[N][N];
  const int x = threadIdx.x, y = threadIdx.y;
  a[y][x] = in[y * N + x];
  b[y][x] = in[x * N + y] + 1;
  __syncthreads();
  float value = dot<float, N>(a[y], &b[0][x]);
  float shift = value;
  grow(value, value, c, 12);
  shift += shifted(c, 12, x);
  out[y * N + x] = value + shift * SCALE;
}
__global__ void same(float* out, const float* c, int n) {
  const int i = threadIdx.x;
  float value = 0.5f * i, shift = 2;
  grow(value, value, c, n);
  shift = shifted(c, n, value) + shift;
  float s = dot<float, 3>(c, c + i);
  out[i] = value + shift + s;
}

// Instances of templates, by their arguments.
template <typename T, int N, bool Twice> __device__ T distances(const T* tile, T x, int) {
  T sum = T(0);
  for (int k = 0; k < N; ++k) {
    const T d = tile[k] - x;
    sum += Twice ? d * d + d * T(2) : d * d;
  }
  return sum / N;
}
__global__ void templates(const float* in, float* out, int n) {
  __shared__ float tile[32];
  const int i = blockIdx.x * 32 + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 1;
  __syncthreads();
  float x = 0.01f * i;
  int calls = 0;
  x += distances<float, 32, false>(tile, x, calls++);
  __syncthreads();
  const float y = distances<float, 24, true>(tile, x, 0) - calls;
  if (i < n)
    out[i] = x - y;
}

static float checksum(const float* values, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += values[i] * (1 + i % 7);
  return float(sum);
}

int main() {
  const int n = 203;
  float4* bodies;
  float3* pulls;
  float *in, *out;
  Sums* sums;
  cudaMallocManaged(&bodies, n * sizeof(float4));
  cudaMallocManaged(&pulls, n * sizeof(float3));
  cudaMallocManaged(&in, 1024 * sizeof(float));
  cudaMallocManaged(&out, 1024 * sizeof(float));
  cudaMallocManaged(&sums, n * sizeof(Sums));
  for (int i = 0; i < n; ++i)
    bodies[i] = make_float4(i % 5, i % 11, i % 13, 1 + i % 3);
  for (int i = 0; i < 1024; ++i) {
    in[i] = (i % 9) * 0.25f - 1;
    out[i] = i % 4;
  }
  for (const int threads : {1, 32, 50, 128}) {
    pull<<<(n + threads - 1) / threads, threads, threads * sizeof(float4)>>>(bodies, pulls, n);
    cudaDeviceSynchronize();
    float total[3] = {0, 0, 0};
    for (int i = 0; i < n; ++i) {
      total[0] += pulls[i].x;
      total[1] += pulls[i].y * (i % 3);
      total[2] += pulls[i].z * (i % 5);
    }
    printf("pull %d: %.2f %.1f %.1f\n", threads, total[0] * 0 + pulls[7].x, total[1], total[2]);
  }
  references<<<(n + 63) / 64, 64>>>(in, sums, n);
  cudaDeviceSynchronize();
  printf("references: %.3f %.3f %.3f %.3f\n", sums[0].a, sums[1].b, sums[64].a, sums[n - 1].b);
  expressions<<<4, 64>>>(in, out, 12, n);
  cudaDeviceSynchronize();
  printf("expressions: %.5g %.5g %.5g %.4g\n", out[0], out[4], out[200], checksum(out, n));
  matrices<8><<<1, dim3(8, 8)>>>(in, out, in);
  cudaDeviceSynchronize();
  printf("matrices: %.4g %.5g\n", out[9], checksum(out, 64));
  same<<<1, 40>>>(out, in, 12);
  cudaDeviceSynchronize();
  printf("same: %.5g %.5g\n", out[3], checksum(out, 40));
  templates<<<4, 32>>>(in, out, 100);
  cudaDeviceSynchronize();
  printf("templates: %.5g %.5g\n", out[3], checksum(out, 100));
}
