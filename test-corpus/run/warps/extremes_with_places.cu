// Extremes and where they lie, looked for with shuffles: by butterflies and towards the first lane,
// with and without a choice among equal values, with values that are no numbers, and zeros of both
// signs.
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>

constexpr unsigned full = 0xffffffffu;

__device__ int pivot(double v, int at) {
  for (int o = 16; o > 0; o >>= 1) {
    double other = __shfl_down_sync(full, v, o);
    int otherAt = __shfl_down_sync(full, at, o);
    if (other > v || (other == v && otherAt < at)) { v = other; at = otherAt; }
  }
  return __shfl_sync(full, at, 0);
}

// Which row comes next, and a column in which the rows change places.
__global__ void pivots(const double* in, double* out, int* order) {
  __shared__ double a[4][32];
  const int lane = threadIdx.x & 31, w = threadIdx.x >> 5, i = blockIdx.x * 128 + threadIdx.x;
  a[w][lane] = in[i];
  __syncwarp();
  for (int k = 0; k < 32; ++k) {
    const double size = lane >= k ? fabs(a[w][lane]) : -1.0;
    const int p = pivot(size, lane);
    if (p != k) {
      if (lane == 0) { const double t = a[w][k]; a[w][k] = a[w][p]; a[w][p] = t; }
      __syncwarp();
    }
    if (lane == 0) order[(blockIdx.x * 4 + w) * 32 + k] = p;
  }
  out[i] = a[w][lane];
}

// All lanes keep what they find: with values that are no numbers they need not agree.
__global__ void each(const float* in, const double* wide, float* values, int* places) {
  const int i = blockIdx.x * 128 + threadIdx.x, lane = threadIdx.x % 32;
  float least = in[i], first = in[i];
  int at = lane, firstAt = (lane * 7) % 32;
  double most = wide[i];
  unsigned mostAt = lane ^ 9;
#pragma unroll
  for (int o = 16; o > 0; o /= 2) {
    const float other = __shfl_xor_sync(full, least, o);
    const int otherAt = __shfl_xor_sync(full, at, o);
    if (other < least || (least == other && at < otherAt)) { at = otherAt; least = other; }
  }
  for (int o = warpSize / 2; o >= 1; o >>= 1) {
    int otherAt = __shfl_xor_sync(full, firstAt, o);
    float other = __shfl_xor_sync(full, first, o);
    if (first < other) { first = other; firstAt = otherAt; }
  }
  for (int o = 16; o; o >>= 1) {
    double other = __shfl_xor_sync(full, most, o);
    unsigned otherAt = __shfl_xor_sync(full, mostAt, o);
    if (other > most || (other == most && otherAt < mostAt)) { most = other; mostAt = otherAt; }
  }
  values[i] = least + 2 * first + (float)most;
  places[i] = at + 100 * firstAt + 10000 * mostAt;
}

int main() {
  constexpr int n = 512;
  double *in, *out;
  float *floats, *values;
  int *order, *places;
  cudaMallocManaged(&in, n * 8), cudaMallocManaged(&out, n * 8);
  cudaMallocManaged(&floats, n * 4), cudaMallocManaged(&values, n * 4);
  cudaMallocManaged(&order, n * 4), cudaMallocManaged(&places, n * 4);
  for (int i = 0; i < n; ++i) {
    in[i] = i < 128 ? (i * 37 % 101) - 50.25 : (i * 5 % 7) - 3;
    floats[i] = i < 256 ? float(i * 29 % 17) - 8 : i % 2 ? -0.0f : 0.0f;
  }
  for (const int i : {130, 200, 210, 333}) in[i] = NAN;
  for (const int i : {140, 150, 201, 300}) floats[i] = NAN;
  pivots<<<4, 128>>>(in, out, order);
  each<<<4, 128>>>(floats, in, values, places);
  cudaDeviceSynchronize();
  for (int w = 0; w < n / 32; ++w) {
    long s = 0, p = 0;
    int numbers = 0;
    double v = 0, o = 0;
    for (int l = 0; l < 32; ++l) {
      const int i = w * 32 + l;
      s += order[i] * (l + 1), p += places[i] * (l + 3L);
      if (values[i] == values[i]) v += values[i] * (l + 1), ++numbers;
      if (out[i] == out[i]) o += out[i] * (l + 1);
    }
    std::printf("%d: %ld %.2f, %ld %.2f of %d\n", w, s, o, p, v, numbers);
  }
}
