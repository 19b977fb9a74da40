// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp matrix products of elements of 4 bits and of one bit.
#include <cstdio>
#include <mma.h>

using namespace nvcuda::wmma;
namespace small = experimental::precision;

template <class T, int k> __global__ void product(const unsigned* a, const unsigned* b, int* c) {
  fragment<matrix_a, 8, 8, k, T, row_major> left;
  fragment<matrix_b, 8, 8, k, T, col_major> right;
  fragment<accumulator, 8, 8, k, int> sum;
  fill_fragment(sum, 1);
  for (int step = 0; step < 2; ++step) {
    load_matrix_sync(left, a + step * k / 32 * 4, 2 * k);
    load_matrix_sync(right, b + step * k / 32 * 4, 2 * k);
    mma_sync(sum, left, right, sum);
  }
  store_matrix_sync(c, sum, 8, mem_row_major);
}

__global__ void bits(const unsigned* a, const unsigned* b, int* c) {
  fragment<matrix_a, 8, 8, 128, small::b1, row_major> left;
  fragment<matrix_b, 8, 8, 128, small::b1, col_major> right;
  fragment<accumulator, 8, 8, 128, int> differ, common;
  fill_fragment(differ, 0);
  fill_fragment(common, 100);
  load_matrix_sync(left, a, 128);
  load_matrix_sync(right, b, 128);
  bmma_sync(differ, left, right, differ, experimental::bmmaBitOpXOR);
  bmma_sync(common, left, right, common, experimental::bmmaBitOpAND);
  store_matrix_sync(c, differ, 8, mem_row_major);
  store_matrix_sync(c + 64, common, 8, mem_col_major);
}

int main() {
  unsigned *a, *b;
  int* c;
  cudaMallocManaged(&a, 256 * sizeof(unsigned));
  cudaMallocManaged(&b, 256 * sizeof(unsigned));
  cudaMallocManaged(&c, 256 * sizeof(int));
  for (unsigned i = 0; i < 256; ++i) {
    a[i] = i * 2654435761u;
    b[i] = (i + 77) * 2246822519u;
  }
  product<small::u4, 32><<<1, 32>>>(a, b, c);
  product<small::s4, 32><<<1, 32>>>(a, b, c + 64);
  bits<<<1, 32>>>(a, b, c + 128);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  for (int i = 0; i < 256; ++i)
    printf("%d%c", c[i], i % 16 == 15 ? '\n' : ' ');
  return 0;
}
