// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads whose cells are two, three or four apart: red and black cells that are changed in place,
// structures written as numbers, and indices that wrap around.
#include <cstdio>

struct Level {
  int size, rowPitch, planePitch;
  double a, b;
};

__global__ void smooth(double* phi, const double* rhs, const double* beta, Level level, int colour) {
  const int j = blockIdx.y * blockDim.y + threadIdx.y;
  const int k = blockIdx.z * blockDim.z + threadIdx.z;
  if (j >= level.size || k >= level.size)
    return;
  const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + ((j + k + colour) & 1);
  if (i >= level.size)
    return;
  const int at = (i + 1) + (j + 1) * level.rowPitch + (k + 1) * level.planePitch;
  const double around = beta[at] * (phi[at - 1] + phi[at + 1]) + phi[at - level.rowPitch] + phi[at + level.rowPitch] +
                        phi[at - level.planePitch] + phi[at + level.planePitch];
  phi[at] = level.a * phi[at] + level.b * (around - rhs[at]);
}

// Each second cell of a row from both ends.
__global__ void turned(float* out, const float* in, int n) {
  const unsigned i = 2u * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i < unsigned(n)) {
    out[i] = in[n - 1 - i] - in[i];
    out[i + 1] = in[i + 1] + in[n - 2 - i];
  }
}

__global__ void points(float* xyz, const float* move, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  xyz[3 * i] += move[i];
  xyz[3 * i + 1] -= move[n - 1 - i];
  xyz[3 * i + 2] = xyz[3 * i] * 0.5f;
}

__global__ void quads(int* out, const int* in, int n) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (first + 3 < n)
    for (int part = 0; part < 4; ++part)
      out[first + part] = in[first + 3 - part] * (part + 1);
}

// Places that wrap around in 32 bits, and come back in range.
__global__ void wrapped(int* out, const int* in, unsigned n) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned place = 2u * (t + 0x80000000u) + 1u;
  if (place < n)
    out[place] = in[place] + int(t);
}

int main() {
  constexpr int size = 22, pitch = size + 2, cells = pitch * pitch * pitch, n = 1200;
  double *phi, *rhs, *beta;
  float *numbers, *moves;
  int *in, *out;
  cudaMallocManaged(&phi, cells * sizeof *phi);
  cudaMallocManaged(&rhs, cells * sizeof *rhs);
  cudaMallocManaged(&beta, cells * sizeof *beta);
  cudaMallocManaged(&numbers, 3 * n * sizeof *numbers);
  cudaMallocManaged(&moves, 3 * n * sizeof *moves);
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMallocManaged(&out, n * sizeof *out);
  for (int i = 0; i < cells; ++i) {
    phi[i] = i % 17 * 0.25;
    rhs[i] = i % 5 * 0.5;
    beta[i] = i % 3 + 1;
  }
  for (int i = 0; i < 3 * n; ++i) {
    numbers[i] = float(i % 32) * 0.5f;
    moves[i] = float(i % 11) - 5.0f;
  }
  for (int i = 0; i < n; ++i) {
    in[i] = i * 3 % 101;
    out[i] = -1;
  }
  const Level level{size, pitch, pitch * pitch, 0.5, 0.0625};
  for (int sweep = 0; sweep < 4; ++sweep)
    smooth<<<dim3(2, (size + 3) / 4, (size + 1) / 2), dim3(8, 4, 2)>>>(phi, rhs, beta, level, sweep & 1);
  cudaDeviceSynchronize();
  double sum = 0.0;
  for (int i = 0; i < cells; ++i)
    sum += phi[i] * (i % 7 + 1);
  printf("smooth: %.10g\n", sum);
  const auto print = [&](const char* name, const float* of, int count) {
    cudaDeviceSynchronize();
    double all = 0.0;
    for (int i = 0; i < count; ++i)
      all += of[i] * (i % 7 + 1);
    printf("%s: %g %g, sum %.10g\n", name, of[1], of[count - 1], all);
  };
  turned<<<5, 128>>>(numbers, moves, n);
  print("turned", numbers, n);
  points<<<(n + 63) / 64, 64>>>(numbers, moves, n);
  print("points", numbers, 3 * n);
  const auto printWhole = [&](const char* name) {
    cudaDeviceSynchronize();
    long long all = 0;
    for (int i = 0; i < n; ++i)
      all += (long long)(out[i]) * (i % 7 + 1);
    printf("%s: %d %d, sum %lld\n", name, out[1], out[n - 1], all);
  };
  quads<<<5, 64>>>(out, in, n);
  printWhole("quads");
  wrapped<<<10, 64>>>(out, in, n);
  printWhole("wrapped");
  cudaFree(phi);
  cudaFree(rhs);
  cudaFree(beta);
  cudaFree(numbers);
  cudaFree(moves);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
