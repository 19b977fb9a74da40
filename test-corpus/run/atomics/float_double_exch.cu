// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atomicAdd of float and double (values exact in any order), atomicExch of every type, returned old values are a permutation.
#include <cstdio>

__global__ void k(float* f, double* d, int* slots, unsigned* tickets, float* fx, unsigned long long* lx) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(f, float(i % 8) * 0.25f);
  atomicAdd(d, i * 0.5);
  unsigned mine = atomicAdd(tickets, 1u);
  slots[mine] += 1;
  float old = atomicExch(fx, float(i + 1));
  if (old != 0)
    atomicAdd(f + 1, old);
  unsigned long long was = atomicExch(lx, (unsigned long long)(i + 1) << 32);
  atomicAdd(lx + 1, was);
}

int main() {
  const int n = 8 * 125;
  float *f, *fx;
  double* d;
  int* slots;
  unsigned* tickets;
  unsigned long long* lx;
  cudaMallocManaged(&f, 2 * sizeof(float));
  cudaMallocManaged(&fx, sizeof(float));
  cudaMallocManaged(&d, sizeof(double));
  cudaMallocManaged(&slots, n * sizeof(int));
  cudaMallocManaged(&tickets, sizeof(unsigned));
  cudaMallocManaged(&lx, 2 * sizeof *lx);
  f[0] = f[1] = *fx = 0;
  *d = 0;
  *tickets = 0;
  lx[0] = lx[1] = 0;
  for (int i = 0; i < n; ++i)
    slots[i] = 0;
  k<<<8, 125>>>(f, d, slots, tickets, fx, lx);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += slots[i] != 1;
  // Every value passes through the exchange cell once: what came out plus what stayed is the sum of all.
  printf("%.2f %.2f %u %.0f %llu wrong %d\n", f[0], *d, *tickets, f[1] + *fx, (lx[0] + lx[1]) >> 32, wrong);
  return wrong != 0;
}
