// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shuffles of every type: int, unsigned, long long, float, double and their unsigned forms keep all bits.
#include <cstdio>

template <class T> __device__ bool moved(T base) {
  int lane = threadIdx.x % 32;
  T mine = base + T(lane);
  bool good = __shfl_sync(0xffffffffu, mine, 31 - lane) == base + T(31 - lane);
  good = good && __shfl_xor_sync(0xffffffffu, mine, 7) == base + T(lane ^ 7);
  good = good && __shfl_up_sync(0xffffffffu, mine, 1) == base + T(lane ? lane - 1 : 0);
  good = good && __shfl_down_sync(0xffffffffu, mine, 2) == base + T(lane + 2 < 32 ? lane + 2 : lane);
  return good;
}

__global__ void k(int* wrong) {
  int bad = !moved(-2000000000) + !moved(4000000000u) + !moved(-5000000000000000000LL) +
            !moved(18000000000000000000ULL) + !moved(1.0e6f) + !moved(1.0e15 + 0.5) +
            !moved(-4611686018427387904L) + !moved(9300000000000000000UL);
  atomicAdd(wrong, bad);
}

int main() {
  int* wrong;
  cudaMallocManaged(&wrong, sizeof(int));
  *wrong = 0;
  k<<<3, 96>>>(wrong);
  cudaDeviceSynchronize();
  printf("wrong %d\n", *wrong);
  return *wrong != 0;
}
