// Short functions whose text would mean something else where they are called keep their results.
#include <cstdio>

constexpr int W = 8;
typedef float real;
__constant__ int shift;
__device__ int table[4] = {1, 2, 3, 4};

__device__ int rowOf(int x, int y) { return y * W + x; }
__device__ bool isSmall(double v) { return (real)v == 0.1f; }
__device__ int bump(int& v) { return v += 3; }
__device__ bool isFar(int x) { return bump(x) > 5; }
__device__ int scaled(double v) { return int(v * 2.5); }
__device__ bool isBig(int x) { return scaled(x) > 4; }
__device__ int scaled(int v) { return v; }
__device__ unsigned char low(int x) { return x + 1; }
__device__ bool isLow(unsigned char x) { return x < 4; }
__device__ bool isNear(float x) { return x == 16777216.0f; }
#define PAD 3
__device__ int padded(int x) { return x + PAD; }
#undef PAD
#define PAD 100
int host() { return 0; }

// Names of templates' parameters.
template <int W> __global__ void named(int* out) {
  const int i = threadIdx.x;
  out[i] = rowOf(i, 2) + W;
}
template <typename real> __global__ void typed(int* out) {
  const int i = threadIdx.x;
  out[i] = isSmall(0.1) ? 1 : int(sizeof(real));
}
namespace other {
[[maybe_unused]] constexpr int W = 100;
typedef double real;
__global__ void inside(int* out) {
  const int i = threadIdx.x;
  out[i] = rowOf(i, 2) + (isSmall(0.1) ? 1000 : 0);
}
} // namespace other

__global__ void changed(int* out) {
  int i = threadIdx.x;
  const bool far = isFar(i);
  out[i] = far ? i + 100 : i;
}
__global__ void overloaded(int* out) {
  const int i = threadIdx.x;
  out[i] = isBig(i) ? 1 : 0;
}
__global__ void narrow(int* out) {
  const int i = threadIdx.x;
  out[i] =
      low(i + 254) + (isLow(i + 255) ? 1000 : 0) + (isNear(16777216 + i) ? 10000 : 0) + padded(i);
}
// A lambda's names hidden where it is called; captured copies.
__global__ void hidden(int* out) {
  const int i = threadIdx.x;
  auto at = [&](int x) { return x * 10 + shift; };
  int r = at(i);
  {
    const int shift = 5;
    r += at(i) + shift;
  }
  out[i] = r;
}
struct Pair {
  int a, b;
};
__global__ void copied(int* out) {
  const int i = threadIdx.x;
  int w[3] = {i, i + 1, i + 2};
  Pair p{i, 2 * i};
  auto at = [=](int x) { return w[x]; };
  auto of = [=](int x) { return p.a * x + p.b; };
  w[1] = 50;
  p.a = 70;
  out[i] = at(1) * 1000 + of(3) + w[1] + p.a;
}
__global__ void twoLambdas(int* out) {
  const int i = threadIdx.x;
  int n = i;
  auto inner = [&](int x) { return x * 2 + n; };
  auto outer = [=](int x) { return inner(x) < 10; };
  n += 5;
  out[i] = outer(i) ? 1 : 0;
}
// References to what is returned.
__global__ void referred(int* out) {
  __shared__ int s[64];
  const int i = threadIdx.x;
  s[i] = i * i;
  __syncthreads();
  auto load = [&](int x) { return s[x]; };
  const int& mine = load(i);
  s[i] = -1;
  out[i] = mine * 1000 + s[i];
}
// What a wrapper makes of a lambda.
template <typename F> struct Negated {
  F f;
  __device__ Negated(F g) : f(g) {}
  __device__ int operator()(int i) const { return -f(i); }
};
__global__ void wrapped(const int* in, int* out) {
  const int i = threadIdx.x;
  Negated n = [=](int x) { return in[x] + 1; };
  out[i] = n(i);
}
// A lambda's own type of results.
template <typename T> __global__ void converted(const double* in, double* out) {
  const int i = threadIdx.x;
  auto half = [&](int x) -> T { return in[x] * 0.5; };
  out[i] = half(i) * 3;
}
__device__ bool isEven(int n) { return n == 0 ? true : n == 1 ? false : isEven(n - 2); }
__global__ void explicitly(int* out) {
  const int i = threadIdx.x;
  const int n = 3;
  int m = i;
  auto at = [m, &out](int x) { return x * 4 + m; };
  auto load = [at, n](int x) { return at(x) < 20 + n; };
  out[i] = (load(i) ? 1 : 0) + (isEven(i) ? 10 : 0) + at(n);
}
struct Span {
  typedef unsigned char real;
  int n;
  __device__ bool has(int x) const { return (real)x < n; }
};
__global__ void ofClass(int* out, Span s) {
  const int i = threadIdx.x;
  out[i] = s.has(i + 254) ? 1 : 0;
}
__global__ void bound(int* out) {
  const int i = threadIdx.x;
  Pair pair{3, 40};
  auto [shift, table] = pair;
  out[i] = shift + table;
}

template <typename T, typename K> void show(const char* name, T* out, K launch) {
  cudaMemset(out, 0, 8 * sizeof(T));
  launch();
  cudaDeviceSynchronize();
  printf("%s:", name);
  for (int i = 0; i < 8; ++i)
    printf(" %g", double(out[i]));
  printf("\n");
}

int main() {
  int *out, *in;
  double *reals, *halves;
  cudaMallocManaged(&out, 8 * sizeof(int));
  cudaMallocManaged(&in, 8 * sizeof(int));
  cudaMallocManaged(&reals, 8 * sizeof(double));
  cudaMallocManaged(&halves, 8 * sizeof(double));
  for (int i = 0; i < 8; ++i) {
    in[i] = i * 3;
    reals[i] = i + 0.3;
  }
  const int two = 2;
  cudaMemcpyToSymbol(shift, &two, sizeof(int));
  show("named", out, [&] { named<16><<<1, 8>>>(out); });
  show("typed", out, [&] { typed<double><<<1, 8>>>(out); });
  show("inside", out, [&] { other::inside<<<1, 8>>>(out); });
  show("changed", out, [&] { changed<<<1, 8>>>(out); });
  show("overloaded", out, [&] { overloaded<<<1, 8>>>(out); });
  show("narrow", out, [&] { narrow<<<1, 8>>>(out); });
  show("hidden", out, [&] { hidden<<<1, 8>>>(out); });
  show("copied", out, [&] { copied<<<1, 8>>>(out); });
  show("twoLambdas", out, [&] { twoLambdas<<<1, 8>>>(out); });
  show("referred", out, [&] { referred<<<1, 8>>>(out); });
  show("wrapped", out, [&] { wrapped<<<1, 8>>>(in, out); });
  show("converted", halves, [&] { converted<int><<<1, 8>>>(reals, halves); });
  show("converted", halves, [&] { converted<float><<<1, 8>>>(reals, halves); });
  show("explicitly", out, [&] { explicitly<<<1, 8>>>(out); });
  show("ofClass", out, [&] { ofClass<<<1, 8>>>(out, Span{3}); });
  show("bound", out, [&] { bound<<<1, 8>>>(out); });
}
