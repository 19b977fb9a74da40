// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edges of tiles for which threads ask by places that begin at 1 (or 2): `tx == 1`, `tx == width`,
// `ty < 2 + radius`, in templates and with places that have no sign.
#include <cstdio>

#include <cuda_runtime.h>

template <int BX, int BY>
__global__ void march(const int* in, int* out, int nx, int ny, int nz) {
  __shared__ int plane[BY + 2][BX + 2];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * BX + tx, y = blockIdx.y * BY + ty;
  const int size = nx * ny;
  const bool loads = x < nx && y < ny, inner = x < nx - 1 && y < ny - 1;
  int at = y * nx + x;
  int behind = loads ? in[at] : 0;
  int here = loads ? in[at + size] : 0;
  for (int z = 1; z < nz - 1; z++) {
    at += size;
    const int front = loads ? in[at + size] : 0;
    plane[ty][tx] = here;
    if (tx == 1 && y < ny)
      plane[ty][0] = in[at - 1];
    if (tx == BX && x + 1 < nx && y < ny)
      plane[ty][BX + 1] = in[at + 1];
    if (ty == 1 && x < nx)
      plane[0][tx] = in[at - nx];
    if (ty == BY && y + 1 < ny && x < nx)
      plane[BY + 1][tx] = in[at + nx];
    __syncthreads();
    if (inner)
      out[at] = 2 * here - plane[ty][tx - 1] + 3 * plane[ty][tx + 1] - 5 * plane[ty - 1][tx] +
                7 * plane[ty + 1][tx] + behind * 11 + front;
    __syncthreads();
    behind = here;
    here = front;
  }
}

constexpr int radius = 2;

__global__ void lines(const int* in, int* out, unsigned count) {
  __shared__ int line[64 + 2 * radius];
  const unsigned t = threadIdx.x + radius, i = blockIdx.x * 64 + threadIdx.x;
  line[t] = i < count ? in[i] : 0;
  if (t < 2 * radius)
    line[t - radius] = i >= radius ? in[i - radius] : 0;
  if (t == 64 + radius - 1) {
    line[t + 1] = i + 1 < count ? in[i + 1] : 0;
    line[t + 2] = i + 2 < count ? in[i + 2] : 0;
  }
  __syncthreads();
  if (i < count)
    out[i] = line[t - 2] + 3 * line[t - 1] - line[t] + 5 * line[t + 1] - 2 * line[t + 2];
}

// Nobody has such a place: below the first, behind the last.
__global__ void nobody(int* out) {
  __shared__ int marks[40];
  const int t = threadIdx.x + 3;
  marks[threadIdx.x] = 1;
  __syncthreads();
  if (t == 2)
    marks[0] = 100;
  if (t == 35)
    marks[1] = 100;
  if (t == 34)
    marks[2] += 5;
  if (t == 3)
    marks[3] += 7;
  if (t <= 4)
    marks[threadIdx.x + 8] += 20;
  __syncthreads();
  out[threadIdx.x] = marks[threadIdx.x];
}

static void print(const char* name, const int* out, int count) {
  unsigned hash = 2166136261u;
  for (int i = 0; i < count; ++i)
    hash = (hash ^ unsigned(out[i])) * 16777619u;
  printf("%s: %u %d %d\n", name, hash, out[0], out[count - 1]);
}

int main() {
  const int nx = 71, ny = 29, nz = 9, all = nx * ny * nz;
  int *in, *out;
  cudaMallocManaged(&in, all * sizeof(int));
  cudaMallocManaged(&out, all * sizeof(int));
  for (int i = 0; i < all; ++i) {
    in[i] = (i * 6007 + 11) % 997;
    out[i] = -1;
  }
  march<32, 8><<<dim3((nx - 2 + 31) / 32, (ny - 2 + 7) / 8), dim3(32, 8)>>>(in, out, nx, ny, nz);
  cudaDeviceSynchronize();
  print("march 32 x 8", out, all);
  march<16, 4><<<dim3((nx - 2 + 15) / 16, (ny - 2 + 3) / 4), dim3(16, 4)>>>(in, out, nx, ny, nz);
  cudaDeviceSynchronize();
  print("march 16 x 4", out, all);
  lines<<<(all + 63) / 64, 64>>>(in, out, all);
  cudaDeviceSynchronize();
  print("lines", out, all);
  nobody<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  print("nobody", out, 32);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
