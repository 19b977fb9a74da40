// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sparse matrix times vector, one warp for each row: lanes stride over the row, shuffles fold their
// sums.
#include "../device_vector.h"
#include "sparse.h"

__global__ void spmv(int rows, const int* begin, const int* column, const float* value,
                     const float* x, float* y) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x & 31;
  if (warp >= rows)
    return;
  float sum = 0.0f;
  for (int k = begin[warp] + lane; k < begin[warp + 1]; k += 32)
    sum += value[k] * x[column[k]];
  for (int offset = 16; offset > 0; offset >>= 1)
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (lane == 0)
    y[warp] = sum;
}

int main() {
  const int rows = 100000;
  const Sparse m = makeSparse(rows);
  DeviceVector<int> begin(m.begin), column(m.column);
  DeviceVector<float> value(m.value), x(uniforms(rows, 5)), y(rows);
  const int threads = 128, blocks = (rows * 32 + threads - 1) / threads;
  measure([&] {
    for (int i = 0; i < 4; ++i)
      spmv<<<blocks, threads>>>(rows, begin, column, value, x, y);
    finish();
  });
  check(weightedSum(y.toHost()));
}
