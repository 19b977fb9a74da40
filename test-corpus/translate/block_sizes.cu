// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel's head names the block size that its first readable launch shows; one that no launch shows stays unnamed.
#define TILE 16
constexpr int threads = 4 * 32;

__global__ void literal(float* x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
// CHECK: void literal(float* x) {
// CHECK: const auto cuBlock = cu2cpp::thisLongRow<256>();

__global__ void macroAndType(float* x) { x[threadIdx.y * TILE + threadIdx.x] = 2; }
// CHECK: const auto& cuBlock = cu2cpp::thisBlock<16, 16>();

__global__ void constant(float* x) { x[threadIdx.x] = 3; }
// CHECK: const auto& cuBlock = cu2cpp::thisBlock<128>();

__global__ void variable(float* x) { x[threadIdx.x + threadIdx.z] = 4; }
// CHECK: const auto& cuBlock = cu2cpp::thisBlock<8, 4, 2>();

template <class T> __global__ void byTemplate(T* x) { x[threadIdx.x] = 5; }
// CHECK: const auto& cuBlock = cu2cpp::thisBlock<64>();

__global__ void __launch_bounds__(192) bounded(float* x) { x[threadIdx.x] = 6; }
// CHECK: const auto& cuBlock = cu2cpp::thisBlock<192>();

__global__ void unknown(float* x) { x[threadIdx.x] = 7; }
// CHECK: void unknown(float* x) {
// CHECK: const cu2cpp::Block& cuBlock = cu2cpp::thisBlock();

__global__ void tooLarge(float* x) { x[threadIdx.x] = 8; }
// CHECK: void tooLarge(float* x) {
// CHECK: const cu2cpp::Block& cuBlock = cu2cpp::thisBlock();

// Of kernels with regions other sizes are compiled for speed only if something hints at them.
__global__ void always(float* x) {
  __shared__ float s[256];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
// CHECK: void always(float* x) {
// CHECK: cu2cpp::runBlock<256>([&](const auto& cuBlock) CU2CPP_INLINE {

__global__ void changing(float* x) {
  __shared__ float s[256];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
// CHECK: void changing(float* x) {
// CHECK: cu2cpp::runAnyBlock<256>([&](const auto& cuBlock) CU2CPP_INLINE {

__global__ void two(float* x) {
  __shared__ float s[256];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
// CHECK: void two(float* x) {
// CHECK: cu2cpp::runAnyBlock<256>([&](const auto& cuBlock) CU2CPP_INLINE {

__global__ void passedOn(float* x) {
  __shared__ float s[256];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
// CHECK: void passedOn(float* x) {
// CHECK: cu2cpp::runAnyBlock<256>([&](const auto& cuBlock) CU2CPP_INLINE {

// Launches in templates are asked in their instances. Sizes that differ are the kernel's parameters.
template <int STEPS, int THREADS> __global__ void byParameter(float* x) {
  __shared__ float s[STEPS];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
// CHECK: void byParameter(float* x) {
// CHECK: cu2cpp::runBlock<THREADS>([&](const auto& cuBlock) CU2CPP_INLINE {

template <int ROWS, int WIDTH> __global__ void inRows(float* x) {
  __shared__ float s[ROWS * WIDTH];
  s[threadIdx.x] = x[threadIdx.y];
  __syncthreads();
  x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
// CHECK: void inRows(float* x) {
// CHECK: cu2cpp::runBlock<WIDTH, 4>([&](const auto& cuBlock) CU2CPP_INLINE {

template <class T> __global__ void byTypes(T* x) {
  __shared__ T s[128];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
// CHECK: void byTypes(T* x) {
// CHECK: cu2cpp::runBlock<128>([&](const auto& cuBlock) CU2CPP_INLINE {

template <unsigned N> __global__ void __launch_bounds__(N) byBounds(float* x) {
  __shared__ float s[256];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
// CHECK: void byBounds(float* x) {
// CHECK: cu2cpp::runAnyBlock<N>([&](const auto& cuBlock) CU2CPP_INLINE {

template <int STEPS, int THREADS> void launchFrom(float* x) {
  byParameter<STEPS, THREADS><<<1, THREADS>>>(x);
  const dim3 block(2 * THREADS, 4);
  inRows<4, 2 * THREADS><<<1, block>>>(x);
}
template <class T> void launchTypes(T* x) {
  constexpr int threads = 128;
  byTypes<<<1, threads>>>(x);
}
void launchTemplates(float* x, double* y, int n) {
  launchFrom<256, 64>(x);
  launchFrom<64, 32>(x);
  launchTypes(x);
  launchTypes(y);
  byBounds<96><<<1, n>>>(x);
}

void launchAll(float* x, int n, int given = 64) {
  literal<<<n, 256>>>(x);
  literal<<<n, 32>>>(x);
  macroAndType<<<dim3(n, 2), dim3(TILE, TILE)>>>(x);
  constant<<<n, threads>>>(x);
  dim3 block(8, 4, 2);
  variable<<<n, block>>>(x);
  byTemplate<<<n, given>>>(x);
  unknown<<<n, n>>>(x);
  bounded<<<1, n>>>(x);
  tooLarge<<<1, 2048>>>(x);
  int usual = 256, width = 256;
  always<<<n, usual>>>(x);
  always<<<2 * n, dim3(usual)>>>(x);
  if (n > 8)
    width /= 2;
  changing<<<n, width>>>(x);
  two<<<n, 256>>>(x);
  two<<<n, 128>>>(x);
  passedOn<<<n, 256>>>(x);
  void* arguments[] = {&x};
  cudaLaunchKernel(reinterpret_cast<void*>(passedOn), n, given, arguments, 0, nullptr);
}
