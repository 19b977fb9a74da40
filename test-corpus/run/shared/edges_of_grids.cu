// Tiles with halos whose threads ask whether they lie at an edge of the grid: by equality and by
// order, as a choice, in chains, far from where the halo ends, and in grids that are not much
// larger than a block.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int width = 32, height = 8;

__global__ void sides(const double* __restrict__ u, double* __restrict__ v, int nx, int ny) {
  __shared__ double s[height + 2][width + 2];
  const int gx = blockIdx.x * width + threadIdx.x, gy = blockIdx.y * height + threadIdx.y;
  for (int k = threadIdx.y * width + threadIdx.x; k < (height + 2) * (width + 2);
       k += width * height) {
    int ly = k / (width + 2), lx = k % (width + 2);
    int x = blockIdx.x * width + lx - 1, y = blockIdx.y * height + ly - 1;
    x = x < 0 ? 0 : (x >= nx ? nx - 1 : x);
    y = y < 0 ? 0 : (y >= ny ? ny - 1 : y);
    s[ly][lx] = u[y * nx + x];
  }
  __syncthreads();
  if (gx >= nx || gy >= ny)
    return;
  const int lx = threadIdx.x + 1, ly = threadIdx.y + 1;
  double r;
  if (gx == 0 || gy == 0 || gx == nx - 1 || gy == ny - 1)
    r = s[ly][lx];
  else
    r = (s[ly][lx - 1] + s[ly][lx + 1] + s[ly - 1][lx] + s[ly + 1][lx]) * 0.25;
  v[gy * nx + gx] = r;
}
// As a choice, by order, and far from the edge.
__global__ void chosen(const float* __restrict__ u, float* __restrict__ v, int nx, int ny) {
  __shared__ float s[height + 2][width + 2];
  const int gx = blockIdx.x * width + threadIdx.x, gy = blockIdx.y * height + threadIdx.y;
  for (int k = threadIdx.y * width + threadIdx.x; k < (height + 2) * (width + 2);
       k += width * height) {
    int ly = k / (width + 2), lx = k % (width + 2);
    int x = blockIdx.x * width + lx - 1, y = blockIdx.y * height + ly - 1;
    x = x < 0 ? 0 : (x >= nx ? nx - 1 : x);
    y = y < 0 ? 0 : (y >= ny ? ny - 1 : y);
    s[ly][lx] = u[y * nx + x];
  }
  __syncthreads();
  if (gx >= nx || gy >= ny)
    return;
  const int lx = threadIdx.x + 1, ly = threadIdx.y + 1;
  const float mine = s[ly][lx];
  v[gy * nx + gx] = gx <= 2 || gx > nx - 5 ? mine * 3 : s[ly][lx - 1] - s[ly][lx + 1];
  if (gy < 1)
    v[gy * nx + gx] = 1;
  else if (gy >= ny - 2)
    v[gy * nx + gx] += 2;
  else if (gx == nx - 12)
    v[gy * nx + gx] -= 7;
  // What lies nowhere near an edge, and what asks for more than that.
  if (gx == 40 || (gx == 0 && gy == 0))
    v[gy * nx + gx] += 100;
}

template <class T> void run(const char* name, void (*kernel)(const T*, T*, int, int)) {
  for (const int nx : {30, 33, 96, 150})
    for (const int ny : {5, 16, 41}) {
      T *u, *v;
      cudaMallocManaged(&u, nx * ny * sizeof(T));
      cudaMallocManaged(&v, nx * ny * sizeof(T));
      for (int i = 0; i < nx * ny; ++i)
        u[i] = i * 13 % 101;
      kernel<<<dim3((nx + width - 1) / width, (ny + height - 1) / height), dim3(width, height)>>>(
          u, v, nx, ny);
      cudaDeviceSynchronize();
      double sum = 0;
      for (int i = 0; i < nx * ny; ++i)
        sum += v[i] * (i % 11 + 1);
      printf("%s %d x %d: %.10g\n", name, nx, ny, sum);
      cudaFree(u);
      cudaFree(v);
    }
}

int main() {
  run<double>("sides", sides);
  run<float>("chosen", chosen);
  return 0;
}
