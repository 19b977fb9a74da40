// A function in which a warp combines its values by butterflies hands on one value for all lanes
// (attention with an online softmax, its state one value for each warp); and near misses: sums of
// half a warp, results that only some lanes change, and values that are no numbers.
#include <cmath>
#include <cstdio>

__device__ __forceinline__ float sumOfWarp(float v) {
  for (int o = 16; o; o >>= 1)
    v += __shfl_xor_sync(0xffffffffu, v, o);
  return v;
}

__device__ __forceinline__ float sumOfHalf(float v) {
  for (int o = 8; o; o >>= 1)
    v += __shfl_xor_sync(0xffffffffu, v, o);
  return v;
}

__global__ void attend(const float2* q, const float2* k, const float2* v, float2* out, int n) {
  __shared__ float most[4], all[4];
  __shared__ float2 sums[4][32];
  const int w = threadIdx.x >> 5, lane = threadIdx.x & 31;
  const float2 mine = q[blockIdx.x * 32 + lane];
  float m = -INFINITY, l = 0.f;
  float2 acc = make_float2(0.f, 0.f);
  for (int t = w; t < n; t += 4) {
    const float2 key = k[t * 32 + lane];
    float s = sumOfWarp(mine.x * key.x + mine.y * key.y);
    float next = fmaxf(m, s), keep = __expf(m - next), p = __expf(s - next);
    const float2 value = v[t * 32 + lane];
    l = l * keep + p;
    acc.x = acc.x * keep + p * value.x;
    acc.y = acc.y * keep + p * value.y;
    m = next;
  }
  if (lane == 0)
    most[w] = m, all[w] = l;
  sums[w][lane] = acc;
  __syncthreads();
  if (threadIdx.x < 32) {
    float top = -INFINITY, total = 0.f, x = 0.f, y = 0.f;
    for (int i = 0; i < 4; ++i)
      top = fmaxf(top, most[i]);
    for (int i = 0; i < 4; ++i) {
      const float c = __expf(most[i] - top);
      total += all[i] * c;
      x += sums[i][lane].x * c;
      y += sums[i][lane].y * c;
    }
    out[blockIdx.x * 32 + lane] = make_float2(x / total, y / total);
  }
}

__global__ void nearMisses(const float2* q, float* out) {
  const int lane = threadIdx.x;
  const float mine = q[blockIdx.x * 32 + lane].x;
  float half = sumOfHalf(mine);
  float whole = sumOfWarp(lane == 3 && blockIdx.x == 1 ? NAN : mine);
  float some = sumOfWarp(mine - 1.0f);
  if (lane > 5)
    some = some * 3.0f + lane;
  const float known = whole == whole ? whole * 0.5f : 7.0f;
  out[blockIdx.x * 32 + lane] = half * 2.0f + known + some * 0.25f;
}

int main() {
  const int rows = 5, n = 37;
  float2* q;
  cudaMallocManaged(&q, (3 * rows + 2 * n) * 32 * sizeof(float2));
  float2 *k = q + rows * 32, *v = k + n * 32, *out = v + n * 32;
  float* single = reinterpret_cast<float*>(out + rows * 32);
  for (int i = 0; i < rows * 32; ++i)
    q[i] = make_float2(i * 7 % 23 / 23.0f - 0.5f, i * 5 % 19 / 19.0f - 0.25f);
  for (int i = 0; i < n * 32; ++i) {
    k[i] = make_float2(i * 11 % 29 / 29.0f - 0.5f, i * 3 % 31 / 31.0f);
    v[i] = make_float2(i * 13 % 37 / 37.0f, i * 17 % 41 / 41.0f);
  }
  attend<<<rows, 128>>>(q, k, v, out, n);
  nearMisses<<<rows, 32>>>(q, single);
  cudaDeviceSynchronize();
  double first = 0, second = 0, third = 0;
  for (int i = 0; i < rows * 32; ++i) {
    first += out[i].x * (i % 13);
    second += out[i].y * (i % 11);
    third += single[i] * (i % 7 + 1);
  }
  printf("%.3f %.3f %.2f\n", first, second, third);
}
