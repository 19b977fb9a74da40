// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PROCESSOR: x86-64-v4
// ASSEMBLY: vmulps\s+.*%zmm
// OTHER LOOPS
//
// Choices between numbers, and comparisons of such, are work by which a loop around the loop over threads gains, also where
// little else is computed with floating-point numbers.
__global__ void __launch_bounds__(128) walk(unsigned* state, float up, float down, float barrier, int steps, float* out) {
  const int id = blockIdx.x * 128 + threadIdx.x;
  unsigned x = state[id];
  float s = 100.0f, sum = 0.0f;
  bool alive = true;
  for (int t = 0; t < steps; ++t) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    const float f = x < 1503238553u ? up : (x < 2963527434u ? down : 1.0f);
    s *= f;
    sum += s;
    alive = alive && s > barrier;
  }
  state[id] = x;
  out[id] = alive ? sum : 0.0f;
}

int main() {
  unsigned* state = nullptr;
  float* out = nullptr;
  cudaMalloc(&state, 1024 * sizeof *state);
  cudaMalloc(&out, 1024 * sizeof *out);
  cudaMemset(state, 1, 1024 * sizeof *state);
  walk<<<8, 128>>>(state, 1.01f, 0.99f, 80.0f, 96, out);
  const bool done = cudaDeviceSynchronize() == cudaSuccess;
  cudaFree(out);
  cudaFree(state);
  return done ? 0 : 1;
}
