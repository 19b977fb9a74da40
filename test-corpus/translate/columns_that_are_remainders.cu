// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ARGS: --line-directives
//
// A thread's column of a shared matrix that is a remainder of its place becomes a loop of one step, so that the block
// updates the matrix in strips.
__global__ void eliminate(double* m) {
  __shared__ double a[32][33];
  const int tid = threadIdx.x;
  for (int i = tid; i < 1024; i += 128) a[i / 32][i % 32] = m[i];
  __syncthreads();
  for (int k = 0; k < 32; ++k) {
    const int j = tid % 32;
    if (j > k)
      for (int i = k + 1 + tid / 32; i < 32; i += 4) a[i][j] -= a[i][k] * a[k][j];
    __syncthreads();
  }
  for (int i = tid; i < 1024; i += 128) m[i] = a[i / 32][i % 32];
}
// CHECK: alignas(64) double a[32][33];
// CHECK: { if (!cu2cpp::updateInStrips<int, int, true>(cuBlock, cu2cpp::tableOf(a),
// CHECK: return threadIdx.x % 32; }(cuAt); }), 32,
// CHECK: return cu2cpp::behind(k); }), cu2cpp::NoEdge(),

// Not where the rows of threads are other than the block's,
__global__ void others(float* m, int n) {
  __shared__ float a[32][33];
  const int tid = threadIdx.x, j = tid % 32;
  for (int i = tid / 32; i < 32; i += 4) a[i][j] = m[i * 32 + j];
  __syncthreads();
  if (j > n)
    for (int i = tid / 32; i < 32; i += 2) a[i][j] -= 0.5f * a[i][n];
  __syncthreads();
  // where only some of the threads come along,
  if (tid < 64) {
    if (j > n)
      for (int i = tid / 32; i < 32; i += 4) a[i][j] -= 0.25f * a[i][n];
  }
  __syncthreads();
  // and where a name would mean something else.
  const int r = n;
  if (j > r)
    for (int r = tid / 32; r < 32; r += 4) a[r][j] -= 0.125f * a[r][n];
  __syncthreads();
  for (int i = tid / 32; i < 32; i += 4) m[i * 32 + j] = a[i][j];
}
// CHECK-NOT: updateInStrips<int, int, true>(cuBlock, cu2cpp::tableOf(a), [&](const uint3 threadIdx) -> int { const int tid = threadIdx.x; return tid / 32;

void run(double* m, float* f) {
  eliminate<<<1, 128>>>(m);
  others<<<1, 128>>>(f, 3);
}

// Lanes that exchange several values in each step do so at known distances.
__global__ void largest(const float* in, int* out) {
  float v = in[threadIdx.x];
  int p = threadIdx.x;
  for (int d = 16; d > 0; d >>= 1) {
    const float other = __shfl_down_sync(0xffffffffu, v, d);
    const int place = __shfl_down_sync(0xffffffffu, p, d);
    if (other > v) {
      v = other;
      p = place;
    }
  }
  if (threadIdx.x == 0) out[blockIdx.x] = p;
}
// CHECK: CU2CPP_UNROLL for (int d = 16; d > 0; d >>= 1) {
