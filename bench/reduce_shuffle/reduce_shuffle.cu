// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dot product: grid-stride loop, warp shuffles, one shared value for each warp, atomicAdd at the
// end of a block.
#include "../device_vector.h"

__inline__ __device__ float warpReduceSum(float val) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    val += __shfl_down_sync(0xffffffff, val, offset);
  return val;
}

__inline__ __device__ float blockReduceSum(float val) {
  static __shared__ float shared[32];
  int lane = threadIdx.x % warpSize;
  int wid = threadIdx.x / warpSize;
  val = warpReduceSum(val);
  if (lane == 0)
    shared[wid] = val;
  __syncthreads();
  val = (threadIdx.x < blockDim.x / warpSize) ? shared[lane] : 0;
  if (wid == 0)
    val = warpReduceSum(val);
  return val;
}

__global__ void dot(const float* x, const float* y, float* out, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    sum += x[i] * y[i];
  sum = blockReduceSum(sum);
  if (threadIdx.x == 0)
    atomicAdd(out, sum);
}

int main() {
  const int n = 1 << 23;
  DeviceVector<float> x(uniforms(n, 1)), y(uniforms(n, 2)), out(1);
  const int threads = 512;
  const int blocks = std::min((n + threads - 1) / threads, 1024);
  float result = 0;
  measure([&] {
    CHECK_CUDA(cudaMemset(out, 0, sizeof(float)));
    dot<<<blocks, threads>>>(x, y, out, n);
    CHECK_CUDA(cudaMemcpy(&result, out, sizeof(float), cudaMemcpyDeviceToHost));
  });
  check(result);
}
