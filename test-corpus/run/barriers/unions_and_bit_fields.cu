// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unions, bit-fields, arrays of structs and pointers to locals that are alive across barriers.
#include <cstdio>

union Word {
  unsigned bits;
  float number;
  unsigned char bytes[4];
};
struct Packed {
  unsigned low : 5, middle : 11, high : 16;
  short tail[3];
};
struct Pair {
  int key;
  float value;
};

__global__ void mixed(const float* in, unsigned* out) {
  __shared__ unsigned tile[64];
  Word word;
  word.number = in[threadIdx.x];
  Packed packed = {threadIdx.x & 31, threadIdx.x * 7, threadIdx.x * 1001, {1, 2, 3}};
  Pair pairs[3] = {{1, 0.5f}, {2, 1.5f}};
  int counter = threadIdx.x;
  int* where = &counter;
  tile[threadIdx.x] = word.bits;
  __syncthreads();
  word.bytes[0] ^= tile[63 - threadIdx.x] >> 24;
  packed.middle += tile[(threadIdx.x + 1) % 64] >> 20;
  packed.tail[threadIdx.x % 3] = short(packed.high);
  pairs[2] = {int(packed.low), pairs[0].value + pairs[1].value};
  *where += 10;
  __syncthreads();
  tile[threadIdx.x] = word.bits + packed.middle;
  __syncthreads();
  counter += packed.tail[0] + packed.tail[1] + packed.tail[2];
  out[threadIdx.x] = tile[threadIdx.x ^ 5] + packed.low + packed.high + pairs[2].key +
                     unsigned(pairs[2].value * 4) + unsigned(*where);
}

int main() {
  float* in;
  unsigned* out;
  cudaMallocManaged(&in, 64 * sizeof(float));
  cudaMallocManaged(&out, 64 * sizeof(unsigned));
  for (int i = 0; i < 64; ++i)
    in[i] = 1.25f * i - 7;
  mixed<<<1, 64>>>(in, out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  for (int i = 0; i < 64; ++i)
    printf("%u%c", out[i], i % 8 == 7 ? '\n' : ' ');
}
