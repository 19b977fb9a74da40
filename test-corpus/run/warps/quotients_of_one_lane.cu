// In triangular solves one lane divides and hands its quotient on, and the lanes behind it go on
// with theirs: those of a range that moves from step to step.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int N = 27, ROWS = 2;

__global__ void solve(const double* all, const double* right, double* out, int count) {
  __shared__ double tile[ROWS][N * 29];
  const int lane = threadIdx.x, which = blockIdx.x * ROWS + threadIdx.y;
  if (which >= count)
    return;
  double* a = tile[threadIdx.y];
  for (int i = lane; i < N * N; i += 32)
    a[(i / N) * 29 + i % N] = all[which * N * N + i];
  __syncwarp();
  double x = lane < N ? right[which * N + lane] : 100.0 + lane;
  const double pivot = lane < N ? a[lane * 29 + lane] : 0.0;
  float steps = lane;
  for (int k = 0; k < N; ++k) {
    if (lane == k) {
      x /= pivot;
      steps = sqrtf(steps + k) / 3;
    }
    const double xk = __shfl_sync(~0u, x, k);
    if (lane > k && lane < N)
      x -= a[lane * 29 + k] * xk;
    if (lane > k && lane < N)
      a[lane * 29 + k] *= 0.5;
    __syncwarp();
  }
  for (int k = N - 1; k >= 0; --k) {
    if (lane == k)
      x /= pivot;
    const double xk = __shfl_sync(~0u, x, k);
    if (lane < k)
      x -= a[k * 29 + lane] * xk;
  }
  // Of no lane, and of one that only some lanes' threads ask for.
  for (int k = 30; k < 35; ++k)
    if (lane == k)
      x = 1 / x + k;
  if (lane % 3 == 0) {
    for (int k = 0; k < 4; ++k) {
      if (lane == k)
        x = (x + k) / 7;
      x += __shfl_sync(0x49249249u, x, 3);
    }
  }
  out[which * 32 + lane] = x + steps;
}

int main() {
  constexpr int count = 5;
  static double a[count * N * N], right[count * N], out[count * 32];
  for (int i = 0; i < count * N * N; ++i)
    a[i] = (i / N % N == i % N ? 9.0 : 0.0) + (i * 37 % 19 - 9) / 16.0;
  for (int i = 0; i < count * N; ++i)
    right[i] = (i * 53 % 29) / 4.0 - 3;
  double *onDevice, *rightOnDevice, *outOnDevice;
  cudaMalloc(&onDevice, sizeof a);
  cudaMalloc(&rightOnDevice, sizeof right);
  cudaMalloc(&outOnDevice, sizeof out);
  cudaMemcpy(onDevice, a, sizeof a, cudaMemcpyHostToDevice);
  cudaMemcpy(rightOnDevice, right, sizeof right, cudaMemcpyHostToDevice);
  solve<<<(count + ROWS - 1) / ROWS, dim3(32, ROWS)>>>(onDevice, rightOnDevice, outOnDevice, count);
  cudaMemcpy(out, outOnDevice, sizeof out, cudaMemcpyDeviceToHost);
  for (int i = 0; i < count * 32; ++i)
    printf("%.5g%s", out[i], i % 8 == 7 ? "\n" : " ");
  return 0;
}
