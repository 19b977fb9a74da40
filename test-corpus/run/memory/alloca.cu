// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// alloca() in device code: memory on the thread's stack, of a size known at run time, in functions, loops and kernels with
// barriers; __builtin_alloca too.
#include <cstdio>

__device__ int median(const int* in, int n) {
  int* copy = static_cast<int*>(alloca(n * sizeof(int)));
  for (int i = 0; i < n; ++i)
    copy[i] = in[i];
  for (int i = 1; i < n; ++i)
    for (int j = i; j > 0 && copy[j - 1] > copy[j]; --j) {
      const int t = copy[j];
      copy[j] = copy[j - 1];
      copy[j - 1] = t;
    }
  return copy[n / 2];
}

__global__ void medians(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = median(in + i, 1 + i % 9);
}

__global__ void growing(int* out) {
  int sum = 0;
  for (int n = 1; n <= 8; ++n) {
    auto* p = reinterpret_cast<short*>(__builtin_alloca(n * sizeof(short)));
    for (int k = 0; k < n; ++k)
      p[k] = short(k * (threadIdx.x + 1));
    for (int k = 0; k < n; ++k)
      sum += p[k];
  }
  out[threadIdx.x] = sum;
}

// The memory lives as long as the function, across its barriers too.
__global__ void acrossBarriers(int* out, int n) {
  __shared__ int row[32];
  int* mine = (int*)alloca(n * sizeof(int));
  for (int k = 0; k < n; ++k)
    mine[k] = threadIdx.x * 100 + k;
  row[threadIdx.x] = mine[n - 1];
  __syncthreads();
  const int other = row[31 - threadIdx.x];
  __syncthreads();
  mine[0] += other;
  row[threadIdx.x] = mine[0] + mine[n / 2];
  __syncthreads();
  out[threadIdx.x] = row[threadIdx.x ^ 1];
}

int main() {
  const int n = 100;
  int *in, *out;
  cudaMallocManaged(&in, (n + 16) * sizeof *in);
  cudaMallocManaged(&out, n * sizeof *out);
  for (int i = 0; i < n + 16; ++i)
    in[i] = (i * 37) % 91;
  medians<<<2, 64>>>(in, out, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; i += 11)
    printf("%d ", out[i]);
  growing<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  printf("\n%d %d\n", out[0], out[31]);
  acrossBarriers<<<1, 32>>>(out, 5);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; i += 5)
    printf("%d ", out[i]);
  printf("\n");
  return 0;
}
