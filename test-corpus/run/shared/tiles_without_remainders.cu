// A tile with its halo filled element by element, whose column is what the row leaves: `k - row * width`.
#include <cstdio>
#include <vector>

constexpr int W = 32, H = 8;

__global__ void box(const float* __restrict__ in, float* __restrict__ out, int nx, int ny) {
  __shared__ float tile[H + 2][W + 2];
  const int x = blockIdx.x * W + threadIdx.x, y = blockIdx.y * H + threadIdx.y;
  const int x0 = blockIdx.x * W - 1, y0 = blockIdx.y * H - 1;
  for (int k = threadIdx.y * W + threadIdx.x; k < (W + 2) * (H + 2); k += W * H) {
    const int row = k / (W + 2), column = k - row * (W + 2);
    const int gx = min(max(x0 + column, 0), nx - 1), gy = min(max(y0 + row, 0), ny - 1);
    tile[row][column] = in[(size_t)gy * nx + gx];
  }
  __syncthreads();
  if (x >= nx || y >= ny) return;
  float r = 0;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) r += (1 + i + 3 * j) * tile[threadIdx.y + j][threadIdx.x + i];
  out[(size_t)y * nx + x] = r;
}

// No remainder: rows are one longer than what is taken away for them, and the last row goes on.
__global__ void skewed(const float* __restrict__ in, float* __restrict__ out, int nx) {
  __shared__ float tile[H][W + H];
  const int x0 = blockIdx.x * W, y0 = blockIdx.y * H;
  for (int k = threadIdx.y * W + threadIdx.x; k < W * H; k += W * H) {
    const int row = k / W, column = k - row * (W - 1);
    tile[row][column] = in[(y0 + row) * nx + x0 + column];
  }
  __syncthreads();
  out[(y0 + threadIdx.y) * nx + x0 + threadIdx.x] = 2 * tile[threadIdx.y][threadIdx.x + threadIdx.y];
}

// Each thread of an edge leaves with what it has: the others ask nothing.
__global__ void cross(const float* __restrict__ in, float* __restrict__ out, int nx, int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const float here = in[y * nx + x];
  if (x == 0 || y == 0 || x == nx - 1 || y == ny - 1) {
    out[y * nx + x] = here;
    return;
  }
  out[y * nx + x] = here * 0.5f + (in[y * nx + x - 1] + in[y * nx + x + 1] + in[(y - 1) * nx + x] + in[(y + 1) * nx + x]) * 0.25f;
}

int main() {
  for (const int nx : {256, 150, 40, 1}) {
    const int ny = 48;
    const size_t size = size_t(nx + 64) * (ny + H);
    std::vector<float> h(size), r(size);
    for (size_t i = 0; i < size; ++i) h[i] = float((i * 29 + i / 7) % 32);
    float *a, *b;
    cudaMalloc(&a, size * 4);
    cudaMalloc(&b, size * 4);
    cudaMemcpy(a, h.data(), size * 4, cudaMemcpyHostToDevice);
    const dim3 block(W, H), grid((nx + W - 1) / W, (ny + H - 1) / H);
    for (const int which : {0, 1, 2}) {
      cudaMemset(b, 0, size * 4);
      if (which == 0) box<<<grid, block>>>(a, b, nx, ny);
      if (which == 1) skewed<<<grid, block>>>(a, b, nx + 48);
      if (which == 2) cross<<<grid, block>>>(a, b, nx, ny);
      cudaMemcpy(r.data(), b, size * 4, cudaMemcpyDeviceToHost);
      double sum = 0;
      for (size_t i = 0; i < size; ++i) sum += (1 + i % 13) * double(r[i]);
      printf("%d, %d: %.3f, %.3f\n", nx, which, sum, r[nx / 2]);
    }
    cudaFree(a);
    cudaFree(b);
  }
}
