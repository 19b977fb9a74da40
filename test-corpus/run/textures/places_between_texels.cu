// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which texels and weights a coordinate at or near a border between texels takes: lines, images, volumes and layers.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

__global__ void read(cudaTextureObject_t texture, const float* places, float* out, int n, int kind, int axis) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float x = axis == 0 ? places[i] : 0.4f, y = axis == 1 ? places[i] : 0.4f, z = axis == 2 ? places[i] : 0.4f;
  out[i] = kind == 1   ? tex1D<float>(texture, places[i])
           : kind == 2 ? tex2D<float>(texture, x, y)
           : kind == 3 ? tex3D<float>(texture, x, y, z)
                       : tex2DLayered<float>(texture, x, y, i % 7 - 2);
}

std::vector<float> placesIn(int size, bool normalized, bool linear) {
  std::vector<float> places;
  for (int i = -2 * size; i <= 3 * size; ++i) {
    const double place = i + (linear ? 85.5 / 256 : 0.0);
    const float near = float(normalized ? place / size : place);
    for (int steps = -3; steps <= 3; ++steps) {
      float at = near;
      for (int k = 0; k < std::abs(steps); ++k)
        at = nextafterf(at, steps < 0 ? -1e30f : 1e30f);
      places.push_back(at);
    }
  }
  for (int i = -20; i < 40; ++i) {
    places.push_back(i * 0.05f);
    places.push_back((i + 0.5f) / size);
  }
  return places;
}

void show(int kind, int size, bool normalized, bool linear, int axis, int mode) {
  int extent[3] = {3, kind > 1 ? 3 : 0, kind == 3 ? 3 : kind == 4 ? 4 : 0};
  extent[axis] = size;
  const int height = extent[1] ? extent[1] : 1, depth = extent[2] ? extent[2] : 1;
  std::vector<float> texels(extent[0] * height * depth);
  for (size_t i = 0; i < texels.size(); ++i)
    texels[i] = float(i * 37 % 101 * 8);
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMalloc3DArray(&array, &format, make_cudaExtent(extent[0], extent[1], extent[2]), kind == 4 ? cudaArrayLayered : 0);
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(texels.data(), extent[0] * sizeof(float), extent[0], height);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(extent[0], height, depth);
  copy.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&copy);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc settings{};
  for (cudaTextureAddressMode& each : settings.addressMode)
    each = cudaTextureAddressMode(mode);
  settings.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
  settings.normalizedCoords = normalized;
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &resource, &settings, nullptr);
  const std::vector<float> places = placesIn(size, normalized, linear);
  const int n = int(places.size());
  float *in, *out;
  cudaMallocManaged(&in, n * sizeof(float));
  cudaMallocManaged(&out, n * sizeof(float));
  memcpy(in, places.data(), n * sizeof(float));
  read<<<(n + 127) / 128, 128>>>(texture, in, out, n, kind, axis);
  const cudaError_t error = cudaDeviceSynchronize();
  unsigned hash = 1;
  for (int i = 0; i < n; ++i) {
    unsigned bits;
    memcpy(&bits, out + i, 4);
    hash = hash * 31 + bits;
  }
  printf("kind %d size %d %s %s axis %d mode %d: %s %08x %g %g %g %g\n", kind, size, normalized ? "normalized" : "texels",
         linear ? "linear" : "point", axis, mode, cudaGetErrorName(error), hash, out[n / 5], out[n / 4], out[n / 2], out[n - 70]);
  cudaFree(in);
  cudaFree(out);
  cudaDestroyTextureObject(texture);
  cudaFreeArray(array);
}

__global__ void corners(cudaTextureObject_t volume, float* out) { // one texel is 256: the weights of its corner
  const int i = threadIdx.x, b = blockIdx.x;
  out[b * blockDim.x + i] = tex3D<float>(volume, 0.5f + i / 256.0f, 0.5f + b * 8 / 256.0f, 0.5f + (i * 7 + b * 3) % 256 / 256.0f);
}
template <class Read> __global__ void line(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = float(tex1D<Read>(texture, -2.0f + threadIdx.x * 0.23f));
}
template <class Type, class Read> void showLine(const char* name, cudaTextureReadMode readMode, cudaTextureFilterMode filter) {
  Type texels[16];
  for (int i = 0; i < 16; ++i)
    texels[i] = Type(i * 37 % 16 * 16 - 124);
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<Type>();
  cudaMallocArray(&array, &format, 16);
  cudaMemcpy2DToArray(array, 0, 0, texels, sizeof texels, sizeof texels, 1, cudaMemcpyHostToDevice);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc settings{};
  settings.addressMode[0] = cudaAddressModeBorder;
  settings.borderColor[0] = 0.5f;
  settings.filterMode = filter;
  settings.readMode = readMode;
  cudaTextureObject_t texture;
  const cudaError_t error = cudaCreateTextureObject(&texture, &resource, &settings, nullptr);
  printf("%s %s\n", name, cudaGetErrorName(error));
  cudaFreeArray(array);
  if (error != cudaSuccess) {
    cudaGetLastError();
    return;
  }
  cudaMallocArray(&array, &format, 16);
  cudaMemcpy2DToArray(array, 0, 0, texels, sizeof texels, sizeof texels, 1, cudaMemcpyHostToDevice);
  resource.res.array.array = array;
  cudaCreateTextureObject(&texture, &resource, &settings, nullptr);
  float* out;
  cudaMallocManaged(&out, 96 * sizeof(float));
  line<Read><<<1, 96>>>(texture, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 96; ++i)
    printf("%.8g%c", out[i], i % 12 == 11 ? '\n' : ' ');
}

int main() {
  for (int kind = 1; kind <= 4; ++kind)
    for (int size : {5, 7, 8})
      for (int normalized = 0; normalized < 2; ++normalized)
        for (int linear = 0; linear < 2; ++linear)
          for (int axis = 0; axis < (kind > 3 ? 2 : kind); ++axis)
            for (int mode = normalized ? 0 : 1; mode < 4; mode += normalized ? 1 : 2)
              show(kind, size, normalized, linear, axis, mode);
  float* out;
  cudaMallocManaged(&out, 32 * 256 * sizeof(float));
  for (int corner = 0; corner < 8; ++corner) {
    float texels[8] = {};
    texels[corner] = 256;
    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMalloc3DArray(&array, &format, make_cudaExtent(2, 2, 2), 0);
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(texels, 2 * sizeof(float), 2, 2);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(2, 2, 2);
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc settings{};
    for (cudaTextureAddressMode& each : settings.addressMode)
      each = cudaAddressModeClamp;
    settings.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t volume;
    cudaCreateTextureObject(&volume, &resource, &settings, nullptr);
    corners<<<32, 256>>>(volume, out);
    cudaDeviceSynchronize();
    unsigned hash = 1;
    for (int i = 0; i < 32 * 256; ++i)
      hash = hash * 31 + unsigned(int(out[i]));
    printf("corner %d: %08x", corner, hash);
    for (int i = 1000; i < 8000; i += 500)
      printf(" %g", out[i]);
    printf("\n");
  }
  showLine<signed char, float>("signed bytes", cudaReadModeNormalizedFloat, cudaFilterModeLinear);
  showLine<unsigned char, float>("bytes", cudaReadModeNormalizedFloat, cudaFilterModeLinear);
  showLine<short, float>("signed", cudaReadModeNormalizedFloat, cudaFilterModeLinear);
  showLine<int, int>("integers", cudaReadModeElementType, cudaFilterModePoint);
  showLine<short, short>("short integers", cudaReadModeElementType, cudaFilterModePoint);
  showLine<unsigned char, unsigned char>("byte integers", cudaReadModeElementType, cudaFilterModeLinear);
  return 0;
}
