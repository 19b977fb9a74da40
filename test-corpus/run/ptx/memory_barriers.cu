// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mbarrier in inline PTX: a ring of buffers between producers and consumers with the loops that libraries wait in, tokens,
// several arrivals at once, threads that leave, and asynchronous copies that arrive; bulk copies whose bytes it awaits.
#include <cstdint>
#include <cstdio>

__device__ uint32_t inShared(const void* p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

__device__ void init(uint64_t* barrier, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(inShared(barrier)), "r"(count));
}

__device__ void arrive(uint64_t* barrier) {
  asm volatile("{\n.reg .b64 state;\nmbarrier.arrive.shared::cta.b64 state, [%0];\n}" ::"r"(inShared(barrier)) : "memory");
}

__device__ void waitFor(uint64_t* barrier, int parity) {
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "AGAIN:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "@done bra OVER;\n"
      "bra AGAIN;\n"
      "OVER:\n"
      "}" ::"r"(inShared(barrier)),
      "r"(parity)
      : "memory");
}

__device__ bool isOver(uint64_t* barrier, int parity) {
  uint32_t over;
  asm volatile("{\n.reg .pred p;\nmbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
               : "=r"(over)
               : "r"(inShared(barrier)), "r"(parity)
               : "memory");
  return over;
}

// Warp 0 fills three buffers in turn, the other two warps empty them.
__global__ void ring(const int* in, int* out, int tiles) {
  __shared__ int buffer[3][64];
  __shared__ uint64_t full[3], empty[3];
  if (threadIdx.x == 0)
    for (int i = 0; i < 3; ++i) {
      init(&full[i], 32);
      init(&empty[i], 64);
    }
  __syncthreads();
  if (threadIdx.x < 32) {
    for (int t = 0; t < tiles; ++t) {
      waitFor(&empty[t % 3], (t / 3 & 1) ^ 1);
      for (int k = threadIdx.x; k < 64; k += 32)
        buffer[t % 3][k] = in[t * 64 + k] * 3;
      arrive(&full[t % 3]);
    }
  } else {
    const int c = threadIdx.x - 32;
    int sum = 0;
    for (int t = 0; t < tiles; ++t) {
      waitFor(&full[t % 3], t / 3 & 1);
      sum = sum * 5 + buffer[t % 3][63 - c];
      arrive(&empty[t % 3]);
    }
    out[c] = sum;
  }
}

// Each warp's first thread arrives for the whole warp; tokens say which phase to wait for.
__global__ void tokens(int* out) {
  __shared__ int row[96];
  __shared__ uint64_t barrier;
  if (threadIdx.x == 0)
    init(&barrier, 96);
  __syncthreads();
  int sum = 0;
  for (int round = 1; round <= 4; ++round) {
    row[threadIdx.x] = threadIdx.x * round;
    __syncwarp();
    uint64_t token = 0;
    if (threadIdx.x % 32 == 0)
      asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 %0, [%1], 32;" : "=l"(token) : "r"(inShared(&barrier)) : "memory");
    token = __shfl_sync(0xffffffff, token, 0);
    uint32_t over;
    do
      asm volatile("{\n.reg .pred p;\nmbarrier.test_wait.acquire.cta.shared::cta.b64 p, [%1], %2;\nselp.b32 %0, 1, 0, p;\n}"
                   : "=r"(over)
                   : "r"(inShared(&barrier)), "l"(token)
                   : "memory");
    while (!over);
    sum += row[95 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Threads of the second warp leave after the first round.
__global__ void leaving(int* out) {
  __shared__ uint64_t barrier;
  __shared__ int count;
  if (threadIdx.x == 0) {
    init(&barrier, 64);
    count = 0;
  }
  __syncthreads();
  atomicAdd(&count, 1);
  if (threadIdx.x >= 32) {
    asm volatile("mbarrier.arrive_drop.shared.b64 _, [%0];" ::"r"(inShared(&barrier)) : "memory");
    return;
  }
  for (int round = 0; round < 3; ++round) {
    arrive(&barrier);
    waitFor(&barrier, round & 1);
    atomicAdd(&count, 1);
  }
  arrive(&barrier);
  waitFor(&barrier, 1);
  out[threadIdx.x] = count;
  if (threadIdx.x == 0)
    asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(inShared(&barrier)));
}

__global__ void copies(const int* in, int* out) {
  __shared__ int row[128];
  __shared__ uint64_t barrier;
  if (threadIdx.x == 0)
    init(&barrier, blockDim.x);
  __syncthreads();
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(inShared(&row[threadIdx.x])), "l"(in + threadIdx.x));
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(inShared(&barrier)));
  waitFor(&barrier, 0);
  out[threadIdx.x] = row[127 - threadIdx.x] + isOver(&barrier, 0) * 1000 + isOver(&barrier, 1) * 5000;
}

// Tiles of 256 bytes come in by one thread's bulk copies and leave the same way.
__global__ void bulk(const int* in, int* out, int tiles) {
  __shared__ alignas(128) int tile[2][64];
  __shared__ uint64_t barrier[2];
  const bool leader = threadIdx.x == 0;
  if (leader) {
    init(&barrier[0], 1);
    init(&barrier[1], blockDim.x);
    asm volatile("fence.proxy.async.shared::cta;");
  }
  __syncthreads();
  int sum = 0;
  for (int t = 0; t < tiles; ++t) {
    if (leader) {
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(inShared(&barrier[0])), "r"(256) : "memory");
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(inShared(tile[0])),
                   "l"(in + t * 64), "r"(256), "r"(inShared(&barrier[0]))
                   : "memory");
      asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(inShared(&barrier[1])), "r"(128) : "memory");
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(inShared(tile[1])),
                   "l"(in + t * 64 + 4), "n"(128), "r"(inShared(&barrier[1]))
                   : "memory");
    }
    waitFor(&barrier[0], t & 1);
    sum = sum * 3 + tile[0][63 - threadIdx.x];
    arrive(&barrier[1]);
    waitFor(&barrier[1], t & 1);
    sum += tile[1][threadIdx.x % 32];
    __syncthreads();
  }
  tile[0][threadIdx.x] = sum;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (leader) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out), "r"(inShared(tile[0])), "r"(256) : "memory");
    asm volatile("cp.async.bulk.commit_group;");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 64 * 20 * sizeof *in);
  cudaMallocManaged(&out, 128 * sizeof *out);
  for (int i = 0; i < 64 * 20; ++i)
    in[i] = i * 37 % 1001;
  const auto show = [&](const char* name, int count) {
    printf("%s %s", name, cudaGetErrorName(cudaDeviceSynchronize()));
    unsigned hash = 0;
    for (int i = 0; i < count; ++i)
      hash = hash * 31 + out[i];
    printf(" %d %d %u\n", out[0], out[count - 1], hash);
  };
  ring<<<2, 96>>>(in, out, 20);
  show("ring", 64);
  tokens<<<1, 96>>>(out);
  show("tokens", 96);
  leaving<<<1, 64>>>(out);
  show("leaving", 32);
  copies<<<1, 128>>>(in, out);
  show("copies", 128);
  bulk<<<1, 64>>>(in, out, 5);
  show("bulk", 64);
}
