// Sums over padded tables that rows of threads read by columns: all columns but the padding, some
// from others than the first, and with the padding in use.
#include <cstdio>

__global__ void whole(const float* a, const float* b, float* out, int n) {
  __shared__ float rows[16][17];
  __shared__ float columns[16][17];
  const int x = threadIdx.x, y = threadIdx.y;
  float sum = 0;
  for (int t = 0; t < n; t += 16) {
    rows[threadIdx.y][threadIdx.x] = t + x < n ? a[y * n + t + x] : 0.0f;
    columns[threadIdx.y][threadIdx.x] = t + x < n ? b[y * n + t + x] : 0.0f;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      sum += rows[threadIdx.y][k] * columns[threadIdx.x][k];
    __syncthreads();
  }
  out[y * 16 + x] = sum;
}

__global__ void middle(const float* a, const float* b, float* out, int n) {
  __shared__ float rows[16][17];
  __shared__ float columns[16][17];
  const int x = threadIdx.x, y = threadIdx.y;
  float sum = 0;
  for (int t = 0; t < n; t += 16) {
    rows[threadIdx.y][threadIdx.x] = t + x < n ? a[y * n + t + x] : 0.0f;
    columns[threadIdx.y][threadIdx.x] = t + x < n ? b[y * n + t + x] : 0.0f;
    __syncthreads();
    for (int k = 5; k < 11; ++k)
      sum += rows[threadIdx.y][k] * columns[threadIdx.x][k];
    __syncthreads();
  }
  out[y * 16 + x] = sum;
}

__global__ void padded(const float* a, const float* b, float* out, int n) {
  __shared__ float rows[16][17];
  __shared__ float columns[16][17];
  const int x = threadIdx.x, y = threadIdx.y;
  float sum = 0;
  for (int t = 0; t < n; t += 16) {
    rows[threadIdx.y][threadIdx.x] = t + x < n ? a[y * n + t + x] : 0.0f;
    columns[threadIdx.y][threadIdx.x] = t + x < n ? b[y * n + t + x] : 0.0f;
    if (x == 3) {
      rows[threadIdx.y][16] = 1.0f + y;
      columns[threadIdx.y][16] = 0.5f * y - t;
    }
    __syncthreads();
    for (int k = 0; k < 17; ++k)
      sum += rows[threadIdx.y][k] * columns[threadIdx.x][k];
    __syncthreads();
  }
  out[y * 16 + x] = sum;
}

void print(const char* name, const float* out) {
  cudaDeviceSynchronize();
  double sum = 0;
  for (int t = 0; t < 256; ++t)
    sum += double(out[t]) * (1 + t % 7);
  printf("%s: %.10g %g\n", name, sum, double(out[37]));
}

int main() {
  const int n = 40;
  float *a, *b, *out;
  cudaMallocManaged(&a, 16 * n * sizeof(float));
  cudaMallocManaged(&b, 16 * n * sizeof(float));
  cudaMallocManaged(&out, 256 * sizeof(float));
  for (int i = 0; i < 16 * n; ++i) {
    a[i] = float(i * 7 % 23 - 11);
    b[i] = float(i * 5 % 19 - 9);
  }
  whole<<<1, dim3(16, 16)>>>(a, b, out, n);
  print("whole", out);
  middle<<<1, dim3(16, 16)>>>(a, b, out, n);
  print("middle", out);
  padded<<<1, dim3(16, 16)>>>(a, b, out, n);
  print("padded", out);
}
