// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of all shapes and formats, what they tell about themselves, mipmapped arrays and reading their levels, errors.
#include <cstdio>

#define SHOW(call) printf("%-86s %s\n", #call, cudaGetErrorName(call))

__global__ void readLevels(cudaTextureObject_t texture, float* out) {
  const float x = (float(threadIdx.x) + 0.5f) / 8.0f;
  for (int level = 0; level < 4; ++level)
    out[level * 8 + threadIdx.x] = tex2DLod<float>(texture, x, 0.25f, float(level));
  out[32 + threadIdx.x] = tex2DLod<float>(texture, x, 0.25f, 0.5f);
  out[40 + threadIdx.x] = tex2DLod<float>(texture, x, 0.25f, 9.0f);
}
__global__ void writeLevel(cudaSurfaceObject_t surface, int width, int height, float first) {
  const int x = int(threadIdx.x), y = int(threadIdx.y);
  if (x < width && y < height)
    surf2Dwrite(first + float(y * width + x), surface, x * int(sizeof(float)), y);
}

static void describe(cudaArray_t array) {
  cudaChannelFormatDesc format;
  cudaExtent extent;
  unsigned flags = 0;
  const cudaError_t error = cudaArrayGetInfo(&format, &extent, &flags, array);
  printf("  %s: %zu %zu %zu, channels %d %d %d %d of kind %d, flags %u\n", cudaGetErrorName(error), extent.width, extent.height,
         extent.depth, format.x, format.y, format.z, format.w, int(format.f), flags);
}

int main() {
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc f1 = cudaCreateChannelDesc<float>(), u4 = cudaCreateChannelDesc<uchar4>(),
                              h2 = cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat),
                              odd = cudaCreateChannelDesc(8, 16, 0, 0, cudaChannelFormatKindUnsigned),
                              three = cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat),
                              nothing = cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
  printf("- arrays\n");
  SHOW(cudaMallocArray(&array, &f1, 16));
  describe(array);
  SHOW(cudaFreeArray(array));
  SHOW(cudaMallocArray(&array, &u4, 16, 8, cudaArraySurfaceLoadStore));
  describe(array);
  SHOW(cudaMallocArray(&array, &h2, 16, 8, cudaArrayTextureGather));
  describe(array);
  SHOW(cudaMalloc3DArray(&array, &f1, make_cudaExtent(8, 4, 2)));
  describe(array);
  SHOW(cudaMalloc3DArray(&array, &f1, make_cudaExtent(8, 4, 3), cudaArrayLayered));
  describe(array);
  SHOW(cudaMalloc3DArray(&array, &f1, make_cudaExtent(8, 0, 3), cudaArrayLayered));
  describe(array);
  SHOW(cudaMalloc3DArray(&array, &f1, make_cudaExtent(8, 8, 6), cudaArrayCubemap));
  describe(array);
  SHOW(cudaMalloc3DArray(&array, &f1, make_cudaExtent(8, 8, 12), cudaArrayCubemap | cudaArrayLayered));
  describe(array);
  SHOW(cudaMalloc3DArray(&array, &f1, make_cudaExtent(8, 8, 5), cudaArrayCubemap));
  SHOW(cudaMalloc3DArray(&array, &f1, make_cudaExtent(8, 4, 6), cudaArrayCubemap));
  SHOW(cudaMalloc3DArray(&array, &f1, make_cudaExtent(8, 8, 7), cudaArrayCubemap | cudaArrayLayered));
  SHOW(cudaMalloc3DArray(&array, &f1, make_cudaExtent(0, 8, 6)));
  SHOW(cudaMalloc3DArray(&array, &f1, make_cudaExtent(8, 0, 6)));
  SHOW(cudaMallocArray(&array, &odd, 16, 8));
  SHOW(cudaMallocArray(&array, &three, 16, 8));
  SHOW(cudaMallocArray(&array, &nothing, 16, 8));
  SHOW(cudaMallocArray(&array, nullptr, 16, 8));
  SHOW(cudaMallocArray(nullptr, &f1, 16, 8));
  SHOW(cudaMallocArray(&array, &f1, 0, 8));
  SHOW(cudaMallocArray(&array, &f1, 1 << 20, 8));
  SHOW(cudaMallocArray(&array, &f1, 16, 8, 0x1000));
  SHOW(cudaFreeArray(nullptr));
  SHOW(cudaArrayGetInfo(nullptr, nullptr, nullptr, nullptr));

  printf("- mipmapped arrays\n");
  cudaMipmappedArray_t mipmap = nullptr, small = nullptr;
  SHOW(cudaMallocMipmappedArray(&mipmap, &f1, make_cudaExtent(8, 4, 0), 4, cudaArraySurfaceLoadStore));
  for (unsigned level = 0; level < 5; ++level) {
    const cudaError_t error = cudaGetMipmappedArrayLevel(&array, mipmap, level);
    printf("level %u: %s\n", level, cudaGetErrorName(error));
    if (error == cudaSuccess)
      describe(array);
  }
  SHOW(cudaMallocMipmappedArray(&small, &f1, make_cudaExtent(8, 4, 0), 10));
  for (unsigned level = 0; level < 5; ++level)
    printf("level %u: %s\n", level, cudaGetErrorName(cudaGetMipmappedArrayLevel(&array, small, level)));
  SHOW(cudaMallocMipmappedArray(&small, &f1, make_cudaExtent(8, 4, 0), 0));
  SHOW(cudaMallocMipmappedArray(&small, &f1, make_cudaExtent(8, 4, 4), 2));
  cudaGetMipmappedArrayLevel(&array, small, 1);
  describe(array);
  SHOW(cudaMallocMipmappedArray(&small, &f1, make_cudaExtent(8, 4, 3), 2, cudaArrayLayered));
  cudaGetMipmappedArrayLevel(&array, small, 1);
  describe(array);
  SHOW(cudaMallocMipmappedArray(nullptr, &f1, make_cudaExtent(8, 4, 0), 2));
  SHOW(cudaFreeMipmappedArray(nullptr));

  for (unsigned level = 0; level < 4; ++level) {
    cudaGetMipmappedArrayLevel(&array, mipmap, level);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface;
    const int width = 8 >> level, height = 4 >> level > 0 ? 4 >> level : 1;
    if (cudaCreateSurfaceObject(&surface, &resource) != cudaSuccess)
      printf("no surface\n");
    writeLevel<<<1, dim3(8, 4)>>>(surface, width, height, 100.0f * float(level + 1));
    cudaDestroySurfaceObject(surface);
  }
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = mipmap;
  cudaTextureDesc texture = {};
  texture.normalizedCoords = 1;
  texture.filterMode = cudaFilterModePoint;
  texture.mipmapFilterMode = cudaFilterModePoint;
  texture.addressMode[0] = texture.addressMode[1] = cudaAddressModeClamp;
  texture.maxMipmapLevelClamp = 10;
  float *out, host[48];
  cudaMalloc(&out, sizeof host);
  for (int filter = 0; filter < 3; ++filter) {
    texture.mipmapFilterMode = filter == 1 ? cudaFilterModeLinear : cudaFilterModePoint;
    texture.maxMipmapLevelClamp = filter == 2 ? 2.0f : 10.0f;
    texture.minMipmapLevelClamp = filter == 2 ? 1.0f : 0.0f;
    cudaTextureObject_t object;
    SHOW(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
    readLevels<<<1, 8>>>(object, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 48; ++i)
      printf("%g%c", host[i], i % 8 == 7 ? '\n' : ' ');
    SHOW(cudaDestroyTextureObject(object));
  }

  printf("- texture objects\n");
  cudaTextureObject_t object = 0;
  SHOW(cudaCreateTextureObject(nullptr, &resource, &texture, nullptr));
  SHOW(cudaCreateTextureObject(&object, nullptr, &texture, nullptr));
  SHOW(cudaCreateTextureObject(&object, &resource, nullptr, nullptr));
  texture.normalizedCoords = 0;
  SHOW(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = out;
  resource.res.linear.desc = f1;
  resource.res.linear.sizeInBytes = sizeof host;
  texture = {};
  SHOW(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  cudaResourceDesc got;
  SHOW(cudaGetTextureObjectResourceDesc(&got, object));
  printf("%d %d %zu\n", int(got.resType), got.res.linear.devPtr == out, got.res.linear.sizeInBytes);
  cudaTextureDesc gotTexture;
  SHOW(cudaGetTextureObjectTextureDesc(&gotTexture, object));
  printf("%d %d %d\n", int(gotTexture.addressMode[0]), int(gotTexture.filterMode), gotTexture.normalizedCoords);
  SHOW(cudaDestroyTextureObject(object));
  resource.res.linear.devPtr = reinterpret_cast<char*>(out) + 4;
  SHOW(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  resource.res.linear.devPtr = nullptr;
  SHOW(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = out;
  resource.res.pitch2D.desc = f1;
  resource.res.pitch2D.width = 4;
  resource.res.pitch2D.height = 2;
  resource.res.pitch2D.pitchInBytes = 20;
  SHOW(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  resource.res.pitch2D.pitchInBytes = 32;
  SHOW(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  SHOW(cudaDestroyTextureObject(object));
  SHOW(cudaCreateSurfaceObject(reinterpret_cast<cudaSurfaceObject_t*>(&object), &resource));
  cudaMallocArray(&array, &f1, 16, 8);
  resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  SHOW(cudaCreateSurfaceObject(reinterpret_cast<cudaSurfaceObject_t*>(&object), &resource));
  resource.res.array.array = nullptr;
  SHOW(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  SHOW(cudaDestroyTextureObject(0));
  SHOW(cudaDestroySurfaceObject(0));
  cudaGetLastError();
  SHOW(cudaDeviceSynchronize());
  return 0;
}
