// Sums by loops that step by the grid, of one array and several: steps that all threads have four
// of and steps that only some have, counters of several types, limits below a step, conditions in
// the body, and loops that go along the block.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int threads = 256;

struct Sums {
  double ab, aa;
  float least, most;
  int count;
};

__global__ void products(const double* __restrict__ a, const double* __restrict__ b, size_t n,
                         double* out) {
  double ab = 0, aa = 0, bb = 0;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x) {
    const double x = a[i], y = b[i];
    ab += x * y;
    aa += x * x;
    bb += y * y;
  }
  __shared__ double s[3][threads];
  s[0][threadIdx.x] = ab;
  s[1][threadIdx.x] = aa;
  s[2][threadIdx.x] = bb;
  __syncthreads();
  if (threadIdx.x < 3) {
    double sum = 0;
    for (int i = 0; i < threads; ++i)
      sum += s[threadIdx.x][i];
    out[blockIdx.x * 3 + threadIdx.x] = sum;
  }
}

template <class Counter>
__global__ void several(const float* a, const int* b, Counter n, Counter step, Sums* out) {
  Sums mine = {0, 0, 1e30f, -1e30f, 0};
  for (Counter i = blockIdx.x * threads + threadIdx.x; i < n; i += step) {
    const float x = a[i];
    const int y = b[i];
    mine.ab += x * y;
    mine.aa += x * x;
    mine.least = fminf(mine.least, x);
    mine.most = fmaxf(mine.most, x);
    if (y % 3 == 0)
      ++mine.count;
  }
  __shared__ Sums s[threads];
  s[threadIdx.x] = mine;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < threads; ++i) {
      mine.ab += s[i].ab;
      mine.aa += s[i].aa;
      mine.least = fminf(mine.least, s[i].least);
      mine.most = fmaxf(mine.most, s[i].most);
      mine.count += s[i].count;
    }
    out[blockIdx.x] = mine;
  }
}

// A limit that the body changes, a sum that is stored in each step, and one that starts again.
__global__ void others(const float* a, const float* b, int* limit, float* trace, float* out, int n) {
  float sum = 0, last = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < *limit; i += gridDim.x * threads) {
    sum += a[i] * b[i];
    trace[i] = sum;
  }
  __syncthreads();
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads)
    last = a[i] > b[i] ? 0 : last + b[i];
  __syncthreads();
  out[blockIdx.x * threads + threadIdx.x] = sum + 2 * last;
}

int main() {
  const int most = 400000, grid = 12;
  double *a, *b, *out;
  float *f, *g, *trace, *ends;
  int *m, *limit;
  Sums* sums;
  cudaMallocManaged(&a, most * sizeof(double));
  cudaMallocManaged(&b, most * sizeof(double));
  cudaMallocManaged(&out, grid * 3 * sizeof(double));
  cudaMallocManaged(&f, most * sizeof(float));
  cudaMallocManaged(&g, most * sizeof(float));
  cudaMallocManaged(&m, most * sizeof(int));
  cudaMallocManaged(&trace, most * sizeof(float));
  cudaMallocManaged(&ends, grid * threads * sizeof(float));
  cudaMallocManaged(&limit, sizeof(int));
  cudaMallocManaged(&sums, grid * sizeof(Sums));
  for (int i = 0; i < most; ++i) {
    a[i] = i % 17 - 8;
    b[i] = i % 23 * 0.5;
    f[i] = i % 29 - 14;
    g[i] = i % 31 * 0.25f;
    m[i] = i % 41 - 20;
  }
  for (const size_t n : {size_t(0), size_t(1), size_t(3000), size_t(3072 * 4), size_t(3072 * 4 + 1),
                         size_t(3072 * 9 - 5), size_t(most)}) {
    products<<<grid, threads>>>(a, b, n, out);
    cudaDeviceSynchronize();
    double total[3] = {0, 0, 0};
    for (int i = 0; i < grid * 3; ++i)
      total[i % 3] += out[i];
    printf("%zu: %.10g %.10g %.10g\n", n, total[0], total[1], total[2]);
  }
  const auto print = [&](const char* name) {
    cudaDeviceSynchronize();
    Sums all = {0, 0, 1e30f, -1e30f, 0};
    for (int i = 0; i < grid; ++i) {
      all.ab += sums[i].ab;
      all.aa += sums[i].aa;
      all.least = fminf(all.least, sums[i].least);
      all.most = fmaxf(all.most, sums[i].most);
      all.count += sums[i].count;
    }
    printf("%s %.10g %.10g %g %g %d\n", name, all.ab, all.aa, all.least, all.most, all.count);
  };
  several<int><<<grid, threads>>>(f, m, most, grid * threads, sums);
  print("int");
  several<unsigned><<<grid, threads>>>(f, m, most - 77, grid * threads, sums);
  print("unsigned");
  several<long long><<<grid, threads>>>(f, m, 50000, grid * threads + 1000, sums);
  print("apart");
  several<size_t><<<1, threads>>>(f, m, most / 2, threads, sums);
  cudaDeviceSynchronize();
  printf("block %.10g %.10g %g %g %d\n", sums->ab, sums->aa, sums->least, sums->most, sums->count);
  *limit = 20000;
  others<<<grid, threads>>>(f, g, limit, trace, ends, most);
  cudaDeviceSynchronize();
  double traced = 0, ended = 0;
  for (int i = 0; i < 20000; ++i)
    traced += trace[i] * (i % 7);
  for (int i = 0; i < grid * threads; ++i)
    ended += ends[i] * (i % 5);
  printf("others %.10g %.10g\n", traced, ended);
  return 0;
}
