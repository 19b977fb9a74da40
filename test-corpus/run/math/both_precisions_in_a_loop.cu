// Mathematical functions of both precisions in one loop over threads, also for processors whose
// vectors are short; sine and cosine at once.
#include <cstdio>

#include <cuda_runtime.h>

__global__ void waves(float* a, double* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  a[i] = sinf(a[i]) + expf(-a[i]);
  b[i] = sin(b[i]) + cos(0.5 * b[i]);
}

__global__ void turns(float* a, double* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float s, c;
  sincosf(a[i], &s, &c);
  a[i] = s * 2 + c;
  double sine, cosine;
  sincos(b[i], &sine, &cosine);
  b[i] = sine - cosine;
  __sincosf(a[i], &s, &c);
  a[i] += s * c;
}

int main() {
  const int n = 203;
  float* a;
  double* b;
  cudaMallocManaged(&a, n * sizeof(float));
  cudaMallocManaged(&b, n * sizeof(double));
  for (int i = 0; i < n; ++i) {
    a[i] = i * 0.02f;
    b[i] = i * 0.05;
  }
  for (int round = 0; round < 2; ++round) {
    waves<<<(n + 31) / 32, 32>>>(a, b, n);
    cudaDeviceSynchronize();
    printf("%.4f %.4f %.4f %.4f %.4f %.4f\n", a[0], a[7], a[n - 1], b[0], b[7], b[n - 1]);
    turns<<<(n + 63) / 64, 64>>>(a, b, n);
    cudaDeviceSynchronize();
    printf("%.4f %.4f %.4f %.4f %.4f %.4f\n", a[0], a[7], a[n - 1], b[0], b[7], b[n - 1]);
  }
}
