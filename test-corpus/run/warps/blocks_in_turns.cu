// Warps that step by the whole grid over rows, and nothing is kept from step to step: blocks may
// take turns. And kernels that look like it, but keep something, leave early, or count otherwise.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

constexpr unsigned everyLane = 0xffffffffu;

__device__ float sumOfWarp(float v) {
  for (int apart = 16; apart > 0; apart /= 2)
    v += __shfl_down_sync(everyLane, v, apart);
  return v;
}

template <class Index, class Value> struct Rows {
  Index count;
  const Index* begin;
  const Value* values;
};

// Of a template's types: the index's as well.
template <class Index, class Value> __global__ void sums(Rows<Index, Value> m, Value* out) {
  const Index lane = threadIdx.x & 31;
  const Index first = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  const Index warps = (gridDim.x * blockDim.x) >> 5;
  for (Index row = first; row < m.count; row += warps) {
    Value sum = 0;
    const Index end = m.begin[row + 1];
    for (Index k = m.begin[row] + lane; k < end; k += 32)
      sum += m.values[k];
    sum = sumOfWarp(sum);
    if (lane == 0)
      out[row] = sum;
  }
}

// What a template uses like an array.
template <class Value> struct View {
  const Value* at;
  __device__ Value operator[](int i) const { return at[i] * 2; }
};
template <class Values> __global__ void sumsOfViews(Rows<int, float> m, Values values, float* out) {
  const int lane = threadIdx.x % 32, first = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int warps = gridDim.x * blockDim.x / 32;
  for (int row = first; row < m.count; row += warps) {
    float sum = 0;
    const int end = m.begin[row + 1];
    for (int k = m.begin[row] + lane; k < end; k += 32)
      sum += values[k];
    sum = sumOfWarp(sum);
    if (lane == 0)
      out[row] = sum;
  }
}

__global__ void sumsOfTiles(Rows<int, float> m, float* out) {
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  const int ofBlock = blockDim.x / 32;
  const int first = blockIdx.x * ofBlock + warp.meta_group_rank();
  for (int row = first; row < m.count; row += gridDim.x * ofBlock) {
    float sum = 0;
    for (int k = m.begin[row] + warp.thread_rank(); k < m.begin[row + 1]; k += 32)
      sum += m.values[k];
    for (int apart = 16; apart > 0; apart /= 2)
      sum += warp.shfl_down(sum, apart);
    if (warp.thread_rank() == 0)
      out[row] = sum;
  }
}

// Each warp goes on from what it stored itself in the step before.
__global__ void chains(float* out, size_t rows) {
  const int lane = threadIdx.x & 31;
  const size_t first = (size_t(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  const size_t warps = size_t(gridDim.x) * blockDim.x / 32;
  for (size_t row = first; row <= rows - 1; row += warps) {
    const float last = row >= warps ? out[row - warps] : 1.0f;
    const float sum = sumOfWarp(last + lane);
    if (lane == 0)
      out[row] = sum * 0.03125f;
    __syncwarp();
  }
}

// The grid has rows of blocks.
__global__ void planes(int* out, int rows) {
  const int lane = threadIdx.x & 31;
  for (int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32; row < rows;
       row += gridDim.x * blockDim.x / 32) {
    const unsigned votes = __ballot_sync(everyLane, (row + lane + blockIdx.y) % 3 == 0);
    if (lane == 0)
      out[blockIdx.y * rows + row] = __popc(votes);
  }
}

// No turns: what the loop keeps.
__global__ void keepsSum(const float* in, float* out, int rows) {
  const int lane = threadIdx.x & 31, first = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int warps = gridDim.x * blockDim.x / 32;
  float sum = 0;
  for (int row = first; row < rows; row += warps)
    sum += sumOfWarp(in[row * 32 + lane]);
  if (lane == 0)
    out[first] = sum;
}
__global__ void keepsLast(const float* in, float* out, int rows) {
  const int lane = threadIdx.x & 31, first = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int warps = gridDim.x * blockDim.x / 32;
  float last = 0;
  for (int row = first; row < rows; row += warps) {
    const float sum = sumOfWarp(in[row * 32 + lane]);
    if (lane == 0)
      out[row] = sum - last;
    last = sum;
  }
}
__global__ void keepsShared(const float* in, float* out, int rows) {
  __shared__ float last[8];
  const int lane = threadIdx.x & 31, first = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int warps = gridDim.x * blockDim.x / 32;
  for (int row = first; row < rows; row += warps) {
    const float sum = sumOfWarp(in[row * 32 + lane]);
    if (lane == 0) {
      out[row] = row == first ? sum : sum - last[threadIdx.x / 32];
      last[threadIdx.x / 32] = sum;
    }
    __syncwarp();
  }
}
// It leaves the loop for good.
__global__ void leaves(const float* in, float* out, int rows) {
  const int lane = threadIdx.x & 31, first = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int warps = gridDim.x * blockDim.x / 32;
  for (int row = first; row < rows; row += warps) {
    const float sum = sumOfWarp(in[row * 32 + lane]);
    if (__any_sync(everyLane, __shfl_sync(everyLane, sum, 0) > 30.0f))
      break;
    if (lane == 0)
      out[row] = sum;
  }
}
// The bound is somewhere in memory, and moves.
__global__ void movingBound(int* bound, int* out) {
  const int lane = threadIdx.x & 31, first = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int warps = gridDim.x * blockDim.x / 32;
  for (int row = first; row < bound[first]; row += warps) {
    const unsigned votes = __ballot_sync(everyLane, lane > row);
    if (lane == 0) {
      out[row] = __popc(votes);
      bound[first] -= warps;
    }
    __syncwarp();
  }
}
// A counter that the body moves as well.
__global__ void skips(const float* in, float* out, int rows) {
  const int lane = threadIdx.x & 31, first = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int warps = gridDim.x * blockDim.x / 32;
  for (int row = first; row < rows; row += warps) {
    const float sum = sumOfWarp(in[row * 32 + lane]);
    if (lane == 0)
      out[row] = sum;
    row += warps;
  }
}
// Parameters that the loop changes are kept from step to step, too.
__global__ void keepsFactor(const float* in, float* out, int rows, float factor) {
  const int lane = threadIdx.x & 31, first = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  for (int row = first; row < rows; row += gridDim.x * blockDim.x / 32) {
    const float sum = sumOfWarp(in[row * 32 + lane]);
    if (lane == 0)
      out[row] = sum * factor;
    factor += 0.5f;
  }
}
__global__ void keepsPlace(const float* in, float* out, int rows, const float* weight) {
  const int lane = threadIdx.x & 31, first = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  for (int row = first; row < rows; row += gridDim.x * blockDim.x / 32) {
    const float sum = sumOfWarp(in[row * 32 + lane]);
    if (lane == 0)
      out[row] = sum * *weight;
    ++weight;
  }
}

// From the last row back, without a sign: below the first one there is none.
__global__ void back(const float* in, float* out, unsigned rows) {
  const int lane = threadIdx.x & 31;
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const unsigned warps = gridDim.x * blockDim.x / 32;
  for (unsigned row = rows - 1 - warp; row < rows; row += -warps) {
    const float sum = sumOfWarp(in[row * 32 + lane]);
    if (lane == 0)
      out[row] = sum;
  }
}

// By a factor that is no integer.
__global__ void byFactor(const float* in, float* out, int rows, float factor) {
  const int lane = threadIdx.x & 31;
  for (int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32; row < rows;
       row += factor * (gridDim.x * blockDim.x / 32)) {
    const float sum = sumOfWarp(in[row * 32 + lane]);
    if (lane == 0)
      out[row] += sum;
  }
}

// What comes before the loop has an effect.
__global__ void counts(int* starts, int* out, int rows) {
  const int lane = threadIdx.x & 31, first = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int warps = gridDim.x * blockDim.x / 32;
  const int before = lane == 0 ? atomicAdd(starts, 1) : 0;
  for (int row = first; row < rows; row += warps) {
    const unsigned votes = __ballot_sync(everyLane, lane > row || before > 100000);
    if (lane == 0)
      out[row] = __popc(votes);
  }
}

template <class Value> void tell(const char* what, const Value* out, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += double(out[i]) * (1 + i % 13);
  printf("%-12s %.9g, last %.9g\n", what, sum, double(out[n - 1]));
}

int main() {
  constexpr int rows = 1003, most = rows * 40;
  int *begin, *counted, *bounds;
  long long* wideBegin;
  float *values, *out;
  double *wide, *wideOut;
  cudaMallocManaged(&begin, (rows + 1) * sizeof *begin);
  cudaMallocManaged(&wideBegin, (rows + 1) * sizeof *wideBegin);
  cudaMallocManaged(&values, most * sizeof *values);
  cudaMallocManaged(&wide, most * sizeof *wide);
  cudaMallocManaged(&out, 2 * rows * sizeof *out);
  cudaMallocManaged(&wideOut, rows * sizeof *wideOut);
  cudaMallocManaged(&counted, 3 * rows * sizeof *counted);
  cudaMallocManaged(&bounds, rows * sizeof *bounds);
  begin[0] = 0;
  for (int i = 0; i < rows; ++i)
    begin[i + 1] = begin[i] + (i % 17 == 3 ? 0 : i * 7 % 41);
  for (int i = 0; i <= rows; ++i)
    wideBegin[i] = begin[i];
  for (int i = 0; i < most; ++i)
    wide[i] = values[i] = float(i * 29 % 64) / 32;
  const Rows<int, float> m{rows, begin, values};
  const struct {
    int grid, block;
  } shapes[] = {{1, 32}, {7, 128}, {40, 64}, {3, 256}, {1100, 32}};
  for (const auto shape : shapes) {
    const int grid = shape.grid, block = shape.block, warps = grid * block / 32;
    printf("%d x %d\n", grid, block);
    const auto clear = [&] {
      cudaDeviceSynchronize();
      for (int i = 0; i < 2 * rows; ++i)
        out[i] = 0;
    };
    clear();
    sums<<<grid, block>>>(m, out);
    cudaDeviceSynchronize();
    tell("sums", out, rows);
    sums<<<grid, block>>>(Rows<long long, double>{rows, wideBegin, wide}, wideOut);
    cudaDeviceSynchronize();
    tell("wide", wideOut, rows);
    clear();
    sumsOfViews<<<grid, block>>>(m, View<float>{values}, out);
    cudaDeviceSynchronize();
    tell("views", out, rows);
    clear();
    sumsOfTiles<<<grid, block>>>(m, out);
    cudaDeviceSynchronize();
    tell("tiles", out, rows);
    clear();
    chains<<<grid, block>>>(out, rows);
    cudaDeviceSynchronize();
    tell("chains", out, rows);
    planes<<<dim3(grid, 3), block>>>(counted, rows);
    cudaDeviceSynchronize();
    tell("planes", counted, 3 * rows);
    clear();
    keepsSum<<<grid, block>>>(values, out, rows);
    cudaDeviceSynchronize();
    tell("keepsSum", out, rows);
    clear();
    keepsLast<<<grid, block>>>(values, out, rows);
    cudaDeviceSynchronize();
    tell("keepsLast", out, rows);
    clear();
    keepsShared<<<grid, block>>>(values, out, rows);
    cudaDeviceSynchronize();
    tell("keepsShared", out, rows);
    clear();
    leaves<<<grid, block>>>(values, out, rows);
    cudaDeviceSynchronize();
    tell("leaves", out, rows);
    for (int i = 0; i < rows; ++i) {
      counted[i] = 0;
      bounds[i] = rows;
    }
    if (warps <= rows) {
      movingBound<<<grid, block>>>(bounds, counted);
      cudaDeviceSynchronize();
    }
    tell("movingBound", counted, rows);
    clear();
    skips<<<grid, block>>>(values, out, rows);
    cudaDeviceSynchronize();
    tell("skips", out, rows);
    clear();
    keepsFactor<<<grid, block>>>(values, out, rows, 0.5f);
    cudaDeviceSynchronize();
    tell("keepsFactor", out, rows);
    clear();
    keepsPlace<<<grid, block>>>(values, out, rows, values);
    cudaDeviceSynchronize();
    tell("keepsPlace", out, rows);
    clear();
    back<<<grid, block>>>(values, out, rows);
    cudaDeviceSynchronize();
    tell("back", out, rows);
    clear();
    byFactor<<<grid, block>>>(values, out, rows, 1.0f);
    cudaDeviceSynchronize();
    tell("byFactor", out, rows);
    *bounds = 0;
    counts<<<grid, block>>>(bounds, counted, rows);
    cudaDeviceSynchronize();
    tell("counts", counted, rows);
    printf("began %d\n", *bounds);
  }
  sums<<<4, 64>>>(Rows<int, float>{0, begin, values}, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
