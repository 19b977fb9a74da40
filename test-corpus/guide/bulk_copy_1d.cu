// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The guide's bulk copy of one dimension: global to shared memory with a barrier that counts bytes,
// and back in a group, by functions of CUDA 12, of cuda::ptx and of cuda::barrier.
#include <cstdio>
#include <cuda/barrier>
#include <cuda/ptx>
#include <utility>

using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;
namespace ptx = cuda::ptx;

constexpr size_t length = 1024;

__global__ void addOne(int* data, size_t offset) {
  __shared__ alignas(16) int buffer[length];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();

  barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_global_to_shared(buffer, data + offset, sizeof(buffer), bar);
    token = cuda::device::barrier_arrive_tx(bar, 1, sizeof(buffer));
  } else {
    token = bar.arrive();
  }
  bar.wait(std::move(token));

  for (int i = threadIdx.x; i < length; i += blockDim.x)
    buffer[i] += 1;

  cde::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_shared_to_global(data + offset, buffer, sizeof(buffer));
    cde::cp_async_bulk_commit_group();
    cde::cp_async_bulk_wait_group_read<0>();
  }
}

__global__ void addTwo(int* data, size_t offset) {
  __shared__ alignas(16) int buffer[length];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();

  if (threadIdx.x == 0)
    cuda::memcpy_async(buffer, data + offset, cuda::aligned_size_t<16>(sizeof(buffer)), bar);
  barrier::arrival_token token = bar.arrive();
  bar.wait(std::move(token));

  for (int i = threadIdx.x; i < length; i += blockDim.x)
    buffer[i] += 2;

  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, data + offset, buffer, sizeof(buffer));
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
}

// Two buffers in turn; threads wait for the parity of a phase.
__global__ void addThree(int* data, int rounds) {
  __shared__ alignas(16) int buffer[2][256];
  __shared__ uint64_t bars[2];
  if (threadIdx.x == 0) {
    for (int b = 0; b < 2; ++b)
      ptx::mbarrier_init(&bars[b], 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncthreads();
  const auto fetch = [&](int round) {
    const int b = round % 2;
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bars[b],
                                   sizeof(buffer[b]));
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, buffer[b], data + round * 256,
                       sizeof(buffer[b]), &bars[b]);
  };
  if (threadIdx.x == 0)
    fetch(0);
  for (int round = 0; round < rounds; ++round) {
    if (threadIdx.x == 0 && round + 1 < rounds)
      fetch(round + 1);
    const int b = round % 2;
    while (!ptx::mbarrier_try_wait_parity(&bars[b], (round / 2) % 2)) {
    }
    data[round * 256 + threadIdx.x] = buffer[b][threadIdx.x] + 3;
    __syncthreads();
  }
}

int main() {
  const int n = 4 * length;
  int* data;
  cudaMallocManaged(&data, n * sizeof(int));
  for (int i = 0; i < n; ++i)
    data[i] = i * 7;
  addOne<<<1, 128>>>(data, length);
  addTwo<<<1, 96>>>(data, 2 * length);
  addThree<<<1, 256>>>(data, 5);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  long long sum = 0;
  for (int i = 0; i < n; ++i)
    sum = (sum * 31 + data[i]) % 1000000007;
  printf("%lld %d %d %d %d %d\n", sum, data[0] - 0, data[1024] - 7 * 1024, data[1279] - 7 * 1279,
         data[2048] - 7 * 2048, data[4095] - 7 * 4095);
  cudaFree(data);
}
