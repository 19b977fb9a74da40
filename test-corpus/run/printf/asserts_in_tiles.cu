// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assertions in kernels whose threads meet: of what a template and the block's size say, of each thread's place and of
// values. The last launch breaks one of them.
#undef NDEBUG
#include <cassert>
#include <cstdio>

template <int BM, int BN, int BK>
__global__ void product(const float* a, const float* b, float* c, int n, float most) {
  __shared__ float as[BM * BK];
  __shared__ float bs[BK * BN];
  assert(BM * BK == blockDim.x);
  assert(BN * BK ==
         blockDim.x && "a block's threads fill both tiles");
  const int row = threadIdx.x / BN, column = threadIdx.x % BN;
  float sum[BM * BN / (BM * BK)] = {0.0f};
  const int each = BM * BN / (BM * BK);
  for (int k0 = 0; k0 < n; k0 += BK) {
    as[threadIdx.x] = a[(blockIdx.y * BM + threadIdx.x / BK) * n + k0 + threadIdx.x % BK];
    bs[threadIdx.x] = b[(k0 + threadIdx.x / BN) * n + blockIdx.x * BN + threadIdx.x % BN];
    __syncthreads();
    for (int k = 0; k < BK; ++k)
      for (int i = 0; i < each; ++i)
        sum[i] += as[(row * each + i) * BK + k] * bs[k * BN + column];
    __syncthreads();
  }
  for (int i = 0; i < each; ++i) {
    assert(sum[i] <= most);
    c[(blockIdx.y * BM + row * each + i) * n + blockIdx.x * BN + column] = sum[i];
  }
}

__global__ void scale(float* x, float f, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(i < n);
  if (f > 1)
    assert(f < 4);
  x[i] *= f;
}

int main() {
  const int n = 64;
  static float host[n * n];
  float *a, *b, *c;
  cudaMalloc(&a, sizeof host);
  cudaMalloc(&b, sizeof host);
  cudaMalloc(&c, sizeof host);
  for (int i = 0; i < n * n; ++i)
    host[i] = float(i * 7 % 13);
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  for (int i = 0; i < n * n; ++i)
    host[i] = float(i * 5 % 11);
  cudaMemcpy(b, host, sizeof host, cudaMemcpyHostToDevice);
  scale<<<n, n>>>(a, 2.0f, n * n);
  product<32, 32, 8><<<dim3(2, 2), 256>>>(a, b, c, n, 1e6f);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaMemcpy(host, c, sizeof host, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n * n; ++i)
    sum += host[i] * (i % 17);
  printf("%.0f %.0f %.0f\n", sum, host[0], host[n * n - 1]);
  product<32, 32, 8><<<dim3(2, 2), 256>>>(a, b, c, n, host[0]);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  printf("%s\n", cudaGetErrorName(cudaMemcpy(host, c, sizeof host, cudaMemcpyDeviceToHost)));
  return 0;
}
