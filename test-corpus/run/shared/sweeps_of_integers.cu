// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two sweeps of a scan over a tree, of integers: what threads see between them, values that
// they begin with, trees that are not whole, and sweeps that are none of a scan.
#include <cstdio>

#define CHECK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { printf("%s\n", cudaGetErrorString(e_)); return 1; } } while (0)
constexpr int THREADS = 128, MOST = 2 * THREADS;

// how: 0: a scan; 1: it begins with 5; 2: the second sweep ends early; 3: it begins late; 4: what
// is kept is not the last; 5: fewer elements
template <class T> __global__ void sweeps(const T* in, T* out, T* sums, int how) {
  __shared__ T temp[MOST];
  const int t = threadIdx.x;
  const int n = how == 5 ? MOST / 4 : MOST;
  const int seen = how == 4 ? n / 2 - 1 : n - 1;
  temp[2 * t] = in[blockIdx.x * MOST + 2 * t];
  temp[2 * t + 1] = in[blockIdx.x * MOST + 2 * t + 1];
  int offset = 1;
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) {
      int ai = offset * (2 * t + 1) - 1;
      int bi = offset * (2 * t + 2) - 1;
      temp[bi] += temp[ai];
    }
    offset *= 2;
  }
  __syncthreads();
  if (t == 0) {
    sums[blockIdx.x] = temp[seen];
    temp[seen] = how == 1 ? 5 : 0;
  }
  if (how == 3)
    offset >>= 1;
  for (int d = how == 3 ? 2 : 1; d < (how == 2 ? n / 2 : n); d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      int ai = offset * (2 * t + 1) - 1;
      int bi = offset * (2 * t + 2) - 1;
      T kept = temp[ai];
      temp[ai] = temp[bi];
      temp[bi] += kept;
    }
  }
  __syncthreads();
  out[blockIdx.x * MOST + 2 * t] = temp[2 * t];
  out[blockIdx.x * MOST + 2 * t + 1] = temp[2 * t + 1];
}

// The differences that make such a sum again are none: the second sweep adds the other way.
__global__ void others(const int* in, int* out) {
  __shared__ int temp[MOST];
  const int t = threadIdx.x;
  temp[t] = in[t];
  temp[t + THREADS] = in[t + THREADS];
  for (int d = THREADS, s = 1; d > 0; d >>= 1, s *= 2) {
    __syncthreads();
    if (t < d) temp[s * (2 * t + 2) - 1] += temp[s * (2 * t + 1) - 1];
  }
  if (t == 0) out[MOST] = temp[MOST - 1];
  for (int d = 1, s = THREADS; d < MOST; d *= 2, s /= 2) {
    __syncthreads();
    if (t < d) temp[s * (2 * t + 2) - 1] -= temp[s * (2 * t + 1) - 1];
  }
  __syncthreads();
  out[t] = temp[t];
  out[t + THREADS] = temp[t + THREADS];
}

template <class T> int run(T most) {
  const int blocks = 3, n = blocks * MOST;
  T *in, *out, *sums;
  CHECK(cudaMallocManaged(&in, n * sizeof(T)));
  CHECK(cudaMallocManaged(&out, n * sizeof(T)));
  CHECK(cudaMallocManaged(&sums, blocks * sizeof(T)));
  for (int i = 0; i < n; ++i)
    in[i] = (T)(i * 37 % 101) + (i % 50 == 0 ? most : 0);
  for (int how = 0; how < 6; ++how) {
    sweeps<<<blocks, THREADS>>>(in, out, sums, how);
    CHECK(cudaDeviceSynchronize());
    double sum = 0;
    for (int i = 0; i < n; ++i)
      sum += (double)out[i] * (1 + i % 13);
    printf("%d: %.17g %.17g %.17g\n", how, sum, (double)sums[0], (double)sums[2]);
  }
  return 0;
}

int main() {
  if (run<int>(1000) || run<unsigned>(4000000000u) || run<long long>(1ll << 40) || run<double>(0.5))
    return 1;
  int *in, *out;
  CHECK(cudaMallocManaged(&in, MOST * sizeof(int)));
  CHECK(cudaMallocManaged(&out, (MOST + 1) * sizeof(int)));
  for (int i = 0; i < MOST; ++i)
    in[i] = i * 91 % 57;
  others<<<1, THREADS>>>(in, out);
  CHECK(cudaDeviceSynchronize());
  long long sum = 0;
  for (int i = 0; i <= MOST; ++i)
    sum += (long long)out[i] * (1 + i % 7);
  printf("others: %lld\n", sum);
  return 0;
}
