// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A constant operand ("n") is an offset in an address.
#include <cstdio>

template <int N> __device__ float loadAhead(const float* p) {
  float value;
  asm volatile("ld.global.f32 %0, [%1 + %2];" : "=f"(value) : "l"(p), "n"(N * 4));
  return value;
}
__global__ void offsets(const float* in, float* out) {
  __shared__ unsigned memory[40];
  const unsigned t = threadIdx.x;
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(memory));
  asm volatile("st.shared.u32 [%0+%2], %1;" ::"r"(address + 4 * t), "r"(t * 3), "n"(16) : "memory");
  __syncthreads();
  unsigned value;
  asm volatile("ld.shared.u32 %0, [%1+%2];" : "=r"(value) : "r"(address), "n"(20));
  out[t] = loadAhead<2>(in + t) + loadAhead<-1>(in + t + 1) + value * 100 + memory[t + 4];
}

int main() {
  float *in, *out, host[40];
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  for (int i = 0; i < 40; ++i)
    host[i] = i * 0.5f;
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  offsets<<<1, 32>>>(in, out);
  cudaMemcpy(host, out, 32 * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g %g %g %s\n", host[0], host[1], host[31], cudaGetErrorName(cudaGetLastError()));
  return 0;
}
