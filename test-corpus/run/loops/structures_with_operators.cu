// Structures with constructors, operators and methods that threads keep through loops: those that
// leave their object as it is, those that change it, and those that give a way into it.
#include <cstdio>

struct Complex {
  float re, im;
  __device__ Complex(float r, float i) : re(r), im(i) {}
  __device__ float square() { return re * re + im * im; }
  __device__ Complex operator*(const Complex& o) {
    return Complex(re * o.re - im * o.im, im * o.re + re * o.im);
  }
  __device__ Complex operator+(const Complex& o) const { return Complex(re + o.re, im + o.im); }
};
// The parameters in the other order, and a body that stores them.
template <class T> struct Pair {
  T first, second;
  __device__ Pair() {}
  __device__ Pair(T a, T b) {
    first = a;
    second = b;
  }
  __device__ Pair swapped() const { return Pair(second, first); }
  __device__ Pair& operator+=(const Pair& o) {
    first += o.first;
    second += o.second;
    return *this;
  }
  __device__ T& top() { return first > second ? first : second; }
  __device__ T operator[](int i) const { return i ? second : first; }
  friend __device__ Pair operator-(Pair a, const Pair& b) {
    a.first -= b.first;
    a.second -= b.second;
    return a;
  }
};
struct Turned {
  int low, high;
  __device__ Turned(int h, int l) : low(l), high(h) {}
  __device__ int take() { return low++ + high; }
};

__device__ int steps(int x, int y) {
  Complex c(-0.75f, 0.125f);
  Complex z(0.0625f * x - 1.0f, 0.0625f * y - 1.0f);
  int i = 0;
  for (i = 0; i < 60; i++) {
    z = z * z + c;
    if (z.square() > 16)
      return i;
  }
  return 100;
}
// What lanes that have left hold is read behind the loop.
__device__ float last(Complex c, int limit) {
  Complex z(0.0f, 0.0f);
  int i = 0;
  while (i < limit && z.square() < 4.0f) {
    z = z * z + c;
    ++i;
  }
  return z.re + 2 * z.im + i;
}
__device__ float broken(float x, float y) {
  float a = x, b = y, all = 0;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 20; ++i) {
      a = a * 0.5f + b * 0.25f + 1;
      b = b * 0.75f - a * 0.125f;
      if (a + b > 1.75f + round)
        break;
    }
    all += a;
  }
  return all - b;
}
// Nobody asks for a and b again.
__device__ int count(float x, float y) {
  float a = x, b = y;
  int n = 0;
  for (int i = 0; i < 40; ++i) {
    const float t = a * a - b * b + x;
    b = 2 * a * b + y;
    a = t;
    if (a * a + b * b > 4)
      break;
    n += 1;
  }
  return n;
}
__device__ float summed(float x, int limit) {
  Pair<float> p(x, 1.0f), q(0.5f, 0.25f);
  int n = 0;
  while (n < limit && p[0] + p[1] < 40) {
    p += q;
    p = p.swapped() - Pair<float>(0.125f, 0.0f);
    ++n;
  }
  return p.first * 2 + p.second + n;
}
__device__ float topped(float x, int limit) {
  Pair<float> p(x, 1.0f);
  for (int i = 0; i < limit; ++i) {
    p.top() += 0.5f;
    p += p;
    if (p.first + p.second > 500)
      return p.first + i;
  }
  return p.second;
}
__device__ int taken(int x, int limit) {
  Turned t(x, 3);
  int all = 0;
  for (int i = 0; i < limit; ++i) {
    all += t.take();
    if (all > 60)
      return all * 2 + t.low;
  }
  return all;
}

__global__ void all(int width, int* whole, float* part) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width)
    return;
  const int at = y * width + x;
  whole[at] = steps(x, y);
  whole[at] += 1000 * count(0.125f * x - 2, 0.0625f * y - 1);
  whole[at] += 100000 * (taken(x, y + 2) % 997);
  part[at] = last(Complex(0.125f * x - 2.0f, 0.0625f * y - 1.0f), 8 + y % 3);
  part[at] += broken(0.25f * x, 0.5f * y);
  part[at] += summed(0.5f * x, 3 + y);
  part[at] += topped(0.25f * x, 2 + y);
}
// One thread in a block, and a loop in a kernel.
__global__ void alone(int* whole) {
  Complex z(0.125f * blockIdx.x - 1.0f, 0.0f);
  const Complex c(-0.5f, 0.5f);
  int n = 0;
  while (n < 50 && z.square() < 4) {
    z = z * z + c;
    ++n;
  }
  whole[blockIdx.x] = n + steps(blockIdx.x, 3);
}
// Kept where threads meet.
__global__ void meeting(float* out) {
  Pair<float> mine(threadIdx.x, 1.0f);
  for (int by = 16; by > 0; by /= 2) {
    const Pair<float> other(__shfl_down_sync(0xffffffff, mine.first, by),
                            __shfl_down_sync(0xffffffff, mine.second, by));
    mine += other;
  }
  if (threadIdx.x == 0)
    *out = mine.first * 100 + mine.second;
}

int main() {
  const int width = 37, height = 16;
  int* whole;
  float* part;
  cudaMallocManaged(&whole, width * height * sizeof(int));
  cudaMallocManaged(&part, width * height * sizeof(float));
  for (const dim3 block : {dim3(16, 16), dim3(32, 4), dim3(8, 8)}) {
    all<<<dim3((width + block.x - 1) / block.x, height / block.y), block>>>(width, whole, part);
    cudaDeviceSynchronize();
    long long sum = 0;
    double parts = 0;
    for (int i = 0; i < width * height; ++i) {
      sum += (long long)whole[i] * (i % 13 + 1);
      parts += part[i];
    }
    std::printf("%lld %.2f %d %d %.3f %.3f\n", sum, parts, whole[40], whole[300], part[3],
                part[500]);
  }
  alone<<<33, 1>>>(whole);
  cudaDeviceSynchronize();
  for (int i = 0; i < 33; ++i)
    std::printf("%d ", whole[i]);
  meeting<<<1, 32>>>(part);
  cudaDeviceSynchronize();
  std::printf("\n%.1f\n", part[0]);
}
