// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How precise the filter, border colours, sRGB and levels are in formats of integers, and which face an edge of a cube belongs to.
#include <cstdio>
#include <cstring>
#include <vector>

template <class Value> __device__ float first(Value v) { return v.x; }
template <> __device__ float first(float v) { return v; }

template <class Value> __global__ void line(cudaTextureObject_t texture, float y, float* out) {
  out[threadIdx.x] = first(tex2D<Value>(texture, 0.5f + threadIdx.x / 256.0f, y));
}
template <class Value> __global__ void outside(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = first(tex2D<Value>(texture, -1.0f + 0.25f * threadIdx.x, 0.5f));
}
__global__ void whole(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex2D<float4>(texture, threadIdx.x + 0.5f, 0.5f).y;
}
__global__ void faces(cudaTextureObject_t texture, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i != 62 && i < 125)
    out[i] = texCubemap<float>(texture, (i % 5 - 2) * 0.5f, (i / 5 % 5 - 2) * 0.5f, (i / 25 - 2) * 0.5f);
}
__global__ void levels(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex2DLod<float>(texture, 0.4f, 0.3f, threadIdx.x * 0.03125f + 0.013f);
}
__global__ void wrapped(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex2D<float>(texture, (int(threadIdx.x) - 40) * 0.0625f, 0.25f);
}

static float* out;

static void show(const char* name, int count) {
  printf("%s %s:", name, cudaGetErrorName(cudaDeviceSynchronize()));
  unsigned hash = 0;
  for (int i = 0; i < count; ++i) {
    unsigned bits;
    std::memcpy(&bits, out + i, sizeof bits);
    hash = hash * 31 + bits;
    if (i % (count / 6) == 1)
      printf(" %.7g", out[i]);
  }
  printf(" %08x\n", hash);
}

static cudaTextureObject_t make(cudaArray_t array, cudaTextureReadMode mode, cudaTextureFilterMode filter,
                                cudaTextureAddressMode address, bool normalized = false, bool srgb = false) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc texture{};
  for (auto& a : texture.addressMode)
    a = address;
  texture.filterMode = filter;
  texture.readMode = mode;
  texture.normalizedCoords = normalized;
  texture.sRGB = srgb;
  const float border[4] = {0.3f, 0.6f, -0.2f, 4};
  std::memcpy(texture.borderColor, border, sizeof border);
  cudaTextureObject_t object = 0;
  cudaCreateTextureObject(&object, &resource, &texture, nullptr);
  return object;
}

template <class Texel, class Value> static void filters(const char* name, std::vector<Texel> texels, cudaChannelFormatDesc format,
                                                        cudaTextureReadMode mode) {
  cudaArray_t array;
  cudaMallocArray(&array, &format, 2, 2);
  cudaMemcpy2DToArray(array, 0, 0, texels.data(), 2 * sizeof(Texel), 2 * sizeof(Texel), 2, cudaMemcpyHostToDevice);
  const auto filtered = make(array, mode, cudaFilterModeLinear, cudaAddressModeClamp);
  line<Value><<<1, 256>>>(filtered, 0.5f, out);
  show(name, 256);
  line<Value><<<1, 256>>>(filtered, 0.5f + 77 / 256.0f, out);
  show(name, 256);
  outside<Value><<<1, 12>>>(make(array, mode, cudaFilterModeLinear, cudaAddressModeBorder), out);
  show(name, 12);
}

int main() {
  cudaMallocManaged(&out, 1024 * sizeof *out);
  const auto real = cudaReadModeNormalizedFloat, element = cudaReadModeElementType;
  filters<unsigned char, float>("uchar", {10, 201, 77, 254}, cudaCreateChannelDesc<unsigned char>(), real);
  filters<uchar4, float4>("uchar4", {{3, 0, 0, 0}, {199, 0, 0, 0}, {78, 0, 0, 0}, {255, 0, 0, 0}}, cudaCreateChannelDesc<uchar4>(), real);
  filters<unsigned short, float>("ushort", {1000, 65021, 7, 31999}, cudaCreateChannelDesc<unsigned short>(), real);
  filters<short2, float2>("short2", {{-1000, 0}, {32021, 0}, {7, 0}, {-31999, 0}}, cudaCreateChannelDesc<short2>(), real);

  auto format = cudaCreateChannelDesc<uchar4>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, 256, 1);
  std::vector<uchar4> grey(256);
  for (int i = 0; i < 256; ++i)
    grey[i] = make_uchar4(i, i, i, i);
  cudaMemcpy2DToArray(array, 0, 0, grey.data(), 1024, 1024, 1, cudaMemcpyHostToDevice);
  whole<<<1, 256>>>(make(array, real, cudaFilterModePoint, cudaAddressModeClamp, false, true), out);
  show("sRGB", 256);

  format = cudaCreateChannelDesc<float>();
  std::vector<float> numbers(4 * 4 * 6);
  for (unsigned i = 0; i < numbers.size(); ++i)
    numbers[i] = i;
  cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 4, 6), cudaArrayCubemap);
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(numbers.data(), 16, 4, 4);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(4, 4, 6);
  copy.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&copy);
  std::memset(out, 0, 512);
  faces<<<4, 32>>>(make(array, element, cudaFilterModePoint, cudaAddressModeClamp, true), out);
  show("cube", 125);

  cudaMallocArray(&array, &format, 8, 2);
  cudaMemcpy2DToArray(array, 0, 0, numbers.data(), 32, 32, 2, cudaMemcpyHostToDevice);
  for (const auto address : {cudaAddressModeWrap, cudaAddressModeMirror}) {
    wrapped<<<1, 96>>>(make(array, element, cudaFilterModeLinear, address, true), out);
    show("wrapped", 96);
  }

  cudaMipmappedArray_t mipmap;
  cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(8, 8, 0), 4);
  for (int level = 0; level < 4; ++level) {
    const int width = 8 >> level;
    std::vector<float> texels(width * width);
    for (int i = 0; i < width * width; ++i)
      texels[i] = level * 100 + i * 7 % 23;
    cudaGetMipmappedArrayLevel(&array, mipmap, level);
    cudaMemcpy2DToArray(array, 0, 0, texels.data(), 4 * width, 4 * width, width, cudaMemcpyHostToDevice);
  }
  for (const float bias : {0.0f, 0.3f, -0.7f})
    for (int mode = 0; mode < 3; ++mode) {
      cudaResourceDesc resource{};
      resource.resType = cudaResourceTypeMipmappedArray;
      resource.res.mipmap.mipmap = mipmap;
      cudaTextureDesc texture{};
      texture.addressMode[0] = texture.addressMode[1] = cudaAddressModeClamp;
      texture.normalizedCoords = 1;
      texture.filterMode = mode & 1 ? cudaFilterModeLinear : cudaFilterModePoint;
      texture.mipmapFilterMode = mode & 2 ? cudaFilterModeLinear : cudaFilterModePoint;
      texture.mipmapLevelBias = bias;
      texture.minMipmapLevelClamp = 0.2f;
      texture.maxMipmapLevelClamp = 2.7f;
      cudaTextureObject_t object;
      cudaCreateTextureObject(&object, &resource, &texture, nullptr);
      levels<<<1, 96>>>(object, out);
      show("levels", 96);
    }
}
