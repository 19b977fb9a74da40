// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several shared tables in one statement: one is reached along its rows, one along its columns, one as a whole; statements
// over several lines, with other declarators in between and with comments.
#include <cstdio>

#define TILE 16

// C = A * B^T.
template <typename T> __global__ void product(const T* a, const T* b, T* c, int m, int n, int k) {
  __shared__ T as[TILE][TILE + 1], bs[TILE][TILE + 1]; // padded
  const int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  const int other = blockIdx.x * TILE + threadIdx.y;
  T sum = 0;
  for (int at = 0; at < k; at += TILE) {
    const bool inside = at + (int)threadIdx.x < k;
    as[threadIdx.y][threadIdx.x] = inside && row < m ? a[row * k + at + threadIdx.x] : T(0);
    bs[threadIdx.y][threadIdx.x] = inside && other < n ? b[other * k + at + threadIdx.x] : T(0);
    __syncthreads();
    for (int e = 0; e < TILE; ++e)
      sum += as[threadIdx.y][e] * bs[threadIdx.x][e];
    __syncthreads();
  }
  if (row < m && column < n)
    c[row * n + column] = sum;
}

__device__ int total(const int* values, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i)
    sum = sum * 3 + values[i];
  return sum;
}

__global__ void several(int* out) {
  __shared__ int rows[8][9],
      single, *place[2][2],
      columns[8][8], // reached along its columns
      line[8];
  const int x = threadIdx.x, y = threadIdx.y;
  rows[y][x] = x * 10 + y;
  columns[x][y] = x - y * 20;
  if (x == 0 && y == 0) {
    single = 5;
    for (int i = 0; i < 8; ++i)
      line[i] = i * i;
    place[0][0] = line;
    place[1][1] = &single;
  }
  __syncthreads();
  int sum = total(&rows[y][0], 9 - 1) + single;
  for (int i = 0; i < 8; ++i)
    sum += columns[x][i] * (i + 1);
  out[y * 8 + x] = sum + place[0][0][x] + *place[1][1];
}

template <typename T> T* filled(int n, int factor) {
  T* data;
  cudaMallocManaged(&data, n * sizeof(T));
  for (int i = 0; i < n; ++i)
    data[i] = static_cast<T>((i * factor) % 17 - 8);
  return data;
}

int main() {
  const int m = 37, n = 29, k = 50;
  double *a = filled<double>(m * k, 5), *b = filled<double>(n * k, 7), *c = filled<double>(m * n, 0);
  int *ia = filled<int>(m * k, 3), *ib = filled<int>(n * k, 11), *ic = filled<int>(m * n, 0), *out = filled<int>(64, 0);
  const dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE), block(TILE, TILE);
  product<<<grid, block>>>(a, b, c, m, n, k);
  product<<<grid, block>>>(ia, ib, ic, m, n, k);
  several<<<1, dim3(8, 8)>>>(out);
  const cudaError_t error = cudaDeviceSynchronize();
  long long hash = 0;
  for (int i = 0; i < m * n; ++i)
    hash = hash * 31 + static_cast<long long>(c[i]) * 7 + ic[i];
  printf("%d %lld\n", error, hash);
  for (int i = 0; i < 64; ++i)
    printf("%d%c", out[i], i % 8 == 7 ? '\n' : ' ');
  return 0;
}
