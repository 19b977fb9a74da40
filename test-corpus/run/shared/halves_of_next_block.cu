// A block adds up two stretches of an array in a tree: the second one's place is declared where it
// is loaded, once under a name that stands for another place outside.
#include <cstdio>

#define BLOCK 128

__device__ void joinSums(float* s, int t) {
  for (unsigned d = BLOCK / 2; d > 0; d >>= 1) {
    if (t < d)
      s[t] += s[t + d];
    __syncthreads();
  }
}

__global__ void named(const float* a, const float* b, float* out, int n) {
  __shared__ float s[BLOCK];
  const int t = threadIdx.x;
  const int i = blockIdx.x * (blockDim.x * 2) + t;
  float sum = 0;
  if (i < n)
    sum = a[i] - b[i];
  if (i + BLOCK < n) {
    int j = i + BLOCK;
    sum += (a[j] - b[j]) * (j & 3);
  }
  s[t] = sum;
  __syncthreads();
  joinSums(s, t);
  if (t == 0)
    out[blockIdx.x] = s[0];
}

__global__ void hidden(const float* a, float* out, int n) {
  __shared__ float s[BLOCK];
  const int t = threadIdx.x;
  const int i = blockIdx.x * (blockDim.x * 2) + t;
  float sum = i < n ? a[i] : 0;
  if (i + BLOCK < n) {
    const int next = i + BLOCK;
    {
      int i = next;
      sum += a[i] * 2;
      i += 1;
      sum += i < n ? a[i] : 0;
    }
  }
  s[t] = sum;
  __syncthreads();
  joinSums(s, t);
  if (t == 0)
    out[blockIdx.x] = s[0];
}

int main() {
  const int n = 20 * BLOCK + 77, blocks = (n + 2 * BLOCK - 1) / (2 * BLOCK);
  float *a, *b, *out;
  cudaMallocManaged(&a, n * sizeof(float));
  cudaMallocManaged(&b, n * sizeof(float));
  cudaMallocManaged(&out, 2 * blocks * sizeof(float));
  for (int i = 0; i < n; ++i) {
    a[i] = float(i * 37 % 101);
    b[i] = float(i * 11 % 59);
  }
  named<<<blocks, BLOCK>>>(a, b, out, n);
  hidden<<<blocks, BLOCK>>>(a, out + blocks, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < 2 * blocks; ++i)
    printf("%g\n", out[i]);
  return 0;
}
