// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks whose layers of threads have a matrix each: factors, matrices beyond the last, parts that
// the block exchanges in turn, ends that all threads see, values that threads keep over a barrier,
// names that hide others, layers that look into each other's part, and blocks of other sizes.
#include <cstdio>

constexpr int n = 20, layers = 4;

__global__ void factors(const double* in, double* out, double* sums, int count) {
  __shared__ double a[layers][n][n + 1];
  __shared__ double b[layers][n];
  const int tx = threadIdx.x, ty = threadIdx.y, tz = threadIdx.z;
  const int m = blockIdx.x * layers + tz;
  const bool live = m < count;
  const int rank = ty * 8 + tx;
  if (live) {
    for (int i = ty; i < n; i += 8)
      for (int j = tx; j < n; j += 8)
        a[tz][i][j] = in[(m * n + i) * n + j];
    if (rank < n) b[tz][rank] = rank + m;
  }
  __syncthreads();
  for (int k = 0; k < n; k++) {
    if (live && rank == 0) a[tz][k][k] = sqrt(a[tz][k][k]);
    __syncthreads();
    if (live && rank > k && rank < n) a[tz][rank][k] /= a[tz][k][k];
    __syncthreads();
    if (live) {
      for (int i = k + 1 + ty; i < n; i += 8)
        for (int j = k + 1 + tx; j <= i; j += 8)
          a[tz][i][j] -= a[tz][i][k] * a[tz][j][k];
    }
    __syncthreads();
  }
  for (int k = 0; k < n; k++) {
    if (live && rank == 0) b[tz][k] /= a[tz][k][k];
    __syncthreads();
    if (live && rank > k && rank < n) b[tz][rank] -= a[tz][rank][k] * b[tz][k];
    __syncthreads();
  }
  if (live) {
    for (int i = ty; i < n; i += 8)
      for (int j = tx; j < n; j += 8)
        out[(m * n + i) * n + j] = j <= i ? a[tz][i][j] : 0.0;
    if (rank == 0) {
      double sum = 0;
      for (int k = 0; k < n; ++k) sum += b[tz][k];
      sums[m] = sum;
    }
  }
}

// What the block changes alike between barriers, a loop that it leaves early, blocks that return,
// and a variable of a group's own.
__global__ void turns(const float* in, float* out, int count, int steps) {
  __shared__ float t[layers][2][8][8];
  const int x = threadIdx.x, y = threadIdx.y;
  if (blockIdx.x * layers >= count) return;
  const int z = threadIdx.z, m = blockIdx.x * layers + z;
  int turn = 0;
  for (int i = y; i < 8; i += 4)
    for (int j = x; j < 8; j += 4)
      t[z][turn][i][j] = m < count ? in[m * 64 + i * 8 + j] : 1.0f;
  __syncthreads();
  for (int step = 0; step < 10; ++step) {
    float scale = 0.5f;
    scale += z;
    for (int i = y; i < 8; i += 4)
      for (int j = x; j < 8; j += 4) {
        if (i == j) continue;
        t[z][turn ^ 1][i][j] = t[z][turn][j][i] * scale + t[z][turn][i][0];
      }
    if (x == 0 && y == 0)
      for (int i = 0; i < 8; ++i) t[z][turn ^ 1][i][i] = t[z][turn][i][7 - i];
    turn ^= 1;
    __syncthreads();
    if (step + 1 >= steps) break;
  }
  if (m < count)
    for (int i = y; i < 8; i += 4)
      for (int j = x; j < 8; j += 4)
        out[m * 64 + i * 8 + j] = t[z][turn][i][j];
}

// Threads keep a value over a barrier; an inner variable has the name of a layer's number; and the
// last loop reads what another layer has stored.
__global__ void kept(const float* in, float* out, int count) {
  __shared__ float t[layers][8][8];
  const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  const int m = blockIdx.x * layers + z;
  float mine = 0;
  for (int i = y; i < 8; i += 4)
    for (int j = x; j < 8; j += 4) {
      t[z][i][j] = in[m * 64 + i * 8 + j];
      mine += t[z][i][j];
    }
  __syncthreads();
  for (int i = y; i < 8; i += 4)
    for (int j = x; j < 8; j += 4)
      t[z][i][j] -= mine;
  __syncthreads();
  {
    const int m = 3;
    if (x == m && y == m) t[z][m][m] = z;
  }
  __syncthreads();
  for (int i = y; i < 8; i += 4)
    for (int j = x; j < 8; j += 4)
      out[m * 64 + i * 8 + j] = t[(z + 1) % layers][i][j] + mine;
}

__global__ void hidden(const float* in, float* out, int count) {
  __shared__ float t[layers][8][8];
  const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  const int m = blockIdx.x * layers + z, twice = 2 * z;
  for (int i = y; i < 8; i += 4)
    for (int j = x; j < 8; j += 4)
      t[z][i][j] = in[m * 64 + i * 8 + j] + twice;
  __syncthreads();
  for (int k = 0; k < count; ++k) {
    const int twice = 7;
    for (int i = y; i < 8; i += 4)
      for (int j = x; j < 8; j += 4)
        if (j > k) t[z][i][j] -= t[z][i][k] * (twice - z);
    __syncthreads();
  }
  for (int i = y; i < 8; i += 4)
    for (int j = x; j < 8; j += 4)
      out[m * 64 + i * 8 + j] = t[z][i][j] + twice;
}

// Blocks of other sizes too.
__global__ void sizes(const float* in, float* out, int count) {
  __shared__ float t[8][8][8];
  const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  for (int i = y; i < 8; i += 4)
    for (int j = x; j < 8; j += 4)
      t[z][i][j] = in[z * 64 + i * 8 + j];
  __syncthreads();
  for (int k = 0; k < count; ++k) {
    for (int i = k + 1 + y; i < 8; i += 4)
      for (int j = k + 1 + x; j < 8; j += 4)
        t[z][i][j] -= t[z][i][k] * t[z][k][j];
    __syncthreads();
  }
  for (int i = y; i < 8; i += 4)
    for (int j = x; j < 8; j += 4)
      out[z * 64 + i * 8 + j] = t[z][i][j];
}

template <class T, class Start, class Run>
void show(const char* name, int count, Start start, Run run) {
  T *in, *out;
  cudaMallocManaged(&in, count * sizeof(T));
  cudaMallocManaged(&out, count * sizeof(T));
  for (int i = 0; i < count; ++i) {
    in[i] = T(start(i));
    out[i] = 0;
  }
  run(in, out);
  cudaDeviceSynchronize();
  double sum = 0, mixed = 0;
  for (int i = 0; i < count; ++i) {
    sum += out[i];
    mixed += out[i] * double(i % 17 - 8);
  }
  printf("%s %.6g %.6g %.6g\n", name, sum, mixed, double(out[count / 3]));
  cudaFree(in);
  cudaFree(out);
}

int main() {
  for (const int count : {9, 4, 1}) {
    double* sums;
    cudaMallocManaged(&sums, count * sizeof(double));
    show<double>(
        "factors", count * n * n,
        [&](int i) {
          const int row = i / n % n, column = i % n;
          return row == column ? 30.0 + i % 7 : (row * column % 11) / 11.0;
        },
        [&](const double* in, double* out) {
          factors<<<(count + layers - 1) / layers, dim3(8, 8, layers)>>>(in, out, sums, count);
        });
    double all = 0;
    for (int i = 0; i < count; ++i) all += sums[i] * (i + 1);
    printf("sums %.6g\n", all);
    cudaFree(sums);
  }
  const auto small = [](int i) { return (i * 29 % 23 - 11) / 32.0; };
  for (const int count : {7, 8})
    show<float>("turns", count * 64, small, [&](const float* in, float* out) {
      turns<<<3, dim3(4, 4, layers)>>>(in, out, count, 3);
    });
  show<float>("kept", 8 * 64, small, [&](const float* in, float* out) {
    kept<<<2, dim3(4, 4, layers)>>>(in, out, 8);
  });
  show<float>("hidden", 8 * 64, small, [&](const float* in, float* out) {
    hidden<<<2, dim3(4, 4, layers)>>>(in, out, 2);
  });
  for (const int depth : {2, 8, 1})
    show<float>("sizes", depth * 64, small, [&](const float* in, float* out) {
      sizes<<<1, dim3(4, 4, depth)>>>(in, out, 5);
    });
}
