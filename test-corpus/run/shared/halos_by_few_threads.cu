// Edges of a tile that a few threads load, before, between and behind what all of them load: each statement sees what
// those before it have stored for its own thread.
#include <cstdio>
#include <cuda_runtime.h>

template <int Radius> __global__ void rows(const int* in, int* out, int width, int height) {
  __shared__ int tile[8][32 + 2 * Radius];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  const int at = threadIdx.x + Radius, line = min(y, height - 1) * width;
  if (threadIdx.x < Radius)
    tile[threadIdx.y][threadIdx.x] = in[line + max(x - Radius, 0)];
  if (x < width && y < height)
    tile[threadIdx.y][at] = in[line + x];
  else
    tile[threadIdx.y][at] = -1;
  if (threadIdx.x < Radius && y < height)
    tile[threadIdx.y][at + 32] = in[line + min(x + 32, width - 1)];
  __syncthreads();
  if (x < width && y < height) {
    int sum = 0;
    for (int k = -Radius; k <= Radius; ++k)
      sum += (k + 7) * tile[threadIdx.y][at + k];
    out[line + x] = sum;
  }
}

// The few threads change again what they have stored, and use what they have computed.
__global__ void again(const int* in, int* out) {
  __shared__ int line[64];
  int mine = in[threadIdx.x];
  line[threadIdx.x] = mine;
  if (threadIdx.x < 4)
    line[threadIdx.x] += 1000;
  if (threadIdx.x < 3) {
    mine += 5;
    line[threadIdx.x] *= 2;
  }
  line[threadIdx.x] += mine;
  __syncthreads();
  out[threadIdx.x] = line[63 - threadIdx.x] + mine;
}

int main() {
  const int width = 75, height = 21, count = width * height;
  int *in, *out;
  cudaMallocManaged(&in, count * sizeof(int));
  cudaMallocManaged(&out, count * sizeof(int));
  for (int i = 0; i < count; ++i)
    in[i] = i * 41 % 307, out[i] = 0;
  const auto print = [&](const char* what, int n) {
    cudaDeviceSynchronize();
    unsigned sum = 0;
    for (int i = 0; i < n; ++i)
      sum = sum * 31 + unsigned(out[i]);
    printf("%s %u\n", what, sum);
  };
  const dim3 grid((width + 31) / 32, (height + 7) / 8), block(32, 8);
  rows<1><<<grid, block>>>(in, out, width, height);
  print("one", count);
  rows<4><<<grid, block>>>(in, out, width, height);
  print("four", count);
  rows<9><<<grid, block>>>(in, out, width, height);
  print("nine", count);
  again<<<1, 64>>>(in, out);
  print("again", 64);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
