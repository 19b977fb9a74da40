// Each thread keeps the greatest of its numbers and a sum that is weighted by it, of as many
// numbers as its row shows: rows end anywhere in a thread's four numbers, and in either of its two
// steps.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int threads = 96, steps = 2, length = threads * steps * 4, rows = 40;

struct State {
  float most, sum;
};

// Powers of two as weights: sums are exact in any order.
__device__ State joined(State a, State b) {
  State high = a.most > b.most ? a : b;
  const State low = a.most > b.most ? b : a;
  const float apart = high.most - low.most;
  high.sum += low.sum * (apart > 2.0f ? 0.25f : apart > 0.0f ? 0.5f : 1.0f);
  return high;
}

__global__ void states(const float* in, float* shown, float* most, float* sums, int first) {
  __shared__ State part[threads];
  const int row = blockIdx.x, limit = first + row * 19;
  const float4* from = reinterpret_cast<const float4*>(in + row * length);
  float4* to = reinterpret_cast<float4*>(shown + row * length);
  float4 kept[steps];
  State state{-1000.0f, 0.0f};
#pragma unroll
  for (int s = 0; s < steps; ++s) {
    const int at = s * threads + threadIdx.x;
    if (4 * at <= limit) {
      float4 four = from[at];
      float* each = reinterpret_cast<float*>(&four);
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        each[i] = 4 * at + i <= limit ? each[i] * 0.5f : -1000.0f;
        if (4 * at + i <= limit)
          state = joined(state, State{each[i], 1.0f});
      }
      kept[s] = four;
    } else {
      kept[s] = make_float4(-1000.0f, -1000.0f, -1000.0f, -1000.0f);
    }
  }
  part[threadIdx.x] = state;
  __syncthreads();
  const float next = part[(threadIdx.x + 1) % threads].most;
#pragma unroll
  for (int s = 0; s < steps; ++s) {
    const int at = s * threads + threadIdx.x;
    to[at] = make_float4(kept[s].x - next, kept[s].y - next, kept[s].z - next, kept[s].w - next);
  }
  most[row * threads + threadIdx.x] = state.most;
  sums[row * threads + threadIdx.x] = state.sum;
}

int main() {
  float *in, *shown, *most, *sums;
  cudaMallocManaged(&in, rows * length * sizeof(float));
  cudaMallocManaged(&shown, rows * length * sizeof(float));
  cudaMallocManaged(&most, rows * threads * sizeof(float));
  cudaMallocManaged(&sums, rows * threads * sizeof(float));
  unsigned random = 5;
  for (int i = 0; i < rows * length; ++i) {
    random = random * 1664525u + 1013904223u;
    in[i] = float(int(random >> 24) - 128);
  }
  for (int first = -5; first <= 60; first += 13) {
    states<<<rows, threads>>>(in, shown, most, sums, first);
    cudaDeviceSynchronize();
    double all = 0, weighted = 0;
    for (int i = 0; i < rows * length; ++i)
      all += shown[i] * (1 + i % 13);
    for (int i = 0; i < rows * threads; ++i)
      weighted += sums[i] * (1 + i % 7) + most[i] * (1 + i % 5);
    printf("%d: %.3f %.3f\n", first, all, weighted);
  }
  return 0;
}
