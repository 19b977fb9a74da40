// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp matrix products in double precision, accumulated over several tiles.
#include <cstdio>
#include <mma.h>
using namespace nvcuda;

__global__ void product(const double* a, const double* b, double* c, int k) {
  wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 8, 8, 4, double> fc;
  wmma::fill_fragment(fc, 1.0);
  for (int i = 0; i < k; i += 4) {
    wmma::load_matrix_sync(fa, a + i, k);
    wmma::load_matrix_sync(fb, b + i, k);
    wmma::mma_sync(fc, fa, fb, fc);
  }
  wmma::store_matrix_sync(c, fc, 8, wmma::mem_row_major);
}

int main() {
  const int k = 16;
  double *a, *b, *c;
  cudaMallocManaged(&a, 8 * k * sizeof *a);
  cudaMallocManaged(&b, 8 * k * sizeof *b);
  cudaMallocManaged(&c, 64 * sizeof *c);
  for (int i = 0; i < 8 * k; ++i) {
    a[i] = i % 10 - 4.5;
    b[i] = 0.25 * (i % 6);
  }
  product<<<1, 32>>>(a, b, c, k);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; ++i)
    printf("%g%c", c[i], i % 8 == 7 ? '\n' : ' ');
}
