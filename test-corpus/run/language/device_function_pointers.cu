// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device function pointers: a table in __device__ memory, one read by the host through its symbol and passed as argument.
#include <cstdio>

typedef float (*Op)(float, float);

__device__ float add(float a, float b) { return a + b; }
__device__ float mul(float a, float b) { return a * b; }
__device__ float byThread(float a, float) { return a + threadIdx.x * 100 + blockIdx.x * 1000; }

__device__ Op table[3] = {add, mul, byThread};
__device__ Op chosen = mul;

__global__ void run(Op op, float* out) {
  int t = threadIdx.x;
  float v = op(t, 3);
  v += table[t % 3](t, 10);
  Op local = t % 2 ? add : byThread;
  out[blockIdx.x * blockDim.x + t] = v + local(1, 2);
}

int main() {
  float* out;
  cudaMallocManaged(&out, 12 * sizeof(float));
  Op op;
  cudaMemcpyFromSymbol(&op, chosen, sizeof op);
  run<<<2, 6>>>(op, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 12; ++i)
    printf("%g ", out[i]);
  printf("\n");
  return 0;
}
