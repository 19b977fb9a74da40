// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads read what lies before or behind their own element of a shared array, wait, and change
// their own: scans from the left and from the right, with distances of several kinds, in blocks
// that are whole warps or not; and steps that look the same but are not in order.
#include <cstdio>

#include <cuda_runtime.h>

// From the left: the distance doubles.
template <typename T> __global__ void fromLeft(const T* in, T* out, int n) {
  __shared__ T s[1024];
  const int t = threadIdx.x;
  s[t] = t < n ? in[t] : T(0);
  __syncthreads();
  for (int d = 1; d < (int)blockDim.x; d *= 2) {
    T v = 0;
    if (t >= d)
      v = s[t - d];
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  if (t < n)
    out[t] = s[t];
}

// The sum is kept, and stored where the same condition holds.
__global__ void keptSums(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[512];
  const unsigned tid = threadIdx.x;
  s[tid] = in[tid];
  for (unsigned stride = 1; stride < blockDim.x; stride <<= 1) {
    __syncthreads();
    unsigned sum;
    if (tid >= stride)
      sum = s[tid] + s[tid - stride];
    __syncthreads();
    if (tid >= stride)
      s[tid] = sum;
  }
  __syncthreads();
  out[tid] = s[tid];
}

// From the right, by a distance that a step's number tells; the value is needed behind, too.
__global__ void fromRight(const int* in, int* out, int steps) {
  __shared__ int s[1024];
  const int t = threadIdx.x, n = blockDim.x;
  s[t] = in[t];
  __syncthreads();
  int last = -1;
  for (int k = 0; k < steps; ++k) {
    const int d = 1 << k;
    int v = t + d < n ? s[t + d] : 100;
    __syncthreads();
    s[t] = max(s[t], v) + 1;
    last = v;
    __syncthreads();
  }
  out[t] = 10 * s[t] + last % 10;
}

// Neighbours on both sides, a distance below 0, and another array that is read and written.
__global__ void noOrder(const int* in, int* out) {
  __shared__ int s[256], other[256];
  const int t = threadIdx.x;
  s[t] = in[t];
  other[t] = in[t] + 1;
  __syncthreads();
  for (int k = 0; k < 5; ++k) {
    int v = 0;
    if (t > 0 && t < 255)
      v = s[t - 1] + s[t + 1];
    __syncthreads();
    s[t] = (s[t] + v) % 1000;
    __syncthreads();
  }
  for (int d = -1; d > -64; d *= 2) {
    int v = 0;
    if (t - d < 256)
      v = s[t - d];
    __syncthreads();
    s[t] = (s[t] + v) % 1000;
    __syncthreads();
  }
  for (int d = 1; d < 256; d *= 2) {
    int v = 0;
    if (t >= d)
      v = s[t - d] + other[255 - t];
    __syncthreads();
    s[t] = (s[t] + v) % 1000;
    other[t] += 1;
    __syncthreads();
  }
  for (int d = 1; d < 256; d *= 2) {
    int v = other[(t * 7 + d) % 256];
    if (t >= d)
      v += s[t - d];
    __syncthreads();
    s[t] = (s[t] + v) % 1000;
    __syncthreads();
  }
  out[t] = s[t] * 10 + other[t] % 10;
}

// Two arrays that stand in order together, what a row of the grid knows, and threads that return.
__global__ void twoArrays(const int* in, int* out, int n) {
  __shared__ int a[320], b[320];
  const int t = threadIdx.x;
  a[t] = in[t];
  b[t] = in[t] * 3;
  __syncthreads();
  if (t >= n)
    return;
  for (int d = 1; d < 8; ++d) {
    int v = 0, w = 0;
    if (t >= d) {
      v = a[t - d];
      w = b[t - d];
    }
    __syncthreads();
    a[t] += w % 7;
    b[t] += v % 5;
    __syncthreads();
  }
  out[t] = a[t] * 3 + b[t];
}

// Rows of a block share one array by turns.
__global__ void byRows(const int* in, int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  if (threadIdx.y == 0)
    s[t] = in[t];
  __syncthreads();
  int seen = 0;
  for (int d = 1; d < 64; d *= 2) {
    int v = 0;
    if (t >= d)
      v = s[t - d];
    __syncthreads();
    if (threadIdx.y == 1)
      s[t] += v;
    seen += v;
    __syncthreads();
  }
  out[t + 64 * threadIdx.y] = s[t] + seen;
}

static unsigned long long sumOf(const int* values, int n) {
  unsigned long long sum = 0;
  for (int i = 0; i < n; ++i)
    sum = sum * 31 + static_cast<unsigned>(values[i]);
  return sum;
}

int main() {
  int *in, *out;
  float *fin, *fout;
  cudaMallocManaged(&in, 1024 * sizeof(int));
  cudaMallocManaged(&out, 1024 * sizeof(int));
  cudaMallocManaged(&fin, 1024 * sizeof(float));
  cudaMallocManaged(&fout, 1024 * sizeof(float));
  for (int i = 0; i < 1024; ++i) {
    in[i] = (i * 37 + i / 9) % 50;
    fin[i] = 1.0f / static_cast<float>(1 + i % 13);
  }
  const auto clear = [&] {
    for (int i = 0; i < 1024; ++i)
      out[i] = 0;
  };
  const auto show = [&](const char* name, int threads) {
    cudaDeviceSynchronize();
    printf("%s %d: %llx\n", name, threads, sumOf(out, 1024));
    clear();
  };
  clear();
  for (const int threads : {1, 31, 32, 96, 100, 256, 1000, 1024}) {
    fromLeft<<<1, threads>>>(in, out, threads);
    show("fromLeft", threads);
    for (int i = 0; i < 1024; ++i)
      fout[i] = 0;
    fromLeft<<<1, threads>>>(fin, fout, threads);
    cudaDeviceSynchronize();
    printf("of floats: %.9g %.9g\n", fout[threads / 2], fout[threads - 1]);
    fromRight<<<1, threads>>>(in, out, 5);
    show("fromRight", threads);
  }
  for (const int threads : {33, 64, 512}) {
    keptSums<<<1, threads>>>(reinterpret_cast<unsigned*>(in), reinterpret_cast<unsigned*>(out));
    show("keptSums", threads);
  }
  noOrder<<<1, 256>>>(in, out);
  show("noOrder", 256);
  for (const int n : {320, 250, 7}) {
    twoArrays<<<1, 320>>>(in, out, n);
    show("twoArrays", n);
  }
  byRows<<<1, dim3(64, 3)>>>(in, out);
  show("byRows", 64);
  return 0;
}
