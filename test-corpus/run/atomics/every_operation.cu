// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every atomic operation on its integer types, on global memory from many blocks; results don't depend on the order.
#include <cstdio>

struct Cells {
  int add, sub, mn, mx, an, orr, xo;
  unsigned uadd, umin, umax, inc, dec, uand;
  unsigned long long ladd, lmin, lmax, land, lor, lxor;
  long long smin, smax;
};

__global__ void k(Cells* c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&c->add, i - 100);
  atomicSub(&c->sub, i);
  atomicMin(&c->mn, (i * 7919) % 5003 - 2500);
  atomicMax(&c->mx, (i * 7919) % 5003 - 2500);
  atomicAnd(&c->an, ~(1 << (i % 5)));
  atomicOr(&c->orr, 1 << (i % 31));
  atomicXor(&c->xo, i);
  atomicAdd(&c->uadd, 4000000000u);
  atomicMin(&c->umin, 3000000000u - i);
  atomicMax(&c->umax, 3000000000u + i);
  atomicInc(&c->inc, 100);
  atomicDec(&c->dec, 77);
  atomicAnd(&c->uand, 0xfffffff0u | (i & 15));
  atomicAdd(&c->ladd, 1ull << 33);
  atomicMin(&c->lmin, (1ull << 40) - i);
  atomicMax(&c->lmax, (1ull << 40) + i);
  atomicAnd(&c->land, ~(1ull << (i % 64)) | 1);
  atomicOr(&c->lor, 1ull << (i % 60));
  atomicXor(&c->lxor, (unsigned long long)i << 20);
  atomicMin(&c->smin, -(1ll << 40) - i);
  atomicMax(&c->smax, -(1ll << 40) + i);
}

int main() {
  Cells* c;
  cudaMallocManaged(&c, sizeof(Cells));
  *c = Cells{};
  c->an = -1;
  c->mn = 1 << 30;
  c->umin = c->uand = ~0u;
  c->lmin = c->land = ~0ull;
  c->smax = -(1ll << 50);
  k<<<13, 200>>>(c);
  cudaDeviceSynchronize();
  printf("%d %d %d %d %d %x %d\n", c->add, c->sub, c->mn, c->mx, c->an, unsigned(c->orr), c->xo);
  printf("%u %u %u %u %u %u\n", c->uadd, c->umin, c->umax, c->inc, c->dec, c->uand);
  printf("%llu %llu %llu %llx %llx %llu\n", c->ladd, c->lmin, c->lmax, c->land, c->lor, c->lxor);
  printf("%lld %lld\n", c->smin, c->smax);
  return 0;
}
