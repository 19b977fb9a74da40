// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product of half or bfloat16 numbers and the sum it goes into are one operation with one rounding, unless the product
// is needed for something else.
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

constexpr int count = 8192;

// Operators, one expression.
struct Sum {
  __device__ __half operator()(__half a, __half b, __half c, __half d) const { return a * b + c; }
};
struct SumBehind {
  __device__ __half operator()(__half a, __half b, __half c, __half d) const {
    return c + a * b; // the sum's first operand waits for the product
  }
};
struct Difference {
  __device__ __half operator()(__half a, __half b, __half c, __half d) const { return a * b - c; }
};
struct DifferenceBehind {
  __device__ __half operator()(__half a, __half b, __half c, __half d) const { return c - (a - d) * b; }
};
struct Negated {
  __device__ __half operator()(__half a, __half b, __half c, __half d) const { return -(a * b) + c; }
};
struct NegatedOperand {
  __device__ __half operator()(__half a, __half b, __half c, __half d) const { return -a * b + -c; }
};
struct NegatedDifference {
  __device__ __half operator()(__half a, __half b, __half c, __half d) const { return -(a * b) - c; }
};
struct TwoProducts {
  __device__ __half operator()(__half a, __half b, __half c, __half d) const { return a * b + c * d; }
};
struct TwoProductsApart {
  __device__ __half operator()(__half a, __half b, __half c, __half d) const { return a * b - c * d; }
};
struct FourProducts {
  __device__ __half operator()(__half a, __half b, __half c, __half d) const {
    return a * b + c * d +
           a * d
           + (b * c);
  }
};
struct Nested {
  __device__ __half operator()(__half a, __half b, __half c, __half d) const {
    return (a * b + c) * (c - d * a) + a * b * c;
  }
};
struct SumOfSums {
  __device__ __half operator()(__half a, __half b, __half c, __half d) const { return (a + b) * (c + d); }
};

// Functions.
struct Named {
  __device__ __half operator()(__half a, __half b, __half c, __half d) const { return __hadd(__hmul(a, b), c); }
};
struct NamedBehind {
  __device__ __half operator()(__half a, __half b, __half c, __half d) const { return __hsub(c, __hmul(a, b)); }
};
struct NamedSaturated {
  __device__ __half operator()(__half a, __half b, __half c, __half d) const {
    return __hadd_sat(__hmul(a, b), c);
  }
};
struct NamedApart {
  __device__ __half operator()(__half a, __half b, __half c, __half d) const {
    return __hadd(__hmul_rn(a, b), c);
  }
};
struct NamedSumApart {
  __device__ __half operator()(__half a, __half b, __half c, __half d) const {
    return __hsub_rn(__hmul(a, b), c);
  }
};
struct Saturated {
  __device__ __half operator()(__half a, __half b, __half c, __half d) const {
    return __hadd(__hmul_sat(a, b), c);
  }
};

// Variables.
struct Held {
  __device__ __half operator()(__half a, __half b, __half c, __half d) const {
    const __half product = a * b;
    return product + c;
  }
};
struct HeldForTwo {
  __device__ __half operator()(__half a, __half b, __half c, __half d) const {
    __half product = a * b;
    a = c; // the product is that of the old value
    const __half sum = product + a;
    return __hsub(d, product) / sum;
  }
};
struct HeldAndUsed {
  __device__ __half operator()(__half a, __half b, __half c, __half d) const {
    const __half product = a * b;
    return (product + c) / product;
  }
};
struct HeldTwice {
  __device__ __half operator()(__half a, __half b, __half c, __half d) const {
    const __half product = a * b;
    return product + product;
  }
};
struct HeldBoth {
  __device__ __half operator()(__half a, __half b, __half c, __half d) const {
    const __half first = a * b;
    const __half second = c * d;
    return second + first;
  }
};
struct Added {
  __device__ __half operator()(__half a, __half b, __half c, __half d) const {
    c += a * b;
    c -= d * a;
    return c;
  }
};
struct InLoop {
  __device__ __half operator()(__half a, __half b, __half c, __half d) const {
    __half sums[2] = {c, d};
    for (int i = 0; i < 6; ++i) {
      sums[i & 1] += a * b;
      const __half step = b * d;
      a = a - step;
    }
    return sums[0] / sums[1];
  }
};

// Pairs.
struct Pairs {
  __device__ __half2 operator()(__half2 a, __half2 b, __half2 c, __half2 d) const { return a * b + c; }
};
struct NamedPairs {
  __device__ __half2 operator()(__half2 a, __half2 b, __half2 c, __half2 d) const {
    __half2 sum = c;
    for (int i = 0; i < 4; ++i) {
      const __half2 product = __hmul2(a, b);
      sum = __hadd2(sum, product);
      b = __hsub2(__hmul2(d, a), b);
    }
    return sum;
  }
};
struct Complex {
  __device__ __half2 operator()(__half2 a, __half2 b, __half2 c, __half2 d) const {
    c.x += a.x * b.x - a.y * b.y;
    c.y += a.x * b.y + a.y * b.x;
    return c;
  }
};

// bfloat16.
struct BfloatSum {
  __device__ __nv_bfloat16 operator()(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c, __nv_bfloat16 d) const {
    return c - a * b;
  }
};
struct BfloatHeld {
  __device__ __nv_bfloat16 operator()(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c, __nv_bfloat16 d) const {
    __nv_bfloat16 sum = d;
    const __nv_bfloat16 product = __hmul(a, b);
    sum += product;
    return __hadd(__hmul(sum, c), a);
  }
};
struct BfloatSaturated {
  __device__ __nv_bfloat16 operator()(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c, __nv_bfloat16 d) const {
    return __hadd_sat(__hmul(a, b), c); // two operations
  }
};
struct BfloatPairs {
  __device__ __nv_bfloat162 operator()(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c, __nv_bfloat162 d) const {
    return __hadd2(__hmul2(a, b), c) - c * d;
  }
};

// The same text for several types.
template <class T> struct Generic {
  __device__ T operator()(T a, T b, T c, T d) const {
    const T product = a * b;
    T sum = c - product;
    sum += c * d;
    return a * sum + d;
  }
};

template <class T, class Shape> __global__ void apply(Shape shape, const T* in, T* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = shape(in[i], in[i + count], in[i + 2 * count], in[i + 3 * count]);
}

unsigned state = 12345;
float next() {
  state = state * 1664525u + 1013904223u;
  return (float(state >> 8) / 8388608.0f - 1.0f) * (state & 64 ? 1.0f : 8.0f);
}

template <class T> struct Input {
  static T make() { return T(next()); }
};
template <> struct Input<__half2> {
  static __half2 make() {
    const float x = next(), y = next();
    return __floats2half2_rn(x, y);
  }
};
template <> struct Input<__nv_bfloat162> {
  static __nv_bfloat162 make() {
    const float x = next(), y = next();
    return __floats2bfloat162_rn(x, y);
  }
};

template <class T> void print(const char* name, const T* out) {
  unsigned hash = 2166136261u;
  const unsigned short* words = reinterpret_cast<const unsigned short*>(out);
  for (size_t i = 0; i < count * sizeof(T) / 2; ++i)
    hash = (hash ^ words[i]) * 16777619u;
  printf("%-22s %08x  %04x %04x %04x\n", name, hash, words[0], words[1], words[2]);
}
// Compilers choose whether float is fused.
void print(const char* name, const float* out) {
  printf("%-22s %.3f %.3f %.3f\n", name, out[0], out[1], out[2]);
}

template <class T, class Shape> void run(const char* name, Shape shape) {
  T *in, *out;
  cudaMallocManaged(&in, 4 * count * sizeof(T));
  cudaMallocManaged(&out, count * sizeof(T));
  state = 12345;
  for (int i = 0; i < 4 * count; ++i)
    in[i] = Input<T>::make();
  apply<T><<<count / 128, 128>>>(shape, in, out);
  cudaDeviceSynchronize();
  print(name, out);
  cudaFree(in);
  cudaFree(out);
}

int main() {
  run<__half>("Sum", Sum());
  run<__half>("SumBehind", SumBehind());
  run<__half>("Difference", Difference());
  run<__half>("DifferenceBehind", DifferenceBehind());
  run<__half>("Negated", Negated());
  run<__half>("NegatedOperand", NegatedOperand());
  run<__half>("NegatedDifference", NegatedDifference());
  run<__half>("TwoProducts", TwoProducts());
  run<__half>("TwoProductsApart", TwoProductsApart());
  run<__half>("FourProducts", FourProducts());
  run<__half>("Nested", Nested());
  run<__half>("SumOfSums", SumOfSums());
  run<__half>("Named", Named());
  run<__half>("NamedBehind", NamedBehind());
  run<__half>("NamedSaturated", NamedSaturated());
  run<__half>("NamedApart", NamedApart());
  run<__half>("NamedSumApart", NamedSumApart());
  run<__half>("Saturated", Saturated());
  run<__half>("Held", Held());
  run<__half>("HeldForTwo", HeldForTwo());
  run<__half>("HeldAndUsed", HeldAndUsed());
  run<__half>("HeldTwice", HeldTwice());
  run<__half>("HeldBoth", HeldBoth());
  run<__half>("Added", Added());
  run<__half>("InLoop", InLoop());
  run<__half2>("Pairs", Pairs());
  run<__half2>("NamedPairs", NamedPairs());
  run<__half2>("Complex", Complex());
  run<__nv_bfloat16>("BfloatSum", BfloatSum());
  run<__nv_bfloat16>("BfloatHeld", BfloatHeld());
  run<__nv_bfloat16>("BfloatSaturated", BfloatSaturated());
  run<__nv_bfloat162>("BfloatPairs", BfloatPairs());
  run<__half>("Generic half", Generic<__half>());
  run<__half2>("Generic half2", Generic<__half2>());
  run<__nv_bfloat16>("Generic bfloat16", Generic<__nv_bfloat16>());
  run<float>("Generic float", Generic<float>());
  return 0;
}
