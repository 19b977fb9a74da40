// Kernels with loops that take threadIdx.x for the row run with x and y exchanged; others do not.
// ARGS: --line-directives
__global__ void product(const float* a, const float* b, float* c, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
  // CHECK: void __attribute__(()) product(const float* a, const float* b, float* c, int n) {
  // CHECK: const auto cuBlock = cu2cpp::thisTurnedBlock<16, 32>();
  // CHECK: const int row = blockIdx.y * blockDim.y + threadIdx.y;
  // CHECK: const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n && column < n) {
    float sum = 0;
    for (int k = 0; k < n; ++k)
      sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
  }
}

__global__ void alongBoth(const float* a, const float* b, float* c, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
  // CHECK: const int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[row * n + k] * b[column * n + k];
  c[row * n + column] = sum;
}

void run(const float* a, const float* b, float* c, int n) {
  product<<<dim3(n / 32, n / 16), dim3(32, 16)>>>(a, b, c, n);
  alongBoth<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, b, c, n);
}
