// Marches through planes by a place without a sign, under a flag, whose last plane is stored behind the loop.
#include <cstdio>
#include <vector>

constexpr int W = 32, H = 8;

__global__ void smooth(const float* __restrict__ u, float* __restrict__ v, int nx, int ny, int nz) {
  __shared__ float tile[H + 2][W + 2];
  const int x = blockIdx.x * W + threadIdx.x, y = blockIdx.y * H + threadIdx.y;
  const int lx = threadIdx.x + 1, ly = threadIdx.y + 1;
  const bool in = x < nx && y < ny;
  const bool inner = x > 0 && x < nx - 1 && y > 0 && y < ny - 1;
  const size_t plane = (size_t)nx * ny;
  size_t p = (size_t)y * nx + x;
  float below = 0.f, here = in ? u[p] : 0.f, above = in ? u[p + plane] : 0.f;
  if (in) v[p] = here;
  for (int z = 1; z < nz - 1; ++z) {
    p += plane;
    below = here;
    here = above;
    above = in ? u[p + plane] : 0.f;
    __syncthreads();
    tile[ly][lx] = here;
    if (in) {
      if (threadIdx.x == 0 && x > 0) tile[ly][0] = u[p - 1];
      if (threadIdx.x == W - 1 && x < nx - 1) tile[ly][W + 1] = u[p + 1];
      if (threadIdx.y == 0 && y > 0) tile[0][lx] = u[p - nx];
      if (threadIdx.y == H - 1 && y < ny - 1) tile[H + 1][lx] = u[p + nx];
    }
    __syncthreads();
    if (inner)
      v[p] = (tile[ly][lx - 1] + tile[ly][lx + 1] + tile[ly - 1][lx] + tile[ly + 1][lx] + below + above) * 0.125f + here;
    else if (in)
      v[p] = here;
  }
  if (in) v[p + plane] = above;
}

// What the last steps no longer load stays what it was.
__global__ void ahead(const float* __restrict__ u, float* __restrict__ v, int nx, int ny, int nz) {
  __shared__ float tile[H][W];
  const int x = blockIdx.x * W + threadIdx.x, y = blockIdx.y * H + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const int plane = nx * ny;
  int p = y * nx + x;
  float here = u[p], next = here;
  for (int z = 0; z <= nz - 2; z++) {
    if (z + 3 < nz) next = u[p + 2 * plane];
    __syncthreads();
    tile[threadIdx.y][threadIdx.x] = here;
    __syncthreads();
    v[p] = tile[threadIdx.y][threadIdx.x] * 2.0f;
    p += plane;
    here = u[p];
  }
  v[p] = here - next;
}

int main() {
  for (const int nz : {9, 5, 3, 2}) {
    const int nx = 75, ny = 21;
    std::vector<float> h(size_t(nx) * ny * nz), r(h.size());
    for (size_t i = 0; i < h.size(); ++i) h[i] = float((i * 37 + i / 11) % 64);
    float *a, *b;
    cudaMalloc(&a, h.size() * 4);
    cudaMalloc(&b, h.size() * 4);
    cudaMemcpy(a, h.data(), h.size() * 4, cudaMemcpyHostToDevice);
    const dim3 block(W, H), grid((nx + W - 1) / W, (ny + H - 1) / H);
    for (const int which : {0, 1}) {
      cudaMemset(b, 0, h.size() * 4);
      if (which) ahead<<<grid, block>>>(a, b, nx, ny, nz);
      else smooth<<<grid, block>>>(a, b, nx, ny, nz);
      cudaMemcpy(r.data(), b, h.size() * 4, cudaMemcpyDeviceToHost);
      double sum = 0;
      for (size_t i = 0; i < r.size(); ++i) sum += (1 + i % 13) * double(r[i]);
      printf("%d planes, %s: %.3f, %.3f\n", nz, which ? "ahead" : "smooth", sum, r[r.size() - nx - 5]);
    }
    cudaFree(a);
    cudaFree(b);
  }
}
