// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every DPX function on 65536 triples, in kernels and on the host.
#include <cstdio>

constexpr int functions = 34;

__host__ __device__ void evaluate(unsigned i, unsigned* r) {
  const unsigned a = i * 2654435761u, b = (i ^ 0x5bd1e995u) * 40503u + (i << 17), c = (i * i) ^ (a >> 3);
  const int sa = int(a), sb = int(b), sc = int(c);
  int k = 0;
  r[k++] = __viaddmax_s32(sa, sb, sc);
  r[k++] = __viaddmax_u32(a, b, c);
  r[k++] = __viaddmin_s32(sa, sb, sc);
  r[k++] = __viaddmin_u32(a, b, c);
  r[k++] = __viaddmax_s32_relu(sa, sb, sc);
  r[k++] = __viaddmin_s32_relu(sa, sb, sc);
  r[k++] = __vimax3_s32(sa, sb, sc);
  r[k++] = __vimax3_u32(a, b, c);
  r[k++] = __vimin3_s32(sa, sb, sc);
  r[k++] = __vimin3_u32(a, b, c);
  r[k++] = __vimax3_s32_relu(sa, sb, sc);
  r[k++] = __vimin3_s32_relu(sa, sb, sc);
  r[k++] = __vimax_s32_relu(sa, sb);
  r[k++] = __vimin_s32_relu(sa, sb);
  r[k++] = __viaddmax_s16x2(a, b, c);
  r[k++] = __viaddmax_u16x2(a, b, c);
  r[k++] = __viaddmin_s16x2(a, b, c);
  r[k++] = __viaddmin_u16x2(a, b, c);
  r[k++] = __viaddmax_s16x2_relu(a, b, c);
  r[k++] = __viaddmin_s16x2_relu(a, b, c);
  r[k++] = __vimax3_s16x2(a, b, c);
  r[k++] = __vimax3_u16x2(a, b, c);
  r[k++] = __vimin3_s16x2(a, b, c);
  r[k++] = __vimin3_u16x2(a, b, c);
  r[k++] = __vimax3_s16x2_relu(a, b, c);
  r[k++] = __vimin3_s16x2_relu(a, b, c);
  r[k++] = __vimax_s16x2_relu(a, b) ^ __vimin_s16x2_relu(b, c);
  bool p, q;
  const unsigned equal = i % 3 ? b : a; // the predicates' ties
  r[k] = __vibmax_s32(sa, int(equal), &p);
  r[k++] += p;
  r[k] = __vibmin_s32(sa, int(equal), &p);
  r[k++] += p;
  r[k] = __vibmax_u32(a, equal, &p);
  r[k++] += p;
  r[k] = __vibmin_u32(a, equal, &p);
  r[k++] += p;
  r[k] = __vibmax_s16x2(a, equal, &p, &q) ^ __vibmin_u16x2(b, c, &p, &q);
  r[k++] += 2 * p + q;
  r[k] = __vibmin_s16x2(a, equal, &p, &q);
  r[k++] += 2 * p + q;
  r[k] = __vibmax_u16x2(a, equal, &p, &q);
  r[k++] += 2 * p + q;
}

__global__ void all(unsigned long long* sum) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned r[functions];
  evaluate(i, r);
  for (int k = 0; k < functions; ++k)
    atomicAdd(&sum[k], r[k] * (2ull * i + 1));
}

int main() {
  unsigned long long *sum, host[functions] = {};
  cudaMallocManaged(&sum, functions * sizeof *sum);
  cudaMemset(sum, 0, functions * sizeof *sum);
  all<<<256, 256>>>(sum);
  cudaDeviceSynchronize();
  for (unsigned i = 0; i < 65536; ++i) {
    unsigned r[functions];
    evaluate(i, r);
    for (int k = 0; k < functions; ++k)
      host[k] += r[k] * (2ull * i + 1);
  }
  for (int k = 0; k < functions; ++k)
    printf("%2d %016llx %s\n", k, sum[k], sum[k] == host[k] ? "same" : "differs");
}
