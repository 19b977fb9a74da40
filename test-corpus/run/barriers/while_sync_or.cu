// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop that goes on while __syncthreads_or says some thread has work: the collective is the loop's condition.
#include <cstdio>

__global__ void relax(int* distance, const int* weight, int n, int* rounds) {
  __shared__ int d[128];
  int t = threadIdx.x, count = 0;
  d[t] = t == 0 ? 0 : 1 << 20;
  __syncthreads();
  bool changed = true;
  while (__syncthreads_or(changed)) {
    int left = t > 0 ? d[t - 1] + weight[t] : 1 << 20;
    int jump = t >= 7 ? d[t - 7] + 3 : 1 << 20;
    int best = min(d[t], min(left, jump));
    changed = best < d[t];
    __syncthreads();
    d[t] = best;
    ++count;
  }
  distance[t] = d[t];
  if (t == n - 1)
    *rounds = count;
}

int main() {
  const int n = 128;
  int *distance, *weight, *rounds;
  cudaMallocManaged(&distance, n * sizeof(int));
  cudaMallocManaged(&weight, n * sizeof(int));
  cudaMallocManaged(&rounds, sizeof(int));
  for (int i = 0; i < n; ++i)
    weight[i] = (i * 13) % 5;
  relax<<<1, n>>>(distance, weight, n, rounds);
  cudaDeviceSynchronize();
  printf("%d %d %d %d rounds %d\n", distance[1], distance[20], distance[77], distance[127], *rounds);
  return 0;
}
