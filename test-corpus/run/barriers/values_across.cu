// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values alive across barriers: arrays, structs, references, pointers to locals, const locals, loop variables, shadowed names.
#include <cstdio>

struct State {
  int a;
  float b[3];
};

__global__ void k(float* out, int n) {
  __shared__ float s[96];
  const int t = threadIdx.x;
  int local[5] = {t, t + 1, t + 2, t + 3, t + 4};
  int* p = &local[t % 5];
  State state = {t, {0.5f, 1.5f, 2.5f}};
  State& ref = state;
  const float fixed = t * 0.25f;
  s[t] = fixed;
  __syncthreads();
  *p += 100;
  ref.b[t % 3] += s[(t + 1) % blockDim.x];
  for (int i = 0; i < n; ++i) {
    const int t = i * 2;  // shadows
    float before = s[(threadIdx.x + t) % blockDim.x];
    __syncthreads();
    s[threadIdx.x] = before + fixed;
    local[i % 5] += t;
    __syncthreads();
    ref.a += int(s[(threadIdx.x + i) % blockDim.x]);
  }
  float sum = fixed;
  for (int x : local)
    sum += x;
  for (float x : state.b)
    sum += x * 2;
  out[t] = sum + state.a * 1000 + *p;
}

int main() {
  float* out;
  cudaMallocManaged(&out, 96 * sizeof(float));
  k<<<1, 96>>>(out, 6);
  cudaDeviceSynchronize();
  for (int i = 0; i < 96; i += 5)
    printf("%.2f ", out[i]);
  printf("\n");
  return 0;
}
