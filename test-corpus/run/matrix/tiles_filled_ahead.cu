// Products of tiles of which the next is filled while this one is multiplied: views that guard
// themselves, places laid out by hand and in rows, with a mark to write the loop out and without,
// several sums, and what a thread keeps from the fill.
#include <cstdio>
#include <cuda_runtime.h>

template <class T> struct View {
  T* p;
  int rows, columns;
  __device__ T get(int r, int c) const {
    return r < rows && c < columns ? p[r * columns + c] : T(0);
  }
};

template <class T, int tile>
__global__ void byViews(View<const T> a, View<const T> b, View<T> c) {
  __shared__ T as[2][tile * tile], bs[2][tile * tile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty, column = blockIdx.x * tile + tx;
  const int tiles = (a.columns + tile - 1) / tile;
  as[0][ty * tile + tx] = a.get(row, tx);
  bs[0][ty * tile + tx] = b.get(ty, column);
  __syncthreads();
  T sum = T(0);
  for (int t = 0; t < tiles; ++t) {
    const int now = t & 1;
    if (t + 1 < tiles) {
      as[now ^ 1][ty * tile + tx] = a.get(row, (t + 1) * tile + tx);
      bs[now ^ 1][ty * tile + tx] = b.get((t + 1) * tile + ty, column);
    }
#pragma unroll
    for (int k = 0; k < tile; ++k)
      sum += as[now][ty * tile + k] * bs[now][k * tile + tx];
    __syncthreads();
  }
  if (row < c.rows && column < c.columns)
    c.p[row * c.columns + column] = sum;
}

constexpr int size = 16;

__global__ void byRows(const float* a, const float* b, float* c, int n) {
  __shared__ float as[2][size][size + 1], bs[2][size][size];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * size + ty, column = blockIdx.x * size + tx;
  float sum = 0, even = 0;
  as[0][ty][tx] = a[row * n + tx];
  bs[0][ty][tx] = b[ty * n + column];
  __syncthreads();
  for (int t = 0; t < n / size; ++t) {
    const int now = t % 2, next = 1 - now;
    const float kept = a[row * n + t]; // read again behind the product
    if (t + 1 < n / size) {
      as[next][ty][tx] = a[row * n + (t + 1) * size + tx];
      bs[next][ty][tx] = b[((t + 1) * size + ty) * n + column];
    }
    for (int k = 0; k < size; ++k)
      sum += as[now][ty][k] * bs[now][k][tx];
    even += kept;
    __syncthreads();
  }
  c[row * n + column] = sum - even;
}

int main() {
  const int rows = 70, inner = 50, columns = 37, n = 64;
  float *a, *b, *c;
  cudaMallocManaged(&a, n * rows * sizeof(float));
  cudaMallocManaged(&b, n * rows * sizeof(float));
  cudaMallocManaged(&c, n * rows * sizeof(float));
  for (int i = 0; i < n * rows; ++i) {
    a[i] = i % 13 - 6;
    b[i] = i % 11 * 0.25f;
  }
  const auto print = [&](const char* name, int count) {
    cudaDeviceSynchronize();
    double sum = 0;
    for (int i = 0; i < count; ++i)
      sum += c[i] * (1 + i % 7);
    printf("%s %.10g\n", name, sum);
  };
  byViews<float, 16><<<dim3(3, 5), dim3(16, 16)>>>({a, rows, inner}, {b, inner, columns},
                                                   {c, rows, columns});
  print("views of 16", rows * columns);
  byViews<float, 8><<<dim3(5, 9), dim3(8, 8)>>>({a, rows, inner}, {b, inner, columns},
                                                {c, rows, columns});
  print("views of 8", rows * columns);
  byRows<<<dim3(n / size, n / size), dim3(size, size)>>>(a, b, c, n);
  print("rows", n * n);
  return 0;
}
