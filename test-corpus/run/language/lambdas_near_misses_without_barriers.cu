// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lambdas as local functions where their text would mean something else: overloads that tell values
// from variables and constants from others, conversions of results, references to what is returned,
// loops' heads, commas, switches, copies of references and pointers, names for what is being
// assigned.
#include <cstdio>
struct P {
  float a, b;
  __host__ __device__ float sum() const { return a + b; }
};
struct Q {
  int v;
  __host__ __device__ int& ref() { return v; }
  __host__ __device__ int get() { return v + 100; }
  __host__ __device__ int get() const { return v; }
};
template <class T> __device__ int pick(T&&) { return 1; }
template <class T> __device__ int pick(const T&) { return 2; }
__device__ int over(float) { return 1; }
__device__ int over(double) { return 2; }
__device__ int over(int) { return 3; }
__device__ int over(char) { return 4; }
__global__ void k1(const int* x, int* y) {
  const int t = threadIdx.x;
  Q q{x[t]};
  auto get = [](const Q& o) { return o.get(); };
  auto getc = [q] { return q.get(); };
  auto getr = [&q] { return q.get(); };
  auto load = [&](int i) { return x[i]; };
  auto f1 = [](float v) { return v; };
  auto c1 = [](int v) -> char { return v; };
  auto d1 = [](float v) -> double { return v; };
  auto g = [](auto v) { return over(v); };
  auto lv = [](const int& v) { return v; };
  int m = 5;
  auto s = [&](int v) {
    m += v;
    return m;
  };
  int r = get(q) + getc() * 2 + getr() * 3;
  r = r * 3 + pick(load(t)) + pick(lv(m)) * 5;
  r = r * 3 + over(f1(2)) + over(c1(300)) * 5 + over(d1(1.5f)) * 25 + g('c') + g(1) * 5 +
      g(1.0f) * 25;
  int arr[3] = {1, 2, 3};
  arr[s(1) % 3] += s(2);
  r = r * 3 + arr[0] + arr[1] * 10 + arr[2] * 100;
  const int& bound = load(t);
  auto&& moved = lv(m);
  m += 1000;
  r = r * 3 + bound + moved;
  for (int i = s(1), e = i + 3; i < e; ++i)
    r += s(i) & 3;
  switch (t & 3) {
  case 0:
    r += s(1);
    break;
  case 1: {
    int z = s(2);
    r -= z;
    break;
  }
  default:
    r ^= s(3);
    int w;
    w = s(4);
    r += w;
  }
  do {
    r += s(5);
  } while (s(1) < 1200);
  if (t & 1)
    r += s(7);
  else if (s(1) & 1)
    r -= s(2);
  else
    r *= 3;
  int z = (s(1), s(2));
  int w = t > 5 ? s(3) : s(4) * 2;
  y[t] = r + z * 3 + w * 7 + m;
}
__global__ void k2(const int* x, int* y) {
  const int t = threadIdx.x;
  P p{float(x[t]), 2};
  auto mk = [](float a, float b) -> P { return {a, b}; };
  auto mk2 = [](int a) { return P{float(a), float(a) / 2}; };
  auto tw = [](P v) {
    v.a *= 2;
    return v;
  };
  auto in = [&](const P& v) {
    p.a += 1;
    return v.a + p.a;
  };
  auto id = [](const P& v) { return v; };
  P r = tw(mk(p.a, 3));
  r = mk(r.b, r.a);
  r = mk(id(r).b, mk2(x[t]).b);
  float s = in(p) + mk2(3).sum();
  p = id(p);
  s = s * 2 + in(id(p));
  P& alias = p;
  auto viaAlias = [=] { return alias.a; };
  alias.a = 50;
  s += viaAlias() * 3 + p.a;
  for (int i = 0; i < 3; ++i) {
    P old = p;
    p = mk(p.b + i, old.a);
    s += in(old)-tw(old).a;
  }
  const float before = p.a, after = (p.a = 4, in(p));
  y[t] = int(s * 4 + r.a + r.b * 8 + before + after * 2);
}
__global__ void k3(const int* x, int* y) {
  const int t = threadIdx.x;
  int a = x[t], total = 0;
  int* pa = &a;
  auto readsPa = [=](int v) { return *pa + v; };
  auto add = [=](int v) { return a + v; };
  auto nest = [&](int v) {
    auto in = [&](int w) {
      total += w;
      return w + v;
    };
    return in(v) + in(1);
  };
  *pa = 77;
  total += readsPa(1) + add(1) * 3;
  total = total * 3 + nest(2);
  auto early = [&](int v) {
    for (int i = 0; i < 9; ++i)
      if (x[(t + i) % 64] > v)
        return i;
    return -1;
  };
  auto guard = [&](int v) {
    if (v < 0) {
      total += 9;
      return 0;
    }
    const int q = v / 3;
    if (q > 5)
      return q;
    total -= q;
    return q * 2;
  };
  int e = early(20);
  total += guard(a) * 2;
  total += e * 7 + guard(e - 3) + guard(x[t]);
  unsigned char small = 250;
  auto inc = [](unsigned char c) {
    c += 10;
    return c;
  };
  auto incI = [](unsigned char c) { return c + 10; };
  small = inc(small);
  total += small + incI(250) + inc(249);
  const auto rec = [&](auto& self, int n) -> int {
    if (n <= 1)
      return 1;
    return n + self(self, n - 2);
  };
  y[t] = total + rec(rec, t % 9);
}
template <class K> void run(const char* name, K kernel, const int* x, int* y) {
  for (int i = 0; i < 64; ++i)
    y[i] = 0;
  kernel<<<1, 64>>>(x, y);
  cudaDeviceSynchronize();
  long h = 0;
  for (int i = 0; i < 64; ++i)
    h = (h * 31 + (y[i] % 100003 + 100003)) % 1000003;
  printf("%s %ld %d %d %d\n", name, h, y[0], y[7], y[63]);
}
int main() {
  int *x, *y;
  cudaMallocManaged(&x, 64 * sizeof(int));
  cudaMallocManaged(&y, 64 * sizeof(int));
  for (int i = 0; i < 64; ++i)
    x[i] = (i * 37 + 11) % 50 - 5;
  run("k1", k1, x, y);
  run("k2", k2, x, y);
  run("k3", k3, x, y);
}
