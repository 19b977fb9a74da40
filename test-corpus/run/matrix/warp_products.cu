// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp matrix products of every type and shape, with small numbers so that sums are exact.
#include <cstdio>
#include <mma.h>
using namespace nvcuda;

template <class T> __device__ T number(int i) { return T(float(i % 7 - 3)); }
template <> __device__ signed char number<signed char>(int i) { return (signed char)(i % 17 - 8); }
template <> __device__ unsigned char number<unsigned char>(int i) { return (unsigned char)(i % 17); }

template <class T, class Stored, class Sum, class LayoutA, class LayoutB, int m, int n, int k>
__global__ void product(Sum* out) {
  __shared__ Stored a[m * k], b[k * n];
  __shared__ Sum c[m * n];
  for (int i = threadIdx.x; i < m * k; i += 32)
    a[i] = number<Stored>(i * 3 + 1);
  for (int i = threadIdx.x; i < k * n; i += 32)
    b[i] = number<Stored>(i * 5 + 2);
  for (int i = threadIdx.x; i < m * n; i += 32)
    c[i] = Sum(i % 11);
  __syncthreads();
  wmma::fragment<wmma::matrix_a, m, n, k, T, LayoutA> fa;
  wmma::fragment<wmma::matrix_b, m, n, k, T, LayoutB> fb;
  wmma::fragment<wmma::accumulator, m, n, k, Sum> fc, fd;
  constexpr bool rowsA = sizeof(LayoutA*) && __is_same(LayoutA, wmma::row_major);
  constexpr bool rowsB = __is_same(LayoutB, wmma::row_major);
  wmma::load_matrix_sync(fa, a, rowsA ? k : m);
  wmma::load_matrix_sync(fb, b, rowsB ? n : k);
  wmma::load_matrix_sync(fc, c, n, wmma::mem_row_major);
  wmma::mma_sync(fd, fa, fb, fc);
  for (int e = 0; e < fd.num_elements; ++e)
    fd.x[e] = fd.x[e] + fc.x[e];
  wmma::store_matrix_sync(c, fd, m, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < m * n; i += 32)
    out[i] = c[i];
}

// A tile of C by each warp, along all of k.
__global__ void gemm(const half* a, const half* b, float* c, int m, int n, int k) {
  const int warpM = (blockIdx.x * blockDim.x + threadIdx.x) / 32, warpN = blockIdx.y * blockDim.y + threadIdx.y;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int i = 0; i < k; i += 16) {
    wmma::load_matrix_sync(fa, a + warpM * 16 * k + i, k);
    wmma::load_matrix_sync(fb, b + warpN * 16 * k + i, k);
    wmma::mma_sync(sum, fa, fb, sum);
  }
  for (int e = 0; e < sum.num_elements; ++e)
    sum.x[e] *= 0.5f;
  if (warpM * 16 < m && warpN * 16 < n)
    wmma::store_matrix_sync(c + warpM * 16 * n + warpN * 16, sum, n, wmma::mem_row_major);
}

template <class T, class Stored, class Sum, int m, int n, int k> static void run(const char* name) {
  Sum* out;
  cudaMallocManaged(&out, m * n * sizeof(Sum));
  for (int layout = 0; layout < 2; ++layout) {
    if (layout == 0)
      product<T, Stored, Sum, wmma::row_major, wmma::col_major, m, n, k><<<1, 32>>>(out);
    else
      product<T, Stored, Sum, wmma::col_major, wmma::row_major, m, n, k><<<1, 32>>>(out);
    cudaDeviceSynchronize();
    double sum = 0;
    for (int i = 0; i < m * n; ++i)
      sum += double(float(out[i])) * (i % 13 + 1);
    printf("%s %dx%dx%d layout %d: %g %g %g\n", name, m, n, k, layout, sum, double(float(out[1])),
           double(float(out[m * n - 2])));
  }
  cudaFree(out);
}

int main() {
  run<half, half, float, 16, 16, 16>("half to float");
  run<half, half, half, 16, 16, 16>("half");
  run<half, half, float, 32, 8, 16>("half to float");
  run<half, half, float, 8, 32, 16>("half to float");
  run<__nv_bfloat16, __nv_bfloat16, float, 16, 16, 16>("bfloat16");
  run<wmma::precision::tf32, float, float, 16, 16, 8>("tf32");
  run<signed char, signed char, int, 16, 16, 16>("signed char");
  run<unsigned char, unsigned char, int, 8, 32, 16>("unsigned char");

  const int m = 64, n = 32, k = 48;
  half *a, *b;
  float* c;
  cudaMallocManaged(&a, m * k * sizeof *a);
  cudaMallocManaged(&b, n * k * sizeof *b);
  cudaMallocManaged(&c, m * n * sizeof *c);
  for (int i = 0; i < m * k; ++i)
    a[i] = half(float(i % 9 - 4));
  for (int i = 0; i < n * k; ++i)
    b[i] = half(float(i % 5 - 2) * 0.5f);
  gemm<<<dim3(2, 1), dim3(64, 2)>>>(a, b, c, m, n, k);
  cudaDeviceSynchronize();
  double sum = 0;
  for (int i = 0; i < m * n; ++i)
    sum += c[i] * (i % 13);
  printf("gemm %g %g %g\n", sum, c[5], c[m * n - 1]);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
