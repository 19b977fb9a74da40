// Kernels in which all threads store something and few of them more: a bias behind each weight, a
// range of places, what a flag or another bound decides, too.
#include <cstdio>

__global__ void reset(const float* from, float* to, const float* fewFrom, float* few, int last) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i] * 0.5f;
  if (i <= last)
    few[i] = fewFrom[i] + 1.0f;
}

__global__ void twice(const int* from, int* to, int* few, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    few[i] = from[i] * 3;
  to[i] = from[i] + 7;
  if (i < n)
    few[i] += to[i];
  else
    to[i] -= 2;
}

__global__ void within(const int* from, int* to, int* few, int low, int high) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i] ^ 21;
  if (i >= low && i < high)
    few[i - low] = from[i] * 2;
  if (i > high)
    to[i] += 1000;
}

__global__ void behind(const int* from, int* to, int* few, int first, bool all) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (!all)
    return;
  to[i] = from[i] - 1;
  if (i >= first)
    few[i - first] = from[i] * 5;
}

__global__ void all_but_one(const int* from, int* to, int* few, int one) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i] + i;
  if (i != one)
    few[i] = from[i] - one;
}

int main() {
  const int blocks = 37, threads = 96, n = blocks * threads;
  float *a, *b, *c, *d;
  int *from, *to, *few;
  cudaMallocManaged(&a, n * 4), cudaMallocManaged(&b, n * 4);
  cudaMallocManaged(&c, 34 * 4), cudaMallocManaged(&d, 34 * 4);
  cudaMallocManaged(&from, n * 4), cudaMallocManaged(&to, n * 4), cudaMallocManaged(&few, n * 4);
  for (int i = 0; i < n; ++i)
    a[i] = float(i % 61), from[i] = i * 17 % 257, to[i] = few[i] = -3;
  for (int i = 0; i < 34; ++i)
    c[i] = float(i), d[i] = -1;
  reset<<<blocks, threads>>>(a, b, c, d, 32);
  cudaDeviceSynchronize();
  double sum = 0, sumOfFew = 0;
  for (int i = 0; i < n; ++i)
    sum += b[i] * (i % 5 + 1);
  for (int i = 0; i < 34; ++i)
    sumOfFew += d[i] * (i + 1);
  printf("reset: %.1f %.1f\n", sum, sumOfFew);
  const auto show = [&](const char* name) {
    cudaDeviceSynchronize();
    long long all = 0, some = 0;
    for (int i = 0; i < n; ++i)
      all += to[i] * (i % 7 + 1LL), some += few[i] * (i % 11 + 1LL), to[i] = few[i] = -3;
    printf("%s: %lld %lld\n", name, all, some);
  };
  for (int bound : {0, 1, 33, 96, 1000, n - 1, n}) {
    twice<<<blocks, threads>>>(from, to, few, unsigned(bound)), show("twice");
    within<<<blocks, threads>>>(from, to, few, bound / 3, bound), show("within");
    behind<<<blocks, threads>>>(from, to, few, bound, bound != 33), show("behind");
    all_but_one<<<blocks, threads>>>(from, to, few, bound), show("all but one");
  }
}
