// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device functions that name built-in variables are given them, or are written where they are called; those of which more
// is done than to call them ask for the thread.

// CHECK: [[maybe_unused]] static inline int globalIndex() {
__device__ int globalIndex() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

// CHECK: static inline int place(int width, const uint3 threadIdx, const uint3 blockIdx, const dim3 blockDim) {
__device__ int place(int width) {
  // CHECK: int x = blockIdx.x * blockDim.x + threadIdx.x;
  int x = globalIndex();
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  return y * width + x;
}

// CHECK: void load(int (&tile)[N], const int* p, const uint3 threadIdx, const dim3 blockDim) {
template <int N>
__device__ void load(int (&tile)[N], const int* p) {
  for (int i = threadIdx.x; i < N; i += blockDim.x)
    tile[i] = p[i];
}

// FORM: add loop
// CHECK: void add(int* p, int width, int n) {
__global__ void add(int* p, int width, int n) {
  // CHECK: cu2cpp::eachThread(
  // CHECK: if ((float)((int)(blockIdx.x * blockDim.x + threadIdx.x)) < n)
  if ((float)globalIndex() < n)
    // CHECK: p[place(width, threadIdx, blockIdx, blockDim)] += 1;
    p[place(width)] += 1;
}

// FORM: reverse split
// CHECK: void reverse(const int* p, int* out) {
template <int N>
__global__ void reverse(const int* p, int* out) {
  __shared__ int tile[N];
  // CHECK: cu2cpp::eachThread(
  // CHECK: load(tile, p, threadIdx, blockDim);
  load(tile, p);
  __syncthreads();
  out[threadIdx.x] = tile[N - 1 - threadIdx.x];
}

void instances(int* p) {
  reverse<64><<<1, 64>>>(p, p);
}

// CHECK: static inline int pointed() {
// CHECK: const uint3 threadIdx = cu2cpp::thisThread().threadIdx;
__device__ int pointed() {
  return threadIdx.x;
}

// FORM: points loop
// CHECK: void points(int* p) {
__global__ void points(int* p) {
  // CHECK: cu2cpp::eachThreadPublished(
  int (*f)() = pointed;
  p[0] = f() + pointed();
}
