// Products in which each thread adds up a strip of a column, or elements a block apart, neighbouring threads
// neighbours; with sizes that constants of the kernel's own name, of shared arrays and of steps.
#include <cstdio>

template <int TILE, int ROWS> struct Shape {
  static constexpr int tile = TILE, strip = TILE / ROWS;
};

template <class S, int ROWS>
__global__ void strips(int m, int n, int depth, const float* __restrict__ a, const float* __restrict__ b, float* c) {
  constexpr int T = S::tile;
  __shared__ float left[T][T + 1];
  __shared__ float right[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int column = blockIdx.x * T + tx;
  const int first = blockIdx.y * T;
  float sum[S::strip];
#pragma unroll
  for (int r = 0; r < S::strip; ++r) sum[r] = 0.0f;
  for (int k0 = 0; k0 < depth; k0 += T) {
#pragma unroll
    for (int r = 0; r < S::strip; ++r) {
      const int row = ty + r * ROWS;
      const int ofA = first + row, inA = k0 + tx;
      left[row][tx] = (ofA < m && inA < depth) ? a[ofA * depth + inA] : 0.0f;
      const int ofB = k0 + row;
      right[row][tx] = (ofB < depth && column < n) ? b[ofB * n + column] : 0.0f;
    }
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < T; ++k) {
      const float own = right[k][tx];
#pragma unroll
      for (int r = 0; r < S::strip; ++r) sum[r] += left[ty + r * ROWS][k] * own;
    }
    __syncthreads();
  }
  if (column < n)
    for (int r = 0; r < S::strip; ++r) {
      const int row = first + ty + r * ROWS;
      if (row < m) c[row * n + column] = sum[r];
    }
}

// Steps by a constant that is no power of two, with doubles and a table of sums.
__global__ void apart(int n, const double* a, const double* b, double* c) {
  const int step = 12;
  __shared__ double left[step][32], right[step][48];
  double sum[2][3] = {{0.0}};
  const int x = threadIdx.x, y = threadIdx.y;
  for (int k0 = 0; k0 < n; k0 += step) {
    for (int k = y; k < step; k += 16) {
      for (int i = x; i < 32; i += 16) left[k][i] = k0 + k < n ? a[(k0 + k) * 32 + i] : 0.0;
      for (int i = x; i < 48; i += 16) right[k][i] = k0 + k < n ? b[(k0 + k) * 48 + i] : 0.0;
    }
    __syncthreads();
    for (int k = 0; k < step; ++k)
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 3; ++j) sum[i][j] += left[k][y + 16 * i] * right[k][x + 16 * j];
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) c[(y + 16 * i) * 48 + x + 16 * j] = sum[i][j];
}

// Threads that stay away from some steps, and sums of whole numbers that are read in between.
__global__ void uneven(int n, const int* a, int* c) {
  constexpr unsigned width = 40;
  __shared__ int row[width];
  int sum[3] = {1, 2, 3};
  for (unsigned k0 = 0; k0 < unsigned(n); k0 += width) {
    if (threadIdx.x < width) row[threadIdx.x] = k0 + threadIdx.x < unsigned(n) ? a[k0 + threadIdx.x] : 0;
    __syncthreads();
    for (unsigned k = 0; k < 8; ++k)
      for (int r = 0; r < 3; ++r) sum[r] += row[(threadIdx.x + k) % width] * int(k + r);
    __syncthreads();
    if (sum[1] % 2 == 0) sum[2] -= sum[0];
  }
  for (int r = 0; r < 3; ++r) c[threadIdx.x * 3 + r] = sum[r];
}

int main() {
  float *a, *b, *c;
  const int most = 100 * 100;
  cudaMallocManaged(&a, most * sizeof(float));
  cudaMallocManaged(&b, most * sizeof(float));
  cudaMallocManaged(&c, most * sizeof(float));
  for (int i = 0; i < most; ++i) a[i] = i % 7 - 3, b[i] = i % 11 - 5;
  const int sizes[][3] = {{32, 32, 32}, {64, 96, 64}, {33, 31, 35}, {1, 70, 9}, {100, 3, 64}};
  for (const auto& s : sizes) {
    for (int kind = 0; kind < 2; ++kind) {
      for (int i = 0; i < most; ++i) c[i] = 0;
      if (kind == 0)
        strips<Shape<32, 8>, 8><<<dim3((s[1] + 31) / 32, (s[0] + 31) / 32), dim3(32, 8)>>>(s[0], s[1], s[2], a, b, c);
      else
        strips<Shape<16, 2>, 2><<<dim3((s[1] + 15) / 16, (s[0] + 15) / 16), dim3(16, 2)>>>(s[0], s[1], s[2], a, b, c);
      cudaDeviceSynchronize();
      double sum = 0;
      for (int i = 0; i < s[0] * s[1]; ++i) sum += (i % 37 + 1) * (double)c[i];
      printf("%d x %d x %d: %.1f\n", s[0], s[1], s[2], sum);
    }
  }
  double *da, *db, *dc;
  cudaMallocManaged(&da, 50 * 32 * sizeof(double));
  cudaMallocManaged(&db, 50 * 48 * sizeof(double));
  cudaMallocManaged(&dc, 32 * 48 * sizeof(double));
  for (int i = 0; i < 50 * 32; ++i) da[i] = i % 13 - 6;
  for (int i = 0; i < 50 * 48; ++i) db[i] = i % 17 - 8;
  for (int n : {12, 24, 50}) {
    apart<<<1, dim3(16, 16)>>>(n, da, db, dc);
    cudaDeviceSynchronize();
    double sum = 0;
    for (int i = 0; i < 32 * 48; ++i) sum += (i % 29 + 1) * dc[i];
    printf("apart %d: %.1f\n", n, sum);
  }
  int *ia, *ic;
  cudaMallocManaged(&ia, 100 * sizeof(int));
  cudaMallocManaged(&ic, 64 * 3 * sizeof(int));
  for (int i = 0; i < 100; ++i) ia[i] = i * 5 % 23;
  for (int n : {40, 41, 100}) {
    uneven<<<1, 64>>>(n, ia, ic);
    cudaDeviceSynchronize();
    long long sum = 0;
    for (int i = 0; i < 64 * 3; ++i) sum += (i % 19 + 1) * (long long)ic[i];
    printf("uneven %d: %lld\n", n, sum);
  }
}
