// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that read shared and global memory by steps of several elements modulo a power of two:
// neighbours' places begin anew within a row.
#include <cstdio>
#include <cuda_runtime.h>

template <int STEP, int COUNT> __global__ void inShared(const int* in, int* out) {
  __shared__ int values[COUNT];
  for (int i = threadIdx.x; i < COUNT; i += blockDim.x)
    values[i] = in[i] + blockIdx.x;
  __syncthreads();
  const int t = threadIdx.x;
  out[blockIdx.x * blockDim.x + t] = values[t % COUNT] - 3 * values[(t * STEP) % COUNT];
}

template <int STEP, int COUNT> __global__ void inGlobal(const int* in, int* out, int n, int first) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i % COUNT] - 5 * in[(i * STEP + first) & (COUNT - 1)];
}

template <int STEP> __global__ void narrow(const int* in, int* out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] = in[static_cast<unsigned char>(i * STEP)] + 2 * in[static_cast<unsigned char>(i - STEP)];
}

static void print(const char* what, int step, int count, const int* values, int n) {
  unsigned long long sum = 0;
  for (int i = 0; i < n; ++i)
    sum = sum * 31 + static_cast<unsigned>(values[i]);
  printf("%s %d %d: %llu %d, %s\n", what, step, count, sum, values[n / 2],
         cudaGetErrorString(cudaGetLastError()));
}

template <int STEP, int COUNT> static void run(const int* in, int* out) {
  for (int block : {32, 64, 256}) {
    inShared<STEP, COUNT><<<2, block>>>(in, out);
    cudaDeviceSynchronize();
    print("shared", STEP, COUNT, out, 2 * block);
  }
  for (int n : {9, 31, 32, 64, 200}) {
    inGlobal<STEP, COUNT><<<1, 256>>>(in, out, n, 0);
    inGlobal<STEP, COUNT><<<4, 64>>>(in, out + 300, n, 3);
    narrow<STEP><<<1, 64>>>(in, out + 600, n);
    cudaDeviceSynchronize();
    print("global", STEP, COUNT, out, n);
    print("from three", STEP, COUNT, out + 300, n);
    print("narrow", STEP, COUNT, out + 600, n);
  }
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 256 * sizeof(int));
  cudaMallocManaged(&out, 1000 * sizeof(int));
  for (int i = 0; i < 256; ++i)
    in[i] = i * i % 1009;
  run<2, 32>(in, out);
  run<3, 32>(in, out);
  run<4, 16>(in, out);
  run<5, 32>(in, out);
  run<5, 64>(in, out);
  run<6, 64>(in, out);
  run<7, 128>(in, out);
  run<12, 64>(in, out);
  run<33, 256>(in, out);
}
