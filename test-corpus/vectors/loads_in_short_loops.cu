// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PROCESSOR: x86-64-v4
// ASSEMBLY: vgatherqpd
// OTHER LOOPS
//
// A method that loads in a short loop is no obstacle to a loop by the grid that keeps a sum, and the places that it loads
// from are gathered: no thread stores what another one loads.
struct Ell {
  int rows;
  const double* values;
  const int* columns;
  __device__ double times(int r, const double* x) const {
    double s = 0;
#pragma unroll
    for (int k = 0; k < 7; ++k) {
      const int c = columns[k * rows + r];
      if (c >= 0)
        s += values[k * rows + r] * x[c];
    }
    return s;
  }
};

__global__ void __launch_bounds__(256) product(Ell a, const double* p, double* q, double* sums) {
  double sum = 0;
  for (int r = blockIdx.x * 256 + threadIdx.x; r < a.rows; r += 256 * gridDim.x) {
    const double v = a.times(r, p);
    q[r] = v;
    sum += v * p[r];
  }
  sums[blockIdx.x * 256 + threadIdx.x] = sum;
}

void start(Ell a, const double* p, double* q, double* sums) { product<<<64, 256>>>(a, p, q, sums); }
