// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers and indices behind macros: with and without a semicolon of their own, several statements, do-while(0).
#include <cstdio>

#define TX threadIdx.x
#define GLOBAL_INDEX (blockIdx.x * blockDim.x + TX)
#define SYNC __syncthreads()
#define SYNC_SEMICOLON __syncthreads();
#define SYNC_ARG(x) __syncthreads()
#define STORE_AND_SYNC(x) s[TX] = (x); __syncthreads()
#define STORE(x) { s[TX] = (x); }
#define GUARDED_SYNC do { __syncthreads(); } while (0)
#define FOR_ROUNDS(n) for (int r = 0; r < (n); ++r)

__global__ void k(int* out, int n) {
  __shared__ int s[64];
  int a = GLOBAL_INDEX;
  s[TX] = a;
  SYNC;
  a += s[63 - TX];
  SYNC;
  STORE(a * 2);
  __syncthreads();
  a += s[(TX + 1) % 64];
  SYNC_ARG(3);
  STORE_AND_SYNC(a);
  a += s[(TX + 2) % 64];
  FOR_ROUNDS(n) {
    SYNC
    ;
    STORE(a + r)
    SYNC_SEMICOLON
    a += s[(TX + 3) % 64] % 10;
  }
  out[GLOBAL_INDEX] = a;
}

__global__ void semicolons(int* out) {
  __shared__ int s[64];
  int a = out[GLOBAL_INDEX];
  STORE(a)
  SYNC_SEMICOLON
  a += s[63 - TX];
  SYNC_SEMICOLON
  s[TX] = a;
  SYNC_SEMICOLON
  out[GLOBAL_INDEX] = s[(TX + 1) % 64];
  STORE(a)
  __syncthreads();
  if (a == -1)
    out[GLOBAL_INDEX] = a;
  STORE(5)
  SYNC
  ;
  for (int i = 0; i < 2; ++i) {
    STORE(a)
    SYNC;
  }
}

__global__ void several(int* out) {
  __shared__ int s[64];
  STORE_AND_SYNC(out[GLOBAL_INDEX]);
  out[GLOBAL_INDEX] = s[63 - TX];
}

__global__ void guarded(int* out) {
  __shared__ int s[64];
  s[TX] = out[GLOBAL_INDEX];
  GUARDED_SYNC;
  out[GLOBAL_INDEX] = s[63 - TX] * 3;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 128 * sizeof(int));
  k<<<2, 64>>>(out, 4);
  semicolons<<<2, 64>>>(out);
  several<<<2, 64>>>(out);
  guarded<<<2, 64>>>(out);
  cudaDeviceSynchronize();
  int bad = 0;
  for (int b = 0; b < 2; ++b) {
    int a[64], s[64];
    const auto store = [&](int factor, int add) {
      for (int t = 0; t < 64; ++t)
        s[t] = a[t] * factor + add;
    };
    for (int t = 0; t < 64; ++t)
      a[t] = b * 64 + t;
    store(1, 0);
    for (int t = 0; t < 64; ++t)
      a[t] += s[63 - t];
    store(2, 0);
    for (int t = 0; t < 64; ++t)
      a[t] += s[(t + 1) % 64];
    store(1, 0);
    for (int t = 0; t < 64; ++t)
      a[t] += s[(t + 2) % 64];
    for (int r = 0; r < 4; ++r) {
      store(1, r);
      for (int t = 0; t < 64; ++t)
        a[t] += s[(t + 3) % 64] % 10;
    }
    for (int t = 0; t < 64; ++t) {
      const int u = (t + 1) % 64;
      bad += out[b * 64 + t] != (a[u] + a[63 - u]) * 3;
    }
  }
  printf("wrong: %d; %d %d\n", bad, out[0], out[127]);
  return bad != 0;
}
