// Tiles of 16, 8 and 4 threads find a pivot by butterflies and read its row; numbers that are none
// part the threads, which then read from lanes of their own.
#include <cmath>
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

template <int N> __device__ int pivotOf(const cg::thread_block_tile<N>& tile, float size) {
  int who = tile.thread_rank();
  for (int m = N / 2; m > 0; m >>= 1) {
    const float other = tile.shfl_xor(size, m);
    const int its = tile.shfl_xor(who, m);
    if (other > size || (other == size && its < who)) {
      size = other;
      who = its;
    }
  }
  return who;
}

template <int N>
__global__ void solve(const float* a, const float* b, float* x, float* order, int count) {
  const auto tile = cg::tiled_partition<N>(cg::this_thread_block());
  const int lane = tile.thread_rank();
  const int id = (blockIdx.x * blockDim.x + threadIdx.x) / N;
  if (id >= count)
    return;
  float row[N];
  int step = N, pivots[N];
  for (int j = 0; j < N; ++j)
    row[j] = a[(id * N + lane) * N + j];
  float right = b[id * N + lane];
  for (int k = 0; k < N; ++k) {
    const int p = pivotOf<N>(tile, step == N ? fabsf(row[k]) : -1.0f);
    pivots[k] = p;
    step = lane == p ? k : step;
    const float pivot = tile.shfl(row[k], p);
    const float f = step == N ? row[k] / pivot : 0.0f;
    for (int j = k + 1; j < N; ++j)
      row[j] -= f * tile.shfl(row[j], p);
    right -= f * tile.shfl(right, p);
  }
  float mine = 0;
  for (int k = N - 1; k >= 0; --k) {
    const float xk = tile.shfl(right / row[k], pivots[k]);
    right -= step < k ? row[k] * xk : 0.0f;
    mine = lane == k ? xk : mine;
  }
  x[id * N + lane] = mine + tile.shfl(mine, (lane * 3 + id) % N) * 0.5f;
  order[id * N + lane] = step * 100 + tile.shfl(pivots[lane % 4], pivots[(lane + 1) % 4]);
}

template <int N> void run(bool withNan) {
  const int count = 37;
  float* a;
  cudaMallocManaged(&a, count * N * (N + 3) * 4);
  float *b = a + count * N * N, *x = b + count * N, *order = x + count * N;
  for (int i = 0; i < count * N * N; ++i)
    a[i] = float((i * 7919 + i / 13 * 104729) % 1009) / 256 - 2 + (i % (N + 3) == 0 ? 8 : 0);
  for (int i = 0; i < count * N; ++i)
    b[i] = float(i * 31 % 97) / 32;
  for (int m = 0; withNan && m < count; m += 3)
    a[m * N * N + m % N * N] = NAN;
  solve<N><<<(count * N + 127) / 128, 128>>>(a, b, x, order, count);
  cudaDeviceSynchronize();
  double sum = 0, orders = 0, none = 0;
  for (int i = 0; i < count * N; ++i) {
    none += std::isnan(x[i]);
    sum += std::isnan(x[i]) ? 0 : x[i] * (1 + i % 5);
    orders += order[i] * (1 + i % 31);
  }
  printf("%d: %.4g %.0f %.0f\n", N, sum, orders, none);
}

int main() {
  run<16>(false), run<8>(false), run<4>(false);
  run<16>(true), run<8>(true), run<4>(true);
}
