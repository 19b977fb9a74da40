// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores of inline PTX with cache hints, orders and vectors; shared memory by addresses of
// 32 bits; atomics.
#include <cstdint>
#include <cstdio>

__device__ float4 loadStreaming(const float4* p) {
  float4 v;
  asm volatile("ld.global.cs.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "l"(p));
  return v;
}

template <class T> __device__ T loadReadOnly(const T* p);
template <> __device__ unsigned loadReadOnly(const unsigned* p) {
  unsigned v;
  asm("ld.global.nc.L1::no_allocate.L2::128B.u32 %0, [%1];" : "=r"(v) : "l"(p));
  return v;
}
template <> __device__ unsigned long long loadReadOnly(const unsigned long long* p) {
  unsigned long long v;
  asm("ld.global.nc.b64 %0, [%1];" : "=l"(v) : "l"(p));
  return v;
}

__device__ __forceinline__ uint32_t sharedAddress(const void* p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
__device__ __forceinline__ uint32_t sharedAddressByHand(const void* p) {
  uint32_t address;
  asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(address) : "l"(p));
  return address;
}

__global__ void copies(float4* to, const float4* from, unsigned* words, const unsigned* in,
                       unsigned long long* wide, const unsigned long long* inWide) {
  __shared__ unsigned fixed[64];
  extern __shared__ unsigned dynamic[];
  const int t = threadIdx.x;
  const float4 v = loadStreaming(from + t);
  asm volatile("st.global.wt.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(to + t), "f"(v.w), "f"(v.z),
               "f"(v.y), "f"(v.x)
               : "memory");
  const uint32_t a = sharedAddress(&fixed[t]), b = sharedAddressByHand(&dynamic[t]);
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(a), "r"(loadReadOnly(in + t)) : "memory");
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(b), "r"(t * 3) : "memory");
  __syncthreads();
  unsigned x, y;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(x) : "r"(sharedAddress(&fixed[63 - t])));
  asm volatile("ld.volatile.shared.u32 %0, [%1+4];" : "=r"(y) : "r"(sharedAddress(&dynamic[t ^ 1])));
  words[t] = t % 2 ? x + y : x;
  wide[t] = loadReadOnly(inWide + t);
  unsigned byte;
  asm("ld.global.u8 %0, [%1];" : "=r"(byte) : "l"(reinterpret_cast<const char*>(in + t) + 1));
  int signedByte;
  asm("ld.global.s8 %0, [%1 + 2];" : "=r"(signedByte) : "l"(in + t));
  wide[t] += (unsigned long long)byte << 32 | unsigned(signedByte);
}

__global__ void atomics(unsigned* counters, int* extremes, float* sum, unsigned long long* big) {
  __shared__ unsigned votes;
  if (threadIdx.x == 0)
    asm volatile("st.shared.u32 [%0], 0;" ::"r"(sharedAddress(&votes)) : "memory");
  __syncthreads();
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  unsigned old;
  asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(counters), "r"(1) : "memory");
  asm volatile("red.global.add.u32 [%0], %1;" ::"l"(counters + 1), "r"(old) : "memory");
  asm volatile("red.relaxed.gpu.global.max.s32 [%0], %1;" ::"l"(extremes), "r"(i * 7 % 1001 - 500) : "memory");
  asm volatile("atom.global.min.s32 %0, [%1], %2;" : "=r"(old) : "l"(extremes + 1), "r"(i * 7 % 1001 - 500) : "memory");
  asm volatile("red.global.add.f32 [%0], %1;" ::"l"(sum), "f"(0.5f) : "memory");
  asm volatile("red.global.add.u64 [%0], %1;" ::"l"(big), "l"(1ull << 33) : "memory");
  asm volatile("atom.global.inc.u32 %0, [%1], 99;" : "=r"(old) : "l"(counters + 2) : "memory");
  asm volatile("atom.acq_rel.gpu.global.exch.b32 %0, [%1], %2;" : "=r"(old) : "l"(counters + 3), "r"(4711) : "memory");
  asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;" : "=r"(old) : "l"(counters + 4), "r"(0), "r"(i + 1) : "memory");
  asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(sharedAddress(&votes)), "r"(i & 1) : "memory");
  asm volatile("red.global.or.b32 [%0], %1;" ::"l"(counters + 6), "r"(1u << (i & 31)) : "memory");
  __syncthreads();
  if (threadIdx.x == 0)
    atomicAdd(counters + 5, votes);
}

// A chain through blocks: each waits for the flag of the one before it.
__global__ void chain(unsigned* flags, unsigned* values) {
  if (threadIdx.x)
    return;
  const unsigned b = blockIdx.x;
  unsigned before = 0;
  if (b) {
    unsigned flag;
    do
      asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(flag) : "l"(flags + b - 1) : "memory");
    while (flag == 0);
    asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(before) : "l"(values + b - 1));
  }
  asm volatile("st.relaxed.gpu.u32 [%0], %1;" ::"l"(values + b), "r"(before + b * b) : "memory");
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
  asm volatile("membar.gl;" ::: "memory");
  asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(flags + b), "r"(1) : "memory");
  asm volatile("prefetch.global.L2 [%0];" ::"l"(flags));
}

int main() {
  float4 *from, *to;
  unsigned *in, *words, *counters, *flags;
  unsigned long long *inWide, *wide, *big;
  int* extremes;
  float* sum;
  cudaMallocManaged(&from, 64 * sizeof(float4));
  cudaMallocManaged(&to, 64 * sizeof(float4));
  cudaMallocManaged(&in, 65 * sizeof(unsigned));
  cudaMallocManaged(&words, 64 * sizeof(unsigned));
  cudaMallocManaged(&inWide, 64 * 8);
  cudaMallocManaged(&wide, 64 * 8);
  cudaMallocManaged(&counters, 8 * sizeof(unsigned));
  cudaMallocManaged(&extremes, 2 * sizeof(int));
  cudaMallocManaged(&sum, sizeof(float));
  cudaMallocManaged(&big, 8);
  cudaMallocManaged(&flags, 200 * sizeof(unsigned));
  for (int i = 0; i < 64; ++i) {
    from[i] = make_float4(i, i + 0.25f, i + 0.5f, i + 0.75f);
    in[i] = i * 2654435761u;
    inWide[i] = i * 11400714819323198485ull;
  }
  for (int i = 0; i < 8; ++i)
    counters[i] = 0;
  for (int i = 0; i < 200; ++i)
    flags[i] = 0;
  extremes[0] = -10000, extremes[1] = 10000, *sum = 0, *big = 0;
  copies<<<1, 64, 65 * 4>>>(to, from, words, in, wide, inWide);
  atomics<<<16, 64>>>(counters, extremes, sum, big);
  chain<<<100, 32>>>(flags, flags + 100);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  printf("%g %g %g %g\n", to[9].x, to[9].y, to[9].z, to[9].w);
  unsigned long long h = 1;
  for (int i = 0; i < 64; ++i)
    h = (h ^ words[i]) * 1099511628211ull, h = (h ^ wide[i]) * 1099511628211ull;
  printf("%016llx %x %llx\n", h, words[13], wide[13]);
  printf("%u %u %u %u %d %u %x\n", counters[0], counters[1], counters[2], counters[3], counters[4] != 0,
         counters[5], counters[6]);
  printf("%d %d %g %llx\n", extremes[0], extremes[1], *sum, *big);
  printf("%u %u\n", flags[199], flags[150]);
  return 0;
}
