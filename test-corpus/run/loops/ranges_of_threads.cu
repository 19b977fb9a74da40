// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of a row from one to another, as both narrow from step to step, with conditions of their
// own besides: the others do nothing, also where no thread is left.
#include <cstdio>

__global__ void narrowing(const int* in, int* out, int n, int steps, int left, int right) {
  __shared__ int s[128], t[128];
  const int tx = threadIdx.x, i = blockIdx.x * 96 - 16 + tx;
  const bool valid = i >= 0 && i < n;
  s[tx] = valid ? in[i] : 1000;
  t[tx] = -1;
  __syncthreads();
  for (int k = 0; k < steps; ++k) {
    if (tx >= k + 1 && tx <= 126 - k && valid) {
      const int least = min(min(s[tx - 1], s[tx]), s[tx + 1]);
      t[tx] = least + in[(i + k) % n];
    }
    __syncthreads();
    if (tx > left && tx < right - k)
      s[tx] = t[tx];
    __syncthreads();
  }
  if (tx >= 16 && tx < 112 && i < n)
    out[i] = t[tx] + s[tx];
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 300 * sizeof(int));
  cudaMallocManaged(&out, 300 * sizeof(int));
  for (int i = 0; i < 300; ++i)
    in[i] = (i * 37) % 101;
  for (const int n : {1, 50, 97, 300})
    for (const int steps : {1, 5, 40, 70})
      for (const int left : {-3, 0, 60})
        for (const int right : {-1, 61, 128, 500}) {
          for (int i = 0; i < 300; ++i)
            out[i] = 0;
          narrowing<<<4, 128>>>(in, out, n, steps, left, right);
          cudaDeviceSynchronize();
          long long sum = 0;
          for (int i = 0; i < n; ++i)
            sum += (long long)out[i] * (i % 7 + 1);
          printf("%d %d %d %d: %lld\n", n, steps, left, right, sum);
        }
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
