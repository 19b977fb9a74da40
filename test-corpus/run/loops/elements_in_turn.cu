// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that share the elements of a matrix, and read what they have stored in earlier steps,
// find what they would find one after the other, however the block is shaped.
#include <cstdio>
#include <vector>

// Dynamic shared memory with padded rows, a size that only the launch knows; rows, columns and
// ranks.
__global__ void factors(const float* in, float* out, int* pivots, int n) {
  extern __shared__ float a[];
  __shared__ int pivot;
  const int lda = n + 1, tx = threadIdx.x, ty = threadIdx.y;
  const int tid = ty * blockDim.x + tx, threads = blockDim.x * blockDim.y;
  for (int i = tid; i < n * n; i += threads)
    a[i / n * lda + i % n] = in[blockIdx.x * n * n + i];
  __syncthreads();
  for (int k = 0; k < n; ++k) {
    if (tid == 0) {
      int best = k;
      for (int i = k + 1; i < n; ++i)
        if (fabsf(a[i * lda + k]) > fabsf(a[best * lda + k]))
          best = i;
      pivot = best;
      pivots[blockIdx.x * n + k] = best;
    }
    __syncthreads();
    const int p = pivot;
    if (p != k)
      for (int j = tid; j < n; j += threads) {
        const float t = a[k * lda + j];
        a[k * lda + j] = a[p * lda + j];
        a[p * lda + j] = t;
      }
    __syncthreads();
    for (int i = k + 1 + tid; i < n; i += threads)
      a[i * lda + k] *= 0.125f;
    __syncthreads();
    for (int i = k + 1 + ty; i < n; i += blockDim.y) {
      const float f = a[i * lda + k];
      float* row = a + i * lda;
      for (int j = k + 1 + tx; j < n; j += blockDim.x)
        row[j] = 0.5f * row[j] - f * a[k * lda + j];
    }
    __syncthreads();
  }
  for (int i = tid; i < n * n; i += threads)
    out[blockIdx.x * n * n + i] = a[i / n * lda + i % n];
}

// Triangles: up to the row's own number, and from it on; sizes of a template.
template <class T, int N, int BX, int BY> __global__ void triangles(const T* in, T* out) {
  __shared__ T s[N][N + 1], upper[N][N];
  const unsigned tx = threadIdx.x, ty = threadIdx.y;
  for (unsigned r = ty; r < N; r += BY)
    for (unsigned c = tx; c < N; c += BX) {
      s[r][c] = in[r * N + c];
      upper[r][c] = T(1);
    }
  __syncthreads();
  for (int k = 0; k < N; ++k) {
    for (int r = k + 1 + int(ty); r < N; r += BY)
      for (int c = k + 1 + int(tx); c <= r; c += BX)
        s[r][c] -= s[r][k] * s[c][k] * T(0.0625);
    for (int r = int(ty); r < N; r += BY)
      for (int c = r + int(tx); c < N; c += BX) {
        if ((c + k) % 3 == 0)
          continue;
        upper[r][c] += T(k) * T(0.25);
      }
    __syncthreads();
  }
  for (int r = ty; r < N; r += BY)
    for (int c = tx; c < N; c += BX)
      out[r * N + c] = c <= r ? s[r][c] : upper[r][c];
}

// Two matrices whose rows change together; rows that are left out.
__global__ void inverse(const double* in, double* out, int n) {
  __shared__ double a[24][24], b[24][24], column[24];
  for (int i = threadIdx.y; i < n; i += blockDim.y)
    for (int j = threadIdx.x; j < n; j += blockDim.x) {
      a[i][j] = in[i * n + j];
      b[i][j] = i == j ? 1.0 : 0.0;
    }
  __syncthreads();
  for (int k = 0; k < n; ++k) {
    if (threadIdx.x + threadIdx.y * blockDim.x < 24 && threadIdx.x + threadIdx.y * blockDim.x < n)
      column[threadIdx.x + threadIdx.y * blockDim.x] = a[threadIdx.x + threadIdx.y * blockDim.x][k];
    __syncthreads();
    for (int i = threadIdx.y; i < n; i += blockDim.y) {
      const double f = column[i] / column[k];
      if (i != k) {
        for (int j = threadIdx.x; j < n; j += blockDim.x)
          a[i][j] -= f * a[k][j];
        for (int j = threadIdx.x; j < n; j += blockDim.x)
          b[i][j] -= f * b[k][j];
      }
    }
    __syncthreads();
  }
  for (int i = threadIdx.y; i < n; i += blockDim.y)
    for (int j = threadIdx.x; j < n; j += blockDim.x)
      out[i * n + j] = b[i][j] / a[i][i];
}

// What a thread finds it has stored itself, a step or a row before: a row of threads later or
// above. Steps of other lengths than the block has leave elements out.
__global__ void ownSteps(int* out, int width, int more) {
  __shared__ int s[40][80];
  __shared__ int last[400];
  const int tid = threadIdx.x + threadIdx.y * blockDim.x, threads = blockDim.x * blockDim.y;
  for (int i = tid; i < 40 * 80; i += threads)
    s[i / 80][i % 80] = i % 7;
  for (int i = tid; i < 400; i += threads)
    last[i] = i % 5;
  __syncthreads();
  for (int y = threadIdx.y; y < 40; y += blockDim.y)
    for (int x = threadIdx.x; x < width; x += blockDim.x)
      s[y][x] += (x < int(blockDim.x) ? 1 : s[y][x - blockDim.x]) +
                 (y < int(blockDim.y) ? 2 : s[y - blockDim.y][x]);
  for (int i = tid; i <= 399; i += threads)
    last[i] += i < threads ? 3 : last[i - threads];
  __syncthreads();
  for (int y = threadIdx.y; y < 40; y += 8)
    for (int x = threadIdx.x; x < 80; x += blockDim.x + more)
      s[y][x] += 100 + s[y][x] % 3;
  __syncthreads();
  for (int i = tid; i < 40 * 80; i += threads)
    out[i] = s[i / 80][i % 80] + last[i % 400];
}

// Bounds below zero and without elements, and numbers without a sign.
__global__ void bounds(int* out, int from, int to, unsigned count) {
  __shared__ int s[16][16];
  for (int i = threadIdx.y; i < 16; i += blockDim.y)
    for (int j = threadIdx.x; j < 16; j += blockDim.x)
      s[i][j] = out[i * 16 + j];
  __syncthreads();
  for (int i = from + int(threadIdx.y); i <= to; i += blockDim.y)
    for (int j = from + int(threadIdx.x); j < to; j += blockDim.x)
      s[i + 5][j + 5] += s[i + 5][j + 5] * (i - j);
  __syncthreads();
  for (unsigned i = threadIdx.y; i < count; i += blockDim.y)
    for (unsigned j = threadIdx.x; j < count - i; j += blockDim.x)
      s[i][j] = 2 * s[i][j] + 1;
  for (unsigned i = threadIdx.y; i + 0 < count; i += blockDim.y)
    for (unsigned j = threadIdx.x; j + 1 < count; j += blockDim.x)
      s[i][j] ^= 5;
  __syncthreads();
  for (int i = threadIdx.y; i < 16; i += blockDim.y)
    for (int j = threadIdx.x; j < 16; j += blockDim.x)
      out[i * 16 + j] = s[i][j];
}

// A lattice in two rows by turns, with every second and third element of others; the last row in
// one.
__global__ void lattice(double* out, int steps, unsigned offset) {
  __shared__ double spot[600], value[2][300];
  __shared__ int count[900], turned[300];
  for (int k = threadIdx.x; k < 600; k += blockDim.x)
    spot[k] = 0.5 * ((k * 7) % 23) - 4;
  for (unsigned k = threadIdx.x; k < 900; k += blockDim.x)
    count[k] = int(k) % 31;
  __syncthreads();
  for (int j = threadIdx.x; j <= steps; j += blockDim.x)
    value[0][j] = fmax(2.0 - spot[2 * j], 0.0);
  for (unsigned j = threadIdx.x; j < 300; j += blockDim.x)
    turned[299 - j] = count[3 * j + 2] + count[(j + offset) % 900];
  __syncthreads();
  int now = 0;
  for (int i = steps - 1; i >= 0; --i) {
    for (int j = threadIdx.x; j <= i; j += blockDim.x) {
      const double hold = 0.75 * value[now][j + 1] + 0.25 * value[now][j];
      const double now2 = 1.5 - spot[2 * j - i + steps];
      value[now ^ 1][j] = fmax(hold, now2);
    }
    now ^= 1;
    __syncthreads();
  }
  // Its own element of a row of threads before.
  for (int j = threadIdx.x; j < 300; j += blockDim.x)
    turned[j] += j < int(blockDim.x) ? 1 : turned[j - blockDim.x];
  __syncthreads();
  for (int j = threadIdx.x; j < 300; j += blockDim.x)
    out[j] = value[now][0] + turned[j];
}

// Rows for parts of a one-dimensional block, by quotients and remainders, shifts and masks.
__global__ void parts(int* out, int n, unsigned width, int shift) {
  __shared__ int s[48][49], t[48][48];
  const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
  for (int i = tid; i < 48 * 48; i += blockDim.x) {
    s[i / 48][i % 48] = i % 19;
    t[i / 48][i % 48] = i % 3;
  }
  __syncthreads();
  for (int k = 0; k < n; ++k) {
    for (int i = k + 1 + warp; i < n; i += blockDim.x / 32) {
      const int f = s[i][k];
      for (int j = k + 1 + lane; j < n; j += 32)
        s[i][j] = (s[i][j] * 3 + f * s[k][j]) & 1023;
    }
    __syncthreads();
  }
  const unsigned part = threadIdx.x / width, place = threadIdx.x % width;
  for (unsigned i = part; i < unsigned(n); i += blockDim.x / width)
    for (unsigned j = place; j <= i; j += width)
      t[i][j] += t[i][j] + (j < width ? 1 : t[i][j - width]);
  __syncthreads();
  for (int i = tid >> shift; i < n; i += blockDim.x >> shift)
    for (int j = i + (tid & ((1 << shift) - 1)); j < n; j += 1 << shift)
      t[i][j] ^= s[i][j];
  __syncthreads();
  for (int i = tid; i < 48 * 48; i += blockDim.x)
    out[i] = s[i / 48][i % 48] + t[i / 48][i % 48];
}

// Sums that threads keep, and what they compute from their own places, stay with the threads.
__global__ void kept(const int* in, int* out, int n) {
  __shared__ int s[32][33];
  const int tid = threadIdx.y * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int i = threadIdx.y; i < n; i += blockDim.y)
    for (int j = threadIdx.x; j < n; j += blockDim.x) {
      s[i][j] = in[i * n + j];
      sum += s[i][j] + int(threadIdx.x);
    }
  __syncthreads();
  const int mine = tid % 3;
  for (int i = threadIdx.y; i < n; i += blockDim.y)
    for (int j = threadIdx.x; j < n; j += blockDim.x)
      s[i][j] += mine;
  __syncthreads();
  for (int i = tid; i < n * n; i += blockDim.x * blockDim.y)
    out[i] = s[i / n][i % n];
  out[n * n + tid] = sum;
}

template <class T> void print(const char* name, const T* values, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += double(values[i]) * (1 + i % 13);
  printf("%s %.6g %.6g %.6g\n", name, double(values[0]), double(values[count - 1]), sum);
}

int main() {
  constexpr int most = 4096;
  float *in, *out;
  double *wideIn, *wideOut;
  int *numbers, *places;
  cudaMallocManaged(&in, most * sizeof(float));
  cudaMallocManaged(&out, most * sizeof(float));
  cudaMallocManaged(&wideIn, most * sizeof(double));
  cudaMallocManaged(&wideOut, most * sizeof(double));
  cudaMallocManaged(&numbers, most * sizeof(int));
  cudaMallocManaged(&places, most * sizeof(int));
  for (int i = 0; i < most; ++i) {
    in[i] = float((i * 37) % 64) * 0.03125f - 1.0f;
    wideIn[i] = double((i * 29) % 32) * 0.0625;
    numbers[i] = (i * 11) % 17;
  }
  for (int i = 0; i < 24; ++i)
    for (int n : {7, 24})
      if (i < n)
        wideIn[i * n + i] = 40.0;

  const dim3 shapes[] = {dim3(16, 16), dim3(16, 8), dim3(7, 5),   dim3(1, 4),
                         dim3(48, 2),  dim3(64, 1), dim3(4, 4, 2)};
  for (const dim3& shape : shapes)
    for (const int n : {1, 5, 16, 31, 40}) {
      if (shape.z > 1)
        continue;
      factors<<<2, shape, n*(n + 1) * sizeof(float)>>>(in, out, places, n);
      cudaDeviceSynchronize();
      printf("%d x %d, n = %d: ", shape.x, shape.y, n);
      print("factors", out, 2 * n * n);
      print("pivots", places, 2 * n);
    }
  triangles<float, 32, 16, 8><<<1, dim3(16, 8)>>>(in, out);
  cudaDeviceSynchronize();
  print("triangles", out, 32 * 32);
  triangles<double, 20, 5, 3><<<1, dim3(5, 3)>>>(wideIn, wideOut);
  cudaDeviceSynchronize();
  print("triangles", wideOut, 20 * 20);
  for (const dim3& shape : {dim3(8, 8), dim3(32, 4), dim3(5, 7)})
    for (const int n : {7, 24}) {
      inverse<<<1, shape>>>(wideIn, wideOut, n);
      cudaDeviceSynchronize();
      print("inverse", wideOut, n * n);
    }
  for (const dim3& shape : {dim3(16, 8), dim3(32, 8), dim3(3, 5), dim3(1, 8), dim3(128, 1)})
    for (const int width : {1, 15, 33, 80})
      for (const int more : {0, 3}) {
        ownSteps<<<1, shape>>>(places, width, more);
        cudaDeviceSynchronize();
        print("own steps", places, 40 * 80);
      }
  for (const dim3& shape : {dim3(16, 4), dim3(6, 6)}) {
    for (int i = 0; i < 256; ++i)
      places[i] = i % 9;
    const int ends[] = {-5, -3, 0, 4, 9};
    for (int from : ends)
      for (int to : ends)
        bounds<<<1, shape>>>(places, from, to, unsigned(from + 5));
    cudaDeviceSynchronize();
    print("bounds", places, 256);
  }
  for (const int threads : {256, 128, 64, 32})
    for (const int n : {0, 7, 48})
      for (const unsigned width : {4u, 16u, 32u}) {
        parts<<<1, threads>>>(places, n, width, width == 4 ? 5 : 3);
        cudaDeviceSynchronize();
        print("parts", places, 48 * 48);
      }
  for (const int threads : {256, 64, 33, 1})
    for (const int steps : {1, 40, 255, 299}) {
      lattice<<<1, threads>>>(wideOut, steps, unsigned(steps));
      cudaDeviceSynchronize();
      print("lattice", wideOut, 300);
    }
  for (const dim3& shape : {dim3(32, 4), dim3(8, 8)})
    for (const int n : {0, 9, 32}) {
      kept<<<1, shape>>>(numbers, places, n);
      cudaDeviceSynchronize();
      print("kept", places, n * n + int(shape.x * shape.y));
    }
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
