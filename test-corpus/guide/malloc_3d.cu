// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaMalloc3D, cudaMemcpy3D and a kernel that walks slices, rows and elements ('Device Memory').
#include <cstdio>

__global__ void MyKernel(cudaPitchedPtr devPitchedPtr, int width, int height, int depth) {
  char* devPtr = (char*)devPitchedPtr.ptr;
  size_t pitch = devPitchedPtr.pitch;
  size_t slicePitch = pitch * height;
  for (int z = blockIdx.x; z < depth; z += gridDim.x) {
    char* slice = devPtr + z * slicePitch;
    for (int y = threadIdx.y; y < height; y += blockDim.y) {
      float* row = (float*)(slice + y * pitch);
      for (int x = threadIdx.x; x < width; x += blockDim.x) {
        float element = row[x];
        row[x] = element + 10000 * z + 100 * y + x;
      }
    }
  }
}

int main() {
  const int width = 24, height = 10, depth = 7;
  static float host[depth][height][width];
  for (auto& slice : host)
    for (auto& row : slice)
      for (auto& x : row)
        x = 0.5f;
  cudaExtent extent = make_cudaExtent(width * sizeof(float), height, depth);
  cudaPitchedPtr devPitchedPtr;
  cudaMalloc3D(&devPitchedPtr, extent);
  printf("xsize %zu ysize %zu\n", devPitchedPtr.xsize, devPitchedPtr.ysize);

  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(host, width * sizeof(float), width, height);
  copy.dstPtr = devPitchedPtr;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&copy);
  MyKernel<<<4, dim3(8, 4)>>>(devPitchedPtr, width, height, depth);
  copy.dstPtr = copy.srcPtr;
  copy.srcPtr = devPitchedPtr;
  copy.kind = cudaMemcpyDeviceToHost;
  cudaMemcpy3D(&copy);

  int wrong = 0;
  for (int z = 0; z < depth; ++z)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        wrong += host[z][y][x] != 0.5f + 10000 * z + 100 * y + x;
  printf("corner %.1f wrong %d\n", host[depth - 1][height - 1][width - 1], wrong);
  cudaFree(devPitchedPtr.ptr);
  return wrong != 0;
}
