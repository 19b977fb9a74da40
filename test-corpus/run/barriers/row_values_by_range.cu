// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches that only a range of a row's threads take, and in which they read one value for their
// row: factors of small matrices, bounds that wrap around, ranges that are empty or whole, and
// blocks of other sizes than most launches have.
#include <cstdio>

template <int N> __global__ void factors(const int* in, int* out) {
  __shared__ int a[N][N + 1];
  const int r = threadIdx.y, c = threadIdx.x, m = blockIdx.x;
  a[r][c] = in[(m * N + r) * N + c];
  __syncthreads();
  for (int k = 0; k < N - 1; ++k) {
    if (c == k && r > k)
      a[r][k] = (a[r][k] + a[k][k]) % 97;
    __syncthreads();
    if (r > k && c > k)
      a[r][c] = (a[r][c] + a[r][k] * a[k][c]) % 101;
    __syncthreads();
  }
  out[(m * N + r) * N + c] = a[r][c];
}

__global__ void ranges(int* out, int low, int high, unsigned far) {
  __shared__ int s[4][64], before[4][64];
  const int x = threadIdx.x, y = threadIdx.y;
  const unsigned u = threadIdx.x;
  s[y][x] = before[y][x] = x + 10 * y;
  __syncthreads();
  if (x >= low && x < high)
    s[y][x] += before[y][0] * 2;
  __syncthreads();
  before[y][x] = s[y][x];
  __syncthreads();
  if (x > low && x <= high + y)
    s[y][x] += before[y][1] * 3;
  __syncthreads();
  before[y][x] = s[y][x];
  __syncthreads();
  if (u + far > 4u) // wraps around within the row, or not at all
    s[y][x] += before[y][2];
  __syncthreads();
  before[y][x] = s[y][x];
  __syncthreads();
  if (u - 3u < 20u && y > 0)
    s[y][x] -= before[y - 1][63];
  __syncthreads();
  if (x > high)
    s[y][x] = before[0][5] + 1000;
  __syncthreads();
  out[(blockIdx.x * blockDim.y + y) * blockDim.x + x] = s[y][x];
}

static long weighted(const int* v, int n) {
  long sum = 0;
  for (int i = 0; i < n; ++i)
    sum += static_cast<long>(v[i]) * (i % 17 + 1);
  return sum;
}

int main() {
  constexpr int matrices = 6, n = 32;
  static int in[matrices * n * n], out[matrices * n * n];
  for (int i = 0; i < matrices * n * n; ++i)
    in[i] = (i * 7919) % 89;
  int *dIn, *dOut;
  cudaMalloc(&dIn, sizeof in);
  cudaMalloc(&dOut, sizeof out);
  cudaMemcpy(dIn, in, sizeof in, cudaMemcpyHostToDevice);
  factors<32><<<matrices, dim3(32, 32)>>>(dIn, dOut);
  cudaMemcpy(out, dOut, sizeof out, cudaMemcpyDeviceToHost);
  printf("factors 32: %ld\n", weighted(out, matrices * n * n));
  factors<16><<<matrices, dim3(16, 16)>>>(dIn, dOut);
  cudaMemcpy(out, dOut, sizeof out, cudaMemcpyDeviceToHost);
  printf("factors 16: %ld\n", weighted(out, matrices * 16 * 16));
  factors<5><<<matrices, dim3(5, 5)>>>(dIn, dOut);
  cudaMemcpy(out, dOut, sizeof out, cudaMemcpyDeviceToHost);
  printf("factors 5: %ld\n", weighted(out, matrices * 5 * 5));

  const int bounds[][2] = {{0, 64}, {5, 60}, {-3, 70}, {40, 40}, {63, 64}, {64, 10}, {0, 1}};
  const unsigned fars[] = {0u, 4294967290u, 2147483640u};
  for (const auto& bound : bounds)
    for (const unsigned far : fars) {
      ranges<<<3, dim3(64, 4)>>>(dOut, bound[0], bound[1], far);
      cudaMemcpy(out, dOut, 3 * 64 * 4 * sizeof(int), cudaMemcpyDeviceToHost);
      printf("ranges [%d, %d) %u: %ld", bound[0], bound[1], far, weighted(out, 3 * 64 * 4));
      ranges<<<2, dim3(64, 3)>>>(dOut, bound[0], bound[1], far);
      cudaMemcpy(out, dOut, 2 * 64 * 3 * sizeof(int), cudaMemcpyDeviceToHost);
      printf(" %ld\n", weighted(out, 2 * 64 * 3));
    }
  cudaFree(dIn);
  cudaFree(dOut);
  return 0;
}
