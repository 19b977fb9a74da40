// Threads that find elements as networks that sort do, `((t & ~(j - 1)) << 1) | (t & (j - 1))`, by
// distances that may be no powers of two, and ask for bits in which neighbours differ.
#include <cstdio>

__global__ void anyDistance(int* out, int j, int bit) {
  __shared__ int s[256];
  const int t = threadIdx.x;
  for (int i = t; i < 256; i += 64)
    s[i] = i * 7 % 32;
  __syncthreads();
  const int lo = ((t & ~(j - 1)) << 1) | (t & (j - 1)), hi = lo | j;
  const int sum = s[lo & 255] + ((lo & bit) == 0 ? 3 * t : -t);
  __syncthreads();
  const int all = sum + s[hi & 255] * ((t & bit) != 0 ? 1 : 5);
  __syncthreads();
  s[t] = all;
  __syncthreads();
  // Which way: by a bit of what is left of the place in a part of any length.
  const int inPart = t & (j - 1), at = 2 * t - (t & (bit - 1));
  s[at] += (inPart & (bit / 2)) != 0 ? 3 : s[at + bit];
  __syncthreads();
  for (int i = t; i < 256; i += 64)
    out[i] = s[i];
}

int main() {
  int* out;
  cudaMallocManaged(&out, 256 * sizeof(int));
  for (int j : {32, 16, 8, 4, 1, 20, 48})
    for (int bit : {64, 16, 2}) {
      anyDistance<<<1, 64>>>(out, j, bit);
      cudaDeviceSynchronize();
      int sum = 0;
      for (int i = 0; i < 256; ++i)
        sum += out[i] * (1 + i % 13);
      printf("%d %d: %d %d %d\n", j, bit, sum, out[1], out[63]);
    }
  return 0;
}
