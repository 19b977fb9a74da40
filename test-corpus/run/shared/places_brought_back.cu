// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places beside a picture that branches bring back into it, around a torus or to its edge, when
// tiles are filled and by each thread; and near misses, where the place moves on otherwise, too.
#include <cstdio>
#include <vector>

constexpr int bx = 32, by = 8;

__global__ void torus(const float2* in, float2* out, int nx, int ny) {
  __shared__ float2 s[by + 2][bx + 2];
  const int x0 = blockIdx.x * bx, y0 = blockIdx.y * by;
  for (int e = threadIdx.y * bx + threadIdx.x; e < (bx + 2) * (by + 2); e += bx * by) {
    const int ly = e / (bx + 2), lx = e % (bx + 2);
    int gx = x0 + lx - 1, gy = y0 + ly - 1;
    if (gx < 0)
      gx += nx;
    else if (gx >= nx)
      gx -= nx;
    gy = gy < 0 ? gy + ny : gy >= ny ? gy - ny : gy;
    s[ly][lx] = in[gy * nx + gx];
  }
  __syncthreads();
  const int x = x0 + threadIdx.x, y = y0 + threadIdx.y, lx = threadIdx.x + 1, ly = threadIdx.y + 1;
  if (x >= nx || y >= ny)
    return;
  const float2 w = s[ly][lx - 1], e = s[ly][lx + 1], n = s[ly - 1][lx + 1], so = s[ly + 1][lx - 1];
  out[y * nx + x] = make_float2(w.x - 2 * e.y + n.x, w.y + so.x * 3 - n.y);
}

// `step` more for each column that lies beyond the edge; left and right of each thread.
__global__ void edges(const float2* in, float2* out, int nx, int ny, int step) {
  __shared__ float s[by][bx + 2], t[by][bx];
  const int x0 = blockIdx.x * bx, y = min(int(blockIdx.y * by + threadIdx.y), ny - 1);
  for (int lx = threadIdx.x; lx < bx + 2; lx += bx) {
    int gx = x0 + lx - 1;
    if (gx < 0)
      gx = 0;
    if (gx > nx - 1)
      gx = nx - 1;
    s[threadIdx.y][lx] = in[y * nx + gx].x;
  }
  const int x = x0 + threadIdx.x;
  int left = x - 1, next = x + 1, far = x + 2;
  if (left < 0)
    left += nx;
  for (int i = 0; i < 3; ++i)
    if (next >= nx)
      next -= nx - i;
  if (step > 0)
    far += step;
  if (far >= nx)
    far %= nx;
  t[threadIdx.y][threadIdx.x] = in[y * nx + left % nx].y + in[y * nx + far].x - in[y * nx + next].x;
  __syncthreads();
  if (x < nx && blockIdx.y * by + threadIdx.y < ny)
    out[y * nx + x] = make_float2(s[threadIdx.y][threadIdx.x + 2] + s[threadIdx.y][threadIdx.x],
                                  t[threadIdx.y][threadIdx.x ^ 1]);
}

int main() {
  const int most = 130 * 21;
  float2 *in, *out;
  cudaMallocManaged(&in, most * sizeof(float2));
  cudaMallocManaged(&out, most * sizeof(float2));
  for (int i = 0; i < most; ++i)
    in[i] = make_float2(i * 7 % 113, i * 11 % 97);
  for (const int nx : {34, 64, 65, 96, 130})
    for (const int ny : {10, 16, 21})
      for (int kernel = 0; kernel < 3; ++kernel) {
        const dim3 grid((nx + bx - 1) / bx, (ny + by - 1) / by), block(bx, by);
        if (kernel == 0)
          torus<<<grid, block>>>(in, out, nx, ny);
        else
          edges<<<grid, block>>>(in, out, nx, ny, kernel == 1 ? 0 : 5);
        cudaDeviceSynchronize();
        double sum = 0;
        for (int i = 0; i < nx * ny; ++i)
          sum += (out[i].x + 2 * out[i].y) * (1 + i % 31);
        printf("%d x %d: %.0f\n", nx, ny, sum);
      }
  return 0;
}
