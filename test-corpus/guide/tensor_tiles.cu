// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The guide's bulk copies of tiles: a map of a tensor made on the host, tiles of 1 to 5 dimensions,
// tiles that reach beyond the tensor, strides between elements, and swizzled rows.
#include <cstdio>
#include <cuda.h>
#include <cuda/barrier>
#include <cuda/ptx>
#include <cudaTypedefs.h>
#include <utility>

using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;
namespace ptx = cuda::ptx;

constexpr int height = 48, width = 64;
constexpr int tileHeight = 8, tileWidth = 32;

PFN_cuTensorMapEncodeTiled_v12000 encoder() {
  cudaDriverEntryPointQueryResult found;
  void* address = nullptr;
  cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &address, cudaEnableDefault, &found);
  return reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(address);
}

template <int rank>
CUresult encode(CUtensorMap* map, void* data, const cuuint64_t (&size)[rank],
                const cuuint32_t (&box)[rank], const cuuint32_t (&step)[rank],
                CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE) {
  cuuint64_t stride[5] = {size[0] * sizeof(int)};
  for (int d = 1; d < rank; ++d)
    stride[d] = stride[d - 1] * size[d];
  return encoder()(map, CU_TENSOR_MAP_DATA_TYPE_INT32, rank, data, size, stride, box, step,
                   CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                   CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

// Adds 1 to a tile of the matrix and says what its elements were. A tile may be read at negative
// places, but not written.
__global__ void addOne(const __grid_constant__ CUtensorMap map, int x, int y, bool written,
                       int* seen) {
  __shared__ alignas(128) int tile[tileHeight][tileWidth];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_tensor_2d_global_to_shared(&tile, &map, x, y, bar);
    token = cuda::device::barrier_arrive_tx(bar, 1, sizeof(tile));
  } else {
    token = bar.arrive();
  }
  bar.wait(std::move(token));
  for (int row = 0; row < tileHeight; ++row) {
    seen[row * tileWidth + threadIdx.x] = tile[row][threadIdx.x];
    tile[row][threadIdx.x] += 1;
  }
  cde::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x == 0 && written) {
    cde::cp_async_bulk_tensor_2d_shared_to_global(&map, x, y, &tile);
    cde::cp_async_bulk_commit_group();
    cde::cp_async_bulk_wait_group_read<0>();
    (&bar)->~barrier();
  }
}

// Reads a tile as it lies in shared memory; writes it back, doubled, at another place.
template <int rank, int count>
__global__ void doubled(const __grid_constant__ CUtensorMap map, int4 from, int last, int* seen) {
  __shared__ alignas(1024) int tile[count];
  __shared__ uint64_t bar;
  int place[5] = {from.x, from.y, from.z, from.w, last}, coordinates[rank];
  for (int d = 0; d < rank; ++d)
    coordinates[d] = place[d];
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&bar, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::fence_proxy_async(ptx::space_shared);
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &map, coordinates, &bar);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar,
                                   sizeof(tile));
  }
  __syncthreads();
  while (!ptx::mbarrier_try_wait_parity(&bar, 0)) {
  }
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    seen[i] = tile[i];
    tile[i] *= 2;
  }
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0 && from.w >= 0 && last >= 0) {
    coordinates[0] += 4;
    ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &map, coordinates, tile);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}

constexpr int elements = 8192;
int *data, *seen;

void start() {
  for (int i = 0; i < elements; ++i)
    data[i] = i + 1;
  cudaMemset(seen, 0, elements * sizeof(int));
}
void show(const char* name) {
  const cudaError_t error = cudaDeviceSynchronize();
  long long tile = 0, all = 0;
  for (int i = 0; i < elements; ++i) {
    tile = (tile * 31 + seen[i]) % 1000000007;
    all = (all * 31 + data[i]) % 1000000007;
  }
  printf("%s: %s %lld %lld; %d %d %d %d\n", name, cudaGetErrorString(error), tile, all, seen[0],
         seen[1], seen[31], seen[64]);
}

int main() {
  cudaMallocManaged(&data, elements * sizeof(int));
  cudaMallocManaged(&seen, elements * sizeof(int));
  CUtensorMap map;

  const cuuint64_t matrix[] = {width, height};
  const cuuint32_t tile[] = {tileWidth, tileHeight};
  printf("%d\n", (int)encode<2>(&map, data, matrix, tile, {1, 1}));
  const int2 places[] = {{0, 0}, {32, 40}, {48, 44}, {-8, -3}, {60, 8}, {64, 0}, {-40, 5}};
  for (const int2 place : places) {
    start();
    addOne<<<1, tileWidth>>>(map, place.x, place.y, place.x >= 0 && place.y >= 0, seen);
    show("matrix");
  }

  printf("%d\n", (int)encode<1>(&map, data, {elements}, {128}, {1}));
  start();
  doubled<1, 128><<<1, 64>>>(map, {8100}, 0, seen);
  show("1 dimension");
  printf("%d\n", (int)encode<3>(&map, data, {32, 16, 16}, {16, 4, 2}, {1, 1, 1}));
  start();
  doubled<3, 128><<<1, 64>>>(map, {20, 3, 7}, 0, seen);
  show("3 dimensions");
  printf("%d\n", (int)encode<4>(&map, data, {16, 8, 8, 8}, {8, 2, 4, 2}, {1, 1, 1, 1}));
  start();
  doubled<4, 128><<<1, 64>>>(map, {4, 7, 5, -1}, 0, seen);
  show("4 dimensions");
  printf("%d\n", (int)encode<5>(&map, data, {16, 8, 4, 4, 4}, {4, 2, 2, 2, 4}, {1, 1, 1, 1, 1}));
  start();
  doubled<5, 128><<<1, 64>>>(map, {8, 2, 1, 3}, -2, seen);
  show("5 dimensions");

  printf("%d\n", (int)encode<3>(&map, data, {32, 16, 16}, {16, 8, 4}, {1, 2, 4}));
  start();
  doubled<3, 64><<<1, 64>>>(map, {4, 1, 2}, 0, seen);
  show("every second row");

  const CUtensorMapSwizzle swizzles[] = {CU_TENSOR_MAP_SWIZZLE_32B, CU_TENSOR_MAP_SWIZZLE_64B,
                                         CU_TENSOR_MAP_SWIZZLE_128B};
  for (const CUtensorMapSwizzle swizzle : swizzles) {
    const cuuint32_t row = 4u << swizzle;
    printf("%d\n", (int)encode<2>(&map, data, matrix, {row, 256 / row}, {1, 1}, swizzle));
    start();
    doubled<2, 256><<<1, 64>>>(map, {12, 9}, 0, seen);
    show("swizzled");
    start();
    doubled<2, 256><<<1, 64>>>(map, {48, 40}, 0, seen);
    show("swizzled at the edge");
  }

  // What a map cannot be.
  printf("%d", (int)encode<2>(&map, data + 1, matrix, tile, {1, 1}));
  printf(" %d", (int)encode<2>(&map, data, {30, 30}, tile, {1, 1}));
  printf(" %d", (int)encode<2>(&map, data, matrix, {3, 8}, {1, 1}));
  printf(" %d", (int)encode<2>(&map, data, matrix, {512, 8}, {1, 1}));
  printf(" %d", (int)encode<2>(&map, data, matrix, tile, {1, 9}));
  printf(" %d\n", (int)encode<2>(&map, data, matrix, {16, 8}, {1, 1}, CU_TENSOR_MAP_SWIZZLE_32B));
  cudaFree(data);
  cudaFree(seen);
}
