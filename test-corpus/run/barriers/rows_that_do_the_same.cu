// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of several rows whose threads ask for their place in a row alone: those of a column do the
// same, and none may see what another has changed behind the barrier.
#include <cstdio>

__global__ void forward(int* out, int steps) {
  __shared__ int v[132];
  const int i = threadIdx.x;
  v[i] = i * i;
  if (i < 4)
    v[128 + i] = 7;
  for (int l = 0; l < steps; ++l) {
    int next = 0;
    __syncthreads();
    if (i < 120)
      next = 3 * v[i] - v[i + 1];
    __syncthreads();
    if (i < 120)
      v[i] = next;
  }
  __syncthreads();
  out[i] = v[i];
}
__global__ void backward(int* out, int steps) {
  __shared__ int v[128];
  const int t = threadIdx.x;
  v[t] = t * 3 + 1;
  __syncthreads();
  for (int d = 1; d < steps; d *= 2) {
    int sum = v[t];
    if (t >= d)
      sum += v[t - d] * 5;
    __syncthreads();
    v[t] = sum;
    __syncthreads();
  }
  out[t] = v[t];
}

int main() {
  int* out;
  cudaMallocManaged(&out, 128 * sizeof(int));
  const auto print = [&](const char* name) {
    cudaDeviceSynchronize();
    long long sum = 0;
    for (int i = 0; i < 128; ++i)
      sum += out[i] * (i % 7 + 1LL);
    printf("%s %lld\n", name, sum);
  };
  for (int rows = 1; rows <= 4; rows *= 2) {
    forward<<<1, dim3(128, rows)>>>(out, 5);
    print("forward");
    backward<<<1, dim3(128, 1, rows)>>>(out, 128);
    print("backward");
  }
}
