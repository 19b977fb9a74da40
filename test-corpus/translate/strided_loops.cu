// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that step by a warp or a block are turned inside out, whatever they keep for each thread, whoever they call, and
// however they ask for their place.
#include <cooperative_groups.h>

// In a template, only instances know what is called, and that T is no class.
template <class T> __global__ void largestOfRows(const T* in, T* out, int rows, int n) {
  const int lane = threadIdx.x;
  for (int row = threadIdx.y; row < rows; row += 2) {
    T most = -1;
    for (int i = lane; i < n; i += 32) {
      const T here = in[row * n + i];
      most = max(most, here * expf(here));
    }
    for (int mask = 16; mask > 0; mask /= 2)
      most = max(most, __shfl_xor_sync(0xffffffffu, most, mask));
    out[row * 32 + lane] = most;
  }
}
// CHECK: most = -1;
// CHECK: cu2cpp::eachLaneInParts(cuWarp, cuLanes1, [&](const uint3 threadIdx, T& most) {
// CHECK: most = max(most, here * expf(here));

// An object is kept like a number, and one that lives within a step is no more than a local variable.
struct Pair {
  float most, sum;
};
__device__ Pair joined(Pair a, Pair b) { return {a.most > b.most ? a.most : b.most, a.sum + b.sum}; }
__global__ void pairs(const float* in, Pair* out, int n) {
  __shared__ Pair all[64];
  Pair mine = {-1, 0};
  for (int i = threadIdx.x; i < n; i += 64) {
    Pair one;
    one.most = in[i];
    one.sum = in[i];
    mine = joined(mine, one);
  }
  all[threadIdx.x] = mine;
  __syncthreads();
  out[threadIdx.x] = all[63 - threadIdx.x];
}
// CHECK: cu2cpp::PerThread<float> cuEach_mine_most(cuBlock);
// CHECK: cu2cpp::PerThread<float> cuEach_mine_sum(cuBlock);
// CHECK: cuMore1 = cu2cpp::eachThreadRising(cuBlock,
// CHECK: Pair one;
// CHECK: const Pair cuNew_mine = joined(Pair{mine_most, mine_sum}, one); mine_most = cuNew_mine.most;

// A class may do anything when it is assigned: a template's variable is constructed.
struct Counted {
  int value;
  __device__ Counted& operator=(int other) {
    value += other;
    return *this;
  }
  __device__ Counted(int first) : value(first) {}
  __device__ operator int() const { return value; }
};
template <class T> __global__ void constructed(int* out) {
  T mine = threadIdx.x;
  __syncthreads();
  mine = 4;
  __syncthreads();
  out[threadIdx.x] = mine;
}
// CHECK: cu2cpp::Type<T>(threadIdx.x);
// CHECK: mine = 4;

// A group of the whole grid knows its ranks from the built-in variables.
__global__ void sums(const float* in, float* out, size_t n) {
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  __shared__ float all[64];
  float sum = 0;
  for (size_t i = grid.thread_rank(); i < n; i += grid.size())
    sum += in[i];
  all[threadIdx.x] = sum;
  __syncthreads();
  out[threadIdx.x] = all[63 - threadIdx.x];
}
// CHECK: size_t cuStep_i = cu2cpp::blockRank(blockIdx, gridDim) * cu2cpp::threadsIn(blockDim);
// CHECK: cuStep_i += (cu2cpp::blocksIn(gridDim) * cu2cpp::threadsIn(blockDim)), cu2cpp::prefetchRow(cuBlock, in, cuStep_i,
// CHECK: cuMore1 = cu2cpp::eachThreadRising(cuBlock,

void launch(float* a, Pair* b, int* c, int n) {
  largestOfRows<float><<<1, dim3(32, 2)>>>(a, a, n, n);
  pairs<<<1, 64>>>(a, b, n);
  sums<<<1, 64>>>(a, a, n);
  constructed<Counted><<<1, 64>>>(c);
}

// Elements of a tile with its halo, by their number: rows of 34, whichever threads take them.
__global__ void tileByNumber(const float* in, float* out, int width, int height) {
  __shared__ float tile[10][34];
  const int rank = threadIdx.y * 32 + threadIdx.x;
  // CHECK: cu2cpp::eachElement(cuBlock, [&](const uint3 threadIdx) -> int { const int rank = threadIdx.y * 32 + threadIdx.x; return rank; }, 256, 10 * 34, 34, [&](const auto) {
  // CHECK: [&](const auto cuInside, const auto cuRow, const auto cuColumn) CU2CPP_INLINE {
  // CHECK: const int y = min(max((int)blockIdx.y * 8 + cuRow - 1, 0), height - 1);
  // CHECK: const int x = (cuInside ? (int)blockIdx.x * 32 + cuColumn - 1 : min(max((int)blockIdx.x * 32 + cuColumn - 1, 0), width - 1));
  for (int i = rank; i < 10 * 34; i += 256) {
    const int y = min(max((int)blockIdx.y * 8 + i / 34 - 1, 0), height - 1);
    const int x = min(max((int)blockIdx.x * 32 + i % 34 - 1, 0), width - 1);
    tile[i / 34][i % 34] = in[y * width + x];
  }
  __syncthreads();
  const int column = blockIdx.x * 32 + threadIdx.x, line = blockIdx.y * 8 + threadIdx.y;
  if (column < width && line < height)
    out[line * width + column] = tile[threadIdx.y][threadIdx.x] + tile[threadIdx.y + 2][threadIdx.x + 2];
}
void launchTileByNumber(const float* in, float* out) { tileByNumber<<<dim3(4, 4), dim3(32, 8)>>>(in, out, 100, 30); }

// Two loops in its place. What a thread has stored in the step before, it reads: those elements run in turn.
__global__ void tileByRows(const float* in, float* out, int width) {
  __shared__ float tile[10][34], sums[10][34];
  // CHECK: cu2cpp::eachElementInRows<int, int>(cuBlock, blockDim.y, 10, blockDim.x, 34, cu2cpp::Inside(), [&](const auto, const auto cuRow, const auto cuColumn) CU2CPP_INLINE {
  // CHECK: const int y = cuRow;
  // CHECK: const int x = cuColumn;
  for (int y = threadIdx.y; y < 10; y += blockDim.y)
    for (int x = threadIdx.x; x < 34; x += blockDim.x)
      tile[y][x] = in[(y + blockIdx.y * 8) * width + x + blockIdx.x * 32];
  // CHECK: cu2cpp::eachElementRow<int>(cuBlock, [&](const uint3 threadIdx) -> int { return threadIdx.y; }, blockDim.y, 10, [&](const auto& cuColumns, const auto cuRow) CU2CPP_INLINE {
  // CHECK: cuColumns.template each<int, true>([&](const uint3 threadIdx) -> int { return threadIdx.x; }, 32, 34, [&](const auto cuColumn, const auto) CU2CPP_INLINE { const int x = cuColumn;
  // CHECK: sums[y][x] = tile[y][x] + (x < 32 ? 0 : sums[y][x - 32]); });
  for (int y = threadIdx.y; y < 10; y += blockDim.y)
    for (int x = threadIdx.x; x < 34; x += 32)
      sums[y][x] = tile[y][x] + (x < 32 ? 0 : sums[y][x - 32]);
  __syncthreads();
  out[(blockIdx.y * 8 + threadIdx.y) * width + blockIdx.x * 32 + threadIdx.x] = sums[threadIdx.y + 2][threadIdx.x + 2];
}
void launchTileByRows(const float* in, float* out) { tileByRows<<<dim3(4, 4), dim3(32, 8)>>>(in, out, 200); }

// The types of a template's counters and what its structures hold are known where it is called. What has no sign and is no
// mere sum may wrap around between two lanes.
template <class Index> struct Rows {
  Index count;
  const Index* begin;
};
template <class Index> __global__ void sumsOfRows(Rows<Index> rows, const float* in, float* out, int halo) {
  const Index thread = blockIdx.x * blockDim.x + threadIdx.x;
  const Index row = thread / 32;
  const Index lane = thread & 31;
  if (row >= rows.count)
    return;
  float sum = 0;
  // CHECK: auto cuStep_i = cu2cpp::risingInRow<Index>(cuWarp, cuLanes, [&](const uint3 threadIdx) {
  // CHECK: return cuStart_i + lane; });
  for (Index i = rows.begin[row] + lane; i < rows.begin[row + 1]; i += 32)
    sum += in[i];
  // CHECK: auto cuStep_j = cu2cpp::risingInRow<unsigned int, cu2cpp::neverWraps>(cuWarp, cuLanes,
  for (unsigned j = row + (thread & 31u); j < 90; j += 32)
    sum += in[j];
  // CHECK: unsigned int cuStep_k = 64u - halo;
  // CHECK: cu2cpp::lanesWhere(cuWarp, cuLanes3,
  for (unsigned k = 64u - halo + (threadIdx.x & 31); k < row; k += 32)
    sum += in[k];
  out[thread] = sum + __shfl_xor_sync(0xffffffffu, sum, 1);
}
void launchSumsOfRows(Rows<unsigned> rows, const float* in, float* out) {
  sumsOfRows<unsigned><<<4, 128>>>(rows, in, out, 70);
}

// A warp's row is one value for it wherever the shared variable is declared.
__global__ void sumsByTree(const int* begin, const float* in, float* out, int rows) {
  // CHECK: int row = cu2cpp::sameInRow(cuWarp, cuLanes,
  // CHECK: if (row < rows) {
  // CHECK: int first = begin[row];
  int t = threadIdx.x;
  int row = blockIdx.x * 4 + t / 32;
  __shared__ volatile float sums[128];
  if (row < rows) {
    int first = begin[row];
    float sum = 0;
    for (int i = first + t % 32; i < begin[row + 1]; i += 32)
      sum += in[i];
    sums[t] = sum;
    __syncwarp();
    if (t % 32 < 16)
      sums[t] = sum = sum + sums[t + 16];
    __syncwarp();
    out[blockIdx.x * 128 + t] = sums[t - t % 32 + (t + 1) % 32];
  }
}
void launchSumsByTree(const int* begin, const float* in, float* out) { sumsByTree<<<4, 128>>>(begin, in, out, 13); }

// Each step loads two rows of threads: both are fetched ahead.
__global__ void twoRows(const float* in, float* out, unsigned n) {
  __shared__ float s[64];
  float sum = 0;
  for (unsigned i = blockIdx.x * (blockDim.x * 2) + threadIdx.x; i < n; i += gridDim.x * blockDim.x * 2) {
    sum += in[i];
    if (i + blockDim.x < n)
      sum += in[i + blockDim.x] - in[i + 1];
  }
  s[threadIdx.x] = sum;
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
}
// CHECK: cu2cpp::prefetchRow<2>(cuBlock, in, cuStep_i, gridDim.x * blockDim.x * 2, n), cu2cpp::prefetchRow<2>(cuBlock, in, cuStep_i + (blockDim.x), gridDim.x * blockDim.x * 2, n)) {
