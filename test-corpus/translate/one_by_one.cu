// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waits of asynchronous barriers and matrix functions stay as they are, each in a loop of its own.
#include <cuda/barrier>
#include <mma.h>
using namespace nvcuda;

// FORM: phases split
__global__ void phases(const int* in, int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int tile[64];
  if (threadIdx.x == 0)
    init(&bar, blockDim.x);
  __syncthreads();
  tile[threadIdx.x] = in[threadIdx.x];
  // CHECK: token = bar.arrive();
  cuda::barrier<cuda::thread_scope_block>::arrival_token token = bar.arrive();
  // CHECK: cu2cpp::eachThreadPublished(cuBlock, [&](
  // CHECK: bar.wait(std::move(token));
  // CHECK: });
  bar.wait(std::move(token));
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

// A barrier in global memory may be one of several blocks.
// FORM: ofTheGrid fibers
// DIAG: CU2101 @+1
__global__ void ofTheGrid(cuda::barrier<cuda::thread_scope_device>* bar, int* out) {
  bar->arrive_and_wait();
  out[threadIdx.x] = 1;
}

// FORM: square split
__global__ void square(const half* a, float* c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[1];
  wmma::fill_fragment(sum[0], 0.0f);
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, a, 16);
  // CHECK: cu2cpp::eachLaneOneByOne(cuWarp, cuLanes, [&](
  // CHECK: wmma::mma_sync(sum[0], fa, fb, sum[0]);
  // CHECK: });
  wmma::mma_sync(sum[0], fa, fb, sum[0]);
  wmma::store_matrix_sync(c, sum[0], 16, wmma::mem_row_major);
}

// The type of a variable that only its first value tells.
// FORM: deduced split
template <class T> __global__ void deduced(const T* in, T* out) {
  __shared__ T tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  // CHECK: auto cuEach_twice = cu2cpp::perThread(cuBlock,
  auto twice = tile[threadIdx.x] + in[threadIdx.x];
  __syncthreads();
  tile[63 - threadIdx.x] = T(1);
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x] + twice;
}
template __global__ void deduced<float>(const float*, float*);
