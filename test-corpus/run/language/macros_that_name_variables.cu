// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Macros that name a kernel's variables by themselves, and those that hold statements and barriers, mean what they
// mean on a GPU: arguments keep together, a macro's own name is none in its text, and strings stay what was written.
#include <cstdio>

#define SX(i) shared[(i)]
#define MINUS(x) -x + value
#define scaled(x) ((x) * scaled)
#define TWICE(x) ((x) + (x))
#define PLACE (first + t)
#define NEXT_OF(x)                                                                                 \
  SX(((x) + 1) % /* the last one's
  next is the first */                                                                             \
     64)
#define STEP(k)                                                                                    \
  if (t < (k))                                                                                     \
    SX(t) += SX(t + (k));                                                                          \
  __syncthreads();
#define ADD_ONCE(to, from)                                                                         \
  do {                                                                                             \
    __syncthreads();                                                                               \
    int taken = SX(from);                                                                          \
    __syncthreads();                                                                               \
    SX(to) += taken;                                                                               \
  } while (0)
#define GUARDED(c, then)                                                                           \
  if (c)                                                                                           \
    SX(t) then
#define TOLD(x) told(x, #x)
#define BOTH(x) TOLD(x)
#define FIRST_OF(a, b) ((a) * 100 + t + (b))
#define EMPTY(x) (t x + 1)

__device__ int told(int x, const char* text) {
  int length = 0;
  while (text[length])
    ++length;
  return x * 100 + length;
}
// One argument, not two: the macro's commas lie in parentheses.
__device__ int larger(int a, int b) { return a > b ? a : b; }
#define LARGER(i, j) larger(SX(i), SX(j))

__global__ void all(int* out) {
  __shared__ int shared[64];
  const int t = threadIdx.x, first = blockIdx.x * blockDim.x;
  const int value = t % 5, scaled = 3;
  SX(t) = t * 3 % 17;
  __syncthreads();
  int sum = MINUS(-1) + TWICE(SX(t)) + TWICE(TWICE(SX(63 - t)));
  sum += MINUS(- -2) - SX(SX(t));
  sum += LARGER(t, 63 - t) * TWICE(LARGER(SX(t), 0));
  sum += NEXT_OF(t) + NEXT_OF(NEXT_OF(t));
  sum += TOLD(SX(t)) + BOTH(SX(t)) + EMPTY() + EMPTY(-1);
  sum += FIRST_OF(
      SX(t),
      larger(t, 2));
  __syncthreads();
  STEP(32) STEP(16)
  STEP(8)
  ADD_ONCE(t, (t + 5) % 64);
  if (t % 2 == 0) {
    GUARDED(t % 3 == 0, += 7);
  } else {
    sum -= scaled(t);
  }
  __syncthreads();
  ADD_ONCE(t, 63 - t);
  __syncthreads();
  out[PLACE] = sum + SX(t);
}

// The same name twice, with other texts.
#undef SX
#define SX(i) (others[i] + scale)
__global__ void again(int* out, const int* others, int scale) {
  const int t = threadIdx.x;
  out[t] = SX(t) * 2 - SX(63 - t);
}
#undef SX
#define SX(i) (others[i] - scale)
template <typename T> __global__ void once_more(T* out, const T* others, T scale) {
  const int t = threadIdx.x;
  T sum = 0;
  for (int k = 0; k < 4; ++k)
    sum += SX((t + k) % 64);
  out[t] = sum;
}

int main() {
  int *out, *more;
  cudaMallocManaged(&out, 128 * sizeof(int));
  cudaMallocManaged(&more, 128 * sizeof(int));
  all<<<2, 64>>>(out);
  again<<<1, 64>>>(more, out, 3);
  once_more<int><<<1, 64>>>(more + 64, out + 64, 5);
  cudaDeviceSynchronize();
  for (int i = 0; i < 128; ++i)
    printf("%d%c", out[i], i % 16 == 15 ? '\n' : ' ');
  for (int i = 0; i < 128; ++i)
    printf("%d%c", more[i], i % 16 == 15 ? '\n' : ' ');
  return 0;
}
