// Arrays of threads that are loaded and stored as vectors, wholly, in parts and under conditions, around barriers.
#include <cstdio>

#define FLOAT4(place) (reinterpret_cast<float4*>(&(place))[0])

// All elements anew in each step; a double buffer.
__global__ void products(float* a, float* b, float* c, int n) {
  __shared__ float left[2][4][32];
  __shared__ float right[2][4][32];
  float moved[2], ofLeft[4], ofRight[4], sum[4][4] = {{0.0f}};
  const int x = threadIdx.x, y = threadIdx.y, t = y * blockDim.x + x;
  *(float2*)&moved[0] = *(float2*)&a[2 * t];
  left[0][t >> 4][2 * (t & 15)] = moved[0];
  left[0][t >> 4][2 * (t & 15) + 1] = moved[1];
  *(float2*)&right[0][t >> 4][2 * (t & 15)] = *(float2*)&b[2 * t];
  __syncthreads();
  for (int k = 1; k < n; ++k) {
    const int now = (k - 1) & 1, next = k & 1;
    *(float2*)&moved[0] = *(float2*)&a[128 * k + 2 * t];
#pragma unroll
    for (int d = 0; d < 4; ++d) {
      FLOAT4(ofLeft[0]) = FLOAT4(left[now][d][y * 4]);
      FLOAT4(ofRight[0]) = FLOAT4(right[now][d][x * 4]);
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
          sum[i][j] += ofLeft[i] * ofRight[j];
    }
    left[next][t >> 4][2 * (t & 15)] = moved[0];
    left[next][t >> 4][2 * (t & 15) + 1] = moved[1];
    *(float2*)&right[next][t >> 4][2 * (t & 15)] = *(float2*)&b[128 * k + 2 * t];
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
    FLOAT4(c[(y * 4 + i) * 32 + x * 4]) = FLOAT4(sum[i][0]);
}

// Some elements stay from step to step: those that no vector, or one under a condition, covers.
__global__ void kept(int* a, int* c, int n) {
  __shared__ int tile[128];
  int part[4] = {1, 2, 3, 4}, sometimes[4] = {0, 0, 0, 0}, late[4] = {5, 6, 7, 8}, some[8] = {0};
  const int t = threadIdx.x;
  int sum = 0;
  for (int k = 0; k < n; ++k) {
    tile[t] = a[64 * k + t];
    __syncthreads();
    *(int2*)&part[0] = *(int2*)&tile[2 * (t / 4)];
    if (t % 3 == k % 3)
      *(int4*)&sometimes[0] = *(int4*)&tile[4 * (t / 8)];
    sum += late[k & 3] + part[3] * part[0] + sometimes[k & 3];
    *(int4*)late = *(int4*)&tile[4 * (t % 16)];
    part[2 + (k & 1)] += k;
    for (int i = 0; i < 4; i += 2)
      *(int2*)&some[2 * i] = *(int2*)&tile[2 * (t % 16) + i];
    for (int i = 0; i < 8; ++i)
      sum += some[i] * i;
    some[2] = k;
    __syncthreads();
  }
  c[t] = sum;
}

int main() {
  float *a, *b, *c;
  int *m, *r;
  cudaMallocManaged(&a, 8 * 128 * sizeof(float));
  cudaMallocManaged(&b, 8 * 128 * sizeof(float));
  cudaMallocManaged(&c, 32 * 32 * sizeof(float));
  cudaMallocManaged(&m, 8 * 64 * sizeof(int));
  cudaMallocManaged(&r, 64 * sizeof(int));
  for (int i = 0; i < 8 * 128; ++i) {
    a[i] = float(i * 7 % 23 - 11);
    b[i] = float(i * 5 % 19 - 9);
  }
  for (int i = 0; i < 8 * 64; ++i)
    m[i] = i * 11 % 37;
  products<<<1, dim3(8, 8)>>>(a, b, c, 8);
  kept<<<1, 64>>>(m, r, 8);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; i += 5)
    std::printf("%g %g %g\n", c[i * 32], c[i * 32 + i], c[i * 32 + 31]);
  for (int i = 0; i < 64; i += 7)
    std::printf("%d%c", r[i], i + 7 < 64 ? ' ' : '\n');
}
