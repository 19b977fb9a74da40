// Tiles with a halo that the threads of a block fill element by element, in three dimensions: the
// layer is the element's number divided by the size of a layer.
#include <cstdio>
#include <cuda_runtime.h>

#define W 10
#define H 6
#define D 4

__global__ void sums(const float* in, float* out, int nx, int ny, int nz) {
  __shared__ float tile[D][H][W];
  const int tid = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  for (int n = tid; n < W * H * D; n += 8 * 4 * 2) {
    const int lx = n % W, ly = (n / W) % H, lz = n / (W * H);
    const int gx = min(max(int(blockIdx.x * 8) + lx - 1, 0), nx - 1);
    const int gy = min(max(int(blockIdx.y * 4) + ly - 1, 0), ny - 1);
    const int gz = min(max(int(blockIdx.z * 2) + lz - 1, 0), nz - 1);
    tile[lz][ly][lx] = in[(gz * ny + gy) * nx + gx];
  }
  __syncthreads();
  const int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y,
            z = blockIdx.z * 2 + threadIdx.z;
  if (x < nx && y < ny && z < nz) {
    float sum = 0;
    for (int dz = 0; dz < 3; ++dz)
      for (int dy = 0; dy < 3; ++dy)
        for (int dx = 0; dx < 3; ++dx)
          sum += (1 + dx + 2 * dy + 3 * dz) *
                 tile[threadIdx.z + dz][threadIdx.y + dy][threadIdx.x + dx];
    out[(z * ny + y) * nx + x] = sum;
  }
}

// Sizes that only the launch knows, and a number as the size of a layer.
__global__ void copies(const int* in, int* out, int w, int h, int count) {
  __shared__ int tile[960], other[960];
  for (int n = threadIdx.x; n < count; n += blockDim.x)
    tile[n / (h * w) * 160 + n / w % h * 16 + n % w] = in[n] + n / (w * h);
  for (unsigned n = threadIdx.x; n < 960u; n += blockDim.x)
    other[n / 160 * 160 + n / 16 % 10 * 16 + n % 16] = in[n] * int(n / 160);
  __syncthreads();
  for (int n = threadIdx.x; n < 960; n += blockDim.x)
    out[n] = (n < count ? tile[n / (h * w) * 160 + n / w % h * 16 + n % w] : 0) + other[959 - n];
}

int main() {
  const int nx = 21, ny = 11, nz = 7, n = nx * ny * nz;
  float *in, *out;
  int *numbers, *result;
  cudaMallocManaged(&in, n * sizeof(float));
  cudaMallocManaged(&out, n * sizeof(float));
  cudaMallocManaged(&numbers, 960 * sizeof(int));
  cudaMallocManaged(&result, 960 * sizeof(int));
  for (int i = 0; i < n; ++i)
    in[i] = float(i * 37 % 101);
  for (int i = 0; i < 960; ++i)
    numbers[i] = i * 31 % 97;
  sums<<<dim3(3, 3, 4), dim3(8, 4, 2)>>>(in, out, nx, ny, nz);
  copies<<<1, 64>>>(numbers, result, 15, 9, 780);
  cudaDeviceSynchronize();
  double check = 0;
  for (int i = 0; i < n; ++i)
    check += double(out[i]) * (1 + i % 13);
  long long total = 0;
  for (int i = 0; i < 960; ++i)
    total += (long long)result[i] * (1 + i % 11);
  printf("%.1f %.1f %.1f\n", check, out[0], out[n - 1]);
  printf("%lld\n", total);
  return 0;
}
