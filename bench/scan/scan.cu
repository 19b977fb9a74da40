// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inclusive prefix sums of integers: a scan in each block (doubling offsets in shared memory), a
// scan of the block sums, and a launch that adds them.
#include "../device_vector.h"

#define BLOCK 512

__global__ void scanBlocks(const int* in, int* out, int* sums, int n) {
  __shared__ int temp[2][BLOCK];
  int tid = threadIdx.x;
  int i = blockIdx.x * BLOCK + tid;
  int pout = 0, pin = 1;
  temp[pout][tid] = i < n ? in[i] : 0;
  __syncthreads();
  for (int offset = 1; offset < BLOCK; offset *= 2) {
    pout = 1 - pout;
    pin = 1 - pout;
    if (tid >= offset)
      temp[pout][tid] = temp[pin][tid] + temp[pin][tid - offset];
    else
      temp[pout][tid] = temp[pin][tid];
    __syncthreads();
  }
  if (i < n)
    out[i] = temp[pout][tid];
  if (sums && tid == BLOCK - 1)
    sums[blockIdx.x] = temp[pout][tid];
}

__global__ void addSums(int* out, const int* sums, int n) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (blockIdx.x > 0 && i < n)
    out[i] += sums[blockIdx.x - 1];
}

int main() {
  const int n = BLOCK * BLOCK * 16;
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i)
    values[i] = static_cast<int>(uniform(i) * 10.0f);
  DeviceVector<int> in(values), out(n), sums(n / BLOCK), scanned(n / BLOCK), top(16),
      scannedTop(16);
  measure([&] {
    scanBlocks<<<n / BLOCK, BLOCK>>>(in, out, sums, n);
    scanBlocks<<<16, BLOCK>>>(sums, scanned, top, n / BLOCK);
    scanBlocks<<<1, BLOCK>>>(top, scannedTop, nullptr, 16);
    addSums<<<16, BLOCK>>>(scanned, scannedTop, n / BLOCK);
    addSums<<<n / BLOCK, BLOCK>>>(out, scanned, n);
    finish();
  });
  check(weightedSum(out.toHost()));
}
