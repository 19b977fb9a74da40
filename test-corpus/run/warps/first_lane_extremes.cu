// The first lane's result of a search for an extreme and its place, given to all lanes: one value
// for the warp, by which rows change places. With equal values, and values that are no numbers.
#include <cmath>
#include <cstdio>

constexpr int rows = 20, warps = 2;

__device__ int greatest(double v, int at) {
  for (int by = 16; by > 0; by >>= 1) {
    double other = __shfl_down_sync(0xffffffffu, v, by);
    int otherAt = __shfl_down_sync(0xffffffffu, at, by);
    if (other > v || (other == v && otherAt < at)) {
      v = other;
      at = otherAt;
    }
  }
  return __shfl_sync(0xffffffffu, at, 0);
}

__global__ void sortRows(double* all, int* order, int* swaps, int matrices) {
  __shared__ double tables[warps][rows][rows + 1];
  const int lane = threadIdx.x, matrix = blockIdx.x * blockDim.y + threadIdx.y;
  if (matrix >= matrices)
    return;
  double(&table)[rows][rows + 1] = tables[threadIdx.y];
  for (int i = lane; i < rows * rows; i += 32)
    table[i / rows][i % rows] = all[matrix * rows * rows + i];
  __syncwarp();
  int changed = 0;
  for (int k = 0; k < rows; ++k) {
    double own = (lane >= k && lane < rows) ? fabs(table[lane][k]) : -1.0;
    int p = greatest(own, lane);
    if (p != k && p < rows) {
      if (lane < rows) {
        double t = table[k][lane];
        table[k][lane] = table[p][lane];
        table[p][lane] = t;
      }
      ++changed;
    }
    if (lane == 0)
      order[matrix * rows + k] = p;
    __syncwarp();
  }
  for (int i = lane; i < rows * rows; i += 32)
    all[matrix * rows * rows + i] = table[i / rows][i % rows];
  if (lane == 0)
    swaps[matrix] = changed;
}

// Value and place are both asked for; the least, and of equal values whichever comes first.
__global__ void leastOfEach(const float* in, float* least, int* where, int n) {
  const int lane = threadIdx.x;
  for (int i = 0; i < n; ++i) {
    float v = in[i * 32 + lane];
    int at = (lane * 7) % 32;
    for (int by = 16; by > 0; by >>= 1) {
      float other = __shfl_down_sync(~0u, v, by);
      int otherAt = __shfl_down_sync(~0u, at, by);
      if (other < v) {
        v = other;
        at = otherAt;
      }
    }
    const float best = __shfl_sync(~0u, v, 0);
    const int place = __shfl_sync(~0u, at, 0);
    if (lane == place % 32) {
      least[i] = best;
      where[i] = place;
    }
  }
}

int main() {
  constexpr int matrices = 7, sets = 12;
  double* all;
  int *order, *swaps, *where;
  float *in, *least;
  cudaMallocManaged(&all, sizeof(double) * matrices * rows * rows);
  cudaMallocManaged(&order, sizeof(int) * matrices * rows);
  cudaMallocManaged(&swaps, sizeof(int) * matrices);
  cudaMallocManaged(&in, sizeof(float) * sets * 32);
  cudaMallocManaged(&least, sizeof(float) * sets);
  cudaMallocManaged(&where, sizeof(int) * sets);
  for (int i = 0; i < matrices * rows * rows; ++i)
    all[i] = (i * 37 + i / 11) % 23 - 11;
  for (int i = 5; i < rows * rows; i += 61)
    all[5 * rows * rows + i] = NAN;
  for (int i = 0; i < sets * 32; ++i)
    in[i] = float((i * 29 + i / 5) % 17);
  for (int i = 0; i < 4; ++i)
    in[(8 + i) * 32 + i * 9] = NAN;
  sortRows<<<(matrices + warps - 1) / warps, dim3(32, warps)>>>(all, order, swaps, matrices);
  leastOfEach<<<1, 32>>>(in, least, where, sets);
  cudaDeviceSynchronize();
  for (int m = 0; m < matrices; ++m) {
    double sum = 0;
    for (int i = 0; i < rows * rows; ++i)
      if (all[m * rows * rows + i] == all[m * rows * rows + i])
        sum += all[m * rows * rows + i] * (i % 31);
    printf("%d %.0f:", swaps[m], sum);
    for (int k = 0; k < rows; ++k)
      printf(" %d", order[m * rows + k]);
    printf("\n");
  }
  for (int i = 0; i < sets; ++i)
    printf("%g at %d\n", least[i], where[i]);
}
