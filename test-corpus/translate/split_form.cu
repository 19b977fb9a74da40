// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The split form: one thread loop for each region, barriers left as comments, values kept per thread, uniform flow once.
// FORM: sums split
// WARNINGS: the index is not used in the region that declares it
// CHECK: void sums(const float* in, float* out, int n) {
__global__ void sums(const float* in, float* out, int n) {
  // CHECK: cu2cpp::PerThread<float> cuEach_sum(cuBlock);
  // CHECK: alignas(64) float tile[64];
  __shared__ float tile[64];
  // CHECK: // Where this thread works.
  // CHECK: cu2cpp::eachThread(cuBlock, [&](
  // Where this thread works.
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: sum = 0; // for each thread
  float sum = 0; // for each thread
  // CHECK: });
  // CHECK: for (int k = 0; k < n; ++k) { // the block's loop
  for (int k = 0; k < n; ++k) { // the block's loop
    // What the next step loads is fetched already.
    // CHECK: cu2cpp::prefetchNextStep(cuBlock, in, k + 1, [&](const uint3 threadIdx, const int k) { const int i = blockIdx.x * blockDim.x + threadIdx.x; return k * 64 + i; });
    // CHECK: cu2cpp::eachThread(cuBlock, [&](
    // CHECK: const int i = blockIdx.x * blockDim.x + threadIdx.x;
    // CHECK: tile[threadIdx.x] = in[k * 64 + i];
    // CHECK: /* load */
    tile[threadIdx.x] = in[k * 64 + i]; /* load */
    // CHECK: /* __syncthreads() */; // all loaded
    __syncthreads(); // all loaded
    // CHECK: auto& sum = cuEach_sum[cuThisThread];
    // CHECK: sum += tile[63 - threadIdx.x];
    sum += tile[63 - threadIdx.x];
    // CHECK: });
    // CHECK: // __syncthreads();
    __syncthreads();
  }
  // CHECK: const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: out[i] = sum;
  out[i] = sum;
}

// The barrier's condition may differ between threads: those that enter go on together.
// FORM: divergent split
__global__ void divergent(int* out) {
  // CHECK: cu2cpp::Exited cuOutside1(cuBlock);
  // CHECK: cu2cpp::divide(cuBlock, cuOutside1, cuOutside2, [&](const uint3 threadIdx) { return threadIdx.x < 8; });
  // CHECK: if (!cuOutside1.all()) {
  if (threadIdx.x < 8) {
    // CHECK: if (cuOutside1.has(cuThisThread)) return;
    // CHECK: out[threadIdx.x] = 2;
    out[threadIdx.x] = 2;
    // CHECK: // __syncthreads();
    __syncthreads();
  }
  // CHECK: out[threadIdx.x] = 1;
  out[threadIdx.x] = 1;
}

// Near miss: barriers in both branches may be meant to meet, so the body stays whole.
// FORM: apart fibers
// DIAG: CU2101 @+1
__global__ void apart(int* out) {
  // CHECK: cu2cpp::eachThreadOnFiber(cuBlock, [&](
  // CHECK: if (threadIdx.x < 8)
  if (threadIdx.x < 8)
    __syncthreads();
  else
    __syncthreads();
  // CHECK: out[threadIdx.x] = 1;
  out[threadIdx.x] = 1;
}

// On its own number a warp agrees, and what belongs to it is one place; the last thread stands alone.
// FORM: warpTotals split
__global__ void warpTotals(const float* in, float* out, float* last) {
  __shared__ float sums[32];
  int warp = threadIdx.x / 32;
  float v = in[threadIdx.x];
  float w = v + __shfl_xor_sync(0xffffffff, v, 1);
  sums[warp] = w;
  __syncthreads();
  // CHECK: const cu2cpp::Lanes cuLanes1 = cu2cpp::lanesWhereAlike(cuWarp, cuLanes, [&](const uint3 threadIdx) { int warp = threadIdx.x / 32; return warp == 0; });
  if (warp == 0)
    sums[threadIdx.x] += __shfl_xor_sync(0xffffffff, v, 2);
  // CHECK: // __syncthreads();
  // CHECK: cu2cpp::eachWarp(cuBlock,
  // CHECK: cu2cpp::eachLane(cuWarp, cuLanes,
  // CHECK: if (warp > 0)
  __syncthreads();
  if (warp > 0)
    v += sums[warp - 1];
  out[threadIdx.x] = v;
  // CHECK: cu2cpp::eachThreadAt(cuBlock, 63,
  if (threadIdx.x == 63)
    *last = v;
}

void launchWarpTotals(const float* in, float* out) { warpTotals<<<1, 64>>>(in, out, out + 64); }

// What divides is not computed for a step that may not come, however much it stands behind.
__global__ void divided(const float* in, float* out, int a, int b, int n) {
  __shared__ float tile[64];
  const int i = threadIdx.x;
  for (int k = 0; k < n; ++k) {
    // CHECK-NOT: prefetchNextStep(cuBlock, out
    tile[i] = out[a + b + a + b + a + b + a + b + (k + 1) * a / b + i] + in[k * 64 + i];
    __syncthreads();
    out[i] += tile[63 - i];
    __syncthreads();
  }
}
// CHECK: cu2cpp::prefetchNextStep(cuBlock, in, k + 1, [&](const uint3 threadIdx, const int k) { const int i = threadIdx.x; return k * 64 + i; });
void launchDivided(const float* in, float* out) { divided<<<1, 64>>>(in, out, 1, 2, 3); }

// A warp's part of a shared array is found again in each region.
__global__ void warpBins(const int* in, int* out) {
  __shared__ int bins[2 * 16];
  int* mine = bins + threadIdx.x / 32 * 16;
  if (threadIdx.x % 32 < 16)
    mine[threadIdx.x % 32] = 0;
  __syncthreads();
  // CHECK: atomicAdd(&mine[in[threadIdx.x] & 15], 1);
  atomicAdd(&mine[in[threadIdx.x] & 15], 1);
  __syncthreads();
  if (threadIdx.x < 16)
    out[threadIdx.x] = bins[threadIdx.x] + bins[16 + threadIdx.x];
}
// CHECK-NOT: cuEach_mine
void launchWarpBins(const int* in, int* out) { warpBins<<<1, 64>>>(in, out); }

// An inner variable of the same name is in the way only where something there needs the outer one.
__global__ void innerNames(const int* in, int* out, int n) {
  __shared__ int row[64];
  int at = threadIdx.x, next = at ^ 1, k = 63 - next;
  // CHECK: auto& more = cuEach_more[cuThisThread];
  int more = k + 1;
  row[at] = in[at];
  __syncthreads();
  for (int d = 32; d > 0; d >>= 1) {
    if (threadIdx.x < d) {
      int at = threadIdx.x * 2 % 64;
      row[at] += d;
    }
    __syncthreads();
  }
  for (int k = 0; k < n; ++k) {
    // CHECK: int next = at ^ 1;
    row[next] += k * more;
    __syncthreads();
  }
  // CHECK: auto& k = cuEach_k[cuThisThread];
  out[at] = row[k];
}
// CHECK-NOT: cuEach_at
void launchInnerNames(const int* in, int* out) { innerNames<<<1, 64>>>(in, out, 3); }
