// Threads that each take a column of a matrix in shared memory, and go along its rows: up to a row,
// from a column on, of rows that they read as well, and in other directions.
#include <cstdio>

__global__ void parts(const float* in, float* out, int to, int from) {
  __shared__ float s[24][24];
  const unsigned x = threadIdx.x, y = threadIdx.y;
  for (unsigned r = y; r < 24; r += 4)
    s[r][x] = in[r * 24 + x];
  __syncthreads();
  for (int r = y + 2; r <= to; r += 4)
    if (r < 20 && int(x) >= from)
      s[r][x] = s[r][x] * 0.5f + s[0][x] - s[1][2];
  __syncthreads();
  for (unsigned r = y; r < 24; r += 4)
    if (y == 3 && x < 16)
      s[r][x] += s[3][x] * 0.25f;
  __syncthreads();
  // By columns of its own row.
  for (int r = y; r < 4; r += 4)
    if (x > 2)
      s[r][x] += s[r][2] * s[r][1];
  __syncthreads();
  for (unsigned r = 23 - y; r < 24; r += 4)
    if (x < r)
      s[r][x] -= 2;
  __syncthreads();
  for (unsigned r = y; r < 24; r += 4)
    out[r * 24 + x] = s[r][x];
}

int main() {
  float *in, *out;
  cudaMallocManaged(&in, 576 * sizeof(float));
  cudaMallocManaged(&out, 576 * sizeof(float));
  for (int i = 0; i < 576; ++i)
    in[i] = float(i * 7 % 32) / 4;
  for (int to : {23, 5, 1}) {
    parts<<<1, dim3(24, 4)>>>(in, out, to, to - 3);
    cudaDeviceSynchronize();
    double sum = 0;
    for (int i = 0; i < 576; ++i)
      sum += out[i] * (1 + i % 7);
    printf("%.2f last %.2f\n", sum, out[575]);
  }
  return 0;
}
