// Arrays that each thread keeps for itself: those that are filled anew in each step are no longer kept, and short loops
// over them are written out.
template <int Rows, int Columns, int Depth> __global__ void product(const float* a, const float* b, float* c, int n) {
  __shared__ float left[Depth][16 * Rows];
  __shared__ float right[Depth][16 * Columns];
  float sum[Rows * Columns] = {0.0f};
  float ofLeft[Rows] = {0.0f};
  float ofRight[Columns] = {0.0f};
  const int x = threadIdx.x, y = threadIdx.y;
  for (int k = 0; k < n; k += Depth) {
    for (int i = y; i < Depth; i += 16)
      for (int j = x; j < 16 * Rows; j += 16)
        left[i][j] = a[(blockIdx.y * 16 * Rows + j) * n + k + i];
    for (int i = y; i < Depth; i += 16)
      for (int j = x; j < 16 * Columns; j += 16)
        right[i][j] = b[(k + i) * n + blockIdx.x * 16 * Columns + j];
    __syncthreads();
    for (int d = 0; d < Depth; ++d) {
      for (int i = 0; i < Rows; ++i) ofLeft[i] = left[d][y * Rows + i];
      for (int j = 0; j < Columns; ++j) ofRight[j] = right[d][x * Columns + j];
      for (int i = 0; i < Rows; ++i)
        for (int j = 0; j < Columns; ++j)
          sum[i * Columns + j] += ofLeft[i] * ofRight[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < Rows; ++i)
    for (int j = 0; j < Columns; ++j)
      c[(blockIdx.y * 16 * Rows + y * Rows + i) * n + blockIdx.x * 16 * Columns + x * Columns + j] =
          sum[i * Columns + j];
}

// Neighbouring threads read neighbouring elements: the loop around is written out too, for rows of threads to share.
__global__ void apart(const float* a, const float* b, float* c, int n) {
  __shared__ float left[64][16];
  __shared__ float right[16][64];
  float sum[4][4] = {};
  const int x = threadIdx.x, y = threadIdx.y;
  for (int t = 0; t < n; t += 16) {
    for (int i = 0; i < 4; ++i) {
      left[y + 16 * i][x] = a[(y + 16 * i) * n + t + x];
      right[y][x + 16 * i] = b[(t + y) * n + x + 16 * i];
    }
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          sum[i][j] += left[y + 16 * i][k] * right[k][x + 16 * j];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      c[(y + 16 * i) * n + x + 16 * j] = sum[i][j];
}

void run(const float* a, const float* b, float* c) {
  product<4, 8, 8><<<dim3(1, 2), dim3(16, 16)>>>(a, b, c, 128);
  apart<<<1, dim3(16, 16)>>>(a, b, c, 64);
}

// WARNINGS: the arrays that each step fills anew are unused where they are declared first
// FORM: product split
// CHECK: cu2cpp::PerThread<float[Rows * Columns]> cuEach_sum(cuBlock);
// CHECK: float ofLeft[Rows];
// CHECK: CU2CPP_UNROLL for (int i = 0; i < Rows; ++i) ofLeft[i] = left[d][y * Rows + i];
// CHECK: CU2CPP_UNROLL for (int j = 0; j < Columns; ++j)
// CHECK: CU2CPP_UNROLL for (int j = 0; j < Columns; ++j)
// CHECK-NOT: cuEach_ofLeft
// CHECK-NOT: CU2CPP_UNROLL for (int d = 0
// FORM: apart split
// CHECK: CU2CPP_UNROLL for (int k = 0; k < 16; ++k)
// CHECK: CU2CPP_UNROLL for (int i = 0; i < 4; ++i)
// CHECK: CU2CPP_UNROLL for (int j = 0; j < 4; ++j)
