// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nests of loops by which threads of a grid step along rows and columns, in either order: with limits of all kinds
// (without a sign, wide, included, macros, below the first place), places that begin before or behind the grid's, blocks
// whose size the kernel takes for known, declarations between the loops, elements that are passed over or done with
// early, three dimensions, counters in shared memory, and threads that read what they have stored themselves in an
// earlier step.
#include <cstdio>
#include <cstring>

#define COLUMNS 53
#define LAST (rows - 1)

__global__ void rowsFirst(const int* in, int* out, int w, int h) {
  for (int y = blockIdx.y * blockDim.y + threadIdx.y + 1; y < h - 1; y += gridDim.y * blockDim.y)
    for (int x = blockIdx.x * blockDim.x + threadIdx.x + 1; x < w - 1; x += gridDim.x * blockDim.x)
      out[y * w + x] = in[y * w + x - 1] + in[y * w + x + 1] + 3 * in[(y - 1) * w + x] + in[(y + 1) * w + x];
}
__global__ void columnsFirst(const int* in, int* out, int w, int h) {
  for (int x = threadIdx.x + blockIdx.x * blockDim.x; x < w; x += blockDim.x * gridDim.x) {
    for (int y = threadIdx.y + blockIdx.y * blockDim.y; y < h; y += blockDim.y * gridDim.y) {
      const int v = in[y * w + x];
      if (v % 3 == 0) out[y * w + x] = v * 2;
      else out[y * w + x] += v;
    }
  }
}
// Places in variables, strides without a sign, wide limits, something between the loops.
__global__ void between(const int* in, int* out, unsigned w, long long h) {
  const unsigned sx = gridDim.x * blockDim.x, sy = gridDim.y * blockDim.y;
  const unsigned x0 = blockIdx.x * blockDim.x + threadIdx.x, y0 = blockIdx.y * blockDim.y + threadIdx.y;
  for (unsigned y = y0; y < h; y += sy) {
    const int* row = in + y * w;
    const unsigned up = y > 0 ? y - 1 : 0, weight = y % 4;
    for (unsigned x = x0; x < w; x += sx)
      out[y * w + x] = row[x] * int(weight) + in[up * w + x];
  }
}
// Included limits, macros, a margin that is a parameter; loops that have no step.
__global__ void margins(const int* in, int* out, int rows, int margin) {
  for (int y = margin + blockIdx.y * blockDim.y + threadIdx.y; y <= LAST - margin; y += gridDim.y * blockDim.y)
    for (int x = blockIdx.x * blockDim.x + threadIdx.x - margin; x < COLUMNS; x += gridDim.x * blockDim.x) {
      if (x < 0) continue;
      out[y * COLUMNS + x] = in[y * COLUMNS + x] - in[(y - margin) * COLUMNS + x];
    }
}
__global__ void endsBelow(const int* in, int* out, unsigned w, int h, int limit) {
  for (size_t y = blockIdx.y * blockDim.y + threadIdx.y; y < h; y += gridDim.y * blockDim.y)
    for (size_t x = blockIdx.x * blockDim.x + threadIdx.x; x < w; x += gridDim.x * blockDim.x) {
      if (x == 0 || y == 0) {
        out[y * w + x] = -1;
        continue;
      }
      if (in[y * w + x] < limit)
        continue;
      out[y * w + x] = in[y * w + x] - in[(y - 1) * w + x - 1];
    }
}
// The kernel tells threads of different blocks apart.
__global__ void apart(const int* in, int* out, int w, int h) {
  for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < h; y += gridDim.y * blockDim.y)
    for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < w; x += gridDim.x * blockDim.x)
      out[y * w + x] = in[y * w + x] * 64 + threadIdx.y;
}
__global__ void apartInRows(const int* in, int* out, int w, int h) {
  for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < h; y += gridDim.y * blockDim.y)
    for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < w; x += gridDim.x * blockDim.x)
      out[y * w + x] = in[y * w + x] * 64 + threadIdx.x + blockIdx.y * 1000;
}
__global__ void nothing(const int* in, int* out, int w, int h) {
  for (int y = blockIdx.y * blockDim.y + threadIdx.y + 9; y < h; y += gridDim.y * blockDim.y)
    for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < w; x += gridDim.x * blockDim.x)
      out[y * w + x] = in[y * w + x] + 1000;
}
// The kernel takes blocks of 16 x 4 threads; others leave gaps or do the same twice.
__global__ void known(const int* in, int* out, int w, int h) {
  for (int y = blockIdx.y * 4 + threadIdx.y; y < h; y += gridDim.y * 4)
    for (int x = blockIdx.x * 16 + threadIdx.x; x < w; x += gridDim.x * 16)
      out[y * w + x] = in[y * w + x] ^ (y * 64 + x);
}
// Short and long loops inside.
__global__ void inside(const int* in, const int* factors, int* out, int w, int h, int terms) {
  for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < h; y += gridDim.y * blockDim.y)
    for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < w; x += gridDim.x * blockDim.x) {
      int sum = 0;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
          const int yy = min(max(y + dy, 0), h - 1), xx = min(max(x + dx, 0), w - 1);
          sum += in[yy * w + xx];
        }
      for (int k = 0; k < terms; ++k)
        sum += factors[y * terms + k] * in[k * w + x];
      out[y * w + x] = sum;
    }
}
__global__ void volume(const int* in, int* out, int nx, int ny, int nz) {
  for (int z = blockIdx.z * blockDim.z + threadIdx.z + 1; z < nz - 1; z += gridDim.z * blockDim.z)
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < ny; y += gridDim.y * blockDim.y)
      for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < nx; x += gridDim.x * blockDim.x) {
        const int at = (z * ny + y) * nx + x;
        out[at] = in[at] * 5 - in[at - nx * ny] - in[at + nx * ny];
      }
}
__global__ void counts(const unsigned char* image, unsigned* out, int w, int h) {
  __shared__ unsigned bins[64];
  const int rank = threadIdx.y * blockDim.x + threadIdx.x;
  for (int i = rank; i < 64; i += blockDim.x * blockDim.y) bins[i] = 0;
  __syncthreads();
  const int nx = blockDim.x * gridDim.x, ny = blockDim.y * gridDim.y;
  for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < w; c += nx)
    for (int r = blockIdx.y * blockDim.y + threadIdx.y; r < h; r += ny)
      atomicAdd(&bins[image[r * w + c] & 63], 1u);
  __syncthreads();
  for (int i = rank; i < 64; i += blockDim.x * blockDim.y) atomicAdd(&out[i], bins[i]);
}
// Each thread has columns or rows of its own, which it goes along in order.
__global__ void sums(int* v, int w, int h) {
  for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < w; x += gridDim.x * blockDim.x)
    for (int y = blockIdx.y * blockDim.y + threadIdx.y + 1; y < h; y += gridDim.y * blockDim.y)
      v[y * w + x] += v[(y - 1) * w + x] * 3;
}
__global__ void sumsOfRows(int* v, int w, int h) {
  for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < h; y += gridDim.y * blockDim.y)
    for (int x = blockIdx.x * blockDim.x + threadIdx.x + 1; x < w; x += gridDim.x * blockDim.x)
      v[y * w + x] += v[y * w + x - 1] * 3;
}
// What is updated is also asked for: the order of each thread's steps counts.
__global__ void asked(const unsigned char* image, unsigned* out, int w, int h) {
  __shared__ unsigned bins[64];
  if (threadIdx.x < 64) bins[threadIdx.x] = 0;
  __syncthreads();
  for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < w; c += gridDim.x * blockDim.x)
    for (int r = blockIdx.y * blockDim.y + threadIdx.y; r < h; r += gridDim.y * blockDim.y)
      if (bins[threadIdx.x & 63] < 100u) atomicAdd(&bins[threadIdx.x & 63], unsigned(image[r * w + c]));
  __syncthreads();
  if (threadIdx.x < 64) out[threadIdx.x] = bins[threadIdx.x];
}

static unsigned hashOf(const int* v, int n) {
  unsigned hash = 2166136261u;
  for (int i = 0; i < n; ++i) hash = (hash ^ unsigned(v[i])) * 16777619u;
  return hash;
}

int main() {
  constexpr int w = COLUMNS, h = 41, n = w * h, deep = 5;
  static int in[n * deep], out[n * deep];
  for (int i = 0; i < n * deep; ++i) in[i] = (i * 2654435761u) >> 20;
  int *dIn, *dOut;
  cudaMalloc(&dIn, sizeof in);
  cudaMalloc(&dOut, sizeof out);
  cudaMemcpy(dIn, in, sizeof in, cudaMemcpyHostToDevice);
  const auto show = [&](const char* name) {
    cudaMemcpy(out, dOut, sizeof out, cudaMemcpyDeviceToHost);
    printf("%s %08x %s\n", name, hashOf(out, n * deep), cudaGetErrorString(cudaGetLastError()));
    cudaMemset(dOut, 0, sizeof out);
  };
  cudaMemset(dOut, 0, sizeof out);
  struct Shape {
    dim3 grid, block;
  };
  const Shape shapes[] = {{dim3(2, 2), dim3(16, 4)}, {dim3(1, 3), dim3(32, 8)}, {dim3(4, 5), dim3(5, 3)},
                          {dim3(7, 11), dim3(8, 4)}, {dim3(2, 7), dim3(64, 1)}, {dim3(3, 2), dim3(1, 16)}};
  for (const Shape& shape : shapes) {
    const dim3 g = shape.grid, b = shape.block;
    printf("grid %u %u, block %u %u\n", g.x, g.y, b.x, b.y);
    rowsFirst<<<g, b>>>(dIn, dOut, w, h);
    show("rows first");
    columnsFirst<<<g, b>>>(dIn, dOut, w, h);
    show("columns first");
    between<<<g, b>>>(dIn, dOut, w, h);
    show("between");
    margins<<<g, b>>>(dIn, dOut, h, 2);
    show("margins");
    margins<<<g, b>>>(dIn, dOut, h, 0);
    show("no margins");
    margins<<<g, b>>>(dIn, dOut, 3, 2);
    show("only margins");
    endsBelow<<<g, b>>>(dIn, dOut, w, h, 1500);
    show("wide");
    nothing<<<g, b>>>(dIn, dOut, w, 9);
    nothing<<<g, b>>>(dIn, dOut, -3, h);
    nothing<<<g, b>>>(dIn, dOut, w, -2147483647);
    show("nothing");
    apart<<<g, b>>>(dIn, dOut, w, h);
    show("apart");
    apartInRows<<<g, b>>>(dIn, dOut, w, h);
    show("apart in rows");
    known<<<g, b>>>(dIn, dOut, w, h);
    show("known");
    inside<<<g, b>>>(dIn, dIn + 100, dOut, w, h, 11);
    show("inside");
    volume<<<dim3(g.x, g.y, 2), b>>>(dIn, dOut, w, h, deep);
    show("volume");
    counts<<<g, b>>>(reinterpret_cast<unsigned char*>(dIn), reinterpret_cast<unsigned*>(dOut), 4 * w, h);
    show("counts");
  }
  cudaMemcpy(dOut, in, sizeof in, cudaMemcpyHostToDevice);
  sums<<<2, 16>>>(dOut, w, h);
  show("sums");
  cudaMemcpy(dOut, in, sizeof in, cudaMemcpyHostToDevice);
  sumsOfRows<<<dim3(1, 3), dim3(1, 4)>>>(dOut, w, h);
  show("sums of rows");
  asked<<<1, 64>>>(reinterpret_cast<unsigned char*>(dIn), reinterpret_cast<unsigned*>(dOut), 4 * w, h);
  show("asked");
  cudaFree(dIn);
  cudaFree(dOut);
}
