// Lanes under a condition own columns of a matrix and change them row by row: vectors of lanes
// without any that run leave the rows alone, those with some change no other column.
#include <cstdio>
#include <cuda_runtime.h>

template <class Number, int N, int Stride, int Kind>
__global__ void eliminate(const Number* in, Number* out, int matrices) {
  __shared__ Number own[2][N * Stride + 32];
  const int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
  const int m = blockIdx.x * 2 + w;
  if (m >= matrices)
    return;
  Number* a = own[w];
  for (int e = lane; e < N * Stride; e += 32)
    a[e] = in[m * N * Stride + e];
  __syncwarp();
  for (int k = 0; k < N; ++k) {
    const Number part = Number(1) / a[k * Stride + k];
    __syncwarp();
    if (lane > k && lane < N)
      a[lane * Stride + k] *= part;
    __syncwarp();
    const bool runs = Kind == 0   ? lane > k && lane < Stride
                      : Kind == 1 ? lane > k && (lane - k) % 3 == 0 && lane < Stride
                                  : lane != k && lane > 7 && lane < Stride;
    if (runs) {
      const Number u = a[k * Stride + lane];
      for (int i = k + 1; i < N; ++i)
        a[i * Stride + lane] -= a[i * Stride + k] * u;
    }
    __syncwarp();
  }
  for (int e = lane; e < N * Stride; e += 32)
    out[m * N * Stride + e] = a[e];
}

template <class Number, int N, int Stride, int Kind> void test(int threads) {
  const int matrices = 37, count = matrices * N * Stride;
  Number *in, *out;
  cudaMallocManaged(&in, count * sizeof(Number));
  cudaMallocManaged(&out, count * sizeof(Number));
  for (int i = 0; i < count; ++i) {
    const int row = i / Stride % N, column = i % Stride;
    in[i] = Number((i * 37 % 101) - 50) / 64 + (row == column ? N : 0);
    out[i] = 0;
  }
  eliminate<Number, N, Stride, Kind><<<(matrices + 1) / 2, threads>>>(in, out, matrices);
  cudaDeviceSynchronize();
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += double(out[i]) * (i % 23 + 1);
  printf("%d x %d, lanes %d: %.6g\n", N, Stride, Kind, sum);
  cudaFree(in);
  cudaFree(out);
}

int main() {
  test<double, 22, 25, 0>(64);
  test<double, 22, 25, 1>(64);
  test<double, 16, 17, 2>(64);
  test<float, 22, 25, 0>(64);
  test<float, 31, 32, 1>(64);
  test<float, 8, 32, 2>(64);
  return 0;
}
