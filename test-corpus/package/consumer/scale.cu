#include <factor.cuh>

#include <string.h>

// OFFSET and NAME come from the target's definitions.
__global__ void scaleKernel(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = times(data[i]) + OFFSET + (int)sizeof(NAME) - 6;
}

void scale(int* data, int n) { scaleKernel<<<(n + 63) / 64, 64>>>(data, n); }
