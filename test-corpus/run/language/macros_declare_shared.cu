// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Macros that declare shared memory, alone or with what a kernel begins with: their text stays the
// same for all kernels and device functions that name them.
#include <cstdio>

static int *in, *out;
constexpr int N = 1024;

static void start() {
  cudaMallocManaged(&in, N * sizeof(int));
  cudaMallocManaged(&out, N * sizeof(int));
  for (int i = 0; i < N; ++i) {
    in[i] = i * 37 % 101;
    out[i] = 0;
  }
}

static void show(const char* name) {
  const cudaError_t error = cudaDeviceSynchronize();
  long long sum = 0;
  for (int i = 0; i < N; ++i) {
    sum += (long long)out[i] * (i % 13 + 1);
    out[i] = 0;
  }
  printf("%s %lld %s\n", name, sum, cudaGetErrorName(error));
}

// Shared memory alone.
#define SHARED __shared__ int s[64];
__global__ void alone1(const int* in, int* out) { SHARED
  s[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x]; __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x]; }
__global__ void alone2(const int* in, int* out) {
  SHARED
  const int t = threadIdx.x;
  s[t] = in[blockIdx.x * 64 + t] * 2;
  __syncthreads();
  for (int d = 32; d > 0; d /= 2) { if (t < d) s[t] += s[t + d]; __syncthreads(); }
  if (t == 0) out[blockIdx.x] = s[0];
}
__device__ int f(int v) { SHARED s[threadIdx.x] = v; __syncthreads(); return s[threadIdx.x ^ 1]; }
__global__ void alone3(const int* in, int* out) { out[blockIdx.x * 64 + threadIdx.x] = f(in[blockIdx.x * 64 + threadIdx.x]); }
__global__ void alone4(const int* in, int* out) { SHARED if (threadIdx.x == 0) { s[0] = in[blockIdx.x]; out[blockIdx.x] = s[0]; } }

// A kernel's whole beginning, up to the first barrier.
#define HEAD __shared__ int s[64]; const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t; s[t] = in[i]; __syncthreads();
__global__ void head1(const int* in, int* out) { HEAD
  out[i] = s[63 - t]; }
__global__ void head2(const int* in, int* out) {
  HEAD;
  for (int d = 32; d > 0; d /= 2) { if (t < d) s[t] += s[t + d]; __syncthreads(); }
  if (t == 0) out[blockIdx.x] = s[0];
}
template <class T> __global__ void head3(const T* in, T* out) { HEAD out[i] = s[t ^ 1] + 1; }
__global__ void head4(const int* in, int* out) { HEAD if (s[63 - t] > 50) return; out[i] = s[t]; }

// Macros in macros, with arguments.
#define STEP(d) if (t < (d)) s[t] += s[t + (d)]; __syncthreads();
#define REDUCE for (int d = 32; d > 0; d /= 2) { STEP(d) }
#define DECL(T, name, n) __shared__ T name[n];
#define INDEX const int t = threadIdx.x; const int i = blockIdx.x * 64 + t;
#define START(T, n) DECL(T, s, n) INDEX s[t] = in[i]; __syncthreads();
__global__ void nested1(const int* in, int* out) {
  START(int, 64)
  REDUCE
  if (t == 0) out[blockIdx.x] = s[0];
}
__global__ void nested2(const int* in, int* out) {
  START(long long, 128)
  s[t + 64] = t; __syncthreads();
  REDUCE
  out[i] = s[0] + s[t + 64];
}
__global__ void nested3(const int* in, int* out) {
  DECL(int, s, 64) DECL(int, r, 64) INDEX
  s[t] = in[i]; r[t] = in[i] * 3;
  __syncthreads();
  REDUCE
  out[i] = s[0] + r[63 - t];
}
__global__ void nested4(const int* in, int* out) {
  INDEX
  int v = in[i];
  DECL(int, s, 64)
  s[t] = v;
  __syncthreads();
  for (int k = 0; k < 3; ++k) { v += s[63 - t]; __syncthreads(); s[t] = v; __syncthreads(); }
  out[i] = v;
}

// Sizes, dynamic memory, several variables in one statement, structures, whole bodies.
#define SIZES constexpr int W = 8; const int H = 8;
#define DYNAMIC extern __shared__ int d[];
#define BODY { __shared__ int s[64]; s[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x]; __syncthreads(); out[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x]; }
#define TILE __shared__ int tile[W][H + 1], more[W]
#define TWO __shared__ int a[64]; __shared__ float b[64];
__global__ void kinds1(const int* in, int* out) {
  SIZES
  __shared__ int s[W][H + 1];
  const int x = threadIdx.x % 8, y = threadIdx.x / 8;
  s[y][x] = in[blockIdx.x * 64 + threadIdx.x]; __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = s[x][y];
}
__global__ void kinds2(const int* in, int* out) {
  DYNAMIC
  d[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x]; __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = d[63 - threadIdx.x];
}
__global__ void kinds3(const int* in, int* out) BODY
__global__ void kinds4(const int* in, int* out) BODY
__global__ void kinds5(const int* in, int* out) {
  SIZES TILE;
  const int x = threadIdx.x % 8, y = threadIdx.x / 8;
  tile[y][x] = in[blockIdx.x * 64 + threadIdx.x]; if (x == 0) more[y] = y; __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = tile[x][y] + more[x];
}
__global__ void kinds6(const int* in, int* out) {
  TWO
  int t = threadIdx.x; a[t] = in[t]; b[t] = in[t] * 0.5f; __syncthreads(); out[blockIdx.x * 64 + t] = a[t ^ 3] + int(b[63 - t] * 2);
}
__global__ void kinds7(const int* in, int* out) {
  int t = threadIdx.x;
  if (blockIdx.x & 1) { TWO a[t] = in[t]; b[t] = in[t] * 0.5f; __syncthreads(); out[blockIdx.x * 64 + t] = a[t ^ 3] + int(b[63 - t] * 2); }
  else { TWO b[t] = in[t] * 2; __syncthreads(); out[blockIdx.x * 64 + t] = int(b[t ^ 5]); }
}
struct P { int x; float y; };
#define STRUCTS(T) __shared__ T p[64]; __shared__ T one; __shared__ union { int i; float f; } u;
__global__ void kinds8(const int* in, int* out) {
  STRUCTS(P)
  int t = threadIdx.x; p[t].x = in[t]; if (t == 0) { one.x = 7; u.i = 5; } __syncthreads(); out[blockIdx.x * 64 + t] = p[63 - t].x + one.x + u.i;
}
__global__ void kinds9(const int* in, int* out) {
  STRUCTS(P)
  int t = threadIdx.x; p[t].x = in[t]; if (t == 3) { one.x = 9; u.i = 4; } __syncthreads(); out[blockIdx.x * 64 + t] = p[63 - t].x + one.x + u.i;
}

int main() {
  start();
  alone1<<<4, 64>>>(in, out); show("alone1");
  alone2<<<4, 64>>>(in, out); show("alone2");
  alone3<<<4, 64>>>(in, out); show("alone3");
  alone4<<<4, 64>>>(in, out); show("alone4");
  head1<<<4, 64>>>(in, out); show("head1");
  head2<<<4, 64>>>(in, out); show("head2");
  head3<<<4, 64>>>(in, out); show("head3");
  head4<<<4, 64>>>(in, out); show("head4");
  nested1<<<4, 64>>>(in, out); show("nested1");
  nested2<<<4, 64>>>(in, out); show("nested2");
  nested3<<<4, 64>>>(in, out); show("nested3");
  nested4<<<4, 64>>>(in, out); show("nested4");
  kinds1<<<4, 64>>>(in, out); show("kinds1");
  kinds2<<<4, 64, 256>>>(in, out); show("kinds2");
  kinds3<<<4, 64>>>(in, out); show("kinds3");
  kinds4<<<4, 64>>>(in, out); show("kinds4");
  kinds5<<<4, 64>>>(in, out); show("kinds5");
  kinds6<<<4, 64>>>(in, out); show("kinds6");
  kinds7<<<4, 64>>>(in, out); show("kinds7");
  kinds8<<<4, 64>>>(in, out); show("kinds8");
  kinds9<<<4, 64>>>(in, out); show("kinds9");
  return 0;
}
