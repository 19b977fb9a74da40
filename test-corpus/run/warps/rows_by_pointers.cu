// Rows that warps keep in registers, by pointers that each lane computes and by pointers in a
// structure of parameters; the last rows are missing.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;
constexpr int parts = 3, width = parts * 32 * 4;

__global__ void byPointers(const float4* x, const float4* more, float4* out, int rows) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int row = blockIdx.x * 4 + warp.meta_group_rank();
  if (row >= rows)
    return;
  const int lane = warp.thread_rank();
  const float4 *a = x + (size_t)row * (width / 4), *b = more + (size_t)row * (width / 4);
  float4 v[parts];
  float sum = 0;
#pragma unroll
  for (int k = 0; k < parts; ++k) {
    const float4 p = a[lane + 32 * k], q = b[lane + 32 * k];
    v[k] = make_float4(p.x + q.x, p.y + q.y, p.z + q.z, p.w + q.w);
    sum += v[k].x + v[k].y + v[k].z + v[k].w;
  }
  for (int d = 16; d > 0; d /= 2)
    sum += warp.shfl_xor(sum, d);
  float4* o = out + (size_t)row * (width / 4);
#pragma unroll
  for (int k = 0; k < parts; ++k)
    o[lane + 32 * k] =
        make_float4(v[k].x - sum, v[k].y - sum, v[k].z - sum, v[k].w - sum);
}

struct Arguments {
  const float* x;
  float* out;
  int rows;
};
__global__ void byMembers(Arguments a) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= a.rows)
    return;
  const size_t base = (size_t)row * 96;
  float v[parts], most = -1e30f;
#pragma unroll
  for (int k = 0; k < parts; ++k) {
    v[k] = a.x[base + k * 32 + threadIdx.x];
    most = fmaxf(most, v[k]);
  }
  for (int d = 16; d > 0; d /= 2)
    most = fmaxf(most, __shfl_xor_sync(~0u, most, d));
#pragma unroll
  for (int k = 0; k < parts; ++k)
    a.out[base + k * 32 + threadIdx.x] = most - v[k];
}

int main() {
  const int rows = 43, n = rows * width;
  float *x, *more, *out;
  cudaMallocManaged(&x, n * sizeof(float));
  cudaMallocManaged(&more, n * sizeof(float));
  cudaMallocManaged(&out, n * sizeof(float));
  for (int i = 0; i < n; ++i) {
    x[i] = i % 37 - 18;
    more[i] = i % 5 * 0.5f;
  }
  const auto print = [&](const char* name, int count) {
    cudaDeviceSynchronize();
    double sum = 0;
    for (int i = 0; i < count; ++i)
      sum += out[i] * (i % 13 + 1);
    printf("%s %.10g\n", name, sum);
  };
  byPointers<<<(rows + 3) / 4, 128>>>((const float4*)x, (const float4*)more, (float4*)out, rows);
  print("pointers", n);
  byMembers<<<(rows + 7) / 8, dim3(32, 8)>>>({x, out, rows});
  print("members", rows * 96);
  return 0;
}
