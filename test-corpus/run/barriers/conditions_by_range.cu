// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions that hold for a range of a row's threads, around barriers: bounds from both sides,
// clamps, flags, unsigned values below zero, long integers, rows of several lengths, blocks of
// other sizes than most launches have, and threads that are alone.
#include <cstdio>

__global__ void neighbours(const int* in, int* out, int n, int low, int high) {
  __shared__ int s[256];
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : -1;
  __syncthreads();
  const int west = t - 1 < low ? low : t - 1;
  const int east = t + 1 > high ? high : t + 1;
  const bool valid = t >= low && t <= high;
  int sum = 0;
  for (int k = 0; k < 3; ++k) {
    if (t >= k + 1 && t <= (int)blockDim.x - k - 2 && valid)
      sum += s[west] * 3 + s[east] * 5 + s[t];
    else
      sum -= k + 1;
    __syncthreads();
    if (!(t < 2 || t > 61 + k))
      s[t] += sum % 7;
    __syncthreads();
  }
  if (i < n)
    out[i] = sum + s[t];
  if (out && t == (int)blockDim.x - 1)
    out[n + blockIdx.x] = s[t] + s[0];
}

__global__ void wrapping(unsigned* out, unsigned bound, long long far, unsigned char small) {
  __shared__ unsigned s[96];
  const unsigned t = threadIdx.x;
  s[t] = 0;
  __syncthreads();
  if (t - 3u < bound) // false for the first three threads, whose difference is huge
    s[t] += 1;
  if (t - 3 >= 4000000000u)
    s[t] += 2;
  if ((long long)t + far > 4294967296ll)
    s[t] += 4;
  if (t + 4294967290u < 50u) // wraps in the sixth thread
    s[t] += 8;
  const int before = (int)t - 40;
  if (before > -20 && before <= 20)
    s[t] += 16;
  if (small > t)
    s[t] += 32;
  if (bound + t >= 90)
    s[t] += 64;
  __syncthreads();
  out[blockIdx.x * 96 + t] = s[t] * 1000 + s[95 - t];
}

__global__ void rows(int* out, int width, int height) {
  __shared__ int tile[8][34];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x + 1] = x * 100 + y;
  if (x == 0)
    tile[y][0] = -1;
  if (x == 31)
    tile[y][33] = -2;
  __syncthreads();
  int value = 0;
  if (x > y && x < width - y)
    value = tile[y][x] + tile[y][x + 2];
  __syncthreads();
  if (y < height && !(x >= width))
    tile[y][x + 1] += value;
  __syncthreads();
  out[y * 32 + x] = tile[y][x + 1] + tile[7 - y][33 - x];
}

template <int Offset> __global__ void shifted(const int* in, int* out, int n) {
  __shared__ int s[2][128];
  int from = 0;
  const int t = threadIdx.x;
  s[0][t] = t < n ? in[t] : 0;
  __syncthreads();
  for (int offset = Offset; offset < 128; offset *= 2) {
    if (t >= offset)
      s[1 - from][t] = s[from][t] + s[from][t - offset];
    else
      s[1 - from][t] = s[from][t];
    from = 1 - from;
    __syncthreads();
  }
  out[t] = s[from][t];
  if (t == 0)
    out[128] = s[from][127];
}

static void print(const char* name, const int* values, int count) {
  long long sum = 0;
  for (int i = 0; i < count; ++i)
    sum = (sum * 31 + values[i]) % 1000000007;
  printf("%s %lld:", name, sum);
  for (int i = 0; i < count; i += count / 12 + 1)
    printf(" %d", values[i]);
  printf("\n");
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 2048 * sizeof(int));
  cudaMallocManaged(&out, 2048 * sizeof(int));
  for (int i = 0; i < 2048; ++i)
    in[i] = i * 37 % 101;
  const int sizes[] = {256, 128, 96, 64, 33, 32, 7};
  neighbours<<<4, 256>>>(in, out, 1000, 0, 255);
  cudaDeviceSynchronize();
  print("neighbours", out, 1004);
  for (int size : sizes)
    for (int low = 0; low < size; low += size / 3 + 1) {
      neighbours<<<3, size>>>(in, out, 3 * size - 5, low, size - 1 - low / 2);
      cudaDeviceSynchronize();
      print("neighbours", out, 3 * size - 2);
    }
  unsigned* bits;
  cudaMallocManaged(&bits, 192 * sizeof(unsigned));
  for (unsigned bound : {0u, 1u, 40u, 92u, 4294967295u})
    for (long long far : {0ll, 4294967200ll, 4294967296ll, -5ll}) {
      wrapping<<<2, 96>>>(bits, bound, far, (unsigned char)(bound + far));
      cudaDeviceSynchronize();
      print("wrapping", (int*)bits, 192);
    }
  for (int width : {0, 1, 31, 32, 33, 40})
    for (int height : {-1, 3, 8}) {
      rows<<<1, dim3(32, 8)>>>(out, width, height);
      cudaDeviceSynchronize();
      print("rows", out, 256);
    }
  for (int n : {0, 1, 31, 32, 100, 128}) {
    shifted<1><<<1, 128>>>(in, out, n);
    cudaDeviceSynchronize();
    print("shifted<1>", out, 129);
    shifted<40><<<1, 128>>>(in, out, n);
    cudaDeviceSynchronize();
    print("shifted<40>", out, 129);
  }
  return 0;
}
