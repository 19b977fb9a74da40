// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texture references, as CUDA had them before version 12: settings at the variable and at run time, linear memory with an
// offset, pitched memory, arrays of 1 to 3 dimensions, read modes. Newer compilers read the same texels through objects.
// TOLERANCE: 3e-3 (in a volume one of the weights of linear filtering may be another step of 1/256)
#include <cstdio>
#include <cstring>

constexpr int w = 16, h = 8, d = 4;

#if CUDART_VERSION < 13000
texture<float, 1, cudaReadModeElementType> linear;
texture<int2, cudaTextureType1D> pairs;
texture<float, 2, cudaReadModeElementType> plane;
texture<uchar4, 2, cudaReadModeNormalizedFloat> picture;
static texture<float, 3> volume(1, cudaFilterModeLinear, cudaAddressModeWrap);

__global__ void fetches(float* out) {
  const int i = threadIdx.x;
  const int2 p = tex1Dfetch(pairs, i);
  out[i] = tex1Dfetch(linear, i) + p.x * 1000 + p.y;
}
__global__ void planes(float* out, float shift) {
  out[threadIdx.y * w + threadIdx.x] = tex2D(plane, threadIdx.x + shift, threadIdx.y + shift);
}
__global__ void pictures(float4* out) { out[threadIdx.x] = tex2D(picture, threadIdx.x + 0.5f, 3.5f); }
__global__ void volumes(float* out) {
  out[threadIdx.x] = tex3D(volume, threadIdx.x * 0.13f + 0.1f, threadIdx.x * 0.07f, threadIdx.x * 0.21f);
}
#else
static cudaTextureObject_t object(cudaResourceDesc r, cudaTextureAddressMode address, cudaTextureFilterMode filter,
                                  cudaTextureReadMode mode, bool normalized) {
  cudaTextureDesc t = {};
  t.addressMode[0] = t.addressMode[1] = t.addressMode[2] = address;
  t.filterMode = filter;
  t.readMode = mode;
  t.normalizedCoords = normalized;
  cudaTextureObject_t result = 0;
  cudaCreateTextureObject(&result, &r, &t, nullptr);
  return result;
}
template <class T> static cudaResourceDesc linearMemory(T* p, size_t bytes) {
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeLinear;
  r.res.linear.devPtr = p;
  r.res.linear.desc = cudaCreateChannelDesc<T>();
  r.res.linear.sizeInBytes = bytes;
  return r;
}
static cudaResourceDesc arrayOf(cudaArray_t a) {
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray;
  r.res.array.array = a;
  return r;
}
__global__ void fetches(float* out, cudaTextureObject_t linear, cudaTextureObject_t pairs) {
  const int i = threadIdx.x;
  const int2 p = tex1Dfetch<int2>(pairs, i);
  out[i] = tex1Dfetch<float>(linear, i) + p.x * 1000 + p.y;
}
__global__ void planes(float* out, float shift, cudaTextureObject_t plane) {
  out[threadIdx.y * w + threadIdx.x] = tex2D<float>(plane, threadIdx.x + shift, threadIdx.y + shift);
}
__global__ void pictures(float4* out, cudaTextureObject_t picture) {
  out[threadIdx.x] = tex2D<float4>(picture, threadIdx.x + 0.5f, 3.5f);
}
__global__ void volumes(float* out, cudaTextureObject_t volume) {
  out[threadIdx.x] = tex3D<float>(volume, threadIdx.x * 0.13f + 0.1f, threadIdx.x * 0.07f, threadIdx.x * 0.21f);
}
#endif

static void print(const char* name, const float* v, int n) {
  cudaDeviceSynchronize();
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += v[i] * (i % 13 + 1);
  printf("%s: %.4f  %g %g %g %g\n", name, sum, v[0], v[n / 3], v[n / 2], v[n - 1]);
}

int main() {
  static float image[d][h][w];
  static uchar4 colours[h][w];
  for (int i = 0; i < d * h * w; ++i)
    (&image[0][0][0])[i] = float((i * 29) % 101);
  for (int i = 0; i < h * w; ++i)
    (&colours[0][0])[i] = make_uchar4((unsigned char)i, (unsigned char)(i * 3), (unsigned char)(255 - i), 255);
  float *out, *memory, *pitched;
  int2* couples;
  size_t pitch = 0;
  cudaMallocManaged(&out, 512 * sizeof *out);
  cudaMalloc(&memory, 256 * sizeof *memory);
  cudaMemcpy(memory, image, 256 * sizeof *memory, cudaMemcpyHostToDevice);
  cudaMallocManaged(&couples, 64 * sizeof *couples);
  for (int i = 0; i < 64; ++i)
    couples[i] = make_int2(i, i * i);
  cudaMallocPitch(&pitched, &pitch, w * sizeof(float), h);
  cudaMemcpy2D(pitched, pitch, image, w * sizeof(float), w * sizeof(float), h, cudaMemcpyHostToDevice);
  cudaArray_t picture2, volume3, plane2;
  const cudaChannelFormatDesc bytes = cudaCreateChannelDesc<uchar4>(), floats = cudaCreateChannelDesc<float>();
  cudaMallocArray(&picture2, &bytes, w, h);
  cudaMemcpy2DToArray(picture2, 0, 0, colours, w * 4, w * 4, h, cudaMemcpyHostToDevice);
  cudaMallocArray(&plane2, &floats, w, h);
  cudaMemcpy2DToArray(plane2, 0, 0, image, w * 4, w * 4, h, cudaMemcpyHostToDevice);
  cudaMalloc3DArray(&volume3, &floats, make_cudaExtent(w, h, d));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(image, w * sizeof(float), w, h);
  copy.dstArray = volume3;
  copy.extent = make_cudaExtent(w, h, d);
  copy.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&copy);

#if CUDART_VERSION < 13000
  size_t offset = 99;
  cudaBindTexture(&offset, linear, memory, 256 * sizeof(float));
  cudaBindTexture(nullptr, pairs, couples, cudaCreateChannelDesc<int2>(), 64 * sizeof(int2));
  fetches<<<1, 64>>>(out);
  print("linear", out, 64);
  plane.addressMode[0] = plane.addressMode[1] = cudaAddressModeClamp;
  plane.filterMode = cudaFilterModePoint;
  cudaBindTexture2D(nullptr, plane, pitched, w, h, pitch);
  planes<<<1, dim3(w, h)>>>(out, 2.5f);
  print("pitched", out, w * h);
  cudaUnbindTexture(plane);
  plane.filterMode = cudaFilterModeLinear;
  plane.addressMode[0] = plane.addressMode[1] = cudaAddressModeBorder;
  cudaBindTextureToArray(plane, plane2);
  planes<<<1, dim3(w, h)>>>(out, 0.75f);
  print("array", out, w * h);
  cudaBindTextureToArray(picture, picture2, bytes);
  pictures<<<1, w>>>((float4*)out);
  print("bytes", out, w * 4);
  cudaBindTextureToArray(volume, volume3);
  volumes<<<1, 64>>>(out);
  print("volume", out, 64);
#else
  fetches<<<1, 64>>>(out, object(linearMemory(memory, 256 * sizeof(float)), cudaAddressModeClamp, cudaFilterModePoint,
                                 cudaReadModeElementType, false),
                     object(linearMemory(couples, 64 * sizeof(int2)), cudaAddressModeClamp, cudaFilterModePoint,
                            cudaReadModeElementType, false));
  print("linear", out, 64);
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypePitch2D;
  r.res.pitch2D.devPtr = pitched;
  r.res.pitch2D.desc = floats;
  r.res.pitch2D.width = w;
  r.res.pitch2D.height = h;
  r.res.pitch2D.pitchInBytes = pitch;
  planes<<<1, dim3(w, h)>>>(out, 2.5f,
                            object(r, cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeElementType, false));
  print("pitched", out, w * h);
  planes<<<1, dim3(w, h)>>>(
      out, 0.75f, object(arrayOf(plane2), cudaAddressModeBorder, cudaFilterModeLinear, cudaReadModeElementType, false));
  print("array", out, w * h);
  pictures<<<1, w>>>((float4*)out, object(arrayOf(picture2), cudaAddressModeClamp, cudaFilterModePoint,
                                          cudaReadModeNormalizedFloat, false));
  print("bytes", out, w * 4);
  volumes<<<1, 64>>>(
      out, object(arrayOf(volume3), cudaAddressModeWrap, cudaFilterModeLinear, cudaReadModeElementType, true));
  print("volume", out, 64);
#endif
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  return 0;
}
