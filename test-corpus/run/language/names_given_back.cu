// Names that CUDA's headers had for texture and surface references, which CUDA 12 has taken away:
// a program may give them to its own kernels, types and variables.
#include <cstdio>

struct texture {
  float scale;
  int width;
};

__device__ texture stone = {0.5f, 8};

__device__ float sample(const texture& t, int x) { return t.scale * (x % t.width); }

__global__ void surface(float* heights, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    heights[i] = sample(stone, i) + i;
}

int main() {
  const int n = 100;
  float* heights;
  cudaMallocManaged(&heights, n * sizeof(float));
  surface<<<4, 32>>>(heights, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  const texture wood = {2.0f, 5};
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += heights[i] * wood.scale;
  printf("%g %g %g\n", heights[7], heights[99], sum);
  cudaFree(heights);
}
