// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In translations for compilers nests of loops by which threads of a grid step along rows and columns count from where the
// grid begins, and several blocks run as one. Not where a thread's place in the inner loop depends on the outer one, where
// memory tells the places, or where the limit changes on the way. Blocks that only count share the places.
// ARGS: --line-directives

__global__ void rows(const float* in, float* out, int w, int h) {
  // CHECK: const auto cuBlock = cu2cpp::thisKeptRows
  // CHECK: for (long long cuFrom_y = 0; cuFrom_y + 1 < (h - 1); cuFrom_y += gridDim.y * blockDim.y)
  // CHECK: for (long long cuFrom_x = 0; cuFrom_x < (w); cuFrom_x += gridDim.x * blockDim.x)
  for (int y = blockIdx.y * blockDim.y + threadIdx.y + 1; y < h - 1; y += gridDim.y * blockDim.y)
    for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < w; x += gridDim.x * blockDim.x)
      out[y * w + x] = in[(y - 1) * w + x] + in[(y + 1) * w + x];
}

// Nobody sees in which order the counters of a block rise: rows first.
__global__ void counts(const unsigned char* image, unsigned* out, int w, int h) {
  __shared__ unsigned bins[256];
  bins[threadIdx.y * 16 + threadIdx.x] = 0;
  __syncthreads();
  // CHECK: for (long long cuFrom_r = 0; cuFrom_r < (h); cuFrom_r += gridDim.y * blockDim.y)
  // CHECK: for (long long cuFrom_c = 0; cuFrom_c < (w); cuFrom_c += gridDim.x * blockDim.x)
  for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < w; c += gridDim.x * blockDim.x)
    for (int r = blockIdx.y * blockDim.y + threadIdx.y; r < h; r += gridDim.y * blockDim.y)
      atomicAdd(&bins[image[r * w + c]], 1u);
  __syncthreads();
  out[(blockIdx.x * 16 + threadIdx.y) * 16 + threadIdx.x] = bins[threadIdx.y * 16 + threadIdx.x];
}

// Nor which block counts what, where blocks add up what they have counted.
__global__ void countsOfAll(const unsigned char* image, unsigned* out, int w, int h) {
  __shared__ unsigned bins[256];
  bins[threadIdx.y * 16 + threadIdx.x] = 0;
  __syncthreads();
  // CHECK: cu2cpp::eachPlaceInSteps<int, int, 0, 0>(cuBlock, w, gridDim.x * blockDim.x, h, gridDim.y * blockDim.y,
  for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < w; c += gridDim.x * blockDim.x)
    for (int r = blockIdx.y * blockDim.y + threadIdx.y; r < h; r += gridDim.y * blockDim.y)
      atomicAdd(&bins[image[r * w + c]], 1u);
  __syncthreads();
  atomicAdd(&out[threadIdx.y * 16 + threadIdx.x], bins[threadIdx.y * 16 + threadIdx.x]);
}

// Each matrix row is a column of threads.
__global__ void turned(const float* in, float* out, int w, int h) {
  // CHECK: const auto cuBlock = cu2cpp::thisLongColumns
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < h && j < w)
    out[i * w + j] = in[i * w + j] * 2;
}

__global__ void triangle(const float* in, float* out, int w, int h) {
  for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < h; y += gridDim.y * blockDim.y)
    for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < y; x += gridDim.x * blockDim.x)
      out[y * w + x] = in[y * w + x];
}
// CHECK-NOT: cuFrom_x < (y)

__global__ void gathers(const float* in, const int* at, float* out, int width, int h) {
  for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < h; y += gridDim.y * blockDim.y)
    for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < width; x += gridDim.x * blockDim.x)
      out[y * width + x] = in[at[y * width + x]];
}
// CHECK-NOT: cuFrom_x < (width)
