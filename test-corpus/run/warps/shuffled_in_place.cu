// Values that lanes exchange with others and keep where they were: `x = __shfl_sync(mask, x, from)`
// for few lanes that change places, for all of them, under masks and in parts of a warp.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int N = 6;

// The rows of a matrix, one for each lane, change places in pairs; then all of them turn.
__global__ void rows(double* out, const int* chosen, int turn) {
  const int lane = threadIdx.x & 31, warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  double row[N], b = lane * 10.0 + warp;
  for (int j = 0; j < N; ++j)
    row[j] = lane * 100 + j + warp * 0.5;
  for (int k = 0; k < 5; ++k) {
    const int who = chosen[(warp + k) % 32];
    const int partner = lane == k ? who : (lane == who ? k : lane);
    for (int j = 0; j < N; ++j)
      row[j] = __shfl_sync(0xffffffffu, row[j], partner);
    b = __shfl_sync(0xffffffffu, b, partner);
  }
  const int next = (lane + turn) % 32;
  for (int j = 0; j < N; ++j)
    row[j] = __shfl_sync(0xffffffffu, row[j], next);
  double s = b;
  for (int j = 0; j < N; ++j)
    s = s * 1.5 + row[j];
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

// Halves by width, lanes beyond the warp's end, some lanes only, narrow numbers, one place for all.
__global__ void parts(int* out, const int* chosen) {
  const int lane = threadIdx.x & 31, i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i * 7, y = i ^ 5, z = i + 1;
  short small = short(i * 3);
  x = __shfl_sync(0xffffffffu, x, lane == 3 ? chosen[lane] & 15 : lane, 16);
  y = __shfl_sync(0xffffffffu, y, lane < 2 ? lane + 32 * 3 + 1 : lane + 64);
  if (lane < 16)
    z = __shfl_sync(0x0000ffffu, z, lane ^ (lane == 4 || lane == 6 ? 2 : 0));
  small = __shfl_sync(0xffffffffu, small, lane == 31 ? 0 : lane);
  x = __shfl_sync(0xffffffffu, x, chosen[lane]);
  x += __shfl_sync(0xffffffffu, x, chosen[31 - lane]);
  out[i] = x + 3 * y + 5 * z + 7 * small;
}

// In shared memory.
__global__ void shared_rows(float* out, const int* chosen) {
  __shared__ float s[64];
  const int lane = threadIdx.x & 31;
  s[threadIdx.x] = threadIdx.x * 1.25f + blockIdx.x;
  const int from = lane == 9 ? chosen[5] : lane == chosen[5] ? 9 : lane;
  s[threadIdx.x] = __shfl_sync(0xffffffffu, s[threadIdx.x], from);
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
}

int main() {
  int *chosen, *ints;
  double* out;
  float* floats;
  cudaMallocManaged(&chosen, 32 * 4), cudaMallocManaged(&ints, 256 * 4);
  cudaMallocManaged(&out, 256 * 8), cudaMallocManaged(&floats, 256 * 4);
  for (int i = 0; i < 32; ++i)
    chosen[i] = (i * 11 + 5) % 32;
  for (const int turn : {0, 1, 30}) {
    rows<<<4, 64>>>(out, chosen, turn);
    cudaDeviceSynchronize();
    double s = 0;
    for (int i = 0; i < 256; ++i)
      s += out[i] * (1 + i % 9);
    std::printf("rows %d: %.4f %.4f %.4f\n", turn, out[0], out[37], s);
  }
  parts<<<4, 64>>>(ints, chosen);
  shared_rows<<<4, 64>>>(floats, chosen);
  cudaDeviceSynchronize();
  long s = 0, f = 0;
  for (int i = 0; i < 256; ++i)
    s += ints[i] * (1 + i % 11), f += long(floats[i] * 4) * (1 + i % 13);
  std::printf("parts %ld, shared %ld\n", s, f);
}
