// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that march with sums of a plane in registers, with pointers that move on, and with tiles
// that are declared as one row, and others that nearly do.
#include <cstdio>

constexpr int TX = 16, TY = 4, NX = 37, NY = 11, NZ = 9, SIZE = NX * NY * NZ;

__device__ int within(int v, int lo, int hi) { return v < lo ? lo : (v > hi ? hi : v); }

// Rings and corners of three planes; the pointer is told by the step.
__global__ void rings(float* __restrict__ out, const float* __restrict__ in, int nx, int ny,
                      int nz) {
  __shared__ float tile[TY + 2][TX + 2];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * TX + threadIdx.x, y = blockIdx.y * TY + threadIdx.y;
  const bool inside = x < nx && y < ny;
  const bool interior = x > 0 && x < nx - 1 && y > 0 && y < ny - 1;
  float c0 = 0.f, e0 = 0.f, c1 = 0.f, e1 = 0.f;
  for (int z = 0; z < nz; z++) {
    const float* plane = in + (size_t)z * nx * ny;
    for (int t = threadIdx.y * TX + threadIdx.x; t < (TY + 2) * (TX + 2); t += TX * TY) {
      int row = t / (TX + 2), column = t - row * (TX + 2);
      int gx = within((int)(blockIdx.x * TX) + column - 1, 0, nx - 1);
      int gy = within((int)(blockIdx.y * TY) + row - 1, 0, ny - 1);
      tile[row][column] = plane[gy * nx + gx];
    }
    __syncthreads();
    float c = tile[ty][tx];
    float e = tile[ty][tx - 1] + tile[ty][tx + 1] + 0.5f * (tile[ty - 1][tx] - tile[ty + 1][tx]);
    __syncthreads();
    if (z >= 2 && interior)
      out[((z - 1) * ny + y) * nx + x] = c1 - 0.25f * (e1 + c0 + c) + -0.125f * (e0 - e);
    if (inside && (!interior || z == 0 || z == nz - 1))
      out[(z * ny + y) * nx + x] = c;
    c0 = c1;
    e0 = e1;
    c1 = c;
    e1 = e;
  }
}

// The same sums asked for before there are any: what they start with counts.
__global__ void fromTheStart(float* __restrict__ out, const float* __restrict__ in, int nx, int ny,
                             int nz) {
  __shared__ float tile[TY + 2][TX + 2];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * TX + threadIdx.x, y = blockIdx.y * TY + threadIdx.y;
  float before = 7.f, sum = 0.f, all = 0.f;
  for (int z = 0; z < nz; z++) {
    for (int r = threadIdx.y; r < TY + 2; r += TY)
      for (int c = threadIdx.x; c < TX + 2; c += TX) {
        const int gx = blockIdx.x * TX + c - 1, gy = blockIdx.y * TY + r - 1;
        tile[r][c] = gx >= 0 && gx < nx && gy >= 0 && gy < ny ? in[(z * ny + gy) * nx + gx] : 0.f;
      }
    __syncthreads();
    before = sum;
    sum = tile[ty][tx - 1] + tile[ty][tx + 1];
    all = all + sum;
    if (x > 0 && x < nx - 1 && y < ny)
      out[(z * ny + y) * nx + x] = sum - before + 0.125f * all;
    __syncthreads();
  }
}

// Sums in arrays, some of which only some steps set; arrays that may overlap.
template <int BX, int BY>
__global__ void inArrays(float* out, const float* in, int nx, int ny, int nz, int from) {
  __shared__ float t[BY + 2][BX + 2];
  const int lx = threadIdx.x + 1, ly = threadIdx.y + 1;
  const int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y;
  float ring[3] = {0, 0, 0}, late = 0.f;
  for (int z = 0; z < nz; ++z) {
    for (int r = threadIdx.y; r < BY + 2; r += BY)
      for (int c = threadIdx.x; c < BX + 2; c += BX) {
        int gx = blockIdx.x * BX + c - 1, gy = blockIdx.y * BY + r - 1;
        t[r][c] = gx >= 0 && gx < nx && gy >= 0 && gy < ny ? in[(z * ny + gy) * nx + gx] : 0.f;
      }
    __syncthreads();
    ring[0] = ring[1];
    ring[1] = ring[2];
    ring[2] = t[ly][lx - 1] + t[ly][lx + 1] - t[ly - 1][lx] - t[ly + 1][lx];
    if (z == from)
      late = t[ly][lx];
    if (z >= 2 && x >= 1 && x <= nx - 2 && y >= 1 && y <= ny - 2)
      out[((z - 1) * ny + y) * nx + x] = ring[1] + 0.5f * (ring[0] - ring[2]) + late;
    __syncthreads();
  }
}

// Pointers that move on, and stores through them; blocks take some planes each.
__global__ void pointers(const float* __restrict__ in, float* __restrict__ out, int3 n, int each) {
  __shared__ float plane[TY + 2][TX + 2];
  const int x = blockIdx.x * TX + threadIdx.x, y = blockIdx.y * TY + threadIdx.y;
  const int z0 = blockIdx.z * each, z1 = min(z0 + each, n.z);
  const size_t stride = (size_t)n.x * n.y;
  if (x >= n.x || y >= n.y)
    return;
  const float* p = in + (size_t)z0 * stride + (size_t)y * n.x + x;
  float* q = &out[(size_t)z0 * stride + (size_t)y * n.x + x];
  const bool edge = x == 0 || y == 0 || x == n.x - 1 || y == n.y - 1;
  const int lx = threadIdx.x + 1, ly = threadIdx.y + 1;
  float below = z0 > 0 ? p[-(ptrdiff_t)stride] : 0.f, here = *p;
  for (int z = z0; z < z1; ++z, p += stride, q += stride) {
    const float above = z + 1 < n.z ? p[stride] : 0.f;
    __syncthreads();
    plane[ly][lx] = here;
    if (lx == 1 && x > 0)
      plane[ly][0] = p[-1];
    if (lx == TX && x + 1 < n.x)
      plane[ly][TX + 1] = p[1];
    if (ly == 1 && y > 0)
      plane[0][lx] = p[-n.x];
    if (ly == TY && y + 1 < n.y)
      plane[TY + 1][lx] = p[n.x];
    __syncthreads();
    if (!edge && z > 0 && z < n.z - 1)
      *q = here + 0.5f * (plane[ly][lx - 1] - plane[ly][lx + 1]) + plane[ly - 1][lx] -
           plane[ly + 1][lx] + below - above;
    below = here;
    here = above;
  }
}

// Pointers that threads move on by what they read, in both directions, or only some of the threads.
__global__ void pointersApart(const float* in, float* out, int n) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  const float* p = in + t % 7u;
  const float* other = &in[n - 1 - t % 5u];
  float sum = 0;
  for (int k = 0; k < 20; ++k) {
    sum += *p - other[-3] * 0.5f;
    p += int(*p) % 3 + 1;
    if (t & 1)
      --other;
    else
      other -= 2u;
  }
  out[t] = sum;
}

// A tile that is one row: blocks of 16 x 4 have the rows that it counts by, others have not.
__global__ void oneRow(float* __restrict__ out, const float* __restrict__ in, int nx, int ny,
                       int nz) {
  const int W = TX + 2;
  __shared__ float s[16 * (TX + 2)];
  const int x0 = blockIdx.x * blockDim.x - 1, y0 = blockIdx.y * blockDim.y - 1;
  const int x = x0 + 1 + threadIdx.x, y = y0 + 1 + threadIdx.y;
  const int c = (threadIdx.y + 1) * W + threadIdx.x + 1;
  for (int z = 0; z < nz; z++) {
    for (int t = threadIdx.y * blockDim.x + threadIdx.x; t < 16 * W; t += blockDim.x * blockDim.y)
      s[t] = in[(z * ny + min(max(y0 + t / W, 0), ny - 1)) * nx + min(max(x0 + t % W, 0), nx - 1)];
    __syncthreads();
    if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1)
      out[(z * ny + y) * nx + x] = s[c - 1] - s[c + 1] + 0.5f * (s[c - W] + s[c + W]);
    __syncthreads();
  }
}

extern __shared__ float given[];
__global__ void givenRow(float* __restrict__ out, const float* __restrict__ in, int nx, int ny,
                         int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const int w = blockDim.x + 2, l = (threadIdx.y + 1) * w + threadIdx.x + 1;
  const bool there = x < nx && y < ny;
  for (int z = 0; z < nz; z++) {
    const int at = (z * ny + y) * nx + x;
    if (there)
      given[l] = in[at];
    if (threadIdx.x == 0 && x > 0 && y < ny)
      given[l - 1] = in[at - 1];
    if (threadIdx.x == blockDim.x - 1 && x < nx - 1 && y < ny)
      given[l + 1] = in[at + 1];
    if (threadIdx.y == 0 && y > 0 && x < nx)
      given[l - w] = in[at - nx];
    if (threadIdx.y == blockDim.y - 1 && y < ny - 1 && x < nx)
      given[l + w] = in[at + nx];
    __syncthreads();
    if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1)
      out[at] = given[l - 1] - given[l + 1] + given[l] + 0.5f * (given[l - w] + given[l + w]);
    __syncthreads();
  }
}

// Elements that macros name, with numbers below 0 added to what has no sign.
#define S(di, dj) cells[threadIdx.y + 1 + (dj)][threadIdx.x + 1 + (di)]
#define RING (S(-1, 0) + S(1, 0) + S(0, -1) + S(0, 1))
__global__ void macros(float* __restrict__ out, const float* __restrict__ in, int nx, int ny,
                       int nz) {
  __shared__ float cells[TY + 2][TX + 2];
  const int i = min((int)(blockIdx.x * TX + threadIdx.x), nx - 1);
  const int j = min((int)(blockIdx.y * TY + threadIdx.y), ny - 1);
  const bool mine = blockIdx.x * TX + threadIdx.x < nx - 1 && blockIdx.y * TY + threadIdx.y < ny - 1;
  float before = 0, now;
  for (int k = 0; k < nz; ++k) {
    S(0, 0) = in[(k * ny + j) * nx + i];
    if (threadIdx.x == 0)
      S(-1, 0) = in[(k * ny + j) * nx + max(i - 1, 0)];
    if (threadIdx.x == TX - 1)
      S(1, 0) = in[(k * ny + j) * nx + min(i + 1, nx - 1)];
    if (threadIdx.y == 0)
      S(0, -1) = in[(k * ny + max(j - 1, 0)) * nx + i];
    if (threadIdx.y == TY - 1)
      S(0, 1) = in[(k * ny + min(j + 1, ny - 1)) * nx + i];
    __syncthreads();
    now = RING;
    if (k > 0 && mine && i > 0 && j > 0)
      out[(k * ny + j) * nx + i] = now - before;
    before = now;
    __syncthreads();
  }
}

static float *in, *out;

static void show(const char* name) {
  cudaError_t error = cudaDeviceSynchronize();
  static float values[SIZE];
  cudaMemcpy(values, out, sizeof(values), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < SIZE; ++i)
    sum += double(values[i]) * (i % 97 + 1);
  printf("%s: %s %.3f %.3f %.3f\n", name, cudaGetErrorName(error), sum, values[SIZE / 2 + 5],
         values[2 * NX * NY + 3 * NX + 20]);
  cudaMemset(out, 0, SIZE * sizeof(float));
}

int main() {
  static float start[SIZE];
  for (int i = 0; i < SIZE; ++i)
    start[i] = float(i * 37 % 64) * 0.25f;
  cudaMalloc(&in, 2 * sizeof(start));
  out = in + SIZE;
  cudaMemcpy(in, start, sizeof(start), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, sizeof(start));
  const dim3 block(TX, TY), grid((NX + TX - 1) / TX, (NY + TY - 1) / TY);
  rings<<<grid, block>>>(out, in, NX, NY, NZ);
  show("rings");
  fromTheStart<<<grid, block>>>(out, in, NX, NY, NZ);
  show("fromTheStart");
  inArrays<TX, TY><<<grid, block>>>(out, in, NX, NY, NZ, 3);
  show("inArrays");
  inArrays<TX, TY><<<1, block>>>(in + TX * TY, in, TX, TY, 4, 1); // each plane replaces the next
  cudaMemcpy(out, in, sizeof(start), cudaMemcpyDeviceToDevice);
  show("inArrays in place");
  cudaMemcpy(in, start, sizeof(start), cudaMemcpyHostToDevice);
  pointers<<<dim3(grid.x, grid.y, 3), block>>>(in, out, make_int3(NX, NY, NZ), 4);
  show("pointers");
  pointersApart<<<2, 32>>>(in, out, SIZE);
  show("pointersApart");
  oneRow<<<grid, block>>>(out, in, NX, NY, NZ);
  show("oneRow");
  oneRow<<<dim3(2, 2), dim3(20, 6)>>>(out, in, NX, NY, NZ);
  show("oneRow of wider blocks");
  givenRow<<<grid, block, (TX + 2) * (TY + 2) * sizeof(float)>>>(out, in, NX, NY, NZ);
  show("givenRow");
  givenRow<<<dim3(2, 3), dim3(20, 5), 22 * 7 * sizeof(float)>>>(out, in, NX, NY, NZ);
  show("givenRow of other blocks");
  macros<<<grid, block>>>(out, in, NX, NY, NZ);
  show("macros");
  return 0;
}
