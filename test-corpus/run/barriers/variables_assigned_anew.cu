// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables that get a new value between barriers: each region sees the one that it follows. Those
// whose values depend on themselves, on conditions or on what changes keep them.
#include <cstdio>
#include <cuda_runtime.h>

const int SIDE = 16;

__global__ void turned(const int* in, int* out, int width, int height) {
  __shared__ int tile[SIDE][SIDE + 1];
  int x = blockIdx.x * SIDE + threadIdx.x;
  int y = blockIdx.y * SIDE + threadIdx.y;
  for (int j = 0; j < SIDE; j += 4)
    tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * SIDE + threadIdx.x;
  y = blockIdx.x * SIDE + threadIdx.y;
  for (int j = 0; j < SIDE; j += 4)
    out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void kinds(int* out, int n, int scale) {
  __shared__ int buffer[64];
  const int t = threadIdx.x, base = blockIdx.x * blockDim.x;
  int late;
  int from = base + t;              // two values
  int own = t * 3;                  // depends on itself
  int guarded = t;                  // a new value for some
  int scaled = scale * t;           // of a parameter that changes
  int counted = 0;                  // of a loop's variable
  unsigned char narrow = t * 5;     // loses bits
  buffer[t] = from + narrow;
  __syncthreads();
  late = 63 - t;
  own = own + buffer[late];
  if (t % 3 == 0)
    guarded = buffer[t] + 1;
  scale += 2;
  from = base + late;
  __syncthreads();
  buffer[t] = from * 2 + own + guarded;
  __syncthreads();
  scaled = scaled + scale * buffer[late];
  for (int i = 0; i < 3; ++i) {
    counted = i * t;
    __syncthreads();
    buffer[t] += counted + buffer[t];
    __syncthreads();
  }
  narrow = t * 7;
  late = t ^ 5;
  __syncthreads();
  from = from + 1;
  out[base + t] = buffer[late] + scaled + from + narrow + counted;
  (void)n;
}

// The value of one depends on another that changes as well.
__global__ void chain(int* out) {
  __shared__ int buffer[64];
  int a = threadIdx.x;
  int b = a + 1;
  buffer[a] = b;
  __syncthreads();
  a = 63 - threadIdx.x;
  int c = buffer[a] + b;
  __syncthreads();
  b = a * 2;
  buffer[threadIdx.x] = c;
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = buffer[a] * 1000 + b;
}

static void print(const char* what, const int* values, int n) {
  long long sum = 0;
  for (int i = 0; i < n; ++i)
    sum += static_cast<long long>(values[i]) * (i % 13 + 1);
  printf("%s: %lld, %d %d\n", what, sum, values[n / 3], values[n - 1]);
}

int main() {
  const int width = 64, height = 48, n = width * height;
  int *in, *out;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  for (int i = 0; i < n; ++i) {
    in[i] = i * 7 % 1001;
    out[i] = 0;
  }
  turned<<<dim3(width / SIDE, height / SIDE), dim3(SIDE, 4)>>>(in, out, width, height);
  cudaDeviceSynchronize();
  print("turned", out, n);
  kinds<<<5, 64>>>(out, n, 3);
  cudaDeviceSynchronize();
  print("kinds", out, 5 * 64);
  chain<<<3, 64>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess)
    printf("failed\n");
  print("chain", out, 3 * 64);
  return 0;
}
