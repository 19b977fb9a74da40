// Updates of shared variables that are no arrays, in loops that compute first and update then.
#include <cstdio>
#include <cuda_runtime.h>

struct Counters {
  unsigned inside;
  int sum;
};

__global__ void setByAll(unsigned* out, const unsigned* in, int n) {
  __shared__ unsigned hit;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned state = row * blockDim.y + column + 1;

  atomicExch(&hit, 0);
  __syncthreads();
  for (int i = 0; i < 5; ++i) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    if (in[state % n] & 1)
      atomicAdd(&hit, 1);
  }
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0)
    out[blockIdx.y * gridDim.x + blockIdx.x] = hit;
}

__global__ void largest(unsigned* out, const unsigned* in, int n) {
  __shared__ unsigned most;
  __shared__ unsigned least;
  if (threadIdx.x == 0) {
    most = 0;
    least = 0xffffffffu;
  }
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const unsigned mixed = (in[i] * 2654435761u) ^ (in[i] >> 3) ^ (i * 40503u);
    atomicMax(&most, mixed);
    atomicMin(&least, mixed);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    out[2 * blockIdx.x] = most;
    out[2 * blockIdx.x + 1] = least;
  }
}

__global__ void countIn(unsigned* out, const unsigned* in, int n) {
  __shared__ Counters counters;
  if (threadIdx.x == 0)
    counters = Counters{0, 0};
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float x = (in[i] % 1000) * 0.001f, y = (in[i] / 1000 % 1000) * 0.001f;
    if (x * x + y * y < 1.0f)
      atomicAdd(&counters.inside, 1u);
    atomicAdd(&counters.sum, int(in[i] % 7) - 3);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    out[2 * blockIdx.x] = counters.inside;
    out[2 * blockIdx.x + 1] = unsigned(counters.sum);
  }
}

static void show(const char* name, const unsigned* values, int count) {
  unsigned hash = 2166136261u;
  for (int i = 0; i < count; ++i)
    hash = (hash ^ values[i]) * 16777619u;
  printf("%s %u %u %08x\n", name, values[0], values[count - 1], hash);
}

int main() {
  const int n = 5000;
  unsigned *in, *out;
  cudaMallocManaged(&in, n * sizeof(unsigned));
  cudaMallocManaged(&out, 256 * sizeof(unsigned));
  for (int i = 0; i < n; ++i)
    in[i] = i * 1103515245u + 12345u;

  setByAll<<<dim3(4, 3), dim3(16, 8)>>>(out, in, n);
  cudaDeviceSynchronize();
  show("set by all", out, 12);
  largest<<<(n + 255) / 256, 256>>>(out, in, n);
  cudaDeviceSynchronize();
  show("largest", out, 2 * ((n + 255) / 256));
  countIn<<<(n + 127) / 128, 128>>>(out, in, n);
  cudaDeviceSynchronize();
  show("count in", out, 2 * ((n + 127) / 128));
  cudaFree(in);
  cudaFree(out);
  return 0;
}
