// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of one row whose threads update a shared matrix each in a column that is a remainder of
// its place: guards around the loop and in it, masks and shifts, matrices of both kinds, steps that
// read what another step changes, a counter that hides a name, and blocks that do not fit.
#include <cstdio>

// A batched LU with pivots that a warp finds.
template <class T, int n> __global__ void factor(const T* in, T* out, int* pivots) {
  __shared__ T a[n][n + 1];
  __shared__ int pivot;
  const int tid = threadIdx.x, b = blockIdx.x;
  for (int i = tid; i < n * n; i += 128)
    a[i / n][i % n] = in[b * n * n + i];
  __syncthreads();
  for (int k = 0; k < n; ++k) {
    if (tid < 32) {
      T v = tid >= k && tid < n ? (a[tid][k] < 0 ? -a[tid][k] : a[tid][k]) : T(-1);
      int p = tid;
      for (int d = 16; d > 0; d >>= 1) {
        const T other = __shfl_down_sync(0xffffffffu, v, d);
        const int place = __shfl_down_sync(0xffffffffu, p, d);
        if (other > v || (other == v && place < p)) {
          v = other;
          p = place;
        }
      }
      if (tid == 0) {
        pivot = p;
        pivots[b * n + k] = p;
      }
    }
    __syncthreads();
    const int p = pivot;
    if (p != k && tid < n) {
      const T t = a[k][tid];
      a[k][tid] = a[p][tid];
      a[p][tid] = t;
    }
    __syncthreads();
    if (tid > k && tid < n)
      a[tid][k] /= a[k][k];
    __syncthreads();
    const int j = tid % n;
    if (j > k) {
      for (int i = k + 1 + tid / n; i < n; i += 128 / n)
        a[i][j] -= a[i][k] * a[k][j];
    }
    __syncthreads();
  }
  for (int i = tid; i < n * n; i += 128)
    out[b * n * n + i] = a[i / n][i % n];
}

// Masks and shifts, a matrix that the program lays out, and the guard in the loop.
__global__ void masks(const float* in, float* out) {
  constexpr int n = 16, wide = 17;
  __shared__ float a[n * wide];
  const unsigned t = threadIdx.x, c = t & 15;
  for (int i = t; i < n * n; i += 64)
    a[i / n * wide + i % n] = in[i];
  __syncthreads();
  for (int k = 0; k < n; ++k) {
    for (int r = t >> 4; r < n; r += 4) {
      if (c != k && c > k && c < 15)
        a[r * wide + c] += 0.5f * a[r * wide + k];
    }
    __syncthreads();
    for (int r = k + 1 + (t >> 4); r < n; r += 4)
      if (c > k) {
        a[r * wide + c] -= a[r * wide + k] * a[k * wide + c];
      }
    __syncthreads();
  }
  for (int i = t; i < n * n; i += 64)
    out[i] = a[i / n * wide + i % n];
}

// Each thread's steps read what the step before has changed, or what the next one will.
__global__ void chains(const float* in, float* out, int n) {
  __shared__ float a[40][33];
  const int tid = threadIdx.x, j = tid % 32;
  for (int i = tid; i < 40 * 33; i += blockDim.x)
    a[i / 33][i % 33] = 0;
  __syncthreads();
  for (int r = tid / 32; r < n; r += 4)
    a[r][j] = in[r * 32 + j];
  __syncthreads();
  for (int i = 4 + tid / 32; i < n; i += 4)
    a[i][j] += 0.5f * a[i - 4][j];
  __syncthreads();
  if (j >= 3 && j < 30)
    for (int i = tid / 32; i < n - 4; i += 4)
      a[i][j] = a[i][j] - 0.25f * a[i + 4][j];
  __syncthreads();
  const int i = 5;
  if (j > i)
    for (int i = tid / 32; i < n; i += 4)
      a[i][j] *= a[i][j];
  __syncthreads();
  // Only some of the threads: the others have something else to do.
  if (tid < 64) {
    if (j > 2)
      for (int i = tid / 32; i < n; i += 2)
        a[i][j] -= 0.125f * a[i][j];
  } else {
    a[39][j] = j;
  }
  __syncthreads();
  for (int r = tid / 32; r < n; r += 4)
    out[r * 32 + j] = a[r][j];
}

template <class T, class Start, class Run>
void show(const char* name, int count, Start start, Run run) {
  T *in, *out;
  cudaMallocManaged(&in, count * sizeof(T));
  cudaMallocManaged(&out, count * sizeof(T));
  for (int i = 0; i < count; ++i) {
    in[i] = T(start(i));
    out[i] = 0;
  }
  run(in, out);
  cudaDeviceSynchronize();
  double sum = 0, mixed = 0;
  for (int i = 0; i < count; ++i) {
    sum += out[i];
    mixed += out[i] * double(i % 17 - 8);
  }
  printf("%s %.5g %.5g %.5g\n", name, sum, mixed, double(out[count / 3]));
  cudaFree(in);
  cudaFree(out);
}

int main() {
  int* pivots;
  cudaMallocManaged(&pivots, 3 * 32 * sizeof(int));
  show<double>(
      "double", 3 * 1024, [](int i) { return (i * 37 % 101) / 101.0 + (i % 33 == 0); },
      [&](const double* in, double* out) { factor<double, 32><<<3, 128>>>(in, out, pivots); });
  int sum = 0;
  for (int i = 0; i < 96; ++i)
    sum += pivots[i] * (i % 7);
  printf("pivots %d\n", sum);
  show<float>(
      "masks", 256, [](int i) { return (i * 13 % 23) / 64.0f + (i % 17 == 0 ? 4 : 0); },
      [](const float* in, float* out) { masks<<<1, 64>>>(in, out); });
  // Blocks of 64 threads leave out rows.
  for (const int threads : {128, 64})
    for (const int n : {38, 8, 1})
      show<float>(
          "chains", 38 * 32, [](int i) { return float(i * 7 % 41) / 32 - 0.5f; },
          [&](const float* in, float* out) {
            if (threads == 128)
              chains<<<1, 128>>>(in, out, n);
            else
              chains<<<1, threads>>>(in, out, n);
          });
  cudaFree(pivots);
}
