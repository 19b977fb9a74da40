// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads of every second, third and fourth element: nothing behind the last one may be read, not
// even where its page ends.
#include <cstdio>

#include <cuda_runtime.h>

// A tree of prices: shared, of known size, at the edge of the block's items.
__global__ void backwards(const float* values, float* out, int steps) {
  __shared__ float value[257], spot[513];
  for (int k = threadIdx.x; k <= 2 * steps; k += blockDim.x)
    spot[k] = values[k];
  for (int j = threadIdx.x; j <= steps; j += blockDim.x)
    value[j] = values[2 * j];
  __syncthreads();
  for (int i = steps - 1; i >= 0; --i) {
    float next = 0;
    if (int(threadIdx.x) <= i)
      next = fmaxf(0.5f * value[threadIdx.x + 1] + 0.25f * value[threadIdx.x],
                   8.0f - spot[2 * threadIdx.x - i + steps]);
    __syncthreads();
    if (int(threadIdx.x) <= i)
      value[threadIdx.x] = next;
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = value[0];
}

template <int stride, class T> __global__ void pick(const T* in, T* out, int n, int first) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[first + stride * i] + T(1);
}

// Places without a sign that wrap around in the middle of the row.
__global__ void wraps(const int* in, int* out, unsigned first, unsigned mask) {
  __shared__ int s[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x)
    s[i] = in[i];
  __syncthreads();
  out[threadIdx.x] = s[(first + 2 * threadIdx.x) & mask];
}

// A condition that differs from thread to thread.
__global__ void some(const int* in, const int* flags, int* out, int n) {
  __shared__ int s[512];
  for (int i = threadIdx.x; i < 512; i += blockDim.x)
    s[i] = in[i];
  __syncthreads();
  int sum = 0;
  if (flags[threadIdx.x] % 3 != 0)
    sum = s[2 * threadIdx.x + 1];
  if (flags[threadIdx.x] % 2 == 0)
    sum += 10 * s[3 * threadIdx.x / 1 % 512];
  if (int(threadIdx.x) < n)
    out[threadIdx.x] = sum;
}

template <class T> static void sumUp(const char* name, const T* values, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += double(values[i]) * (1 + i % 13);
  printf("%s %.0f\n", name, sum);
}

template <int stride, class T> static void picked(const char* name, int n, int first) {
  T *in, *out;
  cudaMalloc(&in, (first + stride * (n - 1) + 1) * sizeof(T)); // to the last element
  cudaMallocManaged(&out, n * sizeof(T));
  T* host = new T[first + stride * (n - 1) + 1];
  for (int i = 0; i <= first + stride * (n - 1); ++i)
    host[i] = T(i % 97);
  cudaMemcpy(in, host, (first + stride * (n - 1) + 1) * sizeof(T), cudaMemcpyHostToDevice);
  pick<stride><<<(n + 63) / 64, 64>>>(in, out, n, first);
  cudaDeviceSynchronize();
  sumUp(name, out, n);
  delete[] host;
  cudaFree(in);
  cudaFree(out);
}

int main() {
  float *values, *price;
  int *in, *flags, *out;
  cudaMallocManaged(&values, 513 * sizeof *values);
  cudaMallocManaged(&price, 3 * sizeof *price);
  cudaMallocManaged(&in, 1024 * sizeof *in);
  cudaMallocManaged(&flags, 1024 * sizeof *flags);
  cudaMallocManaged(&out, 1024 * sizeof *out);
  for (int i = 0; i < 513; ++i)
    values[i] = float(i % 16);
  for (int i = 0; i < 1024; ++i) {
    in[i] = i * 7 % 101;
    flags[i] = i * i % 31;
  }
  for (const int steps : {4, 17, 64}) { // few, so that all is exact
    backwards<<<3, 256>>>(values, price, steps > 20 ? 20 : steps);
    cudaDeviceSynchronize();
    printf("backwards %d %.9g %.9g\n", steps, price[0], price[2]);
  }
  for (const int n : {1, 63, 64, 1000, 4096}) {
    printf("n %d\n", n);
    picked<2, float>("2 float", n, 0);
    picked<2, double>("2 double", n, 5);
    picked<3, int>("3 int", n, 1);
    picked<3, double>("3 double", n, 0);
    picked<4, float>("4 float", n, 3);
    picked<5, float>("5 float", n, 3);
  }
  wraps<<<1, 256>>>(in, out, 700u, 1023u);
  cudaDeviceSynchronize();
  sumUp("wraps", out, 256);
  wraps<<<1, 256>>>(in, out, 4294967295u - 99u, 1023u);
  cudaDeviceSynchronize();
  sumUp("wraps around", out, 256);
  for (const int n : {256, 77}) {
    some<<<1, 256>>>(in, flags, out, n);
    cudaDeviceSynchronize();
    sumUp("some", out, n);
  }
}
