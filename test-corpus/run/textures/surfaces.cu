// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Surfaces: reads and writes in 1 to 3 dimensions and layers, boundary modes, a texture over what a surface wrote.
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

__global__ void copy(cudaSurfaceObject_t in, cudaSurfaceObject_t out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    uchar4 data;
    surf2Dread(&data, in, x * 4, y);
    data.x += data.w;
    surf2Dwrite(data, out, x * 4, y);
  }
}
__global__ void boundaries(cudaSurfaceObject_t s, unsigned* out) {
  const int i = int(threadIdx.x) - 2;
  out[threadIdx.x] = surf2Dread<unsigned>(s, i * 4, i, cudaBoundaryModeZero);
  out[threadIdx.x + 16] = surf2Dread<unsigned>(s, i * 4, i, cudaBoundaryModeClamp);
  surf2Dwrite(i + 1000u, s, i * 4, 1, cudaBoundaryModeZero);
}
__global__ void volume(cudaSurfaceObject_t s, cudaSurfaceObject_t layers, cudaSurfaceObject_t line, float* out) {
  const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z, i = x + 4 * (y + 4 * z);
  surf3Dwrite(float(i), s, x * 4, y, z);
  surf2DLayeredwrite(make_float2(i, -i), layers, x * 8, y, z % 2);
  if (y == 0 && z == 0)
    surf1Dwrite(short(x * 3), line, x * 2);
  __syncthreads();
  const float2 l = surf2DLayeredread<float2>(layers, x * 8, y, z % 2);
  out[i] = surf3Dread<float>(s, (3 - x) * 4, y, z) + (z >= 2 ? l.x + l.y : 0) + surf1Dread<short>(line, x * 2);
}
__global__ void readBack(cudaTextureObject_t t, float* out) {
  out[threadIdx.x] = tex3D<float>(t, threadIdx.x % 4, threadIdx.x / 4 % 4, threadIdx.x / 16);
}

static cudaSurfaceObject_t makeSurface(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t s = 0;
  cudaCreateSurfaceObject(&s, &resource);
  return s;
}

int main() {
  const int w = 20, h = 12;
  std::vector<unsigned> image(w * h);
  for (int i = 0; i < w * h; ++i)
    image[i] = i * 0x01030507u;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
  cudaArray_t in, out;
  cudaMallocArray(&in, &format, w, h, cudaArraySurfaceLoadStore);
  cudaMallocArray(&out, &format, w, h, cudaArraySurfaceLoadStore);
  cudaMemcpy2DToArray(in, 0, 0, image.data(), w * 4, w * 4, h, cudaMemcpyHostToDevice);
  const cudaSurfaceObject_t a = makeSurface(in), b = makeSurface(out);
  copy<<<dim3(2, 2), dim3(16, 8)>>>(a, b, w, h);
  cudaMemcpy2DFromArray(image.data(), w * 4, out, 0, 0, w * 4, h, cudaMemcpyDeviceToHost);
  unsigned sum = 0;
  for (int i = 0; i < w * h; ++i)
    sum = sum * 31 + image[i];
  printf("copy %08x\n", sum);

  unsigned* edge;
  cudaMallocManaged(&edge, 32 * sizeof *edge);
  boundaries<<<1, 16>>>(b, edge);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; ++i)
    printf("%08x%c", edge[i], i % 8 == 7 ? '\n' : ' ');

  float* values;
  cudaMallocManaged(&values, 64 * sizeof *values);
  const cudaChannelFormatDesc f1 = cudaCreateChannelDesc<float>(), f2 = cudaCreateChannelDesc<float2>(),
                              s1 = cudaCreateChannelDesc<short>();
  cudaArray_t box, layers, line;
  cudaMalloc3DArray(&box, &f1, make_cudaExtent(4, 4, 4), cudaArraySurfaceLoadStore);
  cudaMalloc3DArray(&layers, &f2, make_cudaExtent(4, 4, 2), cudaArraySurfaceLoadStore | cudaArrayLayered);
  cudaMalloc3DArray(&line, &s1, make_cudaExtent(4, 0, 0), cudaArraySurfaceLoadStore);
  volume<<<1, dim3(4, 4, 4)>>>(makeSurface(box), makeSurface(layers), makeSurface(line), values);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; ++i)
    printf("%g%c", values[i], i % 16 == 15 ? '\n' : ' ');
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = box;
  cudaTextureDesc settings = {};
  cudaTextureObject_t t;
  cudaCreateTextureObject(&t, &resource, &settings, nullptr);
  readBack<<<1, 64>>>(t, values);
  cudaDeviceSynchronize();
  double total = 0;
  for (int i = 0; i < 64; ++i)
    total += values[i] * i;
  printf("texture %g\n", total);
  cudaDestroySurfaceObject(a);
  cudaDestroySurfaceObject(b);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
