// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Monte Carlo: each thread follows paths of a price with a generator of its own and keeps the mean
// pay-off.
#include "../device_vector.h"

__device__ unsigned int next(unsigned int& state) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

__device__ float uniformNext(unsigned int& state) {
  return ((next(state) >> 8) + 0.5f) * (1.0f / 16777216.0f);
}

__global__ void paths(float* out, int n, int count, float drift, float spread, float start,
                      float strike) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (tid >= n)
    return;
  unsigned int state = 1234567u + 7919u * tid;
  float sum = 0.0f;
  for (int p = 0; p < count; ++p) {
    float u1 = uniformNext(state), u2 = uniformNext(state);
    float z = sqrtf(-2.0f * logf(u1)) * cosf(6.2831853f * u2);
    float price = start * expf(drift + spread * z);
    sum += fmaxf(price - strike, 0.0f);
  }
  out[tid] = sum / count;
}

int main() {
  const int n = 32768, count = 32;
  DeviceVector<float> out(n);
  measure([&] {
    paths<<<n / 256, 256>>>(out, n, count, 0.01f, 0.2f, 100.0f, 95.0f);
    finish();
  });
  check(weightedSum(out.toHost()));
}
