// Device functions divide the place of the thread that they are given: transforms of 1024 points by
// stages in shared memory (Stockham), with blocks of one row and of several, and a place that a
// function changes before it divides it.
#include <cstdio>

constexpr int points = 1024;
constexpr int threads = points / 4;

template <int NS>
__device__ void stage(const float2* in, float2* out, const float2* twiddles, int j) {
  float2 v[4];
  const int k = j % NS;
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    const float2 a = in[j + r * threads], w = twiddles[k * r * (threads / NS)];
    v[r] = make_float2(__fmul_rn(a.x, w.x) - __fmul_rn(a.y, w.y),
                       __fmul_rn(a.x, w.y) + __fmul_rn(a.y, w.x));
  }
  float2* const to = out + (j / NS) * NS * 4 + k;
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    const float sign = r % 2 ? -1.0f : 1.0f;
    const float2 w = v[(r + 1) % 4], o = v[(r + 2) % 4];
    to[r * NS] = make_float2(v[r].x + sign * w.y + o.x, v[r].y - w.x + sign * o.y);
  }
}

__global__ void transform(const float2* in, const float2* twiddles, float2* out) {
  __shared__ float2 a[points], b[points];
  const int j = threadIdx.x;
  for (int i = j; i < points; i += threads)
    a[i] = in[blockIdx.x * points + i];
  __syncthreads();
  stage<1>(a, b, twiddles, j);
  __syncthreads();
  stage<4>(b, a, twiddles, j);
  __syncthreads();
  stage<16>(a, b, twiddles, j);
  __syncthreads();
  stage<64>(b, a, twiddles, j);
  __syncthreads();
  stage<256>(a, b, twiddles, j);
  __syncthreads();
  for (int i = j; i < points; i += threads)
    out[blockIdx.x * points + i] = b[i];
}

__device__ int mixed(int x) {
  x = x * 7 + 3;
  return x / 16 * 100 + x % 16;
}
__device__ int parted(int x) { return x / 32 * 1000 + (x & 31); }
__device__ int both(int x, int y) { return parted(x) + mixed(x) * (y + 1); }
__global__ void rows(int* out) {
  const int x = threadIdx.x, y = threadIdx.y;
  out[(blockIdx.x * blockDim.y + y) * blockDim.x + x] = both(x, y);
}

int main() {
  float2 *in, *twiddles, *out;
  int* numbers;
  cudaMallocManaged(&in, 3 * points * sizeof(float2));
  cudaMallocManaged(&out, 3 * points * sizeof(float2));
  cudaMallocManaged(&twiddles, points * sizeof(float2));
  cudaMallocManaged(&numbers, 2048 * sizeof(int));
  for (int i = 0; i < 3 * points; ++i)
    in[i] = make_float2(float(i * 37 % 101 - 50), float(i % 7));
  for (int i = 0; i < points; ++i) // no roots of one: quarters, which make sums exact
    twiddles[i] = make_float2(float(i % 5 - 2) * 0.25f, float(i % 3 - 1) * 0.25f);
  transform<<<3, threads>>>(in, twiddles, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 3 * points; i += 611)
    printf("%d %.9g %.9g\n", i, double(out[i].x), double(out[i].y));
  for (const dim3 block : {dim3(256), dim3(64, 4), dim3(32, 8), dim3(96, 2), dim3(48)}) {
    const int count = 2 * block.x * block.y;
    rows<<<2, block>>>(numbers);
    cudaDeviceSynchronize();
    long long sum = 0;
    for (int i = 0; i < count; ++i)
      sum += (long long)numbers[i] * (1 + i % 17);
    printf("%u x %u: %lld %d\n", block.x, block.y, sum, numbers[count - 1]);
  }
}
