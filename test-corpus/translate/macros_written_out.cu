// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Macros that name a kernel's variables by themselves, and those with statements between which threads meet, are
// written out where compilers read the translation; others stay.
// ARGS: --line-directives
#define AT(i) tile[(i)]
#define MINUS(x) -x + t
#define STEP(k)                                                                                                        \
  if (t < (k))                                                                                                         \
    tile[t] += tile[t + (k)];                                                                                          \
  __syncthreads();
#define SQUARE(x) ((x) * (x))
#define tile(i, j) tile[(i) * 8 + (j)]
#define t(x) t + (x)
#define SHOWN(x) shown(x, #x)
__device__ int shown(int x, const char* text) { return x + text[0]; }

__global__ void sums(const int* in, int* out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  // CHECK: tile[(t)] = in[
  AT(t) = in[blockIdx.x * 64 + t];
  __syncthreads();
  // CHECK: if (t < (32)) tile[t] += tile[t + (32)];
  // CHECK: if (t < (16)) tile[t] += tile[t + (16)];
  STEP(32) STEP(16)
  // CHECK: SQUARE(tile[(t)]) + - -1 + t;
  int sum = SQUARE(AT(t)) + MINUS(-1);
  // Near misses: the string would be another; nothing of the function's stands in the macro.
  // CHECK: SHOWN(AT(t)) + SQUARE(t)
  sum += SHOWN(AT(t)) + SQUARE(t);
  // The array's own name is no macro's where it stands; one that stays is not written out either.
  // CHECK: tile[(t) * 8 + (1)] + t(2)
  sum += tile(t, 1) + t(2);
  out[blockIdx.x * 64 + t] = sum;
}
int main() { sums<<<4, 64>>>(nullptr, nullptr); }
