// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Textures of 1 and 3 dimensions, layered, cube maps, mipmaps with levels of detail; 3-D copies to arrays.
// TOLERANCE: 2e-3
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

__global__ void read1d(cudaTextureObject_t t, float* out) {
  out[threadIdx.x] = tex1D<float>(t, threadIdx.x * 0.3f - 1);
}
__global__ void read3d(cudaTextureObject_t t, float* out) {
  const int i = threadIdx.x;
  out[i] = tex3D<float>(t, (i % 5) * 0.21f, (i / 5 % 5) * 0.23f, i / 25 * 0.19f);
}
__global__ void readLayers(cudaTextureObject_t t1, cudaTextureObject_t t2, float* out) {
  const int i = threadIdx.x;
  out[i] = tex2DLayered<float>(t2, i % 4 + 0.5f, i / 4 % 4 + 0.5f, i / 16) * 100 +
           tex1DLayered<float>(t1, i % 4 + 0.75f, i / 4 % 3);
}
__global__ void readCube(cudaTextureObject_t t, float* out) {
  const int i = threadIdx.x;
  const float x = (i % 4) - 1.45f, y = (i / 4 % 4) - 1.53f, z = i / 16 - 1.62f;
  out[i] = texCubemap<float>(t, x, y, z);
}
__global__ void readLevels(cudaTextureObject_t t, float* out) {
  const int i = threadIdx.x;
  out[i] = tex2DLod<float>(t, (i % 8 + 0.3f) / 8, (i / 8 + 0.6f) / 8, i * 0.0625f);
}

static float* out;
static void print(const char* name, int n) {
  cudaDeviceSynchronize();
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += out[i] * (i % 7 + 1);
  printf("%s: %.3f  %.4f %.4f %.4f %.4f\n", name, sum, out[0], out[n / 3], out[n / 2], out[n - 1]);
}

static cudaTextureObject_t makeTexture(cudaArray_t array, bool linear, bool normalized) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc settings = {};
  for (int i = 0; i < 3; ++i)
    settings.addressMode[i] = normalized ? cudaAddressModeWrap : cudaAddressModeClamp;
  settings.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
  settings.normalizedCoords = normalized;
  cudaTextureObject_t t = 0;
  printf("create: %s\n", cudaGetErrorName(cudaCreateTextureObject(&t, &resource, &settings, nullptr)));
  return t;
}

static cudaArray_t makeArray(int w, int h, int d, unsigned flags, float seed) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMalloc3DArray(&array, &format, make_cudaExtent(w, h, d), flags);
  const int rows = h ? h : 1, slices = d ? d : 1;
  std::vector<float> data(w * rows * slices);
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = seed + float(i * 7 % 31);
  cudaMemcpy3DParms p = {};
  p.srcPtr = make_cudaPitchedPtr(data.data(), w * sizeof(float), w, rows);
  p.dstArray = array;
  p.extent = make_cudaExtent(w, rows, slices);
  p.kind = cudaMemcpyHostToDevice;
  printf("copy: %s\n", cudaGetErrorName(cudaMemcpy3D(&p)));
  return array;
}

int main() {
  cudaMallocManaged(&out, 1024 * sizeof(float));
  read1d<<<1, 32>>>(makeTexture(makeArray(8, 0, 0, 0, 1), true, false), out);
  print("1D", 32);
  const cudaArray_t volume = makeArray(4, 4, 4, 0, 2);
  read3d<<<1, 125>>>(makeTexture(volume, true, true), out);
  print("3D", 125);
  readLayers<<<1, 64>>>(makeTexture(makeArray(4, 0, 3, cudaArrayLayered, 0), true, false),
                        makeTexture(makeArray(4, 4, 4, cudaArrayLayered, 5), false, false), out);
  print("layers", 64);
  readCube<<<1, 64>>>(makeTexture(makeArray(4, 4, 6, cudaArrayCubemap, 0), false, true), out);
  print("cube", 64);

  std::vector<float> back(64);
  cudaMemcpy3DParms p = {};
  p.srcArray = volume;
  p.srcPos = make_cudaPos(1, 0, 2);
  p.dstPtr = make_cudaPitchedPtr(back.data(), 2 * sizeof(float), 2, 3);
  p.extent = make_cudaExtent(2, 3, 2);
  p.kind = cudaMemcpyDeviceToHost;
  cudaMemcpy3D(&p);
  for (int i = 0; i < 12; ++i)
    printf("%g ", back[i]);
  printf("\n");

  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t mipmap;
  cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(8, 8, 0), 4);
  for (int level = 0; level < 4; ++level) {
    cudaArray_t a;
    cudaGetMipmappedArrayLevel(&a, mipmap, level);
    cudaExtent e;
    cudaArrayGetInfo(nullptr, &e, nullptr, a);
    std::vector<float> data(e.width * e.height);
    for (size_t i = 0; i < data.size(); ++i)
      data[i] = 100.0f * level + i;
    cudaMemcpy2DToArray(a, 0, 0, data.data(), e.width * sizeof(float), e.width * sizeof(float), e.height,
                        cudaMemcpyHostToDevice);
  }
  for (int linear = 0; linear < 2; ++linear) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = mipmap;
    cudaTextureDesc settings = {};
    settings.addressMode[0] = settings.addressMode[1] = cudaAddressModeClamp;
    settings.filterMode = settings.mipmapFilterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    settings.normalizedCoords = 1;
    settings.maxMipmapLevelClamp = 3;
    cudaTextureObject_t t;
    cudaCreateTextureObject(&t, &resource, &settings, nullptr);
    readLevels<<<1, 64>>>(t, out);
    print("levels", 64);
    cudaDestroyTextureObject(t);
  }
  cudaFreeMipmappedArray(mipmap);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
