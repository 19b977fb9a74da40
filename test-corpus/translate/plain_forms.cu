// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forms that say more: loops that count in their heads, one declaration for each variable, places as a start and a distance, groups' answers from threadIdx.
// FORM: sums split
// FORM: walk split
// FORM: edges split
// FORM: tiles split
// WARNINGS: declarations that only other regions need
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void sums(const int* in, int* out, int n) {
  __shared__ int s[64];
  // CHECK: int lane = threadIdx.x; sum = 0;
  int lane = threadIdx.x, sum = 0;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: for (bool cuMore1 = true; cuMore1; cuStep_i += gridDim.x * blockDim.x, cu2cpp::prefetchRow(cuBlock, in, cuStep_i, gridDim.x * blockDim.x, n)) {
  while (i < n) {
    sum += in[i];
    i += gridDim.x * blockDim.x;
  }
  s[lane] = sum;
  __syncthreads();
  out[blockIdx.x * blockDim.x + lane] = s[63 - lane];
}

__global__ void walk(const int* in, int* out, int steps, int plane) {
  __shared__ int s[64];
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: int cuMoved_at = 0;
  for (int k = 0; k < steps; ++k) {
    // CHECK: s[threadIdx.x] = in[(cuStart_at + cuMoved_at)];
    s[threadIdx.x] = in[at];
    __syncthreads();
    out[at] = s[63 - threadIdx.x];
    __syncthreads();
    // CHECK: cuMoved_at += plane;
    at += plane;
  }
}

__global__ void edges(const float* in, float* out, int width) {
  __shared__ float t[10][34];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = threadIdx.y;
  int west = x - 1;
  // CHECK: const int west = (!cuInside && (cuFirst_west < 0)) ? 0 : cuFirst_west;
  west = west < 0 ? 0 : west;
  // CHECK: cu2cpp::eachThreadAt(cuBlock, 0, [&](const uint3 threadIdx) {
  // CHECK: cu2cpp::eachThreadInRow(cuBlock, 7, [&](const uint3 threadIdx) {
  if (x < width) {
    t[y + 1][threadIdx.x + 1] = in[y * width + x];
    if (threadIdx.x == 0)
      t[y + 1][0] = in[y * width + west];
    if (threadIdx.y == 7)
      t[9][threadIdx.x + 1] = in[y * width + x];
  }
  __syncthreads();
  if (x < width)
    out[y * width + x] = t[y + 1][threadIdx.x] + t[y + 2][threadIdx.x + 1] + west;
}

__global__ void tiles(const float* in, float* out, int n) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  // CHECK: cu2cpp::rankInBlock(threadIdx, blockDim) / 32
  int row = blockIdx.x * tile.meta_group_size() + tile.meta_group_rank();
  float sum = 0;
  for (int i = tile.thread_rank(); i < n; i += tile.size())
    sum += in[row * n + i];
  // CHECK: cu2cpp::together::reduce(cuWarp, cuLanes, cu2cpp::tileOf<32>, cuEach_sum,
  sum = cg::reduce(tile, sum, cg::plus<float>());
  if (tile.thread_rank() == 0)
    out[row] = sum;
}

template <int Threads> __global__ void tilesOfTemplate(const float* in, float* out, int n) {
  auto tile = cg::tiled_partition<Threads>(cg::this_thread_block());
  // CHECK: cu2cpp::rankInBlock(threadIdx, blockDim) / unsigned(Threads)
  int row = blockIdx.x * tile.meta_group_size() + tile.meta_group_rank();
  float sum = 0;
  for (int i = tile.thread_rank(); i < n; i += tile.size())
    sum += in[row * n + i];
  // CHECK: cu2cpp::together::shfl_down(cuWarp, cuLanes, cu2cpp::tileOf<Threads>, cuEach_sum,
  for (int offset = tile.size() / 2; offset > 0; offset /= 2)
    sum += tile.shfl_down(sum, offset);
  if (tile.thread_rank() == 0)
    out[row] = sum;
}
// A near miss: some instance's tile is wider than a warp.
template <int Threads> __global__ void wideTiles(int* out) {
  __shared__ cg::block_tile_memory<256> memory;
  auto block = cg::this_thread_block(memory);
  // CHECK: tiled_partition<Threads>(block)
  auto tile = cg::tiled_partition<Threads>(block);
  // CHECK: tile.thread_rank()
  out[threadIdx.x] = tile.thread_rank();
}

// CHECK: void blurred(const float *cuFirst_in, float *cuFirst_out, int width)
__global__ void blurred(const float *in, float *out, int width) {
  __shared__ float row[64 + 8];
  // CHECK: const float* const in = cuFirst_in + (blockIdx.y * width + threadIdx.x);
  in += blockIdx.y * width + threadIdx.x;
  // CHECK: float* const out = cuFirst_out - (0 - (blockIdx.y * width + threadIdx.x));
  out -= 0 - (blockIdx.y * width + threadIdx.x);
  row[threadIdx.x + 4] = in[0];
  __syncthreads();
  // CHECK: float* const out = cuFirst_out - (0 - (blockIdx.y * width + threadIdx.x));
  float sum = 0;
  // CHECK: // #pragma unroll
  // CHECK: CU2CPP_UNROLL for (int k = -4; k <= 4; k++)
#pragma unroll
  for (int k = -4; k <= 4; k++)
    sum += row[threadIdx.x + 4 + k];
  // CHECK-NOT: CU2CPP_UNROLL for (int k = 0; k < 40
#pragma unroll
  for (int k = 0; k < 40; k++)
    sum += k;
  float parts[4];
  // CHECK: _Pragma("unroll") for (int k = 0; k < 4; k++) parts[k] = sum * k;
  _Pragma("unroll") for (int k = 0; k < 4; k++) parts[k] = sum * k;
  out[0] = sum + parts[width & 3];
}

// A place that two statements put together and that loops move on, and flags that a condition sets.
__global__ void marches(const int* in, int* out, int n, int plane) {
  __shared__ int row[64];
  // CHECK: int cuMoved_at = 0;
  // CHECK: int cuFirst_at = 64;
  // CHECK: const int cuStart_at = cuFirst_at + (blockIdx.y * n + threadIdx.x);
  int at = 64;
  at += blockIdx.y * n + threadIdx.x;
  // CHECK: const bool reads = !(threadIdx.x >= n);
  bool reads = true;
  if (threadIdx.x >= n)
    reads = false;
  int last = 0, value = 0;
  // CHECK: for (int i = 0; i < 3; ++i) {
  // CHECK: cu2cpp::eachThread
  // CHECK: cuMoved_at += plane;
  for (int i = 0; i < 3; ++i) {
    if (reads)
      value += in[at];
    at += plane;
  }
  // CHECK: int cuMoved_to = cuMoved_at;
  int to = 0;
  to = at;
  for (int z = 0; z < n; ++z) {
    row[threadIdx.x] = value;
    __syncthreads();
    last = row[63 - threadIdx.x];
    out[to] = last;
    at += plane;
    to += plane;
    __syncthreads();
    value = in[at];
  }
}
// CHECK-NOT: cuEach_at
// CHECK-NOT: cuEach_to

void launchAll(const int* in, int* out, const float* f, float* g) {
  blurred<<<dim3(1, 4), 64>>>(f, g, 64);
  sums<<<4, 64>>>(in, out, 1000);
  walk<<<4, 64>>>(in, out, 3, 256);
  edges<<<4, dim3(32, 8)>>>(f, g, 100);
  tiles<<<4, 128>>>(f, g, 100);
  tilesOfTemplate<8><<<4, 128>>>(f, g, 100);
  tilesOfTemplate<32><<<4, 128>>>(f, g, 100);
  wideTiles<16><<<1, 256>>>((int*)g);
  wideTiles<64><<<1, 256>>>((int*)g);
  marches<<<dim3(1, 4), 64>>>(in, out, 60, 256);
}

// Shared tables of one statement; those that are lines stay together.
__global__ void tables(const float* in, float* out) {
  __shared__ float rows[8][9],
      columns[8][9];
  __shared__ float line[64], other[64];
  const int x = threadIdx.x, y = threadIdx.y;
  rows[y][x] = in[x];
  columns[y][x] = in[y];
  line[y * 8 + x] = in[x + y];
  other[x * 8 + y] = in[x - y];
  __syncthreads();
  float sum = line[x * 8 + y] + other[y * 8 + x];
  for (int i = 0; i < 8; ++i)
    sum += rows[y][i] * columns[x][i];
  out[y * 8 + x] = sum;
}
// CHECK: alignas(64) float rows[8][9]; alignas(64) cu2cpp::TurnedArray<float, 8, 9> columns;
// CHECK: alignas(64) float line[64], other[64];

// Threads that take four numbers at a time count fours.
__global__ void products(const float* x, const float* w, float* y, int n) {
  __shared__ float sums[64];
  float sum = 0;
  // CHECK: { int cuStep_cuCount_i = 0;
  // CHECK: const int cuCount_i = cuStep_cuCount_i + int(threadIdx.x); return cuCount_i < n / 4 + (n % 4 > 0);
  // CHECK: float4 a = reinterpret_cast<const float4*>(x)[cuCount_i];
  for (int i = threadIdx.x * 4; i < n; i += blockDim.x * 4) {
    float4 a = *reinterpret_cast<const float4*>(x + i);
    float4 b = reinterpret_cast<const float4*>(w)[i / 4];
    sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  y[threadIdx.x] = sums[63 - threadIdx.x];
}
void launchProducts(const float* x, float* y) { products<<<1, 64>>>(x, x, y, 1000); }
