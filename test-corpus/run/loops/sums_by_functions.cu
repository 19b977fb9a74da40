// Loops by the grid that add up and compare by a function which changes what it is given, with members that are set one by one.
#include <cstdio>

struct Stats {
  double dot;
  float most;
  int where;
};

__device__ Stats none() {
  Stats s;
  s.dot = 0;
  s.most = -1;
  s.where = 0x7fffffff;
  return s;
}
__device__ void combine(Stats& a, const Stats& b) {
  a.dot += b.dot;
  if (b.most > a.most || (b.most == a.most && b.where < a.where)) {
    a.most = b.most;
    a.where = b.where;
  }
}

template <int Threads>
__global__ void __launch_bounds__(Threads) stats(const float* x, const float* y, int n, Stats* out) {
  __shared__ Stats all[Threads];
  Stats acc = none();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    Stats s;
    s.dot = double(x[i]) * y[i];
    s.most = fabsf(x[i] - y[i]);
    s.where = i;
    combine(acc, s);
  }
  all[threadIdx.x] = acc;
  __syncthreads();
  for (int d = Threads / 2; d > 0; d /= 2) {
    if (threadIdx.x < d) combine(all[threadIdx.x], all[threadIdx.x + d]);
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = all[0];
}

// One that stores what others read is no such function.
__device__ void add(float& sum, float* seen, float v) {
  sum += v;
  *seen = v;
}
__global__ void __launch_bounds__(128) stores(const float* x, int n, float* seen, float* out) {
  __shared__ float all[128];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) add(sum, seen + i, x[i]);
  all[threadIdx.x] = sum;
  __syncthreads();
  for (int d = 64; d > 0; d /= 2) {
    if (threadIdx.x < d) all[threadIdx.x] += all[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = all[0];
}

int main() {
  constexpr int n = 20000, most = 16;
  float *x, *y, *seen, *sums;
  Stats* out;
  cudaMallocManaged(&x, n * sizeof(float));
  cudaMallocManaged(&y, n * sizeof(float));
  cudaMallocManaged(&seen, n * sizeof(float));
  cudaMallocManaged(&sums, most * sizeof(float));
  cudaMallocManaged(&out, most * sizeof(Stats));
  for (int i = 0; i < n; ++i) {
    x[i] = float(i * 7919ll % 101);
    y[i] = float(i * 104729ll % 89);
  }
  for (int length : {n, n - 1, 16 * 256, 100, 0})
    for (int blocks : {1, 3, 4}) {
      stats<256><<<blocks, 256>>>(x, y, length, out);
      cudaDeviceSynchronize();
      for (int b = 0; b < blocks; ++b) printf("%d %d: %.0f %.0f %d\n", length, blocks, out[b].dot, out[b].most, out[b].where);
      stores<<<blocks, 128>>>(x, length, seen, sums);
      cudaDeviceSynchronize();
      float all = 0;
      for (int i = 0; i < length; ++i) all += seen[i];
      for (int b = 0; b < blocks; ++b) printf("%.0f ", sums[b]);
      printf("%.0f\n", all);
    }
}
