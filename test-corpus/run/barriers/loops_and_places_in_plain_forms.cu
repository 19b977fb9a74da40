// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that count in variables declared elsewhere, with everything that may stand in the way: uses
// behind the loop, continue, macros, nested loops with one counter, steps that only some threads
// take; places that move on by the same distance for all threads, and by others; variables set
// anew once and in a branch; edges of tiles filled by single threads and rows, in blocks of every
// shape.
#include <cstdio>

#define NEXT(v, by) v += by
#define AT(i) ((i) * 3 % 17)

__global__ void counts(int* out, int n) {
  __shared__ int s[96];
  int t = threadIdx.x, sum = 0, i;
  int a = threadIdx.x;
  while (a < n) {
    sum += AT(a);
    a += blockDim.x;
  }
  int b = threadIdx.x;
  while (b < n) { // b is used behind the loop
    sum += b & 3;
    b += blockDim.x;
  }
  sum += b;
  int c = threadIdx.x;
  while (c < n) {
    if (c % 5 == 0) {
      c += blockDim.x;
      continue;
    }
    sum += 7;
    c += blockDim.x;
  }
  int d = threadIdx.x;
  while (d < n) {
    sum += d;
    NEXT(d, blockDim.x);
  }
  unsigned e = threadIdx.x;
  for (; e < n; e += blockDim.x)
    sum ^= e;
  for (i = threadIdx.x; i < n; i += blockDim.x)
    sum += i * 2;
  for (i = 0; i < 3; i++)
    for (int k = 0; k < i; k++)
      sum += k;
  s[t] = sum;
  __syncthreads();
  int f = threadIdx.x;
  while (f < n) {
    int step = 1 + (f & 1); // declared inside
    sum += s[f % blockDim.x];
    f += step * blockDim.x;
  }
  __syncthreads();
  s[t] = sum;
  __syncthreads();
  out[t] = s[blockDim.x - 1 - t] + i;
}

__global__ void places(const int* in, int* out, int rounds, int stride) {
  __shared__ int s[64];
  int at = threadIdx.x * 2;
  unsigned back = 64 * 8 + threadIdx.x;
  int own = threadIdx.x; // moves in some threads only
  int sum = 0;
  for (int k = 0; k < rounds; ++k) {
    s[threadIdx.x] = in[at] + in[back];
    __syncthreads();
    sum = sum * 3 + s[63 - threadIdx.x] + own;
    __syncthreads();
    at += stride;
    back -= 64;
    if (threadIdx.x & 1)
      own += 5;
    if (k == 2)
      at++;
  }
  out[threadIdx.x] = sum + at + own + int(back);
}

__global__ void setAnew(const int* in, int* out) {
  __shared__ int s[64];
  int x = threadIdx.x;
  int y = x * 2;
  s[x] = in[x];
  y = y > 63 ? 63 : y;
  __syncthreads();
  int z = s[y];
  x = 63 - x;
  __syncthreads();
  if (z > 100)
    y = 1;
  s[x] = z + y;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x] * 2 + x;
}

template <int X, int Y> __global__ void tile(const float* in, float* out, int width, int height) {
  __shared__ float t[Y + 2][X + 2];
  int x = blockIdx.x * X + threadIdx.x, y = blockIdx.y * Y + threadIdx.y;
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  t[ty][tx] = 0;
  if (threadIdx.x == 0)
    t[ty][0] = 0;
  if (threadIdx.x == X - 1)
    t[ty][X + 1] = 0;
  if (threadIdx.y == 0)
    t[0][tx] = 0;
  if (threadIdx.y == Y - 1)
    t[Y + 1][tx] = 0;
  __syncthreads();
  if (x < width && y < height) {
    t[ty][tx] = in[y * width + x];
    if (threadIdx.x == 0 && x > 0)
      t[ty][0] = in[y * width + x - 1];
    if (X - 1 == threadIdx.x && x < width - 1)
      t[ty][X + 1] = in[y * width + x + 1];
    if (threadIdx.y == 0 && y > 0)
      t[0][tx] = in[(y - 1) * width + x];
    if (threadIdx.y == Y - 1 && y < height - 1)
      t[Y + 1][tx] = in[(y + 1) * width + x];
  }
  __syncthreads();
  if (x > 0 && x < width - 1 && y > 0 && y < height - 1)
    out[y * width + x] =
        t[ty][tx] * 4 - t[ty][tx - 1] - t[ty][tx + 1] - t[ty - 1][tx] - t[ty + 1][tx];
}

__global__ void counters(const int* data, int n, int* out) {
  __shared__ int bins[37];
  __shared__ unsigned long long wide[5];
  for (int i = threadIdx.x; i < 37; i += blockDim.x)
    bins[i] = -3;
  if (threadIdx.x < 5)
    wide[threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    atomicAdd(&bins[data[i] % 37], data[i] - 50);
    if (data[i] & 1)
      atomicAdd(&bins[i % 37], 1);
    atomicAdd(&wide[i % 5], 1ull << 40);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 37; i += blockDim.x)
    out[i] = bins[i] + int(wide[i % 5] >> 40);
}

template <class T> long long sumOf(const T* values, int n) {
  long long sum = 0;
  for (int i = 0; i < n; ++i)
    sum = (sum * 31 + (long long)(values[i] * 8)) % 1000000007;
  return sum;
}

template <int X, int Y> void tiles(const float* in, float* out, int width, int height) {
  cudaMemset(out, 0, width * height * sizeof(float));
  dim3 block(X, Y), grid((width + X - 1) / X, (height + Y - 1) / Y);
  tile<X, Y><<<grid, block>>>(in, out, width, height);
  cudaDeviceSynchronize();
  printf("tile %d x %d: %lld\n", X, Y, sumOf(out, width * height));
}

int main() {
  int *in, *out;
  float *f, *g;
  const int width = 75, height = 41;
  cudaMallocManaged(&in, 4096 * sizeof(int));
  cudaMallocManaged(&out, 4096 * sizeof(int));
  cudaMallocManaged(&f, width * height * sizeof(float));
  cudaMallocManaged(&g, width * height * sizeof(float));
  for (int i = 0; i < 4096; ++i)
    in[i] = i * 7 % 211;
  for (int i = 0; i < width * height; ++i)
    f[i] = float(i * 13 % 101) * 0.25f;
  for (int threads : {32, 64, 96, 50}) {
    counts<<<1, threads>>>(out, 333);
    cudaDeviceSynchronize();
    printf("counts %d: %lld\n", threads, sumOf(out, threads));
  }
  places<<<1, 64>>>(in, out, 7, 130);
  cudaDeviceSynchronize();
  printf("places: %lld\n", sumOf(out, 64));
  setAnew<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  printf("set anew: %lld\n", sumOf(out, 64));
  tiles<16, 16>(f, g, width, height);
  tiles<32, 8>(f, g, width, height);
  tiles<8, 4>(f, g, width, height);
  tiles<10, 5>(f, g, width, height);
  tiles<64, 2>(f, g, width, height);
  for (int threads : {64, 100}) {
    counters<<<1, threads>>>(in, 3000, out);
    cudaDeviceSynchronize();
    printf("counters %d: %lld\n", threads, sumOf(out, 37));
  }
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
