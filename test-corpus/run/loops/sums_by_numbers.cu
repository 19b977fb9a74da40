// A loop by the whole grid adds up the elements of a small array by their numbers, and short loops behind it pass over it.
#include <cstdio>

constexpr int sums = 5, threads = 128;
struct Body { float x, y, z, mass; };

__device__ double sumOfWarp(double v) {
#pragma unroll
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
  return v;
}

__global__ void moments(const Body* bodies, int n, double* out) {
  double sum[sums] = {0.0, 1.0};
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const Body b = bodies[i];
    sum[0] += b.mass;
    sum[1] += b.mass * b.x;
    sum[2] -= b.mass * b.y;
    if (b.z > 1.f) sum[3] += b.z;
    sum[4] += sum[0] > 40.0 ? 1.0 : 0.0;
  }
  __shared__ double ofWarps[sums][threads / 32];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
#pragma unroll
  for (int k = 0; k < sums; k++) {
    double v = sumOfWarp(sum[k]);
    if (lane == 0) ofWarps[k][warp] = v;
  }
  __syncthreads();
  for (int k = warp; k < sums; k += threads / 32) {
    double v = sumOfWarp(lane < threads / 32 ? ofWarps[k][lane] : 0.0);
    if (lane == 0) atomicAdd(&out[k], v);
  }
}

// The place of a sum may differ between threads: the array stays one.
__global__ void chosen(const Body* bodies, int n, double* out) {
  __shared__ double all[threads];
  double sum[3] = {};
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    sum[0] += bodies[i].mass;
    sum[i % 3] += bodies[i].x;
  }
  for (int k = 0; k < 3; ++k) {
    all[threadIdx.x] = sum[k];
    __syncthreads();
    for (int d = threads / 2; d > 0; d /= 2) {
      if (threadIdx.x < d) all[threadIdx.x] += all[threadIdx.x + d];
      __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(&out[k], all[0]);
    __syncthreads();
  }
}

int main() {
  const int n = 3000;
  Body* bodies;
  double* out;
  cudaMallocManaged(&bodies, n * sizeof(Body));
  cudaMallocManaged(&out, 8 * sizeof(double));
  for (int i = 0; i < n; ++i) bodies[i] = {float(i % 13), float(i % 7), i % 3 * 0.75f, float(i % 5 + 1)};
  for (int k = 0; k < 8; ++k) out[k] = 0.0;
  moments<<<6, threads>>>(bodies, n, out);
  chosen<<<2, threads>>>(bodies, n, out + sums);
  cudaDeviceSynchronize();
  for (int k = 0; k < 8; ++k) printf("%.2f\n", out[k]);
}
