// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory can be allocated into pointers to const objects, which are written through another pointer.
#include <cstdio>

struct Pair {
  int a, b;
};

__global__ void sum(const int* x, const Pair* y, int* out) { *out = x[0] + x[1] + y->a * y->b; }

int main() {
  const int* x;
  const Pair* y;
  const float* pitched;
  const double* pinned;
  int* out;
  size_t pitch;
  const int values[] = {20, 22};
  bool right = cudaMalloc(&x, sizeof values) == cudaSuccess && cudaMallocManaged(&y, sizeof(Pair)) == cudaSuccess &&
               cudaMallocPitch(&pitched, &pitch, 40, 3) == cudaSuccess &&
               cudaMallocHost(&pinned, sizeof(double)) == cudaSuccess &&
               cudaMallocManaged(&out, sizeof(int)) == cudaSuccess;
  cudaMemcpy(const_cast<int*>(x), values, sizeof values, cudaMemcpyHostToDevice);
  *const_cast<Pair*>(y) = {6, 7};
  sum<<<1, 1>>>(x, y, out);
  right = right && cudaDeviceSynchronize() == cudaSuccess && *out == 84;
  printf("%d\n%s\n", *out, right ? "PASS" : "FAIL");
  cudaFree(const_cast<int*>(x));
  cudaFree(const_cast<Pair*>(y));
  cudaFree(const_cast<float*>(pitched));
  cudaFreeHost(const_cast<double*>(pinned));
  cudaFree(out);
  return 0;
}
