// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heat in a plane: five-point stencil, two buffers, many steps.
#include "../device_vector.h"

__global__ void step(const float* in, float* out, int width, int height, float k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < width - 1 && y > 0 && y < height - 1) {
    int i = y * width + x;
    out[i] = in[i] + k * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width] - 4.0f * in[i]);
  }
}

int main() {
  const int width = 1536, height = 1536, steps = 20;
  const auto start = uniforms(width * height, 1);
  DeviceVector<float> a(start), b(start);
  dim3 block(16, 16);
  dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
  measure([&] {
    for (int s = 0; s < steps; s += 2) {
      step<<<grid, block>>>(a, b, width, height, 0.2f);
      step<<<grid, block>>>(b, a, width, height, 0.2f);
    }
    finish();
  });
  check(weightedSum(a.toHost()));
}
