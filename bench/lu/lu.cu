// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LU factors of many small matrices without pivoting, a block for each matrix, which stays in
// shared memory.
#include "../device_vector.h"

#define N 32

__global__ void factor(const float* in, float* out) {
  __shared__ float a[N][N];
  const float* from = in + blockIdx.x * N * N;
  float* to = out + blockIdx.x * N * N;
  int t = threadIdx.x;
  for (int row = 0; row < N; ++row)
    a[row][t] = from[row * N + t];
  __syncthreads();
  for (int k = 0; k < N - 1; ++k) {
    if (t > k)
      a[t][k] /= a[k][k];
    __syncthreads();
    if (t > k)
      for (int row = k + 1; row < N; ++row)
        a[row][t] -= a[row][k] * a[k][t];
    __syncthreads();
  }
  for (int row = 0; row < N; ++row)
    to[row * N + t] = a[row][t];
}

int main() {
  const int count = 4096;
  auto values = uniforms(count * N * N, 1);
  for (int m = 0; m < count; ++m)
    for (int i = 0; i < N; ++i)
      values[m * N * N + i * N + i] += 8.0f;
  DeviceVector<float> in(values), out(count * N * N);
  measure([&] {
    factor<<<count, N>>>(in, out);
    finish();
  });
  check(weightedSum(out.toHost()));
}
