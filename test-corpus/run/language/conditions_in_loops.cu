// Conditions of the preprocessor in loops of kernels: what is not taken must not come back, and lines keep their numbers.
// FORMS: auto,fibers,fibers-all lines of translations for readers have other numbers
#include <cstdio>
#define WEIGHTED 1
#define ORDER 3
// #define CLAMPED

__host__ __device__ int side(int x) {
#ifdef __CUDA_ARCH__
  return x + 1; // the device's
#else
  return x - 1;
#endif
}

template <int N>
__device__ float part(const float* x, int i, int n) {
  float sum = 0.f;
  for (int k = 0; k < N; ++k) {
#ifdef CLAMPED
    const int at = i + k < n ? i + k : n - 1; /* not taken
#else in a comment */
#else  // of CLAMPED
    if (i + k >= n) continue;
    const int at = i + k;
#endif // CLAMPED
    sum += x[at];
  }
  return sum;
}

__global__ void sums(const float* x, const float* w, float* out, int* line, int n) {
  __shared__ float all[128];
  float sum = 0.f;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < n) {
#if WEIGHTED && \
    ORDER > 2
    sum += x[i] * w[i];
#  if ORDER == 2
    sum += 1000.f;
#  elif ORDER == 3
#    define TAIL part<ORDER>(x, i, n)
    sum += TAIL;
#  else
    sum += 2000.f;
#  endif
#else
    sum += x[i];
#endif
    i += blockDim.x * gridDim.x;
  }
  all[threadIdx.x] = sum;
  __syncthreads();
  for (int k = 64; k > 0; k >>= 1) {
#ifndef ORDER
    if (threadIdx.x == 0) all[0] = -1.f;
#endif
    if (threadIdx.x < k) all[threadIdx.x] += all[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    out[blockIdx.x] = all[0];
    line[blockIdx.x] = side(__LINE__);
  }
}

int main() {
  const int n = 5000, blocks = 4;
  float *x, *w, *out;
  int* line;
  cudaMallocManaged(&x, n * sizeof(float));
  cudaMallocManaged(&w, n * sizeof(float));
  cudaMallocManaged(&out, blocks * sizeof(float));
  cudaMallocManaged(&line, blocks * sizeof(int));
  for (int i = 0; i < n; ++i) x[i] = float(i % 17), w[i] = float(i % 5);
  sums<<<blocks, 128>>>(x, w, out, line, n);
  cudaDeviceSynchronize();
  for (int b = 0; b < blocks; ++b) printf("%.0f at %d\n", out[b], line[b]);
}
