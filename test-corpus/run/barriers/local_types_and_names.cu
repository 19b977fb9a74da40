// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types, constants and aliases declared inside the kernel, decltype, and globals with names close to the locals'.
#include <cstdio>

__device__ int value_ = 3;
__device__ int table_[4] = {1, 2, 3, 4};
namespace place {
struct Item {
  int key, weight;
};
} // namespace place

__global__ void k(int* out, const int* in) {
  using Number = int;
  typedef Number Vector[3];
  constexpr int size = 4;
  const int half = size / 2;
  __shared__ Number s[size * 16];
  int t = threadIdx.x;
  Number value = in[t];
  Vector vector = {in[t], t, 3};
  decltype(value) other = in[63 - t];
  int table[size] = {in[t], 1};
  place::Item item = {in[t], half};
  s[t] = value;
  __syncthreads();
  using namespace place;
  Item second = {2 * s[63 - t], in[t]};
  static_assert(half * 2 == size, "");
  __syncthreads();
  s[t] = value_ + table_[t % size];
  __syncthreads();
  out[t] = value + value_ + vector[0] + vector[1] + other * half + table[0] + table[half] + table_[3] + item.key +
           item.weight + second.key + second.weight + s[(t + 1) % 64];
}

__global__ void localObject(int* out, const int* in) {
  struct Local {
    int a;
    int b;
  };
  __shared__ int s[64];
  Local local = {in[threadIdx.x], 2};
  s[threadIdx.x] = local.a;
  __syncthreads();
  out[threadIdx.x] += local.a * local.b + s[63 - threadIdx.x];
}

int main() {
  int *out, *in;
  cudaMallocManaged(&out, 64 * sizeof(int));
  cudaMallocManaged(&in, 64 * sizeof(int));
  for (int i = 0; i < 64; ++i)
    in[i] = i * 7 % 23;
  k<<<1, 64>>>(out, in);
  localObject<<<1, 64>>>(out, in);
  cudaDeviceSynchronize();
  int bad = 0;
  for (int t = 0; t < 64; ++t) {
    const int v = in[t], m = in[63 - t], next = (t + 1) % 64;
    const int want = v + 3 + v + t + m * 2 + v + 0 + 4 + v + 2 + 2 * m + v + 3 + next % 4 + 1 + v * 2 + m;
    bad += out[t] != want;
  }
  printf("wrong: %d; %d %d\n", bad, out[0], out[63]);
  return bad != 0;
}
