// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs for old GPUs relied on the lanes of a warp running in step: volatile shared memory, and
// no barrier between what one lane writes and another reads.
#include <cstdio>
#include <cuda_runtime.h>

// The tail of a reduction as the first CUDA samples wrote it.
template <unsigned blockSize>
__device__ void lastWarp(volatile int* data, int tid) {
  if (blockSize >= 64) data[tid] += data[tid + 32];
  if (blockSize >= 32) data[tid] += data[tid + 16];
  if (blockSize >= 16) data[tid] += data[tid + 8];
  if (blockSize >= 8) data[tid] += data[tid + 4];
  if (blockSize >= 4) data[tid] += data[tid + 2];
  if (blockSize >= 2) data[tid] += data[tid + 1];
}
template <unsigned blockSize>
__global__ void reduceTemplate(const int* in, int* out) {
  __shared__ int data[blockSize < 64 ? 64 : blockSize];
  const unsigned tid = threadIdx.x;
  data[tid] = in[blockIdx.x * blockSize + tid];
  __syncthreads();
  if (blockSize >= 256) { if (tid < 128) data[tid] += data[tid + 128]; __syncthreads(); }
  if (blockSize >= 128) { if (tid < 64) data[tid] += data[tid + 64]; __syncthreads(); }
  if (tid < 32) lastWarp<blockSize>(data, tid);
  if (tid == 0) out[blockIdx.x] = data[0];
}

// A running sum in a register, written in a chain of assignments.
__global__ void reduceChained(const float* in, float* out) {
  extern __shared__ float shared[];
  const int tid = threadIdx.x;
  float sum = in[blockIdx.x * blockDim.x + tid];
  shared[tid] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 32; s >>= 1) {
    if (tid < s)
      shared[tid] = sum = sum + shared[tid + s];
    __syncthreads();
  }
  if (tid < 32) {
    volatile float* vs = shared;
    vs[tid] = sum = sum + vs[tid + 32];
    vs[tid] = sum = sum + vs[tid + 16];
    vs[tid] = sum = sum + vs[tid + 8];
    vs[tid] = sum = sum + vs[tid + 4];
    vs[tid] = sum = sum + vs[tid + 2];
    vs[tid] = sum = sum + vs[tid + 1];
  }
  if (tid == 0) out[blockIdx.x] = shared[0];
}

// Each lane reads what a lane before it has: the order in which lanes run would show.
__global__ void scanWarps(const int* in, int* out) {
  __shared__ volatile int values[4][64];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  values[warp][lane] = 0;
  values[warp][lane + 32] = in[threadIdx.x];
  values[warp][lane + 32] += values[warp][lane + 31];
  values[warp][lane + 32] += values[warp][lane + 30];
  values[warp][lane + 32] += values[warp][lane + 28];
  values[warp][lane + 32] += values[warp][lane + 24];
  values[warp][lane + 32] += values[warp][lane + 16];
  out[threadIdx.x] = values[warp][lane + 32];
}

// A loop, and a value kept between reading and writing.
__global__ void rotate(const int* in, int* out, int times) {
  __shared__ int ring[32];
  volatile int* r = ring;
  const int lane = threadIdx.x;
  r[lane] = in[lane];
  for (int i = 0; i < times; ++i) {
    int next = r[(lane + 1) & 31];
    r[lane] = next * 3 + i;
  }
  out[lane] = r[lane] + r[31 - lane];
}

// Half a block in step, the other half beside it.
__global__ void maximum(const double* in, double* out) {
  __shared__ double best[128];
  const int t = threadIdx.x;
  best[t] = in[t];
  __syncthreads();
  if (t < 64) best[t] = best[t] > best[t + 64] ? best[t] : best[t + 64];
  __syncthreads();
  if (t < 32) {
    volatile double* b = best;
    if (b[t] < b[t + 32]) b[t] = b[t + 32];
    if (b[t] < b[t + 16]) b[t] = b[t + 16];
    if (b[t] < b[t + 8]) b[t] = b[t + 8];
    if (b[t] < b[t + 4]) b[t] = b[t + 4];
    if (b[t] < b[t + 2]) b[t] = b[t + 2];
    if (b[t] < b[t + 1]) b[t] = b[t + 1];
  }
  __syncthreads();
  out[t] = best[0] - best[t];
}

int main() {
  constexpr int n = 1024;
  int *in, *out;
  float *fin, *fout;
  double *din, *dout;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  cudaMallocManaged(&fin, n * sizeof(float));
  cudaMallocManaged(&fout, n * sizeof(float));
  cudaMallocManaged(&din, n * sizeof(double));
  cudaMallocManaged(&dout, n * sizeof(double));
  for (int i = 0; i < n; ++i) {
    in[i] = (i * 37) % 101 - 50;
    fin[i] = static_cast<float>((i * 13) % 64) * 0.25f;
    din[i] = (i * 29) % 127 + 0.5;
  }
  reduceTemplate<256><<<4, 256>>>(in, out);
  cudaDeviceSynchronize();
  std::printf("256: %d %d %d %d\n", out[0], out[1], out[2], out[3]);
  reduceTemplate<128><<<8, 128>>>(in, out);
  cudaDeviceSynchronize();
  std::printf("128: %d %d %d\n", out[0], out[1], out[7]);
  reduceTemplate<64><<<16, 64>>>(in, out);
  cudaDeviceSynchronize();
  std::printf("64: %d %d %d\n", out[0], out[1], out[15]);
  reduceChained<<<4, 256, 256 * sizeof(float)>>>(fin, fout);
  cudaDeviceSynchronize();
  std::printf("chained: %g %g %g %g\n", fout[0], fout[1], fout[2], fout[3]);
  scanWarps<<<1, 128>>>(in, out);
  cudaDeviceSynchronize();
  std::printf("scan: %d %d %d %d %d\n", out[0], out[31], out[32], out[63], out[127]);
  rotate<<<1, 32>>>(in, out, 7);
  cudaDeviceSynchronize();
  std::printf("rotate: %d %d %d %d\n", out[0], out[1], out[30], out[31]);
  maximum<<<1, 128>>>(din, dout);
  cudaDeviceSynchronize();
  double sum = 0;
  for (int i = 64; i < 128; ++i)
    sum += dout[i];
  std::printf("maximum: %g %g\n", dout[0], sum);
  return cudaGetLastError() != cudaSuccess;
}
