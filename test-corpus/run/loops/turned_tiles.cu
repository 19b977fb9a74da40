// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared tiles whose first place is threadIdx.x, in the shapes that programs write them: a column
// filter, a product with a transposed tile, tiles of structures and of a template's size. Beside
// them tiles that are also rows to someone: a pointer to a row, an element's address, the whole
// tile cleared as one row.
#include <cstdio>

constexpr int edge = 16, width = 80, height = 64, radius = 3;

__global__ void filterColumns(const int* in, int* out) {
  __shared__ int tile[edge][8 + 2 * radius + 1];
  const int x = blockIdx.x * edge + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  tile[threadIdx.x][threadIdx.y + radius] = in[y * width + x];
  if (threadIdx.y < radius) {
    tile[threadIdx.x][threadIdx.y] = y >= radius ? in[(y - radius) * width + x] : -1;
    tile[threadIdx.x][threadIdx.y + radius + 8] = y + 8 < height ? in[(y + 8) * width + x] : -2;
  }
  __syncthreads();
  int sum = 0;
  for (int j = -radius; j <= radius; ++j)
    sum += (j + 5) * tile[threadIdx.x][threadIdx.y + radius + j];
  out[y * width + x] = sum;
}

template <class Number, int size>
__global__ void productWithTransposed(const Number* a, const Number* b, Number* c, int n) {
  __shared__ Number left[size][size + 1];
  __shared__ Number right[size][size + 1];
  const int row = blockIdx.y * size + threadIdx.y, column = blockIdx.x * size + threadIdx.x;
  Number sum = 0;
  for (int k = 0; k < n; k += size) {
    left[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    right[threadIdx.x][threadIdx.y] = b[(k + threadIdx.y) * n + column];
    __syncthreads();
    for (int e = 0; e < size; ++e)
      sum += left[threadIdx.y][e] * right[threadIdx.x][e];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

struct Pair {
  short low;
  int high;
};

__global__ void pairs(const int* in, int* out) {
  __shared__ Pair tile[32][3];
  for (int k = 0; k < 3; ++k) {
    tile[threadIdx.x][k].low = static_cast<short>(in[threadIdx.x + 32 * k]);
    tile[threadIdx.x][k].high = in[threadIdx.x + 32 * k] * 3;
  }
  __syncthreads();
  const int other = 31 - threadIdx.x;
  int sum = 0;
  for (int k = 0; k < 3; ++k)
    sum += tile[other][k].low + (k + 1) * tile[other][k].high;
  out[threadIdx.x] = sum;
}

__device__ int sumOf(const int* row, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i)
    sum += row[i];
  return sum;
}

__global__ void rowsToOthers(const int* in, int* out) {
  __shared__ int whole[32][4], pointed[32][5], addressed[32][5];
  for (int i = threadIdx.x; i < 32 * 4; i += 32)
    (&whole[0][0])[i] = i;
  for (int k = 0; k < 5; ++k) {
    pointed[threadIdx.x][k] = in[threadIdx.x * 5 + k];
    addressed[threadIdx.x][k] = in[threadIdx.x * 5 + k] + 1;
  }
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < 4; ++k)
    sum = sum * 3 + whole[threadIdx.x][k];
  const int* from = &addressed[threadIdx.x][1];
  out[threadIdx.x] = sum + sumOf(pointed[threadIdx.x], 5) + 7 * from[2];
}

unsigned hash(const int* values, int count) {
  unsigned h = 2166136261u;
  for (int i = 0; i < count; ++i)
    h = (h ^ static_cast<unsigned>(values[i])) * 16777619u;
  return h;
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, width * height * sizeof(int));
  cudaMallocManaged(&out, width * height * sizeof(int));
  for (int i = 0; i < width * height; ++i)
    in[i] = i * 37 % 101;

  filterColumns<<<dim3(width / edge, height / 8), dim3(edge, 8)>>>(in, out);
  cudaDeviceSynchronize();
  std::printf("columns %08x\n", hash(out, width * height));
  productWithTransposed<int, 16><<<dim3(3, 3), dim3(16, 16)>>>(in, in + 7, out, 48);
  cudaDeviceSynchronize();
  std::printf("product of 16 %08x\n", hash(out, 48 * 48));
  productWithTransposed<int, 8><<<dim3(5, 5), dim3(8, 8)>>>(in + 3, in, out, 40);
  cudaDeviceSynchronize();
  std::printf("product of 8 %08x\n", hash(out, 40 * 40));
  pairs<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  std::printf("pairs %08x\n", hash(out, 32));
  rowsToOthers<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  std::printf("rows %08x\n", hash(out, 32));
  return cudaGetLastError();
}
