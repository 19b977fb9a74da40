// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Classes of a few numbers that hide them: lanes that leave loops one by one keep their parts.
#include <cstdio>

#include <cuda_runtime.h>

class Complex {
public:
  __host__ __device__ Complex(double re, double im) : re_(re), im_(im) {}
  __device__ double norm2() const { return re_ * re_ + im_ * im_; }
  __device__ Complex operator*(const Complex& o) const {
    return Complex(re_ * o.re_ - im_ * o.im_, re_ * o.im_ + im_ * o.re_);
  }
  __device__ Complex operator+(const Complex& o) const { return Complex(re_ + o.re_, im_ + o.im_); }

private:
  double re_, im_;
};

// Hidden from the beginning; a part has its own section.
template <class T> class Pair {
  T a_;

public:
  __host__ __device__ Pair(T a, T b) : a_(a), b_(b) {}
  __device__ T sum() const { return a_ + b_; }
  __device__ Pair next() const { return Pair(b_ + a_ * T(0.5), a_ - b_ * T(0.25) + T(1)); }

protected:
  T b_;
};

// Has no constructor that stores its parts: it stays as it is.
class Counter {
public:
  __device__ void start(int by) {
    n_ = 0;
    by_ = by;
  }
  __device__ bool step(int limit) { return (n_ += by_) < limit; }
  __device__ int steps() const { return n_ / by_; }

private:
  int n_, by_;
};

// A parameter of the constructor is not stored as it is.
class Scaled {
public:
  __device__ Scaled(float value, float by) : value_(value * 2), by_(by) {}
  __device__ float value() const { return value_; }
  __device__ Scaled grown() const { return Scaled(value_ * by_ * 0.5f, by_); }

private:
  float value_, by_;
};

static __device__ unsigned short escapeTime(Complex z, const Complex c, int limit) {
  int k = 0;
  while (k < limit && z.norm2() <= 4.0) {
    z = z * z + c;
    ++k;
  }
  return (unsigned short)k;
}

__global__ void julia(int width, int height, Complex c, int limit, unsigned short* image) {
  const int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height)
    return;
  const Complex z(-1.5 + px * 0.0625, -1.0 + py * 0.0625);
  image[py * width + px] = escapeTime(z, c, limit);
}

__global__ void pairs(int n, int limit, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Pair<float> p(i * 0.125f, 1.0f);
  int k = 0;
  for (; k < limit; ++k) {
    if (p.sum() > 6.0f)
      break;
    p = p.next();
  }
  out[i] = k;
}

__global__ void others(int n, int* counted, float* grown) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Counter counter;
  counter.start(1 + i % 5);
  while (counter.step(3 * i))
    ;
  counted[i] = counter.steps();
  Scaled scaled(1.0f + i, 1.5f);
  for (int k = 0; k < 20 && scaled.value() < 300.0f; ++k)
    scaled = scaled.grown();
  grown[i] = scaled.value();
}

int main() {
  const int width = 51, height = 37, n = 77;
  unsigned short* image;
  int *steps, *counted;
  float* grown;
  cudaMallocManaged(&image, width * height * sizeof *image);
  cudaMallocManaged(&steps, n * sizeof *steps);
  cudaMallocManaged(&counted, n * sizeof *counted);
  cudaMallocManaged(&grown, n * sizeof *grown);
  // Exactly representable for as long as it matters: steps are few.
  julia<<<dim3(4, 3), dim3(16, 16)>>>(width, height, Complex(-0.75, 0.125), 12, image);
  pairs<<<3, 32>>>(n, 9, steps);
  others<<<2, 64>>>(n, counted, grown);
  cudaDeviceSynchronize();
  long sum = 0;
  for (int i = 0; i < width * height; ++i)
    sum += image[i] * (1 + i % 7);
  printf("julia %ld\n", sum);
  for (int i = 0; i < n; ++i)
    printf("%d %d %g%c", steps[i], counted[i], grown[i], i % 8 == 7 ? '\n' : ' ');
  printf("\n");
}
