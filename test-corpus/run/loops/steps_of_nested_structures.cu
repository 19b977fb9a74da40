// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that add to a structure of the thread what they compute from structures of structures in shared memory, in
// loops that all threads take alike.
#include <cstdio>

struct Blob {
  float3 x, strength;
};
struct Marked {
  Blob blob;
  int kind;
};

__device__ __forceinline__ float3 cross(const float3& a, const float3& b) {
  return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
__device__ __forceinline__ void induce(float3& u, const float3& at, const Blob& q) {
  const float3 d = make_float3(q.x.x - at.x, q.x.y - at.y, q.x.z - at.z);
  const float3 c = cross(d, q.strength);
  u.x += c.x;
  u.y += c.y;
  u.z += c.z;
}
__device__ void count(int& near, float3& last, const float3& at, const Blob q) {
  Blob moved = q;
  moved.x.x += 1.0f;
  if (moved.x.x > at.x) {
    ++near;
    last = moved.x;
  }
}
// Changes what all threads see: its steps stay in order.
__device__ void push(Marked& shared, const float3& at, int k) {
  if (shared.kind == k)
    shared.blob.x.y += at.y;
}

template <int size> __global__ void velocities(const float4* pos, const float4* strength, float4* out, int n) {
  __shared__ Blob tile[size];
  const int i = blockIdx.x * size + threadIdx.x;
  const float4 p = i < n ? pos[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  const float3 at = make_float3(p.x, p.y, p.z);
  float3 u = make_float3(0.0f, 0.0f, 0.0f), last = u;
  int near = 0;
  for (int first = 0; first < n; first += size) {
    const int j = first + threadIdx.x;
    if (j < n) {
      const float4 x = pos[j], s = strength[j];
      tile[threadIdx.x].x = make_float3(x.x, x.y, x.z);
      tile[threadIdx.x].strength = make_float3(s.x, s.y, s.z);
    }
    __syncthreads();
    const int m = min(size, n - first);
    for (int k = 0; k < m; ++k)
      induce(u, at, tile[k]);
    for (int k = 0; k < m; ++k)
      count(near, last, at, tile[k]);
    __syncthreads();
  }
  if (i < n)
    out[i] = make_float4(u.x + last.x, u.y + last.y, u.z, float(near));
}

__global__ void pushes(const float4* pos, float4* out) {
  __shared__ Marked own[32];
  const int t = threadIdx.x;
  own[t].blob.x = make_float3(0.0f, float(t), 1.0f);
  own[t].kind = t % 4;
  __syncthreads();
  const float3 at = make_float3(pos[t].x, pos[t].y, pos[t].z);
  for (int k = 0; k < 4; ++k)
    push(own[t], at, k);
  __syncthreads();
  out[t] = make_float4(own[31 - t].blob.x.y, 0.0f, 0.0f, 0.0f);
}

int main() {
  constexpr int n = 300;
  float4 *pos, *strength, *out;
  cudaMallocManaged(&pos, n * sizeof *pos);
  cudaMallocManaged(&strength, n * sizeof *strength);
  cudaMallocManaged(&out, n * sizeof *out);
  for (int i = 0; i < n; ++i) {
    pos[i] = make_float4(float(i * 7 % 16) * 0.5f, float(i * 5 % 11), float(i % 8) - 4.0f, 0.0f);
    strength[i] = make_float4(float(i % 5) * 0.25f, float(i * 3 % 7) - 3.0f, float(i % 3), 0.0f);
  }
  const auto print = [&](const char* name, int count) {
    cudaDeviceSynchronize();
    double sums[4] = {};
    for (int i = 0; i < count; ++i) {
      sums[0] += out[i].x * (i % 5 + 1);
      sums[1] += out[i].y * (i % 7 + 1);
      sums[2] += out[i].z * (i % 3 + 1);
      sums[3] += out[i].w;
    }
    printf("%s: %g, sums %.10g %.10g %.10g %g\n", name, out[count - 1].x, sums[0], sums[1], sums[2], sums[3]);
  };
  velocities<64><<<(n + 63) / 64, 64>>>(pos, strength, out, n);
  print("velocities", n);
  pushes<<<1, 32>>>(pos, out);
  print("pushes", 32);
  cudaFree(pos);
  cudaFree(strength);
  cudaFree(out);
  return 0;
}
