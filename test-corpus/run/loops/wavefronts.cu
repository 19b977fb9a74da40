// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of an anti-diagonal: those of a range, of which the first and the last do something else,
// and what they read backwards.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

template <class Place> __device__ int cost(Place a, Place b) { return a == b ? 0 : 1; }

template <int T>
__global__ void distances(const char* a, const char* b, int* lastRow, int* lastColumn, int n) {
  __shared__ char sb[T];
  __shared__ int top[T];
  __shared__ int prev[2][T + 1];
  int t = threadIdx.x;
  char ca = a[t];
  sb[t] = b[t];
  top[t] = t + 1;
  int left = t + 1;
  int upleft = t;
  __syncthreads();
  for (int s = 0; s < n + T - 1; s++) {
    int c = s - t;
    if (c >= 0 && c < n) {
      int up = (t == 0) ? top[c] : prev[(s - 1) & 1][t];
      int cell = min(min(up, left) + 1, upleft + cost(ca, sb[c]));
      upleft = up;
      left = cell;
      prev[s & 1][t + 1] = cell;
      if (t == T - 1)
        lastRow[c] = cell;
    }
    __syncthreads();
  }
  lastColumn[t] = left;
}

// The block's size is a number, the condition is written the other way, places have no sign, and
// what is read backwards lies in the array itself; other threads do something, too.
__global__ void paths(const float* in, float* out, unsigned n) {
  __shared__ float row[2][65];
  unsigned t = threadIdx.x;
  float sum = 0;
  row[0][t] = row[1][t] = 0;
  if (t == 63)
    row[0][64] = row[1][64] = 0;
  __syncthreads();
  for (unsigned s = 0; s < n + 63; ++s) {
    if (t <= s && s - t < n) {
      float got = in[s - t] + (t == 0 ? 1.0f : row[s & 1][t]);
      if (t == blockDim.x - 1)
        out[64 + s - t] = got;
      if (t == 5)
        got += 2;
      sum += got;
      row[(s + 1) & 1][t + 1] = got;
    }
    __syncthreads();
  }
  out[t] = sum;
}

__global__ void others(const int* in, int* out, int n) {
  __shared__ int all[96];
  int t = threadIdx.x;
  all[t] = t;
  __syncthreads();
  for (int s = 0; s < n; ++s) {
    int c = s - t;
    if (c >= 0 && c < 50) {
      if (0 == t)
        all[t] += in[c];
      else if (t == 95)
        all[t] -= in[c + 1];
      else
        all[t] = all[t] * 3 + in[n - 1 - t];
    } else {
      all[t] ^= s;
    }
    __syncthreads();
    int d = 94 - s - t;
    if (d < 40 && d >= -20) {
      if (t == 0 || t == 95)
        all[t] += 1000;
      else
        all[t] += in[d + 20];
    }
    __syncthreads();
  }
  out[t] = all[t];
}

int main() {
  char text[2][128], *a, *b;
  for (int i = 0; i < 128; ++i) {
    text[0][i] = "ACGT"[i * i % 7 % 4];
    text[1][i] = "ACGT"[(i * i + i / 9) % 7 % 4];
  }
  cudaMalloc(&a, 128);
  cudaMalloc(&b, 128);
  cudaMemcpy(a, text[0], 128, cudaMemcpyHostToDevice);
  cudaMemcpy(b, text[1], 128, cudaMemcpyHostToDevice);
  int *row, *column, h[2][128];
  cudaMalloc(&row, sizeof h[0]);
  cudaMalloc(&column, sizeof h[0]);
  const int lengths[] = {1, 2, 15, 16, 17, 31, 63, 64, 65, 127, 128};
  for (int n : lengths) {
    cudaMemset(row, 0, sizeof h[0]);
    cudaMemset(column, 0, sizeof h[0]);
    if (n <= 32) {
      distances<32><<<1, 32>>>(a, b, row, column, n);
    } else if (n <= 64) {
      distances<64><<<1, 64>>>(a, b, row, column, n);
    } else {
      distances<128><<<1, 128>>>(a, b, row, column, n);
    }
    cudaMemcpy(h[0], row, sizeof h[0], cudaMemcpyDeviceToHost);
    cudaMemcpy(h[1], column, sizeof h[0], cudaMemcpyDeviceToHost);
    long long sum = 0;
    for (int i = 0; i < 128; ++i)
      sum = sum * 3 % 1000003 + h[0][i] * 7 + h[1][i];
    printf("%d: %lld %d\n", n, sum, h[1][31]);
  }
  float values[200], *in, *out;
  for (int i = 0; i < 200; ++i)
    values[i] = float(i * 13 % 8);
  cudaMalloc(&in, sizeof values);
  cudaMalloc(&out, sizeof values);
  cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
  for (unsigned n = 1; n <= 128; n = n * 3 + 1) {
    cudaMemset(out, 0, sizeof values);
    paths<<<1, 64>>>(in, out, n);
    float got[200];
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    double sum = 0;
    for (int i = 0; i < 200; ++i)
      sum += got[i] * (i % 5 + 1);
    printf("%u: %.0f\n", n, sum);
  }
  int numbers[200], *from;
  for (int i = 0; i < 200; ++i)
    numbers[i] = i * 29 % 31;
  cudaMalloc(&from, sizeof numbers);
  cudaMemcpy(from, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  others<<<1, 96>>>(from, row, 120);
  cudaMemcpy(h[0], row, 96 * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 96; i += 19)
    printf("%d ", h[0][i]);
  printf("\n");
}
