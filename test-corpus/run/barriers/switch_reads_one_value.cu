// Cases of a switch around barriers that read one value for all threads, that fall into the next
// case, and that declare a variable for what follows.
#include <cstdio>

#define SYNC __syncthreads()

__global__ void cases(int* out, int n) {
  __shared__ int buffer[50];
  const int t = threadIdx.x;
  buffer[t] = t + 1;
  switch (n & 3) {
  case 0:
    SYNC;
    out[t] += buffer[0];
  case 1:
    out[t] += 5;
    SYNC;
    break;
  case 2:
    int x;
    x = t * 2;
    SYNC;
    out[t] += x + buffer[3] * 100;
    SYNC;
    out[t] -= x / 2;
    break;
  default:
    buffer[t] = t;
    SYNC;
    out[t] += buffer[(t + 1) % 50];
  }
}

int main() {
  int* out;
  cudaMallocManaged(&out, 50 * sizeof(int));
  for (int n = 0; n < 5; ++n) {
    for (int i = 0; i < 50; ++i)
      out[i] = i;
    cases<<<1, 50>>>(out, n);
    cudaDeviceSynchronize();
    printf("%d: %d %d %d\n", n, out[0], out[1], out[49]);
  }
  return 0;
}
