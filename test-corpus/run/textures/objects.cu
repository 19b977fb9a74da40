// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture objects over linear memory, pitched memory and arrays: address modes, filters, read modes, gather.
// TOLERANCE: 1e-4
#include <cstdio>
#include <cuda_runtime.h>

constexpr int w = 8, h = 4;

__global__ void read2d(cudaTextureObject_t t, float* out, float scaleX, float scaleY) {
  const float x = (int(threadIdx.x) - 6) * 0.75f + 0.1f, y = (int(threadIdx.y) - 2) * 0.8f + 0.2f;
  out[threadIdx.y * blockDim.x + threadIdx.x] = tex2D<float>(t, x * scaleX, y * scaleY);
}

__global__ void read1d(cudaTextureObject_t linear, cudaTextureObject_t bytes, float* out) {
  const int i = threadIdx.x;
  const uchar4 c = tex1Dfetch<uchar4>(bytes, i);
  out[i] = tex1Dfetch<float>(linear, i) + c.x + 2 * c.y + 3 * c.z + 4 * c.w;
}

__global__ void gather(cudaTextureObject_t t, float4* out) {
  out[threadIdx.x] = tex2Dgather<float4>(t, threadIdx.x + 1.0f, 2.0f);
}

__global__ void normalized(cudaTextureObject_t t, float4* out) {
  float4 v;
  tex2D(&v, t, (threadIdx.x + 0.25f) / 4, 0.5f);
  out[threadIdx.x] = v;
}

static void print(const char* name, const float* v, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += v[i] * (i + 1);
  printf("%s: %.4f  %g %g %g %g\n", name, sum, v[0], v[n / 3], v[n / 2], v[n - 1]);
}

int main() {
  float image[w * h], *out, *pitched;
  for (int i = 0; i < w * h; ++i)
    image[i] = float(i * i % 23) - 5;
  cudaMallocManaged(&out, 4096 * sizeof(float));
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &format, w, h, cudaArrayTextureGather);
  cudaMemcpy2DToArray(array, 0, 0, image, w * sizeof(float), w * sizeof(float), h, cudaMemcpyHostToDevice);

  const cudaTextureAddressMode modes[] = {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror,
                                          cudaAddressModeBorder};
  for (int mode = 0; mode < 4; ++mode)
    for (int filter = 0; filter < 2; ++filter)
      for (int norm = 0; norm < 2; ++norm) {
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
        cudaTextureDesc settings = {};
        settings.addressMode[0] = settings.addressMode[1] = modes[mode];
        settings.filterMode = filter ? cudaFilterModeLinear : cudaFilterModePoint;
        settings.normalizedCoords = norm;
        cudaTextureObject_t t;
        if (cudaCreateTextureObject(&t, &resource, &settings, nullptr) != cudaSuccess)
          return 1;
        read2d<<<1, dim3(24, 10)>>>(t, out, norm ? 1.0f / w : 1, norm ? 1.0f / h : 1);
        cudaDeviceSynchronize();
        char name[32];
        snprintf(name, sizeof name, "mode %d filter %d norm %d", mode, filter, norm);
        print(name, out, 240);
        cudaDestroyTextureObject(t);
      }

  size_t pitch;
  cudaMallocPitch(&pitched, &pitch, w * sizeof(float), h);
  cudaMemcpy2D(pitched, pitch, image, w * sizeof(float), w * sizeof(float), h, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = pitched;
  resource.res.pitch2D.desc = format;
  resource.res.pitch2D.width = w;
  resource.res.pitch2D.height = h;
  resource.res.pitch2D.pitchInBytes = pitch;
  cudaTextureDesc settings = {};
  settings.addressMode[0] = settings.addressMode[1] = cudaAddressModeClamp;
  settings.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t t;
  cudaCreateTextureObject(&t, &resource, &settings, nullptr);
  read2d<<<1, dim3(24, 10)>>>(t, out, 1, 1);
  cudaDeviceSynchronize();
  print("pitched", out, 240);
  cudaDestroyTextureObject(t);

  float* linear;
  uchar4* bytes;
  cudaMallocManaged(&linear, 64 * sizeof(float));
  cudaMallocManaged(&bytes, 64 * sizeof(uchar4));
  for (int i = 0; i < 64; ++i) {
    linear[i] = 0.5f * i;
    bytes[i] = make_uchar4(i, 2 * i, 255 - i, 7);
  }
  resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = linear;
  resource.res.linear.desc = format;
  resource.res.linear.sizeInBytes = 64 * sizeof(float);
  settings = {};
  cudaTextureObject_t tl, tb;
  cudaCreateTextureObject(&tl, &resource, &settings, nullptr);
  resource.res.linear.devPtr = bytes;
  resource.res.linear.desc = cudaCreateChannelDesc<uchar4>();
  cudaCreateTextureObject(&tb, &resource, &settings, nullptr);
  read1d<<<1, 64>>>(tl, tb, out);
  cudaDeviceSynchronize();
  print("linear", out, 64);

  resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  settings.addressMode[0] = settings.addressMode[1] = cudaAddressModeClamp;
  cudaCreateTextureObject(&t, &resource, &settings, nullptr);
  gather<<<1, 8>>>(t, reinterpret_cast<float4*>(out));
  cudaDeviceSynchronize();
  print("gather", out, 32);

  cudaArray_t colours;
  const cudaChannelFormatDesc uc4 = cudaCreateChannelDesc<uchar4>();
  cudaMallocArray(&colours, &uc4, 4, 1);
  cudaMemcpy2DToArray(colours, 0, 0, bytes + 10, 16, 16, 1, cudaMemcpyDefault);
  resource.res.array.array = colours;
  settings.readMode = cudaReadModeNormalizedFloat;
  settings.filterMode = cudaFilterModeLinear;
  settings.normalizedCoords = 1;
  cudaTextureObject_t tc;
  cudaCreateTextureObject(&tc, &resource, &settings, nullptr);
  normalized<<<1, 4>>>(tc, reinterpret_cast<float4*>(out));
  cudaDeviceSynchronize();
  print("normalized float", out, 16);
  cudaExtent extent;
  unsigned flags;
  cudaChannelFormatDesc d;
  cudaArrayGetInfo(&d, &extent, &flags, colours);
  printf("%d %d %d %d %d, %d %d %d, %u\n", d.x, d.y, d.z, d.w, d.f, int(extent.width), int(extent.height),
         int(extent.depth), flags);
  cudaDestroyTextureObject(tc);
  cudaFreeArray(array);
  cudaFreeArray(colours);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
