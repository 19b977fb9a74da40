// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Guards on a thread's column around loops in which rows of threads change rows of shared memory:
// updates by a row in front, matrices of both kinds, loads that the loop changes itself, loops that
// hide a name, steps that are not of the block, and branches within branches.
#include <cstdio>

constexpr int width = 28, wide = 40;

__global__ void eliminate(const double* in, double* out, int n) {
  extern __shared__ double a[];
  constexpr int lda = width + 1;
  const int tx = threadIdx.x, ty = threadIdx.y;
  for (int c = ty; c < n; c += blockDim.y)
    if (tx < n)
      a[c * lda + tx] = in[blockIdx.x * n * n + c * n + tx];
  __syncthreads();
  for (int k = 0; k < n; ++k) {
    if (ty == 0 && tx > k && tx < n)
      a[k * lda + tx] /= a[k * lda + k];
    __syncthreads();
    if (tx > k && tx < n) {
      const double l = a[k * lda + tx];
      for (int c = k + 1 + ty; c < n; c += blockDim.y)
        a[c * lda + tx] -= l * a[c * lda + k];
    }
    __syncthreads();
  }
  for (int c = ty; c < n; c += blockDim.y)
    if (tx < n)
      out[blockIdx.x * n * n + c * n + tx] = a[c * lda + tx];
}

// Wider than a warp, without a load of its own, and with the matrix as an array of arrays.
__global__ void tables(const float* in, float* out, int n) {
  __shared__ float s[wide][64];
  const int tx = threadIdx.x, ty = threadIdx.y;
  for (int r = ty; r < n; r += blockDim.y)
    s[r][tx] = in[r * 64 + tx];
  __syncthreads();
  for (int k = 0; k < n; k += 3) {
    if (k + 7 <= tx && tx < n) {
      const float first = s[k][tx];
      for (int r = k + ty + 2; r < n; r += 4) {
        s[r][tx] += first * s[r][k];
      }
    }
    __syncthreads();
    if (tx > k)
      if (tx < 50)
        for (int r = ty; r < n; r += blockDim.y)
          s[r][tx] *= 0.5f;
      else if (ty == 0)
        s[0][tx] += 1;
    __syncthreads();
  }
  for (int r = ty; r < n; r += blockDim.y)
    out[r * 64 + tx] = s[r][tx];
}

// What is loaded changes in the first step of the row that starts at it; a counter has the name of
// what the guard asks for; and threads outside of the guard may not divide.
__global__ void others(const int* in, int* out, int n, int parts) {
  __shared__ int s[wide * 32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  for (int r = ty; r < n; r += blockDim.y)
    s[r * 32 + tx] = in[r * 32 + tx];
  __syncthreads();
  if (tx > 3 && tx < 20) {
    const int v = s[ty * 32 + tx];
    for (int r = ty; r < n; r += blockDim.y)
      s[r * 32 + tx] += v;
  }
  __syncthreads();
  const int r = 5;
  if (tx > r && tx < 30)
    for (int r = 1 + ty; r < n; r += blockDim.y)
      s[r * 32 + tx] -= 3;
  __syncthreads();
  if (tx < parts) {
    const int v = s[0 * 32 + tx];
    for (int q = 1 + ty; q < n; q += blockDim.y)
      s[q * 32 + tx] = s[q * 32 + tx] / parts + v;
  }
  __syncthreads();
  for (int q = ty; q < n; q += blockDim.y)
    out[q * 32 + tx] = s[q * 32 + tx];
}

template <class T, class Start, class Run>
void show(const char* name, int count, Start start, Run run) {
  T *in, *out;
  cudaMallocManaged(&in, count * sizeof(T));
  cudaMallocManaged(&out, count * sizeof(T));
  for (int i = 0; i < count; ++i) {
    in[i] = start(i);
    out[i] = 0;
  }
  run(in, out);
  cudaDeviceSynchronize();
  double sum = 0, mixed = 0;
  for (int i = 0; i < count; ++i) {
    sum += out[i];
    mixed += out[i] * double(i % 17 - 8);
  }
  printf("%s %.6g %.6g %.6g\n", name, sum, mixed, double(out[count / 3]));
  cudaFree(in);
  cudaFree(out);
}

int main() {
  for (const int n : {width, 9, 1})
    show<double>(
        "eliminate", 3 * n * n,
        [&](int i) { return (i * 37 % 29) / 29.0 + (i % (n * n) % (n + 1) == 0 ? 40 : 1); },
        [&](const double* in, double* out) {
          eliminate<<<3, dim3(32, 4), n*(width + 1) * sizeof(double)>>>(in, out, n);
        });
  for (const int n : {wide, 11})
    show<float>(
        "tables", n * 64, [](int i) { return float(i * 13 % 23) / 16 - 0.5f; },
        [&](const float* in, float* out) { tables<<<1, dim3(64, 4)>>>(in, out, n); });
  for (const int parts : {4, 0, 40})
    show<int>(
        "others", wide * 32, [](int i) { return i * 7 % 101; },
        [&](const int* in, int* out) { others<<<1, dim3(32, 8)>>>(in, out, wide, parts); });
}
