// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops in which all threads add up the same from shared memory, and loops that only look like it.
#include <cstdio>

constexpr int THREADS = 96, PARTS = 6;

__global__ void alike(const int* in, int* out, int n, int steps) {
  __shared__ int part[PARTS];
  __shared__ int other[PARTS];
  const int t = threadIdx.x, i = blockIdx.x * THREADS + t;
  if (blockIdx.x * THREADS >= n)
    return;
  if (t < PARTS) {
    part[t] = in[(blockIdx.x * PARTS + t) % n];
    other[t] = in[(blockIdx.x + t * 7) % n];
  }
  __syncthreads();
  int sum = 0;
  for (int w = 0; w < PARTS; ++w)
    sum += part[w];
  int most = -1000000, least = 1000000; // two in one loop, from the last to the first
  for (int w = PARTS - 1; w >= 0; --w) {
    most = max(most, part[w]);
    least = min(least, other[w]);
  }
  int weighted = sum; // with what is known already
  for (int w = 0; w < steps; w += 2)
    weighted += w * part[w % PARTS] - most;
  __syncthreads();
  if (t < PARTS)
    part[t] = sum % 100 + t;
  __syncthreads();
  int behind = 0; // under a condition of the block, in a loop of the block
  for (int k = 0; k < steps; ++k) {
    if (steps > 2)
      for (int w = 0; w < PARTS; ++w)
        behind += part[w] + k;
    __syncthreads();
  }
  if (i < n)
    out[i] = sum + 3 * most - 5 * least + 7 * weighted + 11 * behind + t;
}

__global__ void unlike(const int* in, int* out, int n) {
  __shared__ int part[PARTS];
  const int t = threadIdx.x, i = blockIdx.x * THREADS + t;
  if (t < PARTS)
    part[t] = in[(blockIdx.x * PARTS + t) % n];
  __syncthreads();
  int own = t; // starts with what is the thread's
  for (int w = 0; w < PARTS; ++w)
    own += part[w];
  int few = 0; // as many steps as the thread likes
  for (int w = 0; w < t % 4; ++w)
    few += part[w];
  int turned = 0; // from where the thread likes
  for (int w = 0; w < PARTS; ++w)
    turned = turned * 3 + part[(w + t) % PARTS];
  int some = 0; // in some threads only
  if (t % 3 == 1)
    for (int w = 0; w < PARTS; ++w)
      some += part[w];
  int later = 0; // what each thread changes later
  for (int w = 0; w < PARTS; ++w)
    later += part[w];
  later += t * t;
  int counted = 0, left = 0; // a counter that moves on in the value
  for (int w = 0; w < PARTS; ++w)
    counted += 3 * part[left++ % PARTS];
  int stops = 0;
  for (int w = 0; w < PARTS; ++w) {
    if (part[w] % 5 == t % 5)
      break;
    stops += part[w];
  }
  if (i < n)
    out[i] = own + 3 * few + 5 * turned + 7 * some + 11 * later + 13 * counted + 17 * stops;
}

static unsigned hashOf(const int* data, int count) {
  unsigned hash = 2166136261u;
  for (int i = 0; i < count; ++i)
    hash = (hash ^ unsigned(data[i])) * 16777619u;
  return hash;
}

int main() {
  constexpr int N = 500;
  static int in[N], got[N];
  for (int i = 0; i < N; ++i)
    in[i] = (i * 7919 + 13) % 211 - 60;
  int *d, *out;
  cudaMalloc(&d, sizeof in);
  cudaMalloc(&out, sizeof in);
  cudaMemcpy(d, in, sizeof in, cudaMemcpyHostToDevice);
  for (int n : {N, 200, 50})
    for (int steps : {0, 2, 5}) {
      cudaMemset(out, 0, sizeof in);
      alike<<<6, THREADS>>>(d, out, n, steps);
      cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
      printf("alike %d %d: %d %d %08x\n", n, steps, got[0], got[n - 1], hashOf(got, N));
    }
  for (int n : {N, 200, 50}) {
    cudaMemset(out, 0, sizeof in);
    unlike<<<6, THREADS>>>(d, out, n);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    printf("unlike %d: %d %d %08x\n", n, got[0], got[n - 1], hashOf(got, N));
  }
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(d);
  cudaFree(out);
  return 0;
}
