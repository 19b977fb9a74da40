// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The atomic functions with an order and a scope of CUDA 12.8, __nv_atomic_*: every operation, 16
// to 128 bits, a lock and a flag with acquire and release.
#include <cstdio>

struct __align__(16) Pair {
  unsigned long long a, b;
};

__global__ void operations(int* i, unsigned long long* l, float* f, double* d, unsigned short* s,
                           Pair* p) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  __nv_atomic_fetch_add(&i[0], t, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_sub(&i[1], 2, __NV_ATOMIC_ACQ_REL);
  __nv_atomic_fetch_min(&i[2], -t, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_SYSTEM);
  __nv_atomic_fetch_max(&i[3], t ^ 5, __NV_ATOMIC_SEQ_CST);
  __nv_atomic_fetch_and(&i[4], ~(1 << t % 11), __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_or(&i[5], 1 << t % 13, __NV_ATOMIC_RELEASE);
  __nv_atomic_fetch_xor(&i[6], t, __NV_ATOMIC_ACQUIRE);
  __nv_atomic_add(&l[0], 1ull << 33, __NV_ATOMIC_RELAXED);
  __nv_atomic_max(&l[1], (unsigned long long)t << 40, __NV_ATOMIC_RELAXED,
                  __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_or(&l[2], 1ull << t % 60, __NV_ATOMIC_RELAXED);
  __nv_atomic_add(f, 0.25f, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_add(d, 0.125, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  unsigned short was = 0;
  while (!__nv_atomic_compare_exchange_n(s, &was, (unsigned short)(was + 3), true,
                                         __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED))
    ;
  Pair old, next;
  __nv_atomic_load(p, &old, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  do
    next = {old.a + 1, old.b + old.a};
  while (!__nv_atomic_compare_exchange(p, &old, &next, false, __NV_ATOMIC_ACQ_REL,
                                       __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE));
  int x = 77, y = 0;
  __nv_atomic_exchange(&i[7], &x, &y, __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_add(&i[8], int(y == 77), __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_add(&i[9], int(__nv_atomic_exchange_n(&i[10], 1, __NV_ATOMIC_RELAXED)),
                        __NV_ATOMIC_RELAXED);
}

__device__ int lock, guarded, flag, data;
__global__ void locked() {
  bool done = false;
  while (!done) {
    int open = 0;
    if (__nv_atomic_compare_exchange_n(&lock, &open, 1, false, __NV_ATOMIC_ACQUIRE,
                                       __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE)) {
      guarded = guarded + 1;
      __nv_atomic_store_n(&lock, 0, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
      done = true;
    }
  }
}
__global__ void handOver(int* out) {
  if (blockIdx.x == 1) {
    if (threadIdx.x == 0) {
      while (__nv_atomic_load_n(&flag, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) == 0)
        ;
      *out = data;
    }
  } else if (threadIdx.x == 0) {
    data = 42;
    __nv_atomic_thread_fence(__NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    int one = 1;
    __nv_atomic_store(&flag, &one, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  }
}

int main() {
  char* m;
  cudaMallocManaged(&m, 1024);
  cudaMemset(m, 0, 1024);
  cudaDeviceSynchronize();
  int* i = (int*)m;
  unsigned long long* l = (unsigned long long*)(m + 128);
  float* f = (float*)(m + 256);
  double* d = (double*)(m + 384);
  unsigned short* s = (unsigned short*)(m + 512);
  Pair* p = (Pair*)(m + 640);
  i[4] = -1;
  operations<<<4, 100>>>(i, l, f, d, s, p);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  for (int k = 0; k < 11; ++k)
    printf("%d ", i[k]);
  printf("\n%llx %llx %llx %.2f %.3f %u %llu %llu\n", l[0], l[1], l[2], *f, *d, *s, p->a, p->b);
  locked<<<4, 64>>>();
  int value = 0;
  cudaMemcpyFromSymbol(&value, guarded, sizeof value);
  printf("%d\n", value);
  handOver<<<2, 32>>>(i);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  printf("%d\n", i[0]);
}
