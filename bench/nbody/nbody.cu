// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gravitation between all pairs of bodies: tiles of positions in shared memory, then one step of
// the movement.
#include "../device_vector.h"

#define THREADS 256

__device__ float3 interact(float4 bi, float4 bj, float3 ai, float eps2) {
  float3 r;
  r.x = bj.x - bi.x;
  r.y = bj.y - bi.y;
  r.z = bj.z - bi.z;
  float distSqr = r.x * r.x + r.y * r.y + r.z * r.z + eps2;
  float invDist = rsqrtf(distSqr);
  float s = bj.w * invDist * invDist * invDist;
  ai.x += r.x * s;
  ai.y += r.y * s;
  ai.z += r.z * s;
  return ai;
}

__global__ void accelerate(const float4* pos, float4* acc, int n, float eps2) {
  __shared__ float4 tile[THREADS];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = pos[i];
  float3 a = make_float3(0.0f, 0.0f, 0.0f);
  for (int t = 0; t < n / THREADS; ++t) {
    tile[threadIdx.x] = pos[t * THREADS + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int j = 0; j < THREADS; ++j)
      a = interact(me, tile[j], a, eps2);
    __syncthreads();
  }
  acc[i] = make_float4(a.x, a.y, a.z, 0.0f);
}

__global__ void move(float4* pos, float4* vel, const float4* acc, float dt, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float4 p = pos[i], v = vel[i], a = acc[i];
  v.x += a.x * dt;
  v.y += a.y * dt;
  v.z += a.z * dt;
  p.x += v.x * dt;
  p.y += v.y * dt;
  p.z += v.z * dt;
  pos[i] = p;
  vel[i] = v;
}

int main() {
  const int n = 8192;
  const auto values = uniforms(4 * n, 1);
  std::vector<float4> start(n);
  for (int i = 0; i < n; ++i)
    start[i] =
        make_float4(values[4 * i], values[4 * i + 1], values[4 * i + 2], values[4 * i + 3] / n);
  DeviceVector<float4> pos(start), vel(std::vector<float4>(n, float4{})), acc(n);
  measure([&] {
    accelerate<<<n / THREADS, THREADS>>>(pos, acc, n, 0.01f);
    move<<<n / THREADS, THREADS>>>(pos, vel, acc, 0.001f, n);
    finish();
  });
  double sum = 0;
  for (const float4& p : pos.toHost())
    sum += p.x + 2.0 * p.y + 3.0 * p.z;
  check(sum);
}
