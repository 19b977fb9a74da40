// Labels and branches of inline PTX: loops that wait for other blocks, locks, loops that count,
// branches with and without an alternative, labels made unique by the compiler.
#include <cstdio>

// A function of its own for the load, as many programs have it.
__device__ __forceinline__ int loadAcquire(const int* p) {
  int v;
  asm volatile("ld.acquire.gpu.global.b32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}

// Block 0 waits for the last one, which waits for nobody.
__global__ void waitForLast(int* flags, int* out) {
  if (blockIdx.x == 0) {
    asm volatile("{\n"
                 "  .reg .pred %%p1;\n"
                 "  .reg .u32 %%r1;\n"
                 "WAIT_%=:\n"
                 "  ld.acquire.gpu.global.u32 %%r1, [%0];\n"
                 "  setp.eq.u32 %%p1, %%r1, 0;\n"
                 "  @%%p1 bra WAIT_%=;\n"
                 "}" ::"l"(flags)
                 : "memory");
    out[threadIdx.x] = 77 + threadIdx.x;
  } else if (blockIdx.x == 1) {
    while (loadAcquire(flags + 1) == 0)
      ;
    out[blockDim.x + threadIdx.x] = 33;
  } else {
    __syncthreads();
    if (threadIdx.x == 0) {
      asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(flags), "r"(1) : "memory");
      asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(flags + 1), "r"(1) : "memory");
    }
  }
}

__device__ __forceinline__ void lock(int* mutex) {
  asm volatile("{\n\t"
               ".reg .pred %p;\n\t"
               ".reg .b32 %old;\n\t"
               "TRY:\n\t"
               "atom.acquire.gpu.global.cas.b32 %old, [%0], 0, 1;\n\t"
               "setp.eq.s32 %p, %old, 0;\n\t"
               "@%p bra DONE;\n\t"
               "bra.uni TRY;\n\t"
               "DONE:\n\t"
               "}" ::"l"(mutex)
               : "memory");
}
__device__ __forceinline__ void unlock(int* mutex) {
  asm volatile("st.release.gpu.global.b32 [%0], 0;" ::"l"(mutex) : "memory");
}
__global__ void countUnderLock(int* mutex, int* count, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    if (threadIdx.x == 0) {
      lock(mutex);
      *(volatile int*)count = *(volatile int*)count + 1;
      unlock(mutex);
    }
    __syncthreads();
  }
}

__device__ int collatz(unsigned long long start) {
  int steps;
  asm("{\n"
      " .reg .pred p, q;\n"
      " .reg .u64 t, x;\n"
      " .reg .u32 n;\n"
      " mov.u64 x, %1;\n"
      " mov.u32 n, 0;\n"
      "LOOP:\n"
      " setp.le.u64 p, x, 1;\n"
      " @p bra END;\n"
      " and.b64 t, x, 1;\n"
      " setp.eq.u64 q, t, 0;\n"
      " @q bra EVEN;\n"
      " mad.lo.u64 x, x, 3, 1;\n"
      " bra NEXT;\n"
      "EVEN:\n"
      " shr.u64 x, x, 1;\n"
      "NEXT:\n"
      " add.u32 n, n, 1;\n"
      " bra LOOP;\n"
      "END:\n"
      " mov.u32 %0, n;\n"
      "}"
      : "=r"(steps)
      : "l"(start));
  return steps;
}
__global__ void lengths(int* out) {
  __shared__ int steps[40];
  steps[threadIdx.x] = collatz(threadIdx.x + 1);
  __syncthreads();
  out[threadIdx.x] = steps[39 - threadIdx.x];
}

__global__ void absolutes(int* out) {
  int v = threadIdx.x * 7 - 100;
  asm("{ .reg .pred p; setp.ge.s32 p, %0, 0; @p bra $OK; neg.s32 %0, %0; $OK: }" : "+r"(v));
  out[threadIdx.x] = v;
}

int main() {
  int* d;
  cudaMallocManaged(&d, 256 * sizeof(int));
  const auto clear = [&] {
    for (int i = 0; i < 256; ++i)
      d[i] = 0;
  };
  clear();
  waitForLast<<<3, 40>>>(d, d + 2);
  printf("waited: %d", cudaDeviceSynchronize());
  printf(" %d %d %d\n", d[2], d[41], d[81]);
  clear();
  countUnderLock<<<7, 33>>>(d, d + 1, 20);
  cudaDeviceSynchronize();
  printf("counted: %d\n", d[1]);
  lengths<<<1, 40>>>(d);
  cudaDeviceSynchronize();
  printf("lengths:");
  for (int i = 0; i < 40; ++i)
    printf(" %d", d[i]);
  absolutes<<<1, 33>>>(d);
  cudaDeviceSynchronize();
  printf("\nabsolutes:");
  for (int i = 0; i < 33; ++i)
    printf(" %d", d[i]);
  printf("\n");
  return 0;
}
