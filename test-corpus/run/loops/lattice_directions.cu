// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small arrays of a thread that short loops pass over: places of neighbours, opposite directions
// and weights of lattice codes; and others like them that must stay arrays.
#include <cassert>
#include <cstdio>

constexpr int Q = 9;
__device__ constexpr int ex[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, ey[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ int cx[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1};

struct Lattice {
  int* f[Q];
};

__global__ void stream(Lattice src, Lattice dst, const unsigned char* solid, int nx, int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y < 1 || y >= ny - 1)
    return;
  const int c = y * nx + x;
  if (solid[c])
    return;
  const int xm = x == 0 ? nx - 1 : x - 1, xp = x == nx - 1 ? 0 : x + 1;
  const int rs = (y - 1) * nx, rc = y * nx, rn = (y + 1) * nx;
  const int from[Q] = {c, rc + xm, rs + x, rc + xp, rn + x, rs + xm, rs + xp, rn + xp, rn + xm};
  const int opp[Q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
  const int w[Q] = {16, 4, 4, 4, 4, 1, 1, 1, 1};
  int f[Q];
#pragma unroll
  for (int q = 0; q < Q; ++q)
    f[q] = solid[from[q]] ? src.f[opp[q]][c] : src.f[q][from[q]];
  int rho = 0;
  for (int q = 0; q < Q; ++q) {
    const int part = f[q] * w[q]; // of each direction
    rho += part;
  }
#pragma unroll
  for (int q = 0; q < Q; ++q)
    dst.f[q][c] = f[q] + (rho * w[q] - f[q]) % 7;
}

__global__ void flat(const int* in, int* out, int nx, int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || x >= nx - 1 || y < 1 || y >= ny - 1)
    return;
  const int n = nx * ny;
  int f[Q], rho = 0, ux = 0;
  for (int q = 0; q < Q; ++q)
    f[q] = in[q * n + (y - ey[q]) * nx + x - ex[q]];
  for (int q = 0; q < Q; q++) {
    rho += f[q];
    ux += cx[q] * f[q];
  }
  for (int q = 0; q < Q; ++q)
    out[q * n + y * nx + x] = f[q] * 2 - rho + ux * ex[q];
}

// Steps of two, loops in loops, elements that are missing in the list, and those of a name that is
// taken already.
__global__ void mixed(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int at[4] = {i, i ^ 1};
  int sums[3] = {in[i], -i};
  const int sums_1 = 5;
  for (int k = 0; k <= 2; k += 2)
    for (int j = 0; j < 2; ++j) {
      sums[k ^ 2] += in[at[k + j]] + j * sums_1;
      if (k > 0)
        for (int l = 1; l < 3; ++l)
          sums[l]++;
      else
        sums[1] -= k + j;
    }
  out[i] = sums[0] * 100 + sums[1] * 10 + sums[2];
}

// What reaches for more than an element, and what asks for its line.
__global__ void whole(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int own[4] = {i, in[i], i + 1, in[i] * 2};
  int line = 0;
  for (int k = 0; k < 4; ++k)
    own[k] += k;
  reinterpret_cast<int2&>(own[2]).y += 7;
  int* const second = &own[1];
  line += second[1];
  out[i] = own[0] + own[1] * 3 + own[3] * 5 + line * 7;
}

// What a change of an element gives is the element, whose neighbours are not far.
__global__ void changed(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int own[4] = {i, in[i], i + 1, in[i] * 2}, other[3] = {1, 2, i};
  for (int k = 0; k < 4; ++k)
    own[k] += k;
  int* const first = &(own[0] = in[i] + 2);
  first[1] += 3;
  int& behind = (other[1] = i % 7);
  (&behind)[1] -= 4;
  int sum = (other[0] += 5, own[2]);
  (void)(own[3] = sum * 2);
  for (int k = 0; k < 3; ++k)
    sum += own[k] * (k + 1) + other[k];
  out[i] = sum + own[3];
}

int main() {
  const int nx = 70, ny = 11, n = nx * ny;
  Lattice a, b;
  unsigned char* solid;
  cudaMallocManaged(&solid, n);
  for (int q = 0; q < Q; ++q) {
    cudaMallocManaged(&a.f[q], n * sizeof(int));
    cudaMallocManaged(&b.f[q], n * sizeof(int));
    for (int i = 0; i < n; ++i)
      a.f[q][i] = (i * 31 + q * 7) % 13, b.f[q][i] = 0;
  }
  for (int i = 0; i < n; ++i)
    solid[i] = i / nx == 0 || i / nx == ny - 1 || i % 17 == 3;
  const dim3 block(32, 4), grid((nx + 31) / 32, (ny + 3) / 4);
  stream<<<grid, block>>>(a, b, solid, nx, ny);
  cudaDeviceSynchronize();
  for (int q = 0; q < Q; ++q) {
    long sum = 0;
    for (int i = 0; i < n; ++i)
      sum += (long)b.f[q][i] * (i % 101);
    printf("stream %d: %ld\n", q, sum);
  }
  int *in, *out;
  cudaMallocManaged(&in, Q * n * sizeof(int));
  cudaMallocManaged(&out, Q * n * sizeof(int));
  const auto print = [&](const char* what, int count) {
    cudaDeviceSynchronize();
    long sum = 0;
    for (int i = 0; i < count; ++i)
      sum += (long)out[i] * (i % 103);
    printf("%s: %ld\n", what, sum);
  };
  for (int i = 0; i < Q * n; ++i)
    in[i] = (i * 37) % 19, out[i] = 0;
  flat<<<grid, block>>>(in, out, nx, ny);
  print("flat", Q * n);
  mixed<<<(n + 63) / 64, 64>>>(in, out, n);
  print("mixed", n);
  whole<<<(n + 63) / 64, 64>>>(in, out, n);
  print("whole", n);
  changed<<<(n + 63) / 64, 64>>>(in, out, n);
  print("changed", n);
  return 0;
}
