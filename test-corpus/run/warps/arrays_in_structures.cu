// Structures with small arrays that threads keep through collectives, in templates over their sizes: elements named by
// numbers and by counters of short loops, arrays beside numbers, copies, values from functions, lists, changes in loops
// and under conditions; and those that stay what they are: places by data, references and pointers to elements, names that
// would be taken, more elements than are parts.
#include <cstdio>

template <int N> struct Sums {
  float v[N];
};
template <int N, int Warps> __device__ Sums<N> blockSum(Sums<N> a, float (&smem)[N][Warps]) {
#pragma unroll
  for (int o = 16; o > 0; o /= 2)
#pragma unroll
    for (int i = 0; i < N; ++i) a.v[i] += __shfl_xor_sync(~0u, a.v[i], o);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (lane == 0)
#pragma unroll
    for (int i = 0; i < N; ++i) smem[i][warp] = a.v[i];
  __syncthreads();
  Sums<N> r{};
#pragma unroll
  for (int w = 0; w < Warps; ++w)
#pragma unroll
    for (int i = 0; i < N; ++i) r.v[i] += smem[i][w];
  return r;
}
template <int N> __global__ void moments(const float* x, float* out, int cols) {
  __shared__ float smem[N][4];
  Sums<N> s{};
  for (int c = threadIdx.x; c < cols; c += 128) {
    const float v = x[blockIdx.x * cols + c];
    s.v[0] += v;
    if constexpr (N > 1) s.v[1] += v * v;
    if constexpr (N > 2) s.v[2] -= v;
  }
  s = blockSum<N, 4>(s, smem);
  for (int c = threadIdx.x; c < cols; c += 128) {
    float v = x[blockIdx.x * cols + c] * cols - s.v[0];
    if constexpr (N > 1) v += s.v[1];
    if constexpr (N > 2) v -= s.v[2] * 3;
    out[blockIdx.x * cols + c] = v;
  }
}

struct Mixed {
  int low[2];
  unsigned bits;
  short last[3];
};
__device__ Mixed start(int i) {
  Mixed m;
  m.low[0] = i;
  m.low[1] = -i;
  m.bits = unsigned(i) * 77u;
  for (int k = 0; k < 3; ++k) m.last[k] = short(i * k);
  return m;
}
__device__ int total(Mixed m) { return m.low[0] * 3 + m.low[1] + int(m.bits) + m.last[0] + m.last[1] * 5 + m.last[2] * 7; }
__global__ void mixed(const int* in, int* out, int n) {
  __shared__ int seen[64];
  const int t = threadIdx.x;
  Mixed m = start(in[t]), kept = {{t, 2}, 3u, {4, 5, 6}};
  for (int k = 0; k < n; ++k) {
    m.low[0] += in[(t + k) % 64];
    m.low[1]++;
    m.bits ^= unsigned(m.low[0]);
    m.last[k & 1 ? 2 : 1] += 1; // a place by data
    seen[t] = m.low[1];
    __syncthreads();
    m.low[1] += seen[63 - t];
    __syncthreads();
  }
  if (t % 3 == 0) kept = m;
  seen[t] = total(kept);
  __syncthreads();
  out[t] = seen[(t + 1) % 64] + kept.low[0] * total(m);
}
struct Pair {
  int v[2];
};
__device__ void swapped(int& a, int& b) {
  const int c = a;
  a = b;
  b = c;
}
__global__ void places(const int* in, int* out, int n) {
  __shared__ int seen[64];
  const int t = threadIdx.x;
  Pair byNumber = {{t, in[t]}};
  Pair byReference = {{in[t], t}}, byPointer = {{1, 2}}, chosen = {{7, in[63 - t]}};
  int chosen_v_0 = 5;
  for (int k = 0; k < n; ++k) {
    byNumber.v[0] = in[k] + t;
    byNumber.v[1] += byNumber.v[0];
    for (int i = 0; i < 2; ++i) byNumber.v[i] += byNumber.v[1 - i] + i;
    swapped(byReference.v[0], byReference.v[1]);
    int* const p = byPointer.v;
    p[1] += p[0] + k;
    (k % 2 ? chosen.v[0] : chosen.v[1]) += 10;
    chosen_v_0 += chosen.v[0];
    seen[t] = byNumber.v[0] + byReference.v[1] * 2 + byPointer.v[1] + chosen.v[1];
    __syncthreads();
    byNumber.v[0] -= seen[(t + 5) % 64];
    byReference.v[0] += seen[(t + 9) % 64];
    __syncthreads();
  }
  out[t] = byNumber.v[0] * 3 + byNumber.v[1] + byReference.v[0] + byReference.v[1] + byPointer.v[1] + chosen.v[0] + chosen_v_0;
}
struct Named {
  int v[2];
  int v_0;
};
struct Many {
  int v[12];
};
__global__ void others(const int* in, int* out, int n) {
  __shared__ int seen[64];
  const int t = threadIdx.x;
  Named named = {{t, 2}, in[t]};
  Many many;
  for (int i = 0; i < 12; ++i) many.v[i] = in[(t + i) % 64];
  for (int k = 0; k < n; ++k) {
    named.v[0] += named.v_0;
    named.v_0 ^= named.v[1] + k;
    many.v[3] += many.v[11] - k;
    seen[t] = named.v[0] + many.v[3];
    __syncthreads();
    named.v[1] += seen[(t + 1) % 64];
    for (int i = 1; i < 12; ++i) many.v[i - 1] += many.v[i] & 15;
    __syncthreads();
  }
  const Named last = named;
  out[t] = last.v[0] + last.v[1] * 2 + last.v_0 * 3 + many.v[0] + many.v[7];
}

template <class T> static void show(const char* name, const T* p, int n) {
  long long sum = 0;
  for (int i = 0; i < n; ++i) sum = sum * 31 % 1000003 + (long long)(p[i]) % 1000003;
  std::printf("%s %lld %lld %lld\n", name, sum, (long long)(p[1]), (long long)(p[n - 1]));
}

int main() {
  constexpr int cols = 300, rows = 3;
  float *x, *y;
  int *in, *out;
  cudaMallocManaged(&x, cols * rows * sizeof(float));
  cudaMallocManaged(&y, cols * rows * sizeof(float));
  cudaMallocManaged(&in, 64 * sizeof(int));
  cudaMallocManaged(&out, 64 * sizeof(int));
  for (int i = 0; i < cols * rows; ++i) x[i] = float(i * 7 % 23 - 11);
  for (int i = 0; i < 64; ++i) in[i] = i * 37 % 101;
  moments<1><<<rows, 128>>>(x, y, cols);
  cudaDeviceSynchronize();
  show("one", y, cols * rows);
  moments<2><<<rows, 128>>>(x, y, cols);
  cudaDeviceSynchronize();
  show("two", y, cols * rows);
  moments<3><<<rows, 128>>>(x, y, cols);
  cudaDeviceSynchronize();
  show("three", y, cols * rows);
  mixed<<<1, 64>>>(in, out, 5);
  cudaDeviceSynchronize();
  show("mixed", out, 64);
  places<<<1, 64>>>(in, out, 5);
  cudaDeviceSynchronize();
  show("places", out, 64);
  others<<<1, 64>>>(in, out, 5);
  cudaDeviceSynchronize();
  show("others", out, 64);
  return 0;
}
