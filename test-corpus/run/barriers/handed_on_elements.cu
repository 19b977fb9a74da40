// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Short loops in loops with barriers or shuffles, which hand on what one element of a thread's
// small array has to the next; conditions on their counters; and others like them that must stay
// arrays.
#include <cstdio>

constexpr int PER = 4, THREADS = 64;

// Nodes of a tree; the neighbour's first one comes through shared memory.
template <int N>
__global__ void fold(const int* in, int* out, int steps) {
  __shared__ int edge[2][THREADS + 1];
  const int tid = threadIdx.x;
  int s[N], v[N], sum = 0;
  s[0] = in[blockIdx.x] + tid * N;
#pragma unroll
  for (int i = 1; i < N; ++i) s[i] = s[i - 1] * 3 + 1;
#pragma unroll
  for (int i = 0; i < N; ++i) v[i] = s[i] & 1023;
  if (tid == 0)
    edge[0][THREADS] = edge[1][THREADS] = 7;
  int buf = 0;
  for (int step = steps; step > 0; --step) {
    edge[buf][tid] = v[0];
    __syncthreads();
    const int up = edge[buf][tid + 1];
#pragma unroll
    for (int i = 0; i < N; ++i) {
      const int hi = i + 1 < N ? v[i + 1] : up;
      s[i] ^= step;
      if (i == 0)
        v[i] = (v[i] + hi + s[i]) & 0xffff;
      else if (i + 2 < N && (i > 2 || v[i + 2] > v[i]))
        v[i] = (v[i] * 2 + hi) & 0xffff;
      else
        v[i] = (hi - v[i - 1] + s[i]) & 0xffff;
    }
    buf ^= 1;
    sum += v[N - 1];
  }
  for (int i = 0; i < N; ++i) sum = sum * 5 + v[i];
  out[blockIdx.x * THREADS + tid] = sum;
}

// Cells of a wavefront, by lanes.
__global__ void wave(const unsigned char* a, const unsigned char* b, int* out, int rows) {
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  const unsigned char bc[PER] = {b[lane * PER], b[lane * PER + 1], b[lane * PER + 2], b[lane * PER + 3]};
  int h[PER] = {lane, 0, warp}; // the last is 0
  int before = 0;
  for (int s = 0; s < rows + 31; ++s) {
    const int r = s - lane;
    int left = __shfl_up_sync(~0u, h[PER - 1], 1);
    if (r >= 0 && r < rows) {
      if (lane == 0)
        left = r;
      int corner = before;
      before = left;
      for (int c = 0; c < PER; ++c) {
        const int up = h[c];
        h[c] = a[r] == bc[c] ? corner + 1 : max(up, left);
        corner = up;
        left = h[c];
      }
    }
  }
  for (int c = 0; c < PER; ++c) out[(warp * PER + c) * 32 + lane] = h[c];
}

// Elements of which the place is known at run time only, and whose address is taken: arrays.
__device__ void turn(int* a) { *a = *a * 3 + 1; }
__global__ void stay(const int* in, int* out, int n) {
  __shared__ int s[THREADS];
  int a[PER] = {}, b[PER] = {1, 2, 3, 4};
  for (int k = 0; k < n; ++k) {
    s[threadIdx.x] = in[(k * THREADS + threadIdx.x) % 128];
    __syncthreads();
    a[k % PER] += s[THREADS - 1 - threadIdx.x];
    for (int i = 1; i < PER; ++i) a[i] += a[i - 1] >> 1;
    for (int i = 1; i < PER; ++i) b[i] = (b[i - 1] + b[i] * 5 + a[i]) & 0xfff;
    turn(&b[0]);
    b[0] &= 0xfff;
    __syncthreads();
  }
  int sum = 0;
  for (int i = 0; i < PER; ++i) sum = sum * 3 + a[i] + b[i];
  out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

static unsigned sumOf(const int* out, int n) {
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) sum = sum * 31 + unsigned(out[i]);
  return sum;
}

int main() {
  int *in, *out;
  unsigned char *a, *b;
  cudaMallocManaged(&in, 128 * sizeof(int));
  cudaMallocManaged(&out, 4 * THREADS * sizeof(int));
  cudaMallocManaged(&a, 128);
  cudaMallocManaged(&b, 128);
  for (int i = 0; i < 128; ++i) {
    in[i] = i * 37 % 101;
    a[i] = i * 7 % 5;
    b[i] = i * 11 % 5;
  }
  fold<4><<<4, THREADS>>>(in, out, 19);
  cudaDeviceSynchronize();
  printf("fold<4>: %u\n", sumOf(out, 4 * THREADS));
  fold<4><<<4, THREADS>>>(in, out, 8);
  cudaDeviceSynchronize();
  printf("fold<4>, 8 steps: %u\n", sumOf(out, 4 * THREADS));
  wave<<<1, THREADS>>>(a, b, out, 40);
  cudaDeviceSynchronize();
  printf("wave: %u\n", sumOf(out, 2 * PER * 32));
  stay<<<2, THREADS>>>(in, out, 13);
  cudaDeviceSynchronize();
  printf("stay: %u\n", sumOf(out, 2 * THREADS));
  cudaFree(in);
  cudaFree(out);
  cudaFree(a);
  cudaFree(b);
  return 0;
}
