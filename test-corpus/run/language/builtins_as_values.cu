// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Built-in variables as values: copied, bound to references, passed to functions, in members of the same name, in templates.
#include <cstdio>

struct Ids {
  uint3 threadIdx;
  dim3 blockDim;
};
__device__ unsigned flat(uint3 t, dim3 d) { return t.x + d.x * (t.y + d.y * t.z); }
__device__ unsigned twoLevels() { return flat(threadIdx, blockDim); }
template <class I> __device__ unsigned sum(const I& i) { return i.x + 10 * i.y + 100 * i.z; }
struct Here {
  uint3 t;
  __device__ Here() : t(threadIdx) {}
  __device__ operator unsigned() const { return sum(t) + sum(gridDim) * 1000; }
};
template <int Axis> __device__ unsigned axis() {
  return Axis == 0 ? threadIdx.x : Axis == 1 ? threadIdx.y : ::threadIdx.z;
}
__device__ unsigned byDefault(unsigned v = threadIdx.x) { return v; }

__global__ void k(unsigned* out) {
  const uint3& t = threadIdx;
  const dim3 d = blockDim;
  Ids ids{threadIdx, blockDim};
  unsigned i = flat(t, d) + blockIdx.x * d.x * d.y * d.z;
  int signedX = threadIdx.x - 5;
  out[i] = twoLevels() + sum(ids.threadIdx) + ids.blockDim.z + Here() + axis<0>() + 7 * axis<1>() + 9 * axis<2>() +
           (signedX < 0 ? 1000000 : 0) + byDefault();
}

int main() {
  const int n = 2 * 3 * 2 * 2;
  unsigned* out;
  cudaMallocManaged(&out, n * sizeof(unsigned));
  k<<<2, dim3(3, 2, 2)>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i)
    printf("%u ", out[i]);
  printf("\n");
  return 0;
}
