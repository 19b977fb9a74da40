// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In translations for compilers the rows that warps come to next are fetched beforehand. What has to be loaded for it must be
// what the warp will load in any case.
// ARGS: --line-directives

__global__ void __launch_bounds__(128) sparse(const int* begin, const float* value, float* y, int rows) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  float sum = 0;
  for (int k = begin[row] + lane; k < begin[row + 1]; k += 32)
    sum += value[k];
  // CHECK: cu2cpp::prefetchBehind(cuWarp, value, [&](const uint3 threadIdx)
  // CHECK: cu2cpp::eachLaneBelow(
  sum = __shfl_xor_sync(~0u, sum, 1);
  if (lane == 0)
    y[row] = sum;
}

__global__ void __launch_bounds__(128) inTurns(const int* begin, const float* value, float* y, int rows) {
  const int warps = gridDim.x * blockDim.x / 32, lane = threadIdx.x % 32;
  // CHECK: for (int row = cuTurn.begin<decltype(row)>(cu2cpp::sameInRow(cuWarp, cuLanes, [&](const uint3 threadIdx) { return (blockIdx.x * blockDim.x + threadIdx.x) / 32; }), warps); (row < rows) && cuTurn.runs(); row += warps) {
  for (int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32; row < rows; row += warps) {
    const int from = begin[row];
    float sum = 0;
    for (int k = from + lane; k < begin[row + 1]; k += 32)
      sum += value[k];
    // CHECK: cu2cpp::prefetchBehind(cuWarp, value, [&](const uint3 threadIdx)
    sum += __shfl_xor_sync(~0u, sum, 1);
    if (lane == 0)
      y[row] = sum;
  }
}

// What each region computes again is nothing that a block does before its rows.
template <int PER_BLOCK>
__global__ void __launch_bounds__(128) numbered(const int* begin, const float* value, float* y, int rows) {
  const int lane = threadIdx.x & 31;
  const int warp = blockIdx.x * PER_BLOCK + (threadIdx.x >> 5);
  const int warps = gridDim.x * PER_BLOCK;
  // CHECK: for (int row = cuTurn.begin<decltype(row)>(cu2cpp::sameInRow(cuWarp, cuLanes, [&](const uint3 threadIdx) { const int warp = blockIdx.x * PER_BLOCK + (threadIdx.x >> 5); return warp; }), warps); (row < rows) && cuTurn.runs(); row += warps) {
  for (int row = warp; row < rows; row += warps) {
    float sum = 0;
    for (int k = begin[row] + lane; k < begin[row + 1]; k += 32)
      sum += value[k];
    sum += __shfl_down_sync(~0u, sum, 16);
    if (lane == 0)
      y[row] = sum;
  }
}

// What is kept from row to row: blocks run all of their steps.
__global__ void __launch_bounds__(128) byGrid(const int* begin, const float* value, float* y, int rows) {
  const int warps = gridDim.x * blockDim.x / 32;
  const int lane = threadIdx.x % 32;
  float total = lane == 0 ? 0.0f : 1.0f;
  for (int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32; row < rows; row += warps) {
    const int from = begin[row];
    float sum = 0;
    // CHECK: cu2cpp::prefetchRowsAhead(cuWarp, row, warps, rows, [&](const uint3 threadIdx, const auto row) { const auto from = begin[row];
    for (int k = from + lane; k < begin[row + 1]; k += 32)
      sum += value[k];
    sum += __shfl_xor_sync(~0u, sum, 1);
    if (lane == 0)
      y[row] = sum + total;
    total += sum;
  }
}

__global__ void __launch_bounds__(128) leavesEarly(const int* begin, const float* value, float* y, int rows) {
  const int warps = gridDim.x * blockDim.x / 32, lane = threadIdx.x % 32;
  for (int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32; row < rows; row += warps) {
    const int from = begin[row];
    if (from < 0)
      break;
    float sum = 0;
    // CHECK: { int cuStep_k = from;
    for (int k = from + lane; k < begin[row + 1]; k += 32)
      sum += value[k];
    sum += __shfl_xor_sync(~0u, sum, 1);
    if (lane == 0)
      y[row] = sum;
  }
}

template <int N> __global__ void __launch_bounds__(256) dense(const float4* in, float4* out) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  float4 v[N];
  float sum = 0;
  // CHECK: { cu2cpp::StretchesAhead cuAhead; for (int k = 0; k < 3; ++k) cuAhead.add(cuWarp, row + (1), [&](const uint3 threadIdx, const auto row)
  for (int k = 0; k < N; ++k) {
    v[k] = in[(row * N + k) * 32 + lane];
    sum += v[k].x;
  }
  sum += __shfl_xor_sync(~0u, sum, 1);
  for (int k = 0; k < N; ++k)
    out[(row * N + k) * 32 + lane] = make_float4(sum, v[k].y, v[k].z, v[k].w);
}

int main() {
  sparse<<<1, 128>>>(nullptr, nullptr, nullptr, 0);
  byGrid<<<1, 128>>>(nullptr, nullptr, nullptr, 0);
  leavesEarly<<<1, 128>>>(nullptr, nullptr, nullptr, 0);
  dense<3><<<1, dim3(32, 8)>>>(nullptr, nullptr);
}

// What the next block loads while this one adds up.
__global__ void __launch_bounds__(256) rowsOfBlocks(const float* in, float* out, int width) {
  __shared__ float sums[8];
  const float* row = in + size_t(blockIdx.x) * width;
  float sum = 0;
  // CHECK: cu2cpp::prefetchRowOfNextBlock(cuBlock, cuStep_i - (blockDim.x), width, [&](const uint3 blockIdx) { const auto row = in + size_t(blockIdx.x) * width; return row; })
  for (int i = threadIdx.x; i < width; i += blockDim.x)
    sum += row[i];
  sum += __shfl_xor_sync(~0u, sum, 1);
  if (threadIdx.x % 32 == 0)
    sums[threadIdx.x / 32] = sum;
  __syncthreads();
  for (int i = threadIdx.x; i < width; i += 256)
    out[blockIdx.x * width + i] = row[i] - sums[i % 8];
}

// Where the next block's row begins is read from memory.
__global__ void __launch_bounds__(256) rowsFromMemory(const float* in, const int* begin, float* out, int width) {
  __shared__ float sums[256];
  const float* row = in + begin[blockIdx.x];
  float sum = 0;
  // CHECK-NOT: (const uint3 blockIdx) { const auto row = in + begin
  for (int i = threadIdx.x; i < width; i += blockDim.x)
    sum += row[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = sums[threadIdx.x ^ 1];
}

// Two elements of each thread, one behind the other, are two rows of the next block.
__global__ void __launch_bounds__(64) inPairs(const int4* in, int4* out) {
  __shared__ int all[64];
  const int base = (blockIdx.x * 64 + threadIdx.x) * 2;
  // CHECK: return base; }, [&](const uint3 blockIdx, const uint3 threadIdx) { const int base = (blockIdx.x * 64 + threadIdx.x) * 2; return (base) + 1 * cuBlock.blockDim.x; });
  int4 a = in[base], b = in[base + 1];
  all[threadIdx.x] = a.x + b.y;
  __syncthreads();
  a.x = all[63 - threadIdx.x];
  out[base] = a;
  out[base + 1] = b;
}

// Between a block's own loads and stores there is time to fetch what the next one loads and stores; places may have a
// macro's name.
#define FIRST (blockIdx.x * 128 + threadIdx.x)
__global__ void __launch_bounds__(128) scanned(const int* in, int* out, int n) {
  __shared__ int all[128];
  const int i = FIRST, t = threadIdx.x;
  all[t] = i < n ? in[i] : 0;
  // CHECK: cu2cpp::prefetchNextBlock(cuBlock, in, [&](const uint3 blockIdx, const uint3 threadIdx) { const int i = FIRST; return i; });
  // CHECK: for (int d = 1; d < 128; d *= 2) {
  for (int d = 1; d < 128; d *= 2) {
    __syncthreads();
    const int other = t >= d ? all[t - d] : 0;
    __syncthreads();
    all[t] += other;
  }
  // CHECK: cu2cpp::prefetchNextBlock(cuBlock, out, [&](const uint3 blockIdx, const uint3 threadIdx) { const int i = FIRST; return i; });
  // CHECK: for (int k = 0; k < 4; ++k) {
  for (int k = 0; k < 4; ++k) {
    __syncthreads();
    if (t < 64) all[t] += all[127 - t];
  }
  __syncthreads();
  if (i < n) out[i] = all[t];
}

// Without loops it is fetched in front of the first and of the last work of warps, into the second cache.
template <int kWarps> __device__ float sumOfAll(float v, float* sums) {
  for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(~0u, v, d);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = v;
  __syncthreads();
  return sums[0] + sums[1] + sums[2] + sums[3];
}
__global__ void __launch_bounds__(128) normed(const float4* in, float4* out) {
  __shared__ float sums[4], squares[4];
  const size_t i = size_t(blockIdx.x) * 128 + threadIdx.x;
  float4 v = in[i];
  // CHECK: cu2cpp::prefetchNextBlockAfar(cuBlock, in, [&](const uint3 blockIdx, const uint3 threadIdx) { const size_t i = size_t(blockIdx.x) * 128 + threadIdx.x; return i; });
  // CHECK: { cu2cpp::eachWarp(cuBlock,
  const float mean = sumOfAll<4>((v.x + v.y) + (v.z + v.w), sums) / 512;
  v.x -= mean; v.y -= mean; v.z -= mean; v.w -= mean;
  // CHECK: cu2cpp::prefetchNextBlockAfar(cuBlock, out, [&](const uint3 blockIdx, const uint3 threadIdx) { const size_t i = size_t(blockIdx.x) * 128 + threadIdx.x; return i; });
  const float all = sumOfAll<4>((v.x * v.x + v.y * v.y) + (v.z * v.z + v.w * v.w), squares);
  out[i] = make_float4(v.x / all, v.y / all, v.z / all, v.w / all);
}

// Sums by functions that change what they are given go four steps at once, and blocks take these together.
struct Most {
  float value;
  int where;
};
__device__ void combine(Most& a, const Most& b) {
  if (b.value > a.value) {
    a.value = b.value;
    a.where = b.where;
  }
}
__global__ void __launch_bounds__(256) mostOf(const float* in, int n, Most* out) {
  __shared__ Most all[256];
  Most most = {-1.0f, 0};
  // CHECK: auto cuSums = cu2cpp::sumsAbreast(cuAbreast, cuEach_most_value, cuEach_most_where);
  // CHECK: cu2cpp::stepsAbreast<sizeof(*in)>(cuBlock, cuSums, blockIdx, cuStep_i, gridDim.x * blockDim.x, [&] { return blockIdx.x * blockDim.x; },
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    Most one;
    one.value = in[i];
    one.where = i;
    combine(most, one);
  }
  all[threadIdx.x] = most;
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = all[255];
}

// Not where a block begins with something of its own, or its loop reads what it has stored.
__global__ void __launch_bounds__(256) fromBlock(const float* in, int n, float* out) {
  __shared__ float all[256];
  float sum = blockIdx.x;
  // CHECK: cu2cpp::eachThreadRisingInFours<sizeof(*in)>(cuBlock, cuStep_i, gridDim.x * blockDim.x,
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += in[i];
  all[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = all[255];
}
__global__ void __launch_bounds__(256) fromStored(const float* in, float* factors, int n, float* out) {
  __shared__ float all[256];
  float sum = 0;
  if (threadIdx.x == 0) factors[blockIdx.x] = 2;
  __syncthreads();
  // CHECK: cu2cpp::eachThreadRisingInFours<sizeof(*in)>(cuBlock, cuStep_i, gridDim.x * blockDim.x,
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += in[i] * factors[blockIdx.x];
  all[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = all[255];
}

template __global__ void numbered<4>(const int*, const float*, float*, int);
