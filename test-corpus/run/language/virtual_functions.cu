// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects with virtual functions built by device code with new, used by another kernel and deleted there.
#include <cstdio>

class Shape {
public:
  __device__ virtual ~Shape() {}
  __device__ virtual int area() const = 0;
  __device__ virtual int label() const { return 1; }
};
class Square : public Shape {
  int side;

public:
  __device__ Square(int s) : side(s) {}
  __device__ int area() const override { return side * side; }
};
class Strip : public Shape {
  int length;

public:
  __device__ Strip(int l) : length(l) {}
  __device__ int area() const override { return length * int(threadIdx.x + 1); }
  __device__ int label() const override { return Shape::label() + 1; }
};

__global__ void make(Shape** shapes) {
  int t = threadIdx.x;
  if (t % 2)
    shapes[t] = new Square(t);
  else
    shapes[t] = new Strip(t + 10);
}
__global__ void use(Shape** shapes, int* out) {
  int t = threadIdx.x;
  out[t] = shapes[t]->area() * 10 + shapes[t]->label();
  delete shapes[t];
}

int main() {
  Shape** shapes;
  int* out;
  cudaMalloc(&shapes, 8 * sizeof(Shape*));
  cudaMallocManaged(&out, 8 * sizeof(int));
  make<<<1, 8>>>(shapes);
  use<<<1, 8>>>(shapes, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 8; ++i)
    printf("%d ", out[i]);
  printf("\n");
  return 0;
}
