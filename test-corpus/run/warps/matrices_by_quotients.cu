// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes that pass over small matrices element by element and compute row and column from that: rows with and without
// padding, of widths that are no multiple of a vector's, from places in the middle of a row and below zero, by numbers
// with and without a sign, stored to, loaded from and changed; matrices behind each other by lane, and blocks whose last
// warp is not full.
#include <cstdio>

template <int H, int W, int P> __global__ void copies(const int* in, int* out, int first, int last) {
  __shared__ int m[3][H][W + P];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  in += warp * H * W;
  out += warp * H * W;
  if (lane == 0)
    for (int i = 0; i < H * (W + P); ++i) m[warp][i / (W + P)][i % (W + P)] = -i;
  __syncwarp();
  for (int e = first + lane; e < last; e += 32) m[warp][e / W][e % W] = in[e];
  __syncwarp();
  for (unsigned e = lane; e < H * W; e += 32) m[warp][e / W][e % W] += int(e / W) * 100 - int(e % W);
  __syncwarp();
  for (int e = lane; e < H * W; e += 32) out[e] = m[warp][e / W][e % W] + (P > 0 ? m[warp][e / W][W] : 0);
}

// Quotients that round towards zero on both sides of it, and remainders below it.
template <int W> __global__ void around(const int* in, int* out, int* more) {
  __shared__ int rows[9][W], signs[2 * W];
  const int lane = threadIdx.x;
  for (int e = lane - 2 * W - 5; e < 6 * W; e += 32) {
    if (e / W + 2 >= 0) rows[e / W + 2][e % W < 0 ? -(e % W) : e % W] = 0;
  }
  for (int e = lane; e < 2 * W; e += 32) signs[e] = 0;
  __syncwarp();
  for (int e = lane - 3 * W - 5; e < 6 * W; e += 32) {
    if (e >= 0) rows[e / W + 2][e % W] = in[e];
    if (e < 0 && e > -W) signs[e % W + W] = in[-e] + e / W;
  }
  __syncwarp();
  for (int e = lane; e < 6 * W; e += 32) out[e] = rows[e / W + 2][W - 1 - e % W];
  for (int e = lane; e < W; e += 32) more[e] = signs[e];
}

// Two numbers, and a place that wraps around.
__global__ void folded(const int* in, int* out, unsigned far) {
  __shared__ int cube[4][6][24];
  const unsigned lane = threadIdx.x % 32;
  for (unsigned e = lane; e < 4 * 6 * 24; e += 32) cube[e / 144][e / 24 % 6][e % 24] = in[e];
  __syncwarp();
  for (unsigned e = far + lane; e + 64u < 64u + 200u; e += 32) cube[e / 24 % 4][0][e % 24] = int(e % 24);
  __syncwarp();
  for (unsigned e = lane; e < 4 * 6 * 24; e += 32) out[e] = cube[e / 144][e % 144 / 24][e % 24];
}

int *in, *out;
void show(const char* name, int count) {
  cudaDeviceSynchronize();
  unsigned sum = 0;
  for (int i = 0; i < count; ++i) sum = sum * 31 + unsigned(out[i]);
  printf("%s: %u, %d %d %d\n", name, sum, out[0], out[count / 2], out[count - 1]);
  for (int i = 0; i < 8192; ++i) out[i] = 0;
}
template <int H, int W, int P> void copy(const char* name) {
  copies<H, W, P><<<1, 96>>>(in, out, 0, H * W);
  show(name, 3 * H * W);
  copies<H, W, P><<<1, 80>>>(in, out, W / 2, H * W - 3);
  show(name, 3 * H * W);
}

int main() {
  cudaMallocManaged(&in, 8192 * sizeof(int));
  cudaMallocManaged(&out, 8192 * sizeof(int));
  for (int i = 0; i < 8192; ++i) in[i] = i * 7 % 1009, out[i] = 0;
  copy<24, 24, 1>("24 x 24 + 1");
  copy<24, 24, 0>("24 x 24");
  copy<17, 17, 1>("17 x 17 + 1");
  copy<5, 33, 3>("5 x 33 + 3");
  copy<9, 63, 1>("9 x 63 + 1");
  copy<16, 16, 1>("16 x 16 + 1");
  copy<30, 6, 1>("30 x 6 + 1");
  copy<4, 100, 1>("4 x 100 + 1");
  around<24><<<1, 32>>>(in, out, out + 6 * 24);
  show("around zero, 24", 7 * 24);
  around<19><<<1, 32>>>(in, out, out + 6 * 19);
  show("around zero, 19", 7 * 19);
  folded<<<1, 32>>>(in, out, 0u);
  show("folded", 576);
  folded<<<1, 32>>>(in, out, ~0u - 40u);
  show("folded around", 576);
  return 0;
}
