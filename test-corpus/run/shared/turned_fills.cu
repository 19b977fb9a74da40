// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles that a block's threads fill the other way around than they load them: by quotients and remainders, by elements
// that threads count, by rows and columns of threads; in one dimension and in two, with edges and without.
#include <cstdio>

template <class T, int Rows, int Columns, int Pad> __global__ void byQuotients(const T* in, T* out, int h, int w) {
  __shared__ T tile[Columns][Rows + Pad];
  const int tid = threadIdx.x, top = blockIdx.y * Rows, left = blockIdx.x * Columns;
  for (int i = tid; i < Rows * Columns; i += blockDim.x) {
    const int r = i / Columns, c = i % Columns;
    const int y = top + r, x = left + c;
    tile[c][r] = (y < h && x < w) ? in[y * w + x] : T(-1);
  }
  __syncthreads();
  for (int i = tid; i < Rows * Columns; i += blockDim.x)
    out[(blockIdx.y * gridDim.x + blockIdx.x) * Rows * Columns + i] = tile[i / Rows][i % Rows];
}

#define BM 40
#define BK 16
__global__ void inOneDimension(const float* in, float* out, int w) {
  __shared__ float tile[BM * BK];
  for (int i = threadIdx.x; i < BM * BK; i += 128)
    tile[i % BK * BM + i / BK] = in[(blockIdx.x * BM + i / BK) * w + i % BK];
  __syncthreads();
  for (int i = threadIdx.x; i < BM * BK; i += 128)
    out[blockIdx.x * BM * BK + i] = tile[i] * 2;
}

__global__ void byItems(const double* in, double* out, int w) {
  __shared__ double tiles[2][8][64];
  const int tid = threadIdx.y * 16 + threadIdx.x;
  for (int turn = 0; turn < 2; ++turn) {
    for (int l = 0; l < 64 * 8 / 128; ++l) {
      const int e = tid + l * 128;
      tiles[turn][e % 8][e / 8] = in[(turn * 64 + e / 8) * w + e % 8];
    }
    __syncthreads();
    for (int l = 0; l < 64 * 8 / 128; ++l) {
      const int e = tid + l * 128;
      out[turn * 512 + e] = tiles[turn][e / 64][e % 64] + tiles[turn][0][63];
    }
  }
}

__global__ void byRows(const int* in, int* out, int h, int w) {
  __shared__ int tile[33][36];
  for (int i = threadIdx.y; i < 33; i += 8)
    for (int j = threadIdx.x; j < 32; j += 16)
      tile[j][i] = in[i * w + j];
  __syncthreads();
  for (int i = threadIdx.y; i < 32; i += 8)
    for (int j = threadIdx.x; j < 32; j += 16)
      out[i * 32 + j] = tile[i][j];
  __syncthreads();
  for (int i = threadIdx.y; i < 33; i += 8)
    for (int j = threadIdx.x; j < 32; j += 16) {
      int y = i, x = j;
      tile[x][3 + y] = y < h && x < w ? in[y * w + x] : y - x;
    }
  __syncthreads();
  for (int i = threadIdx.y; i < 32; i += 8)
    for (int j = threadIdx.x; j < 33; j += 16)
      out[1024 + i * 33 + j] = tile[i][j + 3];
}

template <class T> void show(const char* name, const T* device, int n) {
  static T host[1 << 16];
  cudaMemcpy(host, device, n * sizeof(T), cudaMemcpyDeviceToHost);
  double sum = 0, weighted = 0;
  for (int i = 0; i < n; ++i) {
    sum += double(host[i]);
    weighted += double(host[i]) * (i % 251);
  }
  printf("%s %.0f %.0f %.0f %.0f\n", name, sum, weighted, double(host[1]), double(host[n - 2]));
}

template <class T> void run() {
  const int h = 131, w = 67;
  static T host[h * w];
  for (int i = 0; i < h * w; ++i)
    host[i] = T(i * 37 % 1009);
  T *in, *out;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, 4 * sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  byQuotients<T, 64, 16, 1><<<dim3(5, 3), 256>>>(in, out, h, w);
  show("64 x 16", out, 5 * 3 * 64 * 16);
  byQuotients<T, 64, 8, 0><<<dim3(9, 3), 128>>>(in, out, h, w);
  show("64 x 8", out, 9 * 3 * 64 * 8);
  byQuotients<T, 20, 32, 4><<<dim3(3, 7), 96>>>(in, out, h, w);
  show("20 x 32", out, 3 * 7 * 20 * 32);
  byQuotients<T, 32, 12, 0><<<dim3(6, 5), 64>>>(in, out, h, w);
  show("32 x 12", out, 6 * 5 * 32 * 12);
  byQuotients<T, 32, 32, 1><<<dim3(3, 5), 100>>>(in, out, h, w);
  show("32 x 32", out, 3 * 5 * 32 * 32);
  if constexpr (sizeof(T) == 8) {
    byItems<<<1, dim3(16, 8)>>>((const double*)in, (double*)out, w);
    show("items", out, 1024);
  } else if constexpr (T(1) / 2 > 0) {
    inOneDimension<<<3, 128>>>((const float*)in, (float*)out, w);
    show("one dimension", out, 3 * BM * BK);
  } else {
    byRows<<<1, dim3(16, 8)>>>((const int*)in, (int*)out, 30, w);
    show("rows", out, 1024 + 32 * 33);
  }
  cudaFree(in);
  cudaFree(out);
}

int main() {
  run<float>();
  run<double>();
  run<int>();
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
