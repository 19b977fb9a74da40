// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several instructions in one statement: predicates, registers of its own, outputs that inputs
// share a variable with, statements in macros, templates and branches without braces.
#include <cstdio>

#define ROTATE(x, by) asm("{ .reg .u32 l, r; shl.b32 l, %0, %1; shr.u32 r, %0, %2; or.b32 %0, l, r; }" \
                          : "+r"(x)                                                                     \
                          : "n"(by), "n"(32 - (by)))

#define CLAMP_TO_BYTE(to, from)  \
  asm("min.s32 %0, %1, 255;\n\t" \
      "max.s32 %0, %0, 0;"       \
      : "=r"(to)                 \
      : "r"(from))

template <class T> __device__ T both(T a, T b) {
  T r;
  asm("and.b32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}

template <int bits> __device__ unsigned field(unsigned x) {
  unsigned r;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "n"(bits / 2), "n"(bits));
  return r;
}

struct Counter {
  unsigned hits[2];
  __device__ void add(unsigned x) {
    asm volatile("{\n\t"
                 "  .reg .pred %%big;\n\t"
                 "  .reg .u32  %%t<2>;\n\t"
                 "  setp.gt.u32 %%big, %2, 1000; // large numbers\n\t"
                 "  add.u32 %%t0, %0, 1;\n\t"
                 "  add.u32 %%t1, %1, %2;\n\t"
                 "  @%%big  mov.u32 %0, %%t0;\n\t"
                 "  @!%%big mov.u32 %1, %%t1;\n\t"
                 "}"
                 : "+r"(hits[0]), "+r"(hits[1])
                 : "r"(x));
  }
};

__device__ unsigned next(unsigned& state) {
  asm volatile("mad.lo.u32 %0, %0, 1664525, 1013904223;" : "+r"(state));
  return state;
}

__global__ void compute(unsigned* out) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  unsigned x = i * 2654435761u, y = ~x;
  unsigned* mine = out + i * 12;
  // Both outputs are set while the inputs, the same two variables, are still to be read.
  asm("mov.u32 %0, %3; mov.u32 %1, %2;" : "=r"(x), "=r"(y) : "r"(x), "r"(y));
  mine[0] = x;
  mine[1] = y;
  ROTATE(x, 7);
  mine[2] = x;
  int byte;
  CLAMP_TO_BYTE(byte, int(x) >> 20);
  mine[3] = byte;
  mine[4] = both(x, y) + both(int(x), 0xff);
  mine[5] = field<6>(x) + field<12>(y);
  Counter counter = {{0, 0}};
  for (unsigned k = 0; k < 40; ++k)
    counter.add(k * k);
  mine[6] = counter.hits[0];
  mine[7] = counter.hits[1];
  if (i % 2)
    asm("add.u32 %0, %0, 5;" : "+r"(x));
  else
    asm("{ .reg .u32 t; sub.u32 t, %0, 5; mov.u32 %0, t; }" : "+r"(x));
  mine[8] = x;
  unsigned state = i;
  asm("xor.b32 %0, %1, %2;" : "=r"(mine[9]) : "r"(next(state)), "r"(3));
  asm volatile("" ::: "memory");
  asm volatile("// a mark for whoever reads the assembly");
  const bool odd = i & 1;
  unsigned chosen;
  asm("{ .reg .pred p;\n"
      "  setp.ne.u32 p, %3, 0;\n"
      "  selp.b32 %0, %1, %2, p; }"
      : "=r"(chosen) : "r"(x), "r"(y), "r"((unsigned)odd));
  mine[10] = chosen;
  unsigned p = i, t = 3; // names like those of registers
  asm("{ .reg .u32 t, p; add.u32 t, %1, %2; mul.lo.u32 p, t, t; mov.u32 %0, p; }" : "=r"(mine[11]) : "r"(p), "r"(t));
}

__global__ void stop(int* p) {
  if (*p == 1)
    asm volatile("exit;");
  *p = 5;
  if (threadIdx.x == 40)
    asm("trap;");
}

int main() {
  const int n = 256;
  unsigned* out;
  cudaMallocManaged(&out, n * 12 * sizeof(unsigned));
  compute<<<2, 128>>>(out);
  cudaDeviceSynchronize();
  for (int k = 0; k < 12; ++k) {
    unsigned long long h = 14695981039346656037ull;
    for (int i = 0; i < n; ++i)
      h = (h ^ out[i * 12 + k]) * 1099511628211ull;
    printf("%2d %016llx %08x %08x\n", k, h, out[12 + k], out[101 * 12 + k]);
  }
  int* p;
  cudaMallocManaged(&p, sizeof(int));
  *p = 1;
  stop<<<1, 32>>>(p);
  printf("%s %d\n", cudaGetErrorString(cudaDeviceSynchronize()), *p);
  stop<<<1, 32>>>(p);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
