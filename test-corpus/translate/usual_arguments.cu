// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small integers that all launches give alike are constants in the version of a kernel for the usual block size,
// in translations that only compilers read.
// ARGS: --line-directives
enum class Mode { None, Twice = 7 };

__global__ void alike(float* x, int n) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x] * n;
  __syncthreads();
  x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
// CHECK: void alike(float* x, int cuArg_n) {
// CHECK: cu2cpp::runBlock<64>(cuArg_n == 30, [&](const auto& cuBlock) CU2CPP_INLINE {
// CHECK: int n = cu2cpp::usually(cuBlock, cuArg_n, 30);

__global__ void narrowed(float* x, unsigned char byte, const bool flag, Mode mode) {
  __shared__ float s[64];
  s[threadIdx.x] = flag && mode == Mode::Twice ? byte : 0;
  __syncthreads();
  x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
// CHECK: void narrowed(float* x, unsigned char cuArg_byte, const bool cuArg_flag, Mode cuArg_mode) {
// CHECK: cu2cpp::runBlock<64>(cuArg_byte == 44 && cuArg_flag == true && cuArg_mode == Mode(7), [&]
// CHECK: unsigned char byte = cu2cpp::usually(cuBlock, cuArg_byte, 44);
// CHECK: const bool flag = cu2cpp::usually(cuBlock, cuArg_flag, true);
// CHECK: Mode mode = cu2cpp::usually(cuBlock, cuArg_mode, 7);

__global__ void byCallers(float* x, int n, int stride) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x % n * stride];
  __syncthreads();
  x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
// CHECK: void byCallers(float* x, int cuArg_n, int stride) {
// CHECK: cu2cpp::runBlock<64>(cuArg_n == 7, [&](const auto& cuBlock) CU2CPP_INLINE {

__global__ void different(float* x, int n) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x] * n;
  __syncthreads();
  x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
// CHECK: void different(float* x, int n) {
// CHECK: cu2cpp::runBlock<64>([&](const auto& cuBlock) CU2CPP_INLINE {

__global__ void large(float* x, int n, long long negative) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x] * n + negative;
  __syncthreads();
  x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
// CHECK: void large(float* x, int n, long long negative) {
// CHECK: cu2cpp::runBlock<64>([&](const auto& cuBlock) CU2CPP_INLINE {

__global__ void changed(float* x, int n) {
  __shared__ float s[64];
  n += threadIdx.x;
  s[threadIdx.x] = x[threadIdx.x] * n;
  __syncthreads();
  x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
// CHECK: void changed(float* x, int cuArg_n) {
// CHECK: cu2cpp::runBlock<64>([&](const auto& cuBlock) CU2CPP_INLINE {

__global__ void readAtRunTime(float* x, int n) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x] * n;
  __syncthreads();
  x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
// CHECK: void readAtRunTime(float* x, int n) {
// CHECK: cu2cpp::runBlock<64>([&](const auto& cuBlock) CU2CPP_INLINE {

// Blocks of other sizes would not find the constant.
__global__ void anyBlock(float* x, int n) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x] * n;
  __syncthreads();
  x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
// CHECK: void anyBlock(float* x, int n) {
// CHECK: cu2cpp::runAnyBlock<64>([&](const auto& cuBlock) CU2CPP_INLINE {

static void call(float* x, int n, int stride) { byCallers<<<1, 64>>>(x, n, stride); }

int main(int argc, char**) {
  float* x = nullptr;
  const int n = 30;
  alike<<<1, 64>>>(x, n);
  alike<<<2, 64>>>(x, n);
  const Mode mode = Mode::Twice;
  const int wide = 300;
  narrowed<<<1, 64>>>(x, (unsigned char)wide, n, mode);
  call(x, 7, 1);
  call(x, 7, 2);
  different<<<1, 64>>>(x, n);
  different<<<1, 64>>>(x, n + 1);
  large<<<1, 64>>>(x, 65, -1);
  changed<<<1, 64>>>(x, n);
  int given = 30;
  if (argc > 1)
    given = argc;
  readAtRunTime<<<1, 64>>>(x, given);
  anyBlock<<<1, 64>>>(x, n);
  anyBlock<<<1, argc>>>(x, n);
}
