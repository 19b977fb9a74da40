// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device functions with a loop that threads leave one by one are called for the lanes of a warp at
// once, where their values differ; a thread's own variables may be changed through pointers.

__device__ int steps(float x, float y) {
  float a = x, b = y;
  for (int i = 0; i < 200; ++i) {
    const float t = a * a - b * b + x;
    b = 2 * a * b + y;
    a = t;
    if (a * a + b * b > 4)
      return i;
  }
  return 200;
}
// CHECK: CU2CPP_INLINE static inline cu2cpp::PerLane<int> steps(
// CHECK: const auto cuLanes2 = cu2cpp::lanesWhereEvenPastExits(cuWarp, cuLanes1 - cuExited,
// CHECK: cu2cpp::eachLane(cuWarp, cuLanes2, [&](const uint3, auto& cuOwn) { cuOwn = i; }, cuResult);
// CHECK: cuExited.add(cuLanes2);

__global__ void picture(int* out, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < width)
    out[y * width + x] = steps(x * 0.01f, y * 0.01f);
}
// CHECK: const auto cuCall1 = steps(cuWarp, cuLanes1,
// CHECK: out[y * width + x] = cuCall1[cuThisThread];

// One value for all threads.
__global__ void same(int* out, float x) { out[threadIdx.x] = steps(x, 1.0f); }
// CHECK: out[threadIdx.x] = steps(x, 1.0f);

__device__ unsigned draw(unsigned* seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return *seed >> 8;
}
__device__ unsigned* kept;
__device__ unsigned keep(unsigned* seed) {
  kept = seed;
  return *seed >> 8;
}

__global__ void hits(unsigned* out) {
  unsigned seed = threadIdx.x, inside = 0;
  // CHECK: for (int k = 0; k < 100; ++k) {
  // CHECK: cu2cpp::eachLane(cuWarp, cuLanes, [&](const cu2cpp::Lane cuThisThread, unsigned int& inside) {
  for (int k = 0; k < 100; ++k) {
    const float x = draw(&seed) / 16777216.0f, y = draw(&seed) / 16777216.0f;
    if (x * x + y * y <= 1)
      ++inside;
  }
  out[threadIdx.x] = inside;
}

// What keeps the address may do anything with it.
__global__ void keeps(unsigned* out) {
  unsigned seed = threadIdx.x, inside = 0;
  // CHECK: unsigned seed = threadIdx.x; unsigned inside = 0;
  for (int k = 0; k < 100; ++k) {
    const float x = keep(&seed) / 16777216.0f, y = keep(&seed) / 16777216.0f;
    if (x * x + y * y <= 1)
      ++inside;
  }
  out[threadIdx.x] = inside;
}

void launch(int* out, unsigned* sums) {
  picture<<<dim3(4, 100), 64>>>(out, 200);
  same<<<1, 64>>>(out, 0.25f);
  hits<<<1, 64>>>(sums);
  keeps<<<1, 64>>>(sums);
}
