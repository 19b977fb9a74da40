// What a warp has combined by butterflies is one value for its lanes: an online softmax, two values
// of one loop, steps written one by one, distances that grow, values that change once more behind
// it, and near misses: butterflies over parts of a warp, an operation whose operands differ, and a
// variable that outlives its butterfly.
#include <cmath>
#include <cstdio>
#include <vector>

constexpr int warp = 32;

template <typename T> __device__ __forceinline__ T sumOfWarp(T v) {
#pragma unroll
  for (int mask = warp / 2; mask > 0; mask >>= 1)
    v += __shfl_xor_sync(0xffffffff, v, mask, warp);
  return v;
}

template <int WARPS> __global__ void attend(const float* q, const float* k, float* out, int rows) {
  const int lane = threadIdx.x, row = blockIdx.x * WARPS + threadIdx.y;
  if (row >= rows)
    return;
  float most = -INFINITY, all = 0.f, sum = 0.f;
  for (int i = 0; i < rows; i++) {
    float s = q[row * warp + lane] * k[i * warp + lane];
    s = sumOfWarp(s);
    const float next = fmaxf(most, s);
    const float keep = expf(most - next), p = expf(s - next);
    all = all * keep + p;
    sum = sum * keep + p * k[i * warp + lane];
    most = next;
  }
  out[row * warp + lane] = sum / all;
}

__global__ void range(const int* in, int* out, int rows) {
  const int lane = threadIdx.x % 32, first = threadIdx.x / 32;
  for (int row = first; row < rows; row += blockDim.x / 32) {
    int least = in[row * 32 + lane], most = least;
    for (int o = 1; o < 32; o *= 2) {
      least = min(least, __shfl_xor_sync(~0u, least, o));
      most = max(__shfl_xor_sync(~0u, most, o), most);
    }
    const int span = most - least + 1;
    out[row * 32 + lane] = (in[row * 32 + lane] - least) * 100 / span;
  }
}

__global__ void byHand(const int* in, int* out) {
  const int lane = threadIdx.x;
  int v = in[blockIdx.x * 32 + lane];
  v += __shfl_xor_sync(0xffffffffu, v, 16);
  v += __shfl_xor_sync(0xffffffffu, v, 8);
  v += __shfl_xor_sync(0xffffffffu, v, 4);
  v += __shfl_xor_sync(0xffffffffu, v, 2);
  v += __shfl_xor_sync(0xffffffffu, v, 1);
  int twice = v * 2;
  v += lane;
  out[blockIdx.x * 32 + lane] = twice + v * 3;
}

__global__ void nearMisses(const int* in, int* out) {
  const int lane = threadIdx.x;
  const int mine = in[blockIdx.x * 32 + lane];
  int half = mine, quarter = mine, apart = mine, kept = 0;
  for (int o = 8; o > 0; o >>= 1)
    half += __shfl_xor_sync(~0u, half, o);
  for (int o = 16; o > 0; o >>= 1)
    quarter += __shfl_xor_sync(~0u, quarter, o, 8);
  for (int o = 16; o > 0; o >>= 1)
    apart -= __shfl_xor_sync(~0u, apart, o);
  for (int i = 0; i < 2; ++i) {
    const int last = kept * 2;
    kept += lane + i;
    for (int o = 16; o > 0; o >>= 1)
      kept += __shfl_xor_sync(~0u, kept, o);
    kept = kept % 1000 + lane + last;
  }
  out[blockIdx.x * 32 + lane] = half * 3 + quarter * 5 + apart * 7 + kept * 11;
}

int main() {
  const int rows = 21, n = rows * 32;
  float *q, *k, *sums;
  int *in, *out;
  cudaMallocManaged(&q, n * sizeof(float));
  cudaMallocManaged(&k, n * sizeof(float));
  cudaMallocManaged(&sums, n * sizeof(float));
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  for (int i = 0; i < n; ++i) {
    q[i] = (i * 7 % 23) / 23.0f - 0.5f;
    k[i] = (i * 11 % 29) / 29.0f - 0.5f;
    in[i] = i * 37 % 101 - 40;
  }
  attend<4><<<(rows + 3) / 4, dim3(32, 4)>>>(q, k, sums, rows);
  cudaDeviceSynchronize();
  double total = 0;
  for (int i = 0; i < n; ++i)
    total += sums[i] * (i % 13);
  printf("attend %.3f\n", total);
  const auto show = [&](const char* name) {
    cudaDeviceSynchronize();
    long long sum = 0;
    for (int i = 0; i < n; ++i)
      sum += (long long)out[i] * (i % 17 + 1);
    printf("%s %lld\n", name, sum);
  };
  range<<<1, 128>>>(in, out, rows);
  show("range");
  byHand<<<rows, 32>>>(in, out);
  show("byHand");
  nearMisses<<<rows, 32>>>(in, out);
  show("nearMisses");
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
