// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of one macro that differ in what they ask for: the block, collectives, parameters that
// threads change, ways through memory. One text serves them all.
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

// Shared memory and barriers.
#define KERNEL(name, op) __global__ void name(const int* in, int* out) { \
  __shared__ int s[64]; const int t = threadIdx.x; s[t] = in[blockIdx.x * 64 + t]; __syncthreads(); \
  for (int d = 32; d > 0; d /= 2) { if (t < d) { int a = s[t], b = s[t + d]; s[t] = op; } __syncthreads(); } \
  if (t == 0) out[blockIdx.x] = s[0]; }
KERNEL(sum, a + b)
KERNEL(most, a > b ? a : b)
KERNEL(mixed, (a ^ b) + t + (int)blockDim.x)
#define KERNEL2(name, n, body) __global__ void name(const int* in, int* out, int n) { __shared__ int s[64]; int t = threadIdx.x; s[t] = in[t + blockIdx.x * 64]; __syncthreads(); body }
KERNEL2(second, n, out[t + blockIdx.x * 64] = s[63 - t] * n;)
KERNEL2(third, m, m += 3; out[t + blockIdx.x * 64] = s[(t + 1) % 64] * m;)
KERNEL2(fourth, q, if (t > 7) return; __syncthreads(); out[t + blockIdx.x * 64] = s[(t + 1) % 64] * q;)

// What expressions given to a macro ask for.
#define MAP(name, e) __global__ void name(int* p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] = e; }
MAP(square, p[i] * p[i])
MAP(place, (int)blockIdx.x)
MAP(first, (int)threadIdx.x)
MAP(rest, n % 7 + i)
#define MAPQ(name, e) __global__ void name(const int* in, int* p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; e; p[i] = n; }
MAPQ(q1, n += 2)
MAPQ(q2, n *= in[i])
MAPQ(q3, if (i > 100) return)
MAPQ(q4, p += 1)
#define LOOP(name, T, e) __global__ void name(const T* in, T* p, int n) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) { T x = in[i]; p[i] = e; } }
LOOP(l1, int, x + 1)
LOOP(l2, int, in[(i * 17) % n])
LOOP(l3, int, atomicAdd(&p[i], x))
LOOP(l4, int, __popc(x) + (int)gridDim.x)
#define COL(name, e) __global__ void name(const int* in, int* p, int n) { int y = blockIdx.x * blockDim.x + threadIdx.x; if (y < 64) for (int x = 0; x < 16; ++x) p[y * 16 + x] = e; }
COL(c1, in[x * 64 + y])
COL(c2, x)
#define BARS(name, e) __global__ void name(const int* in, int* p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; int v = in[i]; e; p[i] = v; }
BARS(b1, v += 1)
BARS(b2, v += __shfl_xor_sync(0xffffffffu, v, 1))
BARS(b3, v = __syncthreads_count(v & 1))
BARS(b4, v += atomicAdd(&p[i], 2); while (v > 50) v -= 7)
BARS(b5, if (__any_sync(0xffffffffu, v == 7)) v = n)
#define IDX(name, T, dims) __global__ void name(T* p) { dims p[x] = x; }
IDX(i1, int, int x = threadIdx.x;)
IDX(i2, int, int x = threadIdx.x + blockDim.x * threadIdx.y;)
IDX(i3, int, int x = threadIdx.x + gridDim.x;)

// Loops and barriers of macros; templates; shared memory outside of functions.
#define EACH(v, n) for (int v = 0; v < (n); ++v)
#define SYNC __syncthreads()
#define EXCHANGE(s, t, v) do { s[t] = v; __syncthreads(); v = s[63 - t]; __syncthreads(); } while (0)
#define IFODD if (t & 1)
#define OPEN(n) for (int q = 0; q < n; ++q) {
#define CLOSE SYNC; }
__global__ void steps1(const int* in, int* out) {
  __shared__ int s[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t, v = in[i];
  EACH(k, 3) EXCHANGE(s, t, v);
  out[i] = v;
}
__global__ void steps2(const int* in, int* out) {
  __shared__ int s[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t, v = in[i];
  s[t] = v; SYNC;
  OPEN(3) v += s[(t + q) % 64]; SYNC; s[t] = v; CLOSE
  IFODD v = -v;
  out[i] = v;
}
#define REDUCE(T, name, op) template <class X> __device__ X name(X v) { __shared__ X r[64]; const int t = threadIdx.x; r[t] = v; __syncthreads(); for (int d = 32; d; d >>= 1) { if (t < d) { X a = r[t], b = r[t + d]; r[t] = op; } __syncthreads(); } X w = r[0]; __syncthreads(); return w; }
REDUCE(int, total, a + b)
REDUCE(int, top, a > b ? a : b)
__global__ void steps3(const int* in, int* out) { int i = blockIdx.x * 64 + threadIdx.x; out[i] = total(in[i]) + top((long long)in[i]); }
#define TK(name, e) template <int M> __global__ void name(const int* in, int* out, int n) { __shared__ int s[M]; const int t = threadIdx.x, i = blockIdx.x * M + t; s[t] = in[i] * n; __syncthreads(); out[i] = e; }
TK(t1, s[M - 1 - t])
TK(t2, s[t] + s[(t + 1) % M]; n++; out[i] += n)
__shared__ int flags[64];
#define FLAG(name, e) __global__ void name(const int* in, int* out, int n) { const int t = threadIdx.x, i = blockIdx.x * 64 + t; flags[t] = in[i]; __syncthreads(); e; out[i] = flags[63 - t] + n; }
FLAG(f1, n += t)
FLAG(f2, n -= flags[0])
__global__ void steps4(const int* in, int* out, int n) {
#define LOCAL_HEAD __shared__ int s[64]; const int t = threadIdx.x;
  LOCAL_HEAD
  s[t] = in[t]; __syncthreads();
#undef LOCAL_HEAD
#define LOCAL_HEAD out[blockIdx.x * 64 + t] = s[t ^ 7] + n; n += 2;
  LOCAL_HEAD
#undef LOCAL_HEAD
}
#define ARGS const int* in, int* out, int n
#define WHO(name) name = threadIdx.x
__global__ void steps5(ARGS) { int WHO(t); n += t; __shared__ int s[64]; s[t] = n; __syncthreads(); out[blockIdx.x * 64 + t] = s[63 - t] + in[t]; }

// Braces that macros write, and one body for a kernel and the host.
#define BEGIN { const int t = threadIdx.x, i = blockIdx.x * 64 + t;
#define END }
__global__ void braces1(const int* in, int* out) BEGIN out[i] = in[i] + t; END
__global__ void braces2(const int* in, int* out) BEGIN __shared__ int s[64]; s[t] = in[i]; __syncthreads(); out[i] = s[63 - t]; END
__global__ void braces3(const int* in, int* out, int n) BEGIN n += t; out[i] = in[i] * n; }
#define END2 \
  }
__global__ void braces4(const int* in, int* out) { const int t = threadIdx.x, i = blockIdx.x * 64 + t; __shared__ int s[64]; s[t] = in[i]; __syncthreads(); out[i] = s[63 - t]; END2
#define BOTH(name, body) __global__ void name(const int* in, int* out, int i) { i += blockIdx.x * 64 + threadIdx.x; body } void host_##name(const int* in, int* out, int i) { body }
BOTH(braces5, { int v = in[i]; out[i] = v * 3; })

int main() {
  start();
  sum<<<4, 64>>>(in, out); show("sum");
  most<<<4, 64>>>(in, out); show("most");
  mixed<<<4, 64>>>(in, out); show("mixed");
  second<<<4, 64>>>(in, out, 2); show("second");
  third<<<4, 64>>>(in, out, 2); show("third");
  fourth<<<4, 64>>>(in, out, 2); show("fourth");
#define RUN(k) k<<<4, 64>>>(in, out, N); show(#k);
#define RUN1(k) k<<<4, 64>>>(out, N); show(#k);
  RUN1(square) RUN1(place) RUN1(first) RUN1(rest) RUN(q1) RUN(q2) RUN(q3) RUN(q4) RUN(l1) RUN(l2) RUN(l3) RUN(l4) RUN(c1) RUN(c2) RUN(b1) RUN(b2) RUN(b3) RUN(b4) RUN(b5)
  i1<<<1, 64>>>(out); show("i1");
  i2<<<1, dim3(8, 8)>>>(out); show("i2");
  i3<<<1, 64>>>(out); show("i3");
  steps1<<<4, 64>>>(in, out); show("steps1");
  steps2<<<4, 64>>>(in, out); show("steps2");
  steps3<<<4, 64>>>(in, out); show("steps3");
  t1<64><<<4, 64>>>(in, out, 3); show("t1");
  t2<64><<<4, 64>>>(in, out, 3); show("t2");
  t2<32><<<4, 32>>>(in, out, 3); show("t2");
  f1<<<4, 64>>>(in, out, 3); show("f1");
  f2<<<4, 64>>>(in, out, 3); show("f2");
  steps4<<<4, 64>>>(in, out, 3); show("steps4");
  steps5<<<4, 64>>>(in, out, 3); show("steps5");
  braces1<<<4, 64>>>(in, out); show("braces1");
  braces2<<<4, 64>>>(in, out); show("braces2");
  braces3<<<4, 64>>>(in, out, 3); show("braces3");
  braces4<<<4, 64>>>(in, out); show("braces4");
  braces5<<<4, 64>>>(in, out, 0); show("braces5");
  for (int i = 0; i < 64; ++i) host_braces5(in, out, i); show("host");
  return 0;
}
