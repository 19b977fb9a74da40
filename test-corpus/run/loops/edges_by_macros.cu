// Tiles whose edges single threads and rows fill beside statements that macros begin; strided loops of templates with
// counters without a sign; and structures that methods change with values of a template's types.
#include <cstdio>

#define NX 70
#define NY 37
#define BX 32
#define BY 8
#define IDX(i, j) ((i) * NX + (j))
#define S(r, c) s[(r) * (BX + 2) + (c)]
#define STORE(r, c, v) S(r, c) = v; count += (r)

__global__ void smooth(const int* u, int* out) {
  __shared__ int s[(BY + 2) * (BX + 2)];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int j = blockIdx.x * BX + tx, i = blockIdx.y * BY + ty;
  for (int k = ty * BX + tx; k < (BY + 2) * (BX + 2); k += BX * BY) s[k] = -1;
  __syncthreads();
  if (i < NY && j < NX) {
    S(ty + 1, tx + 1) = u[IDX(i, j)];
    if (tx == 0 && j > 0) S(ty + 1, 0) = u[IDX(i, j - 1)];
    if (tx == BX - 1 && j < NX - 1) S(ty + 1, BX + 1) = u[IDX(i, j + 1)];
    if (ty == 0 && i > 0) S(0, tx + 1) = u[IDX(i - 1, j)];
    S(ty + 1, tx + 1) *= 3;
    if (ty == BY - 1 && i < NY - 1) S(BY + 1, tx + 1) = u[IDX(i + 1, j)];
  }
  __syncthreads();
  if (i < NY && j < NX) {
    if (i > 0 && i < NY - 1 && j > 0 && j < NX - 1)
      out[IDX(i, j)] = S(ty, tx + 1) + 2 * S(ty + 2, tx + 1) + 3 * S(ty + 1, tx) + 4 * S(ty + 1, tx + 2);
    else
      out[IDX(i, j)] = S(ty + 1, tx + 1);
  }
}

// A macro of two statements, and a guard that its statements change.
__global__ void counted(const int* u, int* out) {
  __shared__ int s[(BY + 2) * (BX + 2)];
  const int tx = threadIdx.x, ty = threadIdx.y;
  int count = tx % 3;
  S(ty, tx) = 0;
  __syncthreads();
  if (count < 2) {
    STORE(ty, tx, u[IDX(ty, tx)]);
    if (tx == 0) S(ty, 0) += count;
    STORE(ty, tx, S(ty, tx) + 5);
    if (ty == 0) S(0, tx) -= 7;
  }
  __syncthreads();
  out[IDX(ty, tx)] = S(ty, tx) + 100 * count + S(ty, tx ^ 1);
}

template <int BLOCK, unsigned WIDTH> __global__ void sums(const double* v, size_t n, double* out) {
  __shared__ double part[BLOCK];
  double sum = 0, most = 0;
  for (size_t i = size_t(blockIdx.x) * BLOCK + threadIdx.x; i < n; i += size_t(gridDim.x) * BLOCK) {
    sum += v[i];
    most = v[i] > most ? v[i] : most;
  }
  for (size_t i = blockIdx.x * WIDTH + threadIdx.x; i < n; i += gridDim.x * WIDTH) sum += 2 * v[i];
  part[threadIdx.x] = sum + most;
  for (int s = BLOCK / 2; s > 0; s /= 2) {
    __syncthreads();
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
// Parameters below zero.
template <int FROM> __global__ void fromBefore(const int* v, unsigned n, int* out) {
  __shared__ int part[64];
  int sum = 0;
  for (unsigned i = unsigned(blockIdx.x) * FROM + threadIdx.x; i < n; i += 64) sum += v[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = part[threadIdx.x] - part[threadIdx.x ^ 1];
}

struct Spread {
  float mean, m2, n;
  __device__ void push(float x) {
    n += 1.0f;
    const float d = x - mean;
    mean += d / n;
    m2 += d * (x - mean);
  }
};
__device__ inline void merge(Spread& a, const Spread& b) {
  const float n = a.n + b.n;
  if (n == 0.0f) return;
  const float d = b.mean - a.mean;
  a.mean += d * (b.n / n);
  a.m2 += b.m2 + d * d * (a.n * b.n / n);
  a.n = n;
}
template <int COLUMNS> __global__ void spreads(const float4* in, float* out, int rows) {
  constexpr int PER = COLUMNS / 4 / 32;
  const int row = blockIdx.x * 4 + threadIdx.y, lane = threadIdx.x;
  if (row >= rows) return;
  float4 v[PER];
  Spread w{0.0f, 0.0f, 0.0f};
#pragma unroll
  for (int k = 0; k < PER; ++k) {
    v[k] = in[row * (COLUMNS / 4) + k * 32 + lane];
    w.push(v[k].x); w.push(v[k].y); w.push(v[k].z); w.push(v[k].w);
  }
  for (int m = 16; m > 0; m >>= 1) {
    Spread o;
    o.mean = __shfl_xor_sync(0xffffffffu, w.mean, m);
    o.m2 = __shfl_xor_sync(0xffffffffu, w.m2, m);
    o.n = __shfl_xor_sync(0xffffffffu, w.n, m);
    merge(w, o);
  }
  for (int k = 0; k < PER; ++k)
    out[row * COLUMNS + (k * 32 + lane) * 4] = v[k].x + v[k].w - w.mean + w.m2 / w.n;
}

int main() {
  int *u, *out;
  cudaMallocManaged(&u, NX * NY * sizeof(int));
  cudaMallocManaged(&out, NX * NY * sizeof(int));
  for (int i = 0; i < NX * NY; ++i) u[i] = i * 11 % 83, out[i] = 0;
  smooth<<<dim3((NX + BX - 1) / BX, (NY + BY - 1) / BY), dim3(BX, BY)>>>(u, out);
  cudaDeviceSynchronize();
  long long sum = 0;
  for (int i = 0; i < NX * NY; ++i) sum += (i % 41 + 1) * (long long)out[i], out[i] = 0;
  printf("smooth: %lld\n", sum);
  counted<<<1, dim3(BX, BY)>>>(u, out);
  cudaDeviceSynchronize();
  sum = 0;
  for (int i = 0; i < NX * NY; ++i) sum += (i % 41 + 1) * (long long)out[i];
  printf("counted: %lld\n", sum);
  double *v, *sums1;
  cudaMallocManaged(&v, 10000 * sizeof(double));
  cudaMallocManaged(&sums1, 8 * sizeof(double));
  for (int i = 0; i < 10000; ++i) v[i] = i % 19 - 6;
  for (size_t n : {1, 128, 1000, 9999}) {
    sums<128, 128><<<5, 128>>>(v, n, sums1);
    cudaDeviceSynchronize();
    double all = 0;
    for (int i = 0; i < 5; ++i) all = all * 3 + sums1[i];
    printf("sums of %d: %.1f\n", int(n), all);
  }
  fromBefore<-2><<<3, 64>>>(u, 300, out);
  cudaDeviceSynchronize();
  sum = 0;
  for (int i = 0; i < 192; ++i) sum += (i % 23 + 1) * (long long)out[i];
  printf("from before: %lld\n", sum);
  float4* in;
  float* spread;
  cudaMallocManaged(&in, 7 * 64 * sizeof(float4));
  cudaMallocManaged(&spread, 7 * 256 * sizeof(float));
  for (int i = 0; i < 7 * 256; ++i) (&in[0].x)[i] = float((i * 5 + i / 256) % 8), spread[i] = 0;
  spreads<256><<<2, dim3(32, 4)>>>(in, spread, 7);
  cudaDeviceSynchronize();
  double all = 0;
  for (int i = 0; i < 7 * 256; ++i) all += (i % 13 + 1) * (double)spread[i];
  printf("spreads: %.1f\n", all);
}
