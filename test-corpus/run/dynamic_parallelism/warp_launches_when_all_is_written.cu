// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -rdc=true
//
// Each lane stores, then the first lane of the warp that comes last reads what the others stored
// and launches the next kernel, with nothing said between: the lanes' stores come first.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void addFirst(int* data, int first, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] += first;
}

// Even values to the front, odd ones to the back, in any order.
__global__ void divide(const int* in, int* out, int n, volatile int* counts) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const unsigned lane = threadIdx.x % warpSize;
  const int value = in[i];
  cg::coalesced_group active = cg::coalesced_threads();
  const unsigned odd = active.ballot(value & 1);
  const unsigned even = active.ballot(!(value & 1));
  int evenAt = 0, oddAt = 0;
  if (lane == 0) {
    evenAt = atomicAdd((int*)&counts[0], __popc(even));
    oddAt = n - atomicAdd((int*)&counts[1], __popc(odd)) - __popc(odd);
  }
  evenAt = active.shfl(evenAt, 0);
  oddAt = active.shfl(oddAt, 0);
  const unsigned before = (1u << lane) - 1;
  const int place = value & 1 ? oddAt + __popc(odd & before) : evenAt + __popc(even & before);
  out[place] = value;

  if (lane == 0) {
    const int stored = __popc(even) + __popc(odd);
    if (atomicAdd((int*)&counts[2], stored) + stored == n) {
      // There is one even value; a lane of any warp has stored it.
      const int first = out[0];
      addFirst<<<(n + 255) / 256, 256>>>(out, first, n);
    }
  }
}

int main() {
  const int n = 96;
  int *in, *out, *counts;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  cudaMallocManaged(&counts, 3 * sizeof(int));
  for (int evenPlace : {0, 5, 31, 50, 95}) {
    for (int i = 0; i < n; ++i) {
      in[i] = i == evenPlace ? 1000 : 7 + 2 * i;
      out[i] = -5;
    }
    counts[0] = counts[1] = counts[2] = 0;
    divide<<<1, n>>>(in, out, n, counts);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    long long sum = 0;
    for (int i = 0; i < n; ++i)
      sum += out[i];
    printf("%d %lld %d %d\n", out[0], sum, counts[0], counts[1]);
  }
  return 0;
}
