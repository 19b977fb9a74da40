// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Updates of shared memory that follow much computation are made behind the loop over threads; where a thread reads what
// it updates, or has computed little, they stay where they are.
__global__ void k(const float* x, const unsigned* keys, int n, int* out) {
  __shared__ int bins[64];
  __shared__ unsigned digits[16];
  extern __shared__ int dynamic[];
  extern __shared__ float sameMemory[];
  bins[threadIdx.x % 64] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const int b = (int)(x[i] * 8.0f + 32.0f);
    if (b >= 0 && b < 64) {
      // CHECK: cuUpdate1(&bins[b], 1);
      atomicAdd(&bins[b], 1);
      // CHECK: cuUpdate2(&dynamic[b], i);
      atomicMax(&dynamic[b], i);
    }
  }
  // CHECK: }, cu2cpp::updateOf<int>(bins, [&](int* cuPlace, int) { cu2cpp::inTurn::atomicAdd(cuPlace, 1); }), cu2cpp::updateOf<int>(dynamic, [&](int* cuPlace, int cuValue) { cu2cpp::inTurn::atomicMax(cuPlace, cuValue); }));
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const int b = (int)(x[i] * 8.0f + sameMemory[i % 64]);
    // CHECK: cu2cpp::inTurn::atomicAdd(&dynamic[b], 1);
    atomicAdd(&dynamic[b], 1);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const int b = (int)(x[i] * 8.0f + 16.0f);
    // CHECK: cu2cpp::inTurn::atomicAdd(&bins[b], 1);
    atomicAdd(&bins[b], 1);
    out[i] = bins[b];
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    // CHECK: cuCounters_digits.add(threadIdx.x, keys[i] >> 4 & 15, 1u);
    atomicAdd(&digits[keys[i] >> 4 & 15], 1u);
  __syncthreads();
  const float y = x[threadIdx.x] * 3.0f - 1.0f;
  // CHECK: cuUpdate1(bins + (int)cu2cpp::clamped(y * y), 2);
  atomicAdd(bins + (int)(y * y), 2);
  // CHECK: }, cu2cpp::updateOf<int, true>(bins, [&](int* cuPlace, int) { cu2cpp::inTurn::atomicAdd(cuPlace, 2); }));
  __syncthreads();
  out[threadIdx.x] = bins[threadIdx.x % 64] + digits[threadIdx.x % 16] + dynamic[threadIdx.x];
}

int main() {
  k<<<1, 64, 4096>>>(nullptr, nullptr, 0, nullptr);
  return 0;
}
