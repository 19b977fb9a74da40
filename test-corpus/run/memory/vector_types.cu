// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector types keep NVIDIA's sizes, alignments and member order; loads and stores of whole vectors, make functions, structs of them.
#include <cstddef>
#include <cstdio>

struct Mixed {
  char c;
  float3 f3;
  double2 d2;
  uchar4 u4;
  float4 f4;
};
struct __align__(16) Aligned {
  int a;
  short b;
};

#define SHOW(T) printf(#T " %zu %zu\n", sizeof(T), alignof(T))

__global__ void k(const float4* in, float2* out, uchar4* bytes, Mixed* m, size_t* sizes) {
  int t = threadIdx.x;
  float4 v = in[t];
  out[t] = make_float2(v.x + v.w, v.y * v.z);
  uchar4 b = make_uchar4(t, t + 1, t + 2, 255 - t);
  b.y += 250;  // wraps
  bytes[t] = b;
  if (t == 0) {
    *m = Mixed{'x', make_float3(1, 2, 3), {4, 5}, b, v};
    sizes[0] = sizeof(Mixed);
    sizes[1] = offsetof(Mixed, d2);
    sizes[2] = offsetof(Mixed, f4);
  }
}

int main() {
  SHOW(char2); SHOW(char3); SHOW(uchar4); SHOW(short2); SHOW(ushort3); SHOW(short4);
  SHOW(int1); SHOW(int2); SHOW(int3); SHOW(int4); SHOW(uint4); SHOW(long2); SHOW(ulonglong2);
  SHOW(longlong1); SHOW(float1); SHOW(float2); SHOW(float3); SHOW(float4); SHOW(double1); SHOW(double2);
  SHOW(double3); SHOW(dim3); SHOW(Mixed); SHOW(Aligned);
  float4* in;
  float2* out;
  uchar4* bytes;
  Mixed* m;
  size_t* sizes;
  cudaMallocManaged(&in, 4 * sizeof(float4));
  cudaMallocManaged(&out, 4 * sizeof(float2));
  cudaMallocManaged(&bytes, 4 * sizeof(uchar4));
  cudaMallocManaged(&m, sizeof(Mixed));
  cudaMallocManaged(&sizes, 3 * sizeof(size_t));
  for (int i = 0; i < 4; ++i)
    in[i] = make_float4(i, i + 1.5f, i * 2, 100);
  k<<<1, 4>>>(in, out, bytes, m, sizes);
  cudaDeviceSynchronize();
  for (int i = 0; i < 4; ++i)
    printf("%g %g, %d %d %d %d\n", out[i].x, out[i].y, bytes[i].x, bytes[i].y, bytes[i].z, bytes[i].w);
  printf("%c %g %g %d %g, %zu %zu %zu\n", m->c, m->f3.z, m->d2.y, m->u4.y, m->f4.w, sizes[0], sizes[1], sizes[2]);
  return 0;
}
