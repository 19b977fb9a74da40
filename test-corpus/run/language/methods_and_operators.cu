// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structs by value with methods, constructors, operator overloads, inheritance and static members in device code.
#include <cstdio>

struct Complex {
  float r, i;
  __host__ __device__ Complex(float r = 0, float i = 0) : r(r), i(i) {}
  __host__ __device__ Complex operator*(const Complex& o) const {
    return Complex(r * o.r - i * o.i, r * o.i + i * o.r);
  }
  __host__ __device__ Complex operator+(const Complex& o) const { return Complex(r + o.r, i + o.i); }
  __host__ __device__ Complex& operator+=(const Complex& o) { return *this = *this + o; }
  __device__ float norm() const;
};
__device__ float Complex::norm() const { return r * r + i * i; }

struct Base {
  int id;
  static const int Scale = 3;
  __device__ int index() const { return threadIdx.x * Scale + id; }
};
struct Derived : Base {
  Complex c;
  __device__ Complex at() const { return c + Complex(float(index()), float(blockIdx.x)); }
};

__global__ void k(Derived d, Complex* out) {
  Complex z = d.at();
  z += z * Complex(0, 1);
  out[blockIdx.x * blockDim.x + threadIdx.x] = z;
  if (z.norm() > 200)
    out[blockIdx.x * blockDim.x + threadIdx.x].i = -1;
}

int main() {
  Complex* out;
  cudaMallocManaged(&out, 8 * sizeof(Complex));
  Derived d;
  d.id = 2;
  d.c = Complex(0.5f, -1);
  k<<<2, 4>>>(d, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 8; ++i)
    printf("%g %g\n", out[i].r, out[i].i);
  return 0;
}
