// Tiles whose size a template's argument gives answer for their rank and size, and exchange values.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

// Rows of a sparse matrix, a tile for each, more rows than tiles.
template <int Size> __global__ void sumRows(const int* starts, const double* values, int rows, double* out) {
  auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int perBlock = blockDim.x / Size;
  for (int row = blockIdx.x * perBlock + tile.meta_group_rank(); row < rows; row += gridDim.x * perBlock) {
    double sum = 0;
    for (int k = starts[row] + tile.thread_rank(); k < starts[row + 1]; k += tile.size())
      sum += values[k];
    for (int offset = tile.size() / 2; offset > 0; offset >>= 1)
      sum += tile.shfl_down(sum, offset);
    if (tile.thread_rank() == 0)
      out[row] = sum;
  }
}

// The size is an expression, the tile has a written type, the block a name, and blocks two dimensions.
template <unsigned Half, class T> __global__ void places(T* out) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<2 * Half> tile = cg::tiled_partition<2 * Half>(block);
  T most = block.thread_rank() % 7 * 3;
  for (int offset = tile.num_threads() / 2; offset > 0; offset /= 2) {
    T other = tile.shfl_xor(most, offset);
    most = other > most ? other : most;
  }
  const unsigned votes = tile.ballot(tile.thread_rank() % 3 == 0);
  out[block.thread_rank()] = tile.thread_rank() + 100 * tile.meta_group_rank() +
                             10000 * tile.meta_group_size() + 1000000 * most + votes % 5;
}

// One instance's tiles are wider than a warp: what they answer is theirs to say.
template <unsigned Size> __global__ void widths(int* out) {
  __shared__ cg::block_tile_memory<128> memory;
  auto block = cg::this_thread_block(memory);
  auto tile = cg::tiled_partition<Size>(block);
  out[threadIdx.x] = tile.thread_rank() + 1000 * tile.meta_group_rank() + 100000 * tile.size();
}

// A tile as a parameter.
template <class Tile> __device__ int lastOf(const Tile& tile, int value) {
  return tile.shfl(value, tile.size() - 1) + tile.thread_rank();
}
template <int Size> __global__ void callers(int* out) {
  auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  out[threadIdx.x] = lastOf(tile, threadIdx.x * 2 + tile.thread_rank());
}

template <class T> static void show(const char* name, const T* values, int count) {
  double weighted = 0;
  for (int i = 0; i < count; ++i)
    weighted += (i % 13 + 1) * double(values[i]);
  std::printf("%s %.3f first %.3f last %.3f\n", name, weighted, double(values[0]), double(values[count - 1]));
}

template <int Size> static void sums(const int* starts, const double* values, int rows, double* out) {
  sumRows<Size><<<3, 96>>>(starts, values, rows, out);
  cudaDeviceSynchronize();
  show("rows", out, rows);
}

int main() {
  const int rows = 157;
  int* starts;
  double *values, *out;
  int* numbers;
  cudaMallocManaged(&starts, (rows + 1) * sizeof(int));
  cudaMallocManaged(&out, rows * sizeof(double));
  cudaMallocManaged(&numbers, 256 * sizeof(int));
  starts[0] = 0;
  for (int row = 0; row < rows; ++row)
    starts[row + 1] = starts[row] + row * 7 % 45;
  cudaMallocManaged(&values, starts[rows] * sizeof(double));
  for (int k = 0; k < starts[rows]; ++k)
    values[k] = k % 17 - 5.5;
  sums<1>(starts, values, rows, out);
  sums<2>(starts, values, rows, out);
  sums<4>(starts, values, rows, out);
  sums<8>(starts, values, rows, out);
  sums<16>(starts, values, rows, out);
  sums<32>(starts, values, rows, out);
  places<2><<<1, dim3(12, 4)>>>(numbers);
  cudaDeviceSynchronize();
  show("places", numbers, 48);
  places<16><<<1, dim3(12, 8)>>>(numbers);
  cudaDeviceSynchronize();
  show("places", numbers, 96);
  widths<16><<<1, 128>>>(numbers);
  cudaDeviceSynchronize();
  show("widths", numbers, 128);
  widths<64><<<1, 128>>>(numbers);
  cudaDeviceSynchronize();
  show("widths", numbers, 128);
  callers<4><<<1, 64>>>(numbers);
  cudaDeviceSynchronize();
  show("callers", numbers, 64);
  callers<32><<<1, 64>>>(numbers);
  cudaDeviceSynchronize();
  show("callers", numbers, 64);
}
