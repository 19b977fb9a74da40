// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places on a ring, `(x % n + n) % n` and `(x + n) % n`: in most blocks they are x. Rings may be
// shorter than a block, and places lie several rounds in front of them or behind them.
#include <cstdio>

#define SIZE 64
#define CHECK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { printf("%s\n", cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void around(const int* in, int* out, int n, int from, int steps) {
  __shared__ int s[2][SIZE];
  const int tx = threadIdx.x;
  const int x = int(blockIdx.x) * (SIZE - 8) + tx - 4 + from;
  const int j = ((x % n) + n) % n;
  int now = 0;
  s[0][tx] = in[j];
  __syncthreads();
  for (int k = 0; k < steps; ++k) {
    if (tx > k && tx < SIZE - 1 - k) {
      int least = s[now][tx];
      if (s[now][tx - 1] < least)
        least = s[now][tx - 1];
      if (s[now][tx + 1] < least)
        least = s[now][tx + 1];
      s[now ^ 1][tx] = least + in[j] % 5;
    }
    now ^= 1;
    __syncthreads();
  }
  if (tx >= 4 && tx < SIZE - 4 && x >= from && x < n + from)
    out[j] = s[now][tx];
}

__global__ void beside(const int* in, int* out, int n, int shift) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n)
    return;
  const int left = (n + x - shift) % n, right = (x + shift) % n;
  const unsigned far = (unsigned(x) + unsigned(n) + 7u) % unsigned(n);
  out[x] = in[left] * 3 + in[right] * 5 + in[far];
}

int main() {
  const int most = 1000;
  int *in, *out;
  CHECK(cudaMallocManaged(&in, most * sizeof(int)));
  CHECK(cudaMallocManaged(&out, most * sizeof(int)));
  for (int i = 0; i < most; ++i)
    in[i] = (i * 73 + i / 7) % 101;
  for (int n : {1, 3, 50, 64, 257, most})
    for (int from : {0, -3, -2 * n - 1, 5, 3 * n}) {
      around<<<(n + SIZE - 9) / (SIZE - 8), SIZE>>>(in, out, n, from, 4);
      CHECK(cudaDeviceSynchronize());
      long long a = 0, b = 0;
      for (int i = 0; i < n; ++i)
        a += (long long)out[i] * (1 + i % 13);
      beside<<<(n + 127) / 128, 128>>>(in, out, n, n > 9 ? 9 : n - 1);
      CHECK(cudaDeviceSynchronize());
      for (int i = 0; i < n; ++i)
        b += (long long)out[i] * (1 + i % 11);
      printf("%d %d: %lld %lld\n", n, from, a, b);
    }
  return 0;
}
