// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layer normalisation, a warp for each row: mean and deviation by shuffles, then scale and shift.
#include "../device_vector.h"

__device__ float warpSum(float v) {
  for (int mask = 16; mask > 0; mask >>= 1)
    v += __shfl_xor_sync(0xffffffff, v, mask);
  return v;
}

__global__ void layerNorm(float* out, float* mean, float* rstd, const float* in,
                          const float* weight, const float* bias, int n, int c) {
  int lane = threadIdx.x % 32;
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (row >= n)
    return;
  const float* x = in + row * c;
  float sum = 0.0f;
  for (int i = lane; i < c; i += 32)
    sum += x[i];
  sum = warpSum(sum);
  float m = sum / c;
  float squares = 0.0f;
  for (int i = lane; i < c; i += 32) {
    float d = x[i] - m;
    squares += d * d;
  }
  squares = warpSum(squares);
  float s = rsqrtf(squares / c + 1e-5f);
  if (lane == 0) {
    mean[row] = m;
    rstd[row] = s;
  }
  float* o = out + row * c;
  for (int i = lane; i < c; i += 32)
    o[i] = (x[i] - m) * s * weight[i] + bias[i];
}

int main() {
  const int n = 8192, c = 768;
  DeviceVector<float> in(uniforms(n * c, 1)), weight(uniforms(c, 2)), bias(uniforms(c, 3));
  DeviceVector<float> out(n * c), mean(n), rstd(n);
  const int threads = 128;
  measure([&] {
    layerNorm<<<(n * 32 + threads - 1) / threads, threads>>>(out, mean, rstd, in, weight, bias, n,
                                                             c);
    finish();
  });
  check(weightedSum(out.toHost()) + weightedSum(rstd.toHost()));
}
