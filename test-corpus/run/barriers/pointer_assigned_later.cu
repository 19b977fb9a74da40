// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A local whose address is stored by an assignment, in a struct or by a call, and that no code names behind the barrier.
#include <cstdio>

struct Holder {
  int* place;
  const int* other;
};

__device__ void point(Holder& holder, int& x) { holder.other = &x; }

__global__ void k(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  int* p;
  int scalar = t * 3;
  int decoy[8];
  Holder holder;
  int held = t + 500;
  int passed = t * t;
  if (t & 1)
    p = &scalar;
  else
    p = &decoy[3];
  for (int i = 0; i < 8; ++i)
    decoy[i] = -i - t;
  holder.place = &held;
  point(holder, passed);
  s[t] = *p;
  __syncthreads();
  int clobber[16];
  for (int i = 0; i < 16; ++i)
    clobber[i] = s[(t + i) % 64] + i;
  s[t] += clobber[t % 16] & 0;
  *p += 1;
  __syncthreads();
  out[t] = *p + *holder.place * 100 + *holder.other * 10000 + clobber[3] - s[(t + 3) % 64];
}

int main() {
  int* out;
  cudaMallocManaged(&out, 64 * sizeof(int));
  k<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  int bad = 0;
  for (int t = 0; t < 64; ++t)
    bad += out[t] != (t & 1 ? t * 3 : -3 - t) + 1 + (t + 500) * 100 + t * t * 10000 + 3;
  printf("wrong: %d; %d %d\n", bad, out[0], out[63]);
  return bad != 0;
}
