// fminf() and fmaxf() with constants: numbers, no numbers, both zeros, values beyond what an
// integer holds, and conversions of what lies within such bounds.
#include <cmath>
#include <cstdio>
#include <cstring>

#include <cuda_runtime.h>

constexpr int kinds = 14;

__global__ void bounds(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float x = in[i];
  float* o = out + i * kinds;
  o[0] = fminf(x, 1.5f);
  o[1] = fmaxf(-2.0f, x);
  o[2] = fminf(fmaxf(x, 0.0f), 1.0f);
  o[3] = fmaxf(x, -0.0f);
  o[4] = fminf(x, 0.0f);
  o[5] = fminf(-0.0f, x);
  o[6] = fmaxf(fminf(x, -1.0f), -3.0f);
  o[7] = fminf(x, INFINITY);
  o[8] = fmaxf(x, NAN);
  o[9] = (float)fmin(fmax((double)x, -0.5), 0.0);
  o[10] = (float)(int)fminf(fmaxf(x, 0.0f), 255.0f);
  o[11] = (float)(unsigned char)fminf(fmaxf(x * 64.0f, 1.0f), 250.0f);
  o[12] = 0.5f + (float)(int)fminf(x, 3e9f);
  o[13] = fmaxf(x, 0.5f) > 0.25f ? 1.0f : fminf(x, 2.0f) >= 2.0f ? 2.0f : 3.0f;
}

int main() {
  const float values[] = {0.0f,  -0.0f,  NAN,        -NAN,    INFINITY, -INFINITY, 1.0f,
                          1.5f,  -2.0f,  0.0078125f, -1e-3f,  3.99f,    -3.5f,     1e10f,
                          -4e9f, 254.5f, 1e-42f,     -1e-42f, -1.0f,    255.0f};
  const int count = sizeof values / sizeof *values, n = 64;
  float *in, *out;
  cudaMallocManaged(&in, n * sizeof(float));
  cudaMallocManaged(&out, n * kinds * sizeof(float));
  for (int i = 0; i < n; ++i)
    in[i] = values[i % count];
  bounds<<<2, 32>>>(in, out, n);
  cudaDeviceSynchronize();
  for (int k = 0; k < kinds; ++k) {
    unsigned long long all = 0;
    for (int i = 0; i < n; ++i) {
      unsigned bits = 0x7fffffffu; // of any no number
      if (out[i * kinds + k] == out[i * kinds + k])
        memcpy(&bits, &out[i * kinds + k], sizeof bits);
      all = all * 1000003 + bits;
    }
    printf("%d %016llx\n", k, all);
  }
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
