// Columns of shared tables, which blocks read from turned copies: transpositions by tiles with guards, of numbers of 4
// and 8 bytes and of structures, in templates; and tables of which no copy would be right.
#include <cstdio>

template <typename T, int TILE, int ROWS> __global__ void transposed(T* out, const T* in, int width, int height) {
  __shared__ T tile[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
#pragma unroll
  for (int j = 0; j < TILE; j += ROWS)
    if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void conjugated(float2* out, const float2* in, unsigned rows, unsigned columns) {
  __shared__ float2 tile[16][17];
  unsigned x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < columns && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * columns + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  if (x < rows && y < columns) {
    float2 v = tile[threadIdx.x][threadIdx.y];
    v.y = -v.y;
    out[y * rows + x] = v;
  }
}

// The table changes in each step, and in the last one it is changed where it is read.
__global__ void steps(int* out, const int* in, int count) {
  __shared__ int tile[16][16];
  const int x = threadIdx.x, y = threadIdx.y;
  int sum = 0;
  for (int s = 0; s < count; ++s) {
    tile[y][x] = in[(s * 16 + y) * 16 + x];
    for (int k = 0; k < 2; ++k) tile[y][x] += tile[y][x] >> k;
    __syncthreads();
    sum += (s + 1) * tile[x][y];
    __syncthreads();
    if (s % 2) {
      for (int k = 0; k < 2; ++k) sum += tile[x][y] << k;
      __syncthreads();
    }
  }
  const int other = tile[x][y];
  __syncthreads();
  tile[x][y] = other + sum;
  __syncthreads();
  out[y * 16 + x] = tile[x][y] - tile[y][x];
}

// A pointer into the table changes what others read.
__global__ void pointed(int* out, const int* in) {
  __shared__ int tile[16][16];
  const int x = threadIdx.x, y = threadIdx.y;
  int* own = &tile[x][y];
  tile[y][x] = in[y * 16 + x];
  __syncthreads();
  for (int k = 0; k < 3; ++k) *own = tile[x][y] * 2 + k;
  __syncthreads();
  out[y * 16 + x] = tile[x][y];
}

// One column alone, of more rows than threads, and places that do not rise with the threads.
__global__ void others(float* out, const float* in, int column) {
  __shared__ float tile[64][16];
  const int x = threadIdx.x, y = threadIdx.y;
  for (int k = y; k < 64; k += 4) tile[k][x] = in[k * 16 + x];
  __syncthreads();
  out[y * 16 + x] = tile[x][column] + tile[x * 4][y] + tile[15 - x][y] + tile[x + 48][y + 12] + tile[x + 1][3 - y];
}

template <typename T> unsigned long long run(int width, int height) {
  T *in, *out;
  const int count = width * height;
  cudaMallocManaged(&in, count * sizeof(T));
  cudaMallocManaged(&out, count * sizeof(T));
  for (int i = 0; i < count; ++i) in[i] = T(i % 251), out[i] = T(0);
  transposed<T, 32, 8><<<dim3((width + 31) / 32, (height + 31) / 32), dim3(32, 8)>>>(out, in, width, height);
  cudaDeviceSynchronize();
  unsigned long long sum = 0;
  for (int i = 0; i < count; ++i) sum = sum * 31 + (unsigned long long)out[i];
  transposed<T, 16, 16><<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(out, in, width, height);
  cudaDeviceSynchronize();
  for (int i = 0; i < count; ++i) sum = sum * 31 + (unsigned long long)out[i];
  cudaFree(in);
  cudaFree(out);
  return sum;
}

int main() {
  for (int width : {1, 31, 32, 77, 128})
    for (int height : {1, 40, 96})
      printf("%d x %d: %llu %llu %llu %llu\n", width, height, run<float>(width, height), run<double>(width, height),
             run<unsigned>(width, height), run<unsigned char>(width, height));
  float2 *in2, *out2;
  cudaMallocManaged(&in2, 50 * 35 * sizeof(float2));
  cudaMallocManaged(&out2, 50 * 35 * sizeof(float2));
  for (int i = 0; i < 50 * 35; ++i) in2[i] = make_float2(i, i % 13);
  conjugated<<<dim3(3, 4), dim3(16, 16)>>>(out2, in2, 50, 35);
  cudaDeviceSynchronize();
  double sum = 0;
  for (int i = 0; i < 50 * 35; ++i) sum += (i % 17) * out2[i].x + (i % 5) * out2[i].y;
  printf("conjugated: %.1f\n", sum);
  int *in, *out;
  cudaMallocManaged(&in, 2048 * sizeof(int));
  cudaMallocManaged(&out, 256 * sizeof(int));
  for (int i = 0; i < 2048; ++i) in[i] = i * 37 % 101;
  steps<<<1, dim3(16, 16)>>>(out, in, 7);
  cudaDeviceSynchronize();
  long long all = 0;
  for (int i = 0; i < 256; ++i) all = all * 3 % 1000003 + out[i];
  printf("steps: %lld\n", all);
  pointed<<<1, dim3(16, 16)>>>(out, in);
  cudaDeviceSynchronize();
  all = 0;
  for (int i = 0; i < 256; ++i) all = all * 3 % 1000003 + out[i];
  printf("pointed: %lld\n", all);
  float *a, *b;
  cudaMallocManaged(&a, 1024 * sizeof(float));
  cudaMallocManaged(&b, 64 * sizeof(float));
  for (int i = 0; i < 1024; ++i) a[i] = i * 29 % 97;
  others<<<1, dim3(16, 4)>>>(b, a, 5);
  cudaDeviceSynchronize();
  double rest = 0;
  for (int i = 0; i < 64; ++i) rest += (i + 1) * b[i];
  printf("others: %.1f\n", rest);
}
