// Loops over rows and columns of a shared matrix that divide the number of a row: it tells a place
// in another matrix, or in the same one.
#include <cstdio>

constexpr int rows = 20, columns = 40, height = 4, width = 32;

__global__ void divided(const int* in, int* out, int from) {
  __shared__ int a[rows][columns];
  __shared__ int b[rows][columns];
  const int tx = threadIdx.x, ty = threadIdx.y;
  for (int r = ty; r < rows; r += height)
    for (int c = tx; c < columns; c += width)
      b[r][c] = in[r * columns + c];
  __syncthreads();
  for (int r = ty; r < rows; r += height) {
    if (r % 5 == 4) {
      for (int c = tx; c < columns; c += width)
        a[r][c] = 1;
      continue;
    }
    for (int c = tx; c < columns; c += width)
      a[r][c] = b[c % rows][r % 16] + b[r / 16][c];
  }
  __syncthreads();
  for (int r = ty; r < rows; r += height) {
    if (r == from)
      for (int c = tx; c < columns; c += width)
        a[r][c] += b[r][r % 16];
    else
      for (int c = tx; c < columns; c += width)
        a[r][c] -= a[r][c] * 2 + b[r % 16][r / 16];
  }
  __syncthreads();
  for (int r = ty; r < rows; r += height)
    for (int c = tx; c < columns; c += width)
      out[r * columns + c] = a[r][c];
}

int main() {
  int *in = nullptr, *out = nullptr;
  cudaMallocManaged(&in, rows * columns * sizeof(int));
  cudaMallocManaged(&out, rows * columns * sizeof(int));
  for (int i = 0; i < rows * columns; ++i)
    in[i] = i * 53 % 211;
  divided<<<1, dim3(width, height)>>>(in, out, 7);
  cudaDeviceSynchronize();
  for (int i = 0; i < rows * columns; ++i)
    printf("%d%c", out[i], i % columns == columns - 1 ? '\n' : ' ');
}
