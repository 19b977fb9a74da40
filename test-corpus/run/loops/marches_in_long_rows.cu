// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marches through planes whose blocks run together by rows of the grid: those whose threads count
// on from block to block, and others that name a thread's or a block's place for itself.
#include <cstdio>

constexpr int X = 100, Y = 40, Z = 9, R = 2;

// A queue of planes, and the tile of a plane.
template <int BX, int BY>
__global__ void tiled(int* __restrict__ out, const int* __restrict__ in, int nz) {
  __shared__ int plane[BY + 2 * R][BX + 2 * R];
  const int tx = threadIdx.x + R, ty = threadIdx.y + R;
  const int gx = blockIdx.x * BX + tx, gy = blockIdx.y * BY + ty;
  int at = gy * X + gx;
  int behind[R], ahead[R];
  for (int i = R - 1; i >= 0; --i) {
    behind[i] = in[at];
    at += X * Y;
  }
  int current = in[at];
  int to = at;
  at += X * Y;
  for (int i = 0; i < R; ++i) {
    ahead[i] = in[at];
    at += X * Y;
  }
  for (int z = 0; z < nz; ++z) {
    if (z > 0) {
      for (int i = R - 1; i > 0; --i)
        behind[i] = behind[i - 1];
      behind[0] = current;
      current = ahead[0];
      for (int i = 0; i < R - 1; ++i)
        ahead[i] = ahead[i + 1];
      ahead[R - 1] = in[at];
      at += X * Y;
      to += X * Y;
    }
    __syncthreads();
    if (threadIdx.y < R) {
      plane[threadIdx.y][tx] = in[to - R * X];
      plane[threadIdx.y + BY + R][tx] = in[to + BY * X];
    }
    if (threadIdx.x < R) {
      plane[ty][threadIdx.x] = in[to - R];
      plane[ty][threadIdx.x + BX + R] = in[to + BX];
    }
    plane[ty][tx] = current;
    __syncthreads();
    int v = 3 * current;
    for (int i = 1; i <= R; ++i)
      v += i * (ahead[i - 1] + behind[i - 1] + plane[ty - i][tx] + plane[ty + i][tx] +
                plane[ty][tx - i] * 2 + plane[ty][tx + i]);
    out[to] = v;
  }
}

// Rows that do not follow each other: every other block's width is left out, or blocks overlap.
template <int BX> __global__ void apart(int* out, const int* in, int nz, int width) {
  const int x = blockIdx.x * width + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int below = in[y * X + x], sum = 0;
  for (int z = 1; z < nz; ++z) {
    const int here = in[(z * Y + y) * X + x];
    sum += here - below + int(threadIdx.x) * z;
    below = here;
    out[(z * Y + y) * X + x] = sum + x % BX;
  }
}

// A value kept from plane to plane.
template <int BX, int BY>
__global__ void kept(int* __restrict__ out, const int* __restrict__ in, int nz) {
  const int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y;
  int below = in[y * X + x];
  for (int z = 1; z < nz; ++z) {
    const int here = in[(z * Y + y) * X + x];
    out[(z * Y + y) * X + x] = here * 2 - below;
    below = here + below % 7;
  }
}

// A block's own place, a thread's, and a value kept from plane to plane.
__global__ void placed(int* out, const int* in, int nz, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= Y)
    return;
  int kept = in[y * X + x];
  for (int z = 0; z < nz; ++z) {
    kept = kept * 3 % 1009 + in[(z * Y + y) * X + x];
    out[(z * Y + y) * X + x] = kept + (z % 2 ? int(blockIdx.x) : int(threadIdx.x) * 10);
  }
}

int main() {
  const int n = X * Y * (Z + 2 * R);
  int *in, *out;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  for (int i = 0; i < n; ++i)
    in[i] = (i * 7919) % 1013;
  const auto print = [&](const char* what) {
    cudaDeviceSynchronize();
    long sum = 0;
    for (int i = 0; i < n; ++i) {
      sum = (sum * 31 + out[i]) % 1000003;
      out[i] = 0;
    }
    printf("%s %ld\n", what, sum);
  };
  for (int i = 0; i < n; ++i)
    out[i] = 0;
  tiled<32, 4><<<dim3(3, 9), dim3(32, 4)>>>(out, in, Z);
  print("tiled 32 x 4");
  tiled<16, 16><<<dim3(6, 2), dim3(16, 16)>>>(out, in, Z);
  print("tiled 16 x 16");
  tiled<8, 2><<<dim3(12, 18), dim3(8, 2)>>>(out, in, Z);
  print("tiled 8 x 2");
  apart<16><<<dim3(3, 5), dim3(16, 8)>>>(out, in, Z, 32);
  print("apart");
  apart<32><<<dim3(2, 10), dim3(32, 4)>>>(out, in, Z, 32);
  print("side by side");
  kept<16, 4><<<dim3(6, 10), dim3(16, 4)>>>(out, in, Z);
  print("kept 16 x 4");
  kept<8, 4><<<dim3(6, 10), dim3(16, 4)>>>(out, in, Z);
  print("kept by twos");
  placed<<<dim3(7, 10), dim3(16, 4)>>>(out, in, Z, 97);
  print("placed");
  return 0;
}
