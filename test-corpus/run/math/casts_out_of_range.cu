// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plain casts of floating-point values that an integer type can't hold give its nearest value, and of NaN 0 or the smallest.
#include <cstdio>
#include <cstring>

enum Small : int { zero, one };

template <class F> __global__ void casts(const F* in, long long* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const F x = in[i];
  long long* to = out + i * 16;
  to[0] = (int)x;
  to[1] = (unsigned)x;
  to[2] = (long long)x;
  to[3] = (long long)(unsigned long long)x;
  to[4] = static_cast<short>(x);
  to[5] = (unsigned short)x;
  to[6] = (signed char)x;
  to[7] = (unsigned char)x;
  int initialized = x;
  to[8] = initialized;
  unsigned sum = 7;
  sum += x;
  to[9] = sum;
  to[10] = (int)(x * 2);
  to[11] = (bool)x;
  to[12] = (long)x;
  to[13] = int(x) + 1;
  to[14] = (char)x;
  to[15] = (int)floor(x);
}
// A loop over many, which compilers make vectors of.
__global__ void bins(const float* in, int* counts, unsigned char* bytes, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int bin = (int)(in[i] * 16.0f);
    atomicAdd(&counts[min(max(bin, 0), 15)], 1);
    bytes[i] = (unsigned char)(in[i] * 255.0f + 0.5f);
  }
}

template <class F> void show(const F* values, int n) {
  F* in;
  long long* out;
  cudaMallocManaged(&in, n * sizeof(F));
  cudaMallocManaged(&out, n * 16 * sizeof(long long));
  memcpy(in, values, n * sizeof(F));
  casts<<<1, 64>>>(in, out, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i) {
    printf("%g:", fabs((double)in[i]) < 1e300 ? (double)in[i] : in[i] > 0 ? 1e300 : in[i] < 0 ? -1e300 : 0.0);
    for (int k = 0; k < 16; ++k)
      printf(" %lld", out[i * 16 + k]);
    printf("\n");
  }
}

int main() {
  const float f[] = {0.0f, -0.5f, 0.99f, -1.0f, -1.5f, 127.5f, 128.0f, 200.7f, 255.9f, 256.0f, -129.0f, -200.0f, 32767.5f,
                     40000.0f, 65535.5f, 65536.0f, -32769.0f, 1e6f, -1e6f, 2147483520.0f, 2147483648.0f, 3e9f, 4294967040.0f,
                     4294967296.0f, -2147483648.0f, -2147483904.0f, -3e9f, 1e10f, -1e10f, 9.2233715e18f, 9.2233720e18f, 1.5e19f,
                     1.8446744e19f, 2e19f, -9.2233720e18f, -1e19f, 1e30f, -1e30f, INFINITY, -INFINITY, NAN, -NAN};
  const double d[] = {0.0, -0.5, -1.0, -1.5, 127.5, 128.0, 255.9, 256.0, -200.0, 40000.0, 65536.0, -32769.0, 2147483647.5,
                      2147483648.0, 3e9, 4294967295.5, 4294967296.0, -2147483648.5, -2147483649.0, -3e9, 1e10, -1e10,
                      9223372036854774784.0, 9223372036854775808.0, 1.5e19, 18446744073709549568.0, 18446744073709551616.0,
                      -9223372036854775808.0, -1e19, 1e30, -1e30, 1e308, INFINITY, -INFINITY, NAN, -NAN};
  show(f, sizeof f / sizeof f[0]);
  show(d, sizeof d / sizeof d[0]);
  const int n = 4096;
  float* in;
  int* counts;
  unsigned char* bytes;
  cudaMallocManaged(&in, n * sizeof(float));
  cudaMallocManaged(&counts, 16 * sizeof(int));
  cudaMallocManaged(&bytes, n);
  memset(counts, 0, 16 * sizeof(int));
  for (int i = 0; i < n; ++i)
    in[i] = (i % 97 == 3 ? 1e9f : i % 89 == 5 ? -1e9f : 1.0f) * ((i * 7919) % 1024) / 1000.0f;
  in[7] = NAN;
  bins<<<4, 64>>>(in, counts, bytes, n);
  cudaDeviceSynchronize();
  unsigned hash = 0;
  for (int i = 0; i < n; ++i)
    hash = hash * 31 + bytes[i];
  for (int i = 0; i < 16; ++i)
    printf("%d ", counts[i]);
  printf("%08x\n", hash);
  return 0;
}
