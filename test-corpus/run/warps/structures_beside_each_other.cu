// Threads that load and store two structures of 16 bytes each, side by side, between a warp's
// functions: compilers take few of them at a time.
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

__device__ int scanOfWarp(int x) {
  for (int d = 1; d < 32; d *= 2) {
    const int y = __shfl_up_sync(~0u, x, d);
    if (threadIdx.x % 32 >= d)
      x += y;
  }
  return x;
}

template <int Threads> __global__ void scanTiles(const int4* in, int4* out, int* last) {
  __shared__ int sums[Threads / 32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int base = (blockIdx.x * Threads + threadIdx.x) * 2;
  int4 a = in[base], b = in[base + 1];
  a.y += a.x, a.z += a.y, a.w += a.z;
  b.x += a.w, b.y += b.x, b.z += b.y, b.w += b.z;
  const int all = scanOfWarp(b.w);
  if (lane == 31)
    sums[warp] = all;
  __syncthreads();
  int before = all - b.w;
  for (int w = 0; w < warp; ++w)
    before += sums[w];
  a.x += before, a.y += before, a.z += before, a.w += before;
  b.x += before, b.y += before, b.z += before, b.w += before;
  out[base] = a;
  out[base + 1] = b;
  if (threadIdx.x == Threads - 1)
    last[blockIdx.x] = b.w;
}

struct alignas(16) Three {
  float x, y, z;
  int id;
};

// Only some lanes are inside, and the array is changed in place by pointers.
__global__ void moveTowardsWarp(Three* all, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Three* const mine = all + i;
  float x = 0, y = 0;
  if (i < n) {
    const Three v = *mine;
    x = v.x + v.z, y = v.y;
  }
  for (int d = 16; d > 0; d /= 2)
    x += __shfl_xor_sync(~0u, x, d), y += __shfl_xor_sync(~0u, y, d);
  if (i < n && i % 3 != 1) {
    Three v = *mine;
    v.x += x, v.y -= y, v.id += int(x);
    *mine = v;
  }
}

int main() {
  const int blocks = 5, threads = 96;
  std::vector<int> numbers(blocks * threads * 8);
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = int(unsigned(i) * 2654435761u >> 24) - 100;
  int *in, *out, *last;
  cudaMalloc(&in, numbers.size() * sizeof(int));
  cudaMalloc(&out, numbers.size() * sizeof(int));
  cudaMalloc(&last, blocks * sizeof(int));
  cudaMemcpy(in, numbers.data(), numbers.size() * sizeof(int), cudaMemcpyHostToDevice);
  scanTiles<threads><<<blocks, threads>>>((const int4*)in, (int4*)out, last);
  cudaMemcpy(numbers.data(), out, numbers.size() * sizeof(int), cudaMemcpyDeviceToHost);
  long long sum = 0;
  for (size_t i = 0; i < numbers.size(); ++i)
    sum += (long long)numbers[i] * int(i % 11 + 1);
  int ends[blocks];
  cudaMemcpy(ends, last, sizeof ends, cudaMemcpyDeviceToHost);
  printf("%lld %d %d %d %d %d\n", sum, ends[0], ends[1], ends[2], ends[3], ends[4]);

  for (const int n : {1, 31, 100, 250}) {
    std::vector<Three> points(256);
    for (int i = 0; i < 256; ++i)
      points[i] = {float(i % 17), float(i % 5 - 2), float(i % 3), i};
    Three* all;
    cudaMalloc(&all, points.size() * sizeof(Three));
    cudaMemcpy(all, points.data(), points.size() * sizeof(Three), cudaMemcpyHostToDevice);
    moveTowardsWarp<<<4, 64>>>(all, n);
    cudaMemcpy(points.data(), all, points.size() * sizeof(Three), cudaMemcpyDeviceToHost);
    double x = 0, y = 0;
    long long id = 0;
    for (int i = 0; i < 256; ++i)
      x += points[i].x * (i % 7), y += points[i].y * (i % 6), id += points[i].id * (i % 4);
    printf("%d: %.2f %.2f %lld\n", n, x, y, id);
    cudaFree(all);
  }
}
