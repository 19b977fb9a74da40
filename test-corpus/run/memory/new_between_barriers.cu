// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `new` gave stays the same object from barrier to barrier: arrays, objects, values with
// braces, placement in shared memory.
#include <cstdio>
#include <new>

struct Step {
  __device__ virtual ~Step() {}
  __device__ virtual int run(int v) const = 0;
};
struct Add : Step {
  int by = 2;
  __device__ int run(int v) const override { return v + by; }
};
struct Times : Step {
  int by;
  __device__ explicit Times(int b) : by(b) {}
  __device__ int run(int v) const override { return v * by; }
};
struct Plain {
  int a, b;
};

__global__ void arrays(int* out) {
  int n = threadIdx.x % 7 + 1;
  int* p = new int[n]{};
  double* one = new double(threadIdx.x * 0.5);
  for (int i = 0; i < n; ++i)
    p[i] += i * i;
  *one += 1;
  __syncthreads();
  int* q = new int[8];
  Plain* plain = new Plain{n, 3};
  for (int i = 0; i < 8; ++i)
    q[i] = i < n ? p[i] : -1;
  plain->b += p[n - 1];
  *one *= 2;
  __syncthreads();
  out[threadIdx.x] = q[n - 1] * 100 + q[7] + plain->b * 10000 + int(*one * 2);
  delete[] p;
  delete[] q;
  delete one;
  delete plain;
}

__global__ void objects(int* out) {
  __shared__ int s[64];
  Step* step = blockIdx.x ? static_cast<Step*>(new Add) : new Times(3);
  s[threadIdx.x] = step->run(threadIdx.x);
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = step->run(s[63 - threadIdx.x]);
  delete step;
}

__global__ void warps(int* out) {
  int* mine = new int(threadIdx.x);
  *mine += __shfl_xor_sync(~0u, *mine, 1) * 2;
  *mine += __shfl_xor_sync(~0u, *mine, 2) * 3;
  out[threadIdx.x] = *mine;
  delete mine;
}

__global__ void placed(int* out) {
  __shared__ alignas(Times) unsigned char room[64 * sizeof(Times)];
  Times* mine = new (room + threadIdx.x * sizeof(Times)) Times(threadIdx.x);
  mine->by += 5;
  __syncthreads();
  const Times* other = reinterpret_cast<Times*>(room) + (63 - threadIdx.x);
  out[threadIdx.x] = other->run(2);
  __syncthreads();
  mine->~Times();
}

int main() {
  int* out;
  cudaMallocManaged(&out, 128 * sizeof(int));
  const auto show = [&](const char* name, int n) {
    printf("%s: %s", name, cudaGetErrorName(cudaDeviceSynchronize()));
    for (int i = 0; i < n; i += 5)
      printf(" %d", out[i]);
    printf("\n");
  };
  arrays<<<1, 64>>>(out);
  show("arrays", 64);
  objects<<<2, 64>>>(out);
  show("objects", 128);
  warps<<<1, 64>>>(out);
  show("warps", 64);
  placed<<<1, 64>>>(out);
  show("placed", 64);
  cudaFree(out);
  return 0;
}
