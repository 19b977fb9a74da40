// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structured bindings, lambdas, references and range-for alive across or beside barriers.
#include <cstdio>

struct Pair {
  int first, second;
};

__device__ Pair split(int x) { return {x / 10, x % 10}; }

__global__ void k(int* out, const int* in) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  auto [tens, ones] = split(in[t]);
  int sum = 0;
  auto add = [&](int x) { sum += x; };
  const auto scaled = [=](int x) { return x * 3 + t; };
  int& alias = sum;
  s[t] = tens;
  __syncthreads();
  add(s[31 - t]);
  alias += ones;
  for (int x : {1, 2, 3}) {
    add(x);
    __syncthreads();
    s[t] = sum;
    __syncthreads();
    add(s[(t + x) % 32]);
  }
  out[t] = scaled(sum) + tens * 1000;
}

int main() {
  int *out, *in;
  cudaMallocManaged(&out, 32 * sizeof(int));
  cudaMallocManaged(&in, 32 * sizeof(int));
  for (int i = 0; i < 32; ++i)
    in[i] = i * 31 % 97;
  k<<<1, 32>>>(out, in);
  cudaDeviceSynchronize();
  printf("%d %d %d\n", out[0], out[13], out[31]);
  return 0;
}
