// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared variables of kernels are locals outside the thread loops, wherever they were declared; those of device functions
// are references into the block's memory.
__device__ int part(int x) {
  // CHECK: auto& cache = cu2cpp::shared<int[32]>([] {});
  __shared__ int cache[32];
  cache[threadIdx.x] = x;
  return cache[x % 32];
}

// FORM: k loop
// CHECK: void k(int* out, int n) {
__global__ void k(int* out, int n) {
  // CHECK: constexpr int size = 16;
  // CHECK: int late[size];
  // CHECK: float inner[2][3];
  // CHECK: cu2cpp::eachThread
  int x = n * 2;
  constexpr int size = 16;
  __shared__ int late[size];
  late[threadIdx.x % size] = x;
  if (n > 3) {
    __shared__ float inner[2][3];
    inner[0][threadIdx.x % 3] = 1;
    x += int(inner[0][0]);
  }
  // CHECK: out[threadIdx.x] = late[0] + part(x, threadIdx);
  out[threadIdx.x] = late[0] + part(x);
}

// Leading declarations stay in place.
// FORM: leading loop
// CHECK: void leading(int* out) {
__global__ void leading(int* out) {
  // CHECK: int first[4]; // stays
  // CHECK: double second;
  // CHECK: cu2cpp::eachThread
  __shared__ int first[4]; // stays
  __shared__ double second;
  first[threadIdx.x % 4] = 1;
  second = first[0];
  out[0] = int(second);
}

// CHECK: void dynamic(int* out) {
__global__ void dynamic(int* out) {
  // CHECK: auto* values = cu2cpp::dynamicShared<float>()
  extern __shared__ float values[];
  values[threadIdx.x] = 1;
  out[0] = int(values[0]);
}
// CHECK-NOT: __shared__
