// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Methods that name the built-in variables: called by object, by pointer, by class, from other
// methods, from a base, and for several classes in one template; and methods that are more than
// called, which keep their parameters.
#include <cstdio>
#include <type_traits>
#include <utility>

constexpr int W = 16, H = 4;

class Tile {
  int t[H + 2][W + 2];

public:
  __device__ void load(const int* in, int w, int h) {
    for (int i = threadIdx.y * W + threadIdx.x; i < (W + 2) * (H + 2); i += W * H) {
      const int x = int(blockIdx.x) * W - 1 + i % (W + 2),
                y = int(blockIdx.y) * H - 1 + i / (W + 2);
      t[i / (W + 2)][i % (W + 2)] = x >= 0 && y >= 0 && x < w && y < h ? in[y * w + x] : -1;
    }
    __syncthreads();
  }
  __device__ int at(int dx, int dy) const { return t[threadIdx.y + 1 + dy][threadIdx.x + 1 + dx]; }
  __device__ int around() const { return at(-1, 0) + at(1, 0) + this->at(0, -1) + at(0, 1); }
};

__global__ void stencil(const int* in, int* out, int w, int h) {
  __shared__ Tile tile;
  tile.load(in, w, h);
  const int x = blockIdx.x * W + threadIdx.x, y = blockIdx.y * H + threadIdx.y;
  if (x >= w || y >= h)
    return;
  const Tile* p = &tile;
  out[y * w + x] = 4 * tile.at(0, 0) - p->around() + p->at(1, 1);
}

// By value, and in a struct with data.
struct Global {
  int n;
  __device__ int x() const { return blockIdx.x * blockDim.x + threadIdx.x; }
  __device__ bool inside() const { return x() < n; }
  __device__ int step() const { return gridDim.x * blockDim.x; }
};

__global__ void byValue(int* out, Global g) {
  if (g.inside())
    out[g.x()] += 3 * g.x() + g.n;
}

__global__ void strided(int* out, Global g) {
  for (int i = g.x(); i < g.n; i += g.step())
    out[i] ^= i;
}

// The object of a call does something itself.
struct Counting {
  int calls = 0;
  __device__ Counting& again() {
    ++calls;
    return *this;
  }
  __device__ int lane() const { return threadIdx.x % 8; }
  __device__ static int row() { return threadIdx.x / 8; }
};

__global__ void objects(int* out, int n) {
  Counting c;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lanes = c.again().lane() + c.again().lane() * 10 + Counting::row() * 100 + c.row();
  if (i < n)
    out[i] += lanes + 1000 * c.calls;
}

// Results that are narrower or signed.
struct Narrow {
  __device__ unsigned char low() const { return threadIdx.x * 37; }
  __device__ int below() const { return threadIdx.x - 20; }
  __device__ auto wide() const { return threadIdx.x + 1u; }
};

__global__ void narrow(int* out, int n) {
  const Narrow v{};
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] += v.low() + (v.below() < 0 ? -1 : 1) * 1000 + int(v.wide() / 2);
}

// One template, two classes; a base that calls what is derived from it.
struct Rows {
  __device__ int lane() const { return threadIdx.x; }
  __device__ int index() const { return threadIdx.y; }
};
struct Columns {
  int bias = 5;
  __device__ int lane() const { return threadIdx.y + bias; }
  __device__ int index() const { return threadIdx.x + gridDim.x; }
};
struct Fixed { // names none
  __device__ int lane() const { return 7; }
  __device__ int index() const { return 9; }
};
template <class Derived> struct Base {
  __device__ int place() const {
    const Derived* self = static_cast<const Derived*>(this);
    return self->own() * 2 + int(threadIdx.x);
  }
};
struct Leaf : Base<Leaf> {
  int k = 3;
  __device__ int own() const { return k * int(threadIdx.y) + int(blockIdx.x); }
};

template <class Team> __global__ void teams(int* out, int n, Team team) {
  __shared__ int sums[W * H];
  const int t = threadIdx.y * W + threadIdx.x;
  sums[t] = team.lane() * 100 + team.index();
  __syncthreads();
  const int i = blockIdx.x * (W * H) + t;
  if (i >= n)
    return;
  out[i] += sums[W * H - 1 - t] + Leaf().place();
}

// Near misses: a pointer to a method, a virtual one, one with a default argument, two of one name,
// one that the host calls, one that a template looks for, a lambda in one, one with two versions.
struct Pointed {
  int k = 2;
  __device__ int a() const { return threadIdx.x * k; }
  __device__ int b() const { return threadIdx.x + k; }
};
struct Virtual {
  __device__ virtual int v() const { return threadIdx.x; }
};
struct Other : Virtual {
  __device__ int v() const override { return threadIdx.x * 3; }
};
struct More {
  int k = 1;
  __device__ int given(int a = 4) const { return a + threadIdx.x; }
  __device__ int twice(int a) const { return a + threadIdx.x; }
  __device__ int twice(int a, uint3 b) const { return a * 2 + b.x; }
  __device__ int sought() const { return threadIdx.x + 1; }
  __device__ int lambda() const {
    const auto f = [this](int a) { return a * k; };
    return f(threadIdx.x);
  }
  __device__ int declared() const;
};
__device__ int More::declared() const { return threadIdx.x + 11 * k; }
template <class T, class = void> struct Seeks : std::false_type {};
template <class T>
struct Seeks<T, std::void_t<decltype(std::declval<const T&>().sought())>> : std::true_type {};
template <int N> struct Versions {
  __device__ int v() const { return threadIdx.x + N; }
};
template <> __device__ inline int Versions<2>::v() const { return threadIdx.x * 20; }
struct Field { // what another class has as a method
  struct Function {
    __device__ int operator()() const { return 6 + threadIdx.x; }
  } spot;
};
struct Method {
  __device__ int spot() const { return 8 + threadIdx.x; }
};
template <class T> __device__ int spotOf(const T& t) { return t.spot(); }

__global__ void others(int* out, int n, int which) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int (Pointed::*p)() const = which ? &Pointed::a : &Pointed::b;
  const Pointed pointed;
  const Other other;
  const Virtual& base = other;
  const More more;
  out[i] += (pointed.*p)() + base.v() + more.given() + more.twice(i) * 2 +
            more.twice(2, threadIdx) + more.sought() * (Seeks<More>::value ? 100 : 1) +
            more.lambda() + more.declared() + Versions<1>().v() + Versions<2>().v() +
            spotOf(Field()) * 3 + spotOf(Method());
}

// Loops over ranges call methods without naming them.
class Strides {
  int n_;

public:
  __device__ explicit Strides(int n) : n_(n) {}
  struct Place {
    int i;
    __device__ int operator*() const { return i; }
    __device__ Place& operator++() {
      i += gridDim.x * blockDim.x;
      return *this;
    }
    __device__ bool operator!=(const Place& end) const { return i < end.i; }
  };
  __device__ Place begin() const { return {int(blockIdx.x * blockDim.x + threadIdx.x)}; }
  __device__ Place end() const { return {n_}; }
};

__global__ void ranges(int* out, int n) {
  for (const int i : Strides(n))
    out[i] = out[i] * 3 + i;
}

template <class Launch> void show(const char* name, int n, int* out, Launch launch) {
  for (int i = 0; i < n; ++i)
    out[i] = i * 7 % 31;
  launch();
  cudaDeviceSynchronize();
  unsigned sum = 0;
  for (int i = 0; i < n; ++i)
    sum = sum * 31 + unsigned(out[i]);
  printf("%s %d: %u %d %d\n", name, n, sum, out[0], out[n - 1]);
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 4096 * sizeof(int));
  cudaMallocManaged(&out, 4096 * sizeof(int));
  for (int i = 0; i < 4096; ++i)
    in[i] = i * 13 % 101;
  for (const int w : {5, 16, 37}) {
    const int h = w / 2 + 2, n = w * h;
    show("stencil", n, out,
         [&] { stencil<<<dim3((w + W - 1) / W, (h + H - 1) / H), dim3(W, H)>>>(in, out, w, h); });
  }
  for (const int n : {3, 64, 1000}) {
    const int blocks = (n + 63) / 64;
    show("byValue", n, out, [&] { byValue<<<blocks, 64>>>(out, Global{n}); });
    show("strided", n, out, [&] { strided<<<2, 48>>>(out, Global{n}); });
    show("objects", n, out, [&] { objects<<<blocks, 64>>>(out, n); });
    show("narrow", n, out, [&] { narrow<<<blocks, 64>>>(out, n); });
    show("rows", n, out, [&] { teams<<<blocks, dim3(W, H)>>>(out, n, Rows()); });
    show("columns", n, out, [&] { teams<<<blocks, dim3(W, H)>>>(out, n, Columns()); });
    show("fixed", n, out, [&] { teams<<<blocks, dim3(W, H)>>>(out, n, Fixed()); });
    show("others", n, out, [&] { others<<<blocks, 64>>>(out, n, n % 2); });
    show("ranges", n, out, [&] { ranges<<<2, 48>>>(out, n); });
  }
  cudaFree(in);
  cudaFree(out);
}
