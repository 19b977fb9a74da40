// Threads that leave a kernel at its begin where others find out in which row of a matrix they are:
// behind that, those that stayed are told from the others.
#include <cstdio>

__global__ void inRows(const int* in, int* out, int* bins, const int* table, int n, int width) {
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int count = in[i] > 50 ? 2 : 1, sum = 0;
  {
    const int column = (i % width) & 1023;
    sum ^= (column << 1) & 255;
    if (column > 500)
      count = (count * 3 + column) & 4095;
  }
  sum = (t + table[i & 7]) % 8191;
  atomicAdd(&bins[sum & 15], sum & 7);
  if (count & 1)
    for (int j = t; j < n + 40; j += blockDim.x) {
      sum = (i / width + i / width % 5 * 4) % 8191;
      atomicAdd(&bins[(in[i] + count) & 15], sum & 7);
      sum += in[(j + i) & 511] & 15;
    }
  atomicAdd(&bins[i % 16], count & 3);
  for (int j = n; j > i % 4; j -= 2) {
    const int column = (in[i] % (n + 1)) & 1023;
    sum ^= (column << 1) & 255;
    if (column > 500)
      count = (count * 3 + column) & 4095;
    sum = (i / width + t * 2) % 8191;
  }
  atomicAdd(&bins[i % 16], sum & 7);
  out[i] = sum + count;
}

int main() {
  constexpr int n = 250, blocks = 2, threads = 128, bins = 16;
  int *in = nullptr, *out = nullptr, *sums = nullptr;
  cudaMallocManaged(&in, 1024 * sizeof(int));
  cudaMallocManaged(&out, blocks * threads * sizeof(int));
  cudaMallocManaged(&sums, bins * sizeof(int));
  for (const int width : {64, 100, 7}) {
    for (int i = 0; i < 1024; ++i)
      in[i] = (i * 7919 + 13) % 601 - 200;
    for (int i = 0; i < blocks * threads; ++i)
      out[i] = -1;
    for (int i = 0; i < bins; ++i)
      sums[i] = 0;
    inRows<<<blocks, threads>>>(in, out, sums, in + 7, n, width);
    cudaDeviceSynchronize();
    for (int i = 0; i < blocks * threads; ++i)
      printf("%d%c", out[i], i % 16 == 15 ? '\n' : ' ');
    for (int i = 0; i < bins; ++i)
      printf("%d%c", sums[i], i == bins - 1 ? '\n' : ' ');
  }
}
