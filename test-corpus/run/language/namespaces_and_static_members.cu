// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels in namespaces, in an anonymous namespace, static, overloaded, and as static member functions of classes.
#include <cstdio>

namespace a {
__global__ void k(int* x) { *x += 1; }
namespace {
__global__ void hidden(int* x) { *x += 10; }
}
namespace b {
__global__ void k(int* x) { *x += 100; }
__global__ void k(int* x, int y) { *x += y; }
__global__ void k(int* x, double y) { *x += int(y * 10); }
}
void both(int* x) {
  k<<<1, 1>>>(x);
  b::k<<<1, 1>>>(x);
  hidden<<<1, 1>>>(x);
}
}

static __global__ void fileLocal(int* x) { *x *= 2; }

template <class T> class Solver {
public:
  static void run(T* x) {
    a::b::k<<<1, 1>>>(x, 1000000);
    fileLocal<<<1, 1>>>(x);
  }
};

using namespace a::b;

int main() {
  int* x;
  cudaMallocManaged(&x, sizeof(int));
  *x = 0;
  a::both(x);
  k<<<1, 1>>>(x, 1000);
  k<<<1, 1>>>(x, 2.5);
  ::a::b::k<<<1, 1>>>(x);
  Solver<int>::run(x);
  cudaDeviceSynchronize();
  printf("%d\n", *x);
  return 0;
}
