// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that store to the block's memory, to their own arrays and to global memory under conditions which hold for
// some neighbours and not for others, also at the ends of arrays and beside what other threads store.
#include <cstdio>

constexpr int threads = 128;

// The least value and its place, by a tree.
__global__ void least(const int* in, int n, int* value, int* place) {
  __shared__ int v[threads];
  __shared__ int p[threads];
  const int t = threadIdx.x, i = blockIdx.x * threads + t;
  v[t] = i < n ? in[i] : 0x7fffffff;
  p[t] = i;
  __syncthreads();
  for (int s = threads / 2; s > 0; s >>= 1) {
    if (t < s)
      if (v[t + s] < v[t] || (v[t + s] == v[t] && p[t + s] < p[t])) {
        v[t] = v[t + s];
        p[t] = p[t + s];
      }
    __syncthreads();
  }
  if (t == 0) {
    value[blockIdx.x] = v[0];
    place[blockIdx.x] = p[0];
  }
}

// Arrays side by side whose sizes are no multiples of a vector's, and of which threads store the last elements.
__global__ void ends(const int* in, int* out) {
  __shared__ short before[77];
  __shared__ int middle[101];
  __shared__ char behind[53];
  const int t = threadIdx.x;
  if (t < 77)
    before[t] = short(t);
  if (t < 101)
    middle[t] = -t;
  if (t < 53)
    behind[t] = char(t * 3);
  __syncthreads();
  for (int k = 0; k < 5; ++k) {
    if (t >= 27 && in[t + k] % 3 == 0)
      middle[t - 27] += in[t];
    if (t < 77 && in[t + k] % 2 == 0)
      before[t] = short(before[t] + in[t + 1]);
    if (t < 53 && in[t + k] % 5 == 0)
      behind[t] = char(behind[t] ^ in[t]);
    __syncthreads();
  }
  if (t < 101)
    out[t] = middle[t] + 1000 * before[t % 77] + behind[t % 53];
}

// Two buffers that change roles, and an array that each thread keeps from barrier to barrier.
__global__ void buffers(const float* in, float* out) {
  __shared__ float a[threads], b[threads];
  float own[3] = {0, 0, 0};
  const int t = threadIdx.x;
  float *from = a, *to = b;
  a[t] = in[t];
  b[t] = -in[t];
  __syncthreads();
  for (int k = 0; k < 7; ++k) {
    const float left = from[(t + k) % threads];
    if (left > from[t])
      to[t] = left * 0.5f;
    for (int j = 0; j < 3; ++j)
      if (left > j * 8.0f)
        own[j] += left;
    __syncthreads();
    float* other = from;
    from = to;
    to = other;
  }
  out[t] = from[t] + 100.0f * to[t] + own[0] - own[1] + 0.25f * own[2];
}

// Neighbouring blocks own neighbouring elements of global memory, which only some threads change.
__global__ void apart(const int* in, int* out, int n) {
  const int i = blockIdx.x * 100 + threadIdx.x;
  if (threadIdx.x < 100 && i < n && in[i] % 7 < 3)
    out[i] += in[i] * (blockIdx.x + 1);
}

static unsigned hash(const void* data, size_t bytes) {
  unsigned h = 2166136261u;
  for (size_t i = 0; i < bytes; ++i)
    h = (h ^ static_cast<const unsigned char*>(data)[i]) * 16777619u;
  return h;
}

int main() {
  const int n = 20000;
  int *in, *out, *value, *place;
  float *x, *y;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  cudaMallocManaged(&value, 200 * sizeof(int));
  cudaMallocManaged(&place, 200 * sizeof(int));
  cudaMallocManaged(&x, threads * sizeof(float));
  cudaMallocManaged(&y, threads * sizeof(float));
  for (int i = 0; i < n; ++i) {
    in[i] = int((i * 2654435761u >> 20) % 509);
    out[i] = i;
  }
  for (int i = 0; i < threads; ++i)
    x[i] = float((i * 37) % 64);
  const int blocks = (n + threads - 1) / threads;
  least<<<blocks, threads>>>(in, n, value, place);
  cudaDeviceSynchronize();
  printf("least: %08x %08x, first %d at %d\n", hash(value, blocks * sizeof(int)), hash(place, blocks * sizeof(int)), value[0],
         place[0]);
  ends<<<1, threads>>>(in, out);
  cudaDeviceSynchronize();
  printf("ends: %08x\n", hash(out, n * sizeof(int)));
  buffers<<<1, threads>>>(x, y);
  cudaDeviceSynchronize();
  printf("buffers: %08x\n", hash(y, threads * sizeof(float)));
  for (int k = 0; k < 3; ++k)
    apart<<<n / 100, threads>>>(in, out, n - 37);
  cudaDeviceSynchronize();
  printf("apart: %08x\n", hash(out, n * sizeof(int)));
  return 0;
}
