// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Styles of kernels made of lambdas: given to functions, methods and other lambdas that loop, wait,
// reduce or forward them; with captures of every kind, structures for values, branches that return.
// TOLERANCE: 1e-4
#include <cooperative_groups.h>
#include <cstdio>
#include <utility>
namespace cg = cooperative_groups;
#define FULL 0xffffffffu

// Static member helpers.
struct Warp {
  template <class F> __device__ static float reduce(float v, F f) {
    for (int o = 16; o; o >>= 1)
      v = f(v, __shfl_xor_sync(FULL, v, o));
    return v;
  }
};
__global__ void staticMember(const float* x, float* y, int n) {
  float v = x[threadIdx.x];
  y[threadIdx.x] = Warp::reduce(v, [](float a, float b) { return a + b; });
}
// An object with a templated member that is given lambdas.
struct Block {
  int n;
  template <class F> __device__ void each(F f) const {
    for (int i = threadIdx.x; i < n; i += blockDim.x)
      f(i);
  }
  __device__ void sync() const { __syncthreads(); }
};
__global__ void member(const float* x, float* y, int n) {
  __shared__ float s[256];
  Block b{n};
  b.each([&](int i) { s[i] = x[i]; });
  b.sync();
  b.each([&](int i) { y[i] = s[n - 1 - i]; });
}
// Lambda given to lambda.
__global__ void lambdaToLambda(const float* x, float* y, int n) {
  __shared__ float s[256];
  auto each = [&](auto f) {
    for (int i = threadIdx.x; i < n; i += blockDim.x)
      f(i);
    __syncthreads();
  };
  each([&](int i) { s[i] = x[i] * 2; });
  float t = 0;
  each([&](int i) { t += s[n - 1 - i]; });
  each([&](int i) { y[i] = t + s[i]; });
}
// A lambda that is forwarded.
template <class F> __device__ void tiles(int n, int step, F&& body) {
  for (int k = 0; k < n; k += step) {
    std::forward<F>(body)(k);
  }
}
__global__ void forwarded(const float* x, float* y, int n) {
  __shared__ float s[32];
  float acc = 0;
  tiles(n, 32, [&](int k) {
    s[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 32; ++j)
      acc += s[j] * (j + 1);
    __syncthreads();
  });
  y[threadIdx.x] = acc;
}
// Block reduce with op and generic lambda, returns struct.
struct MS {
  float m, s;
};
template <class T, class Op> __device__ T warpReduce(T v, Op op);
template <class Op> __device__ MS warpReduceMS(MS v, Op op) {
#pragma unroll
  for (int o = 16; o; o >>= 1) {
    MS w{__shfl_xor_sync(FULL, v.m, o), __shfl_xor_sync(FULL, v.s, o)};
    v = op(v, w);
  }
  return v;
}
__global__ void online(const float* x, float* y, int n) {
  auto merge = [](MS a, MS b) {
    float m = fmaxf(a.m, b.m);
    return MS{m, a.s * expf(a.m - m) + b.s * expf(b.m - m)};
  };
  MS v{-1e30f, 0};
  for (int i = threadIdx.x; i < n; i += 32)
    v = merge(v, MS{x[i], 1.0f});
  v = warpReduceMS(v, merge);
  y[threadIdx.x] = v.m + logf(v.s);
}
// Block scan lambda w/ multiple returns in if/else.
__global__ void scanIfElse(const float* x, float* y, int n) {
  __shared__ float ws[32];
  const int lane = threadIdx.x & 31, w = threadIdx.x >> 5, nw = blockDim.x >> 5;
  auto warpScan = [lane](float v) {
    for (int d = 1; d < 32; d <<= 1) {
      float u = __shfl_up_sync(FULL, v, d);
      if (lane >= d)
        v += u;
    }
    return v;
  };
  auto blockScan = [&](float v) {
    v = warpScan(v);
    if (lane == 31)
      ws[w] = v;
    __syncthreads();
    if (w == 0)
      ws[lane] = warpScan(lane < nw ? ws[lane] : 0.0f);
    __syncthreads();
    if (w > 0)
      return v + ws[w - 1];
    else
      return v;
  };
  y[threadIdx.x] = blockScan(x[threadIdx.x]);
}
// Ternary and && with meeting lambda, while condition.
__global__ void anyLeft(const float* x, float* y, int n) {
  auto any = [](bool p) { return __any_sync(FULL, p); };
  float v = x[threadIdx.x] + 3;
  int steps = 0;
  while (any(v > 1.0f)) {
    if (v > 1.0f) {
      v *= 0.7f;
    }
    ++steps;
  }
  const int big = any(v > 0.9f) ? 1 : 0;
  y[threadIdx.x] = v + steps + big;
}
// Lambda in a struct's method.
struct Rows {
  const float* x;
  int d;
  __device__ float dot(int r, int q, int lane) const {
    auto warpSum = [&](float v) {
      for (int o = 16; o; o >>= 1)
        v += __shfl_xor_sync(FULL, v, o);
      return v;
    };
    float a = 0;
    for (int k = lane; k < d; k += 32)
      a += x[r * d + k] * x[q * d + k];
    return warpSum(a) / d;
  }
};
__global__ void method(const float* x, float* y, int n) {
  Rows rows{x, 40};
  float v = rows.dot(0, 1, threadIdx.x & 31);
  y[threadIdx.x] = v;
}
// Functor made of captures by hand; loops with functor template.
template <class T> struct Plus {
  __device__ T operator()(T a, T b) const { return a + b; }
};
template <class T> struct Max {
  __device__ T operator()(T a, T b) const { return a > b ? a : b; }
};
template <int B, class T, template <class> class Op> __device__ T blockReduce(T v, T* s) {
  Op<T> op;
  s[threadIdx.x] = v;
  __syncthreads();
  for (int k = B / 2; k; k /= 2) {
    if (threadIdx.x < k)
      s[threadIdx.x] = op(s[threadIdx.x], s[threadIdx.x + k]);
    __syncthreads();
  }
  v = s[0];
  __syncthreads();
  return v;
}
__global__ void templateOp(const float* x, float* y, int n) {
  __shared__ float s[64];
  float m = blockReduce<64, float, Max>(x[threadIdx.x], s);
  float t = blockReduce<64, float, Plus>(x[threadIdx.x] - m, s);
  y[threadIdx.x] = t;
}
// Static unroll with integral constants.
template <int I> struct Int {
  static constexpr int value = I;
};
template <int I, int N, class F> __device__ void staticFor(F f) {
  if constexpr (I < N) {
    f(Int<I>{});
    staticFor<I + 1, N>(f);
  }
}
__global__ void statics(const float* x, float* y, int n) {
  float v = x[threadIdx.x];
  staticFor<0, 5>([&](auto i) { v += __shfl_xor_sync(FULL, v, 1 << decltype(i)::value); });
  y[threadIdx.x] = v;
}
// Two lambdas, pipeline stages.
template <class Load, class Use> __device__ void pipeline(int n, Load load, Use use) {
  load(0, 0);
  __syncthreads();
  for (int k = 0; k < n; ++k) {
    if (k + 1 < n)
      load(k + 1, (k + 1) & 1);
    use(k & 1);
    __syncthreads();
  }
}
__global__ void stages(const float* x, float* y, int n) {
  __shared__ float s[2][64];
  float acc = 0;
  pipeline(
      n / 64, [&](int k, int b) { s[b][threadIdx.x] = x[k * 64 + threadIdx.x]; },
      [&](int b) {
        for (int j = 0; j < 64; ++j)
          acc += s[b][j] * (j & 3);
      });
  y[threadIdx.x] = acc;
}
// Init capture, mutable.
__global__ void inits(const float* x, float* y, int n) {
  auto f = [scale = x[3], lane = threadIdx.x & 31](float v) {
    return __shfl_sync(FULL, v, (lane + 1) & 31) * scale;
  };
  float count = 0;
  auto g = [&count](float v) mutable {
    count += 1;
    return __shfl_sync(FULL, v, 0);
  };
  y[threadIdx.x] = f(x[threadIdx.x]) + g(1.0f) + count;
}
// Reference parameters.
template <class F> __device__ void withPair(float& a, float b, F f) {
  for (int i = 0; i < 2; ++i)
    f(a, b);
}
__global__ void refs(const float* x, float* y, int n) {
  float a = x[threadIdx.x], b = 2;
  withPair(a, b, [&](float& p, float q) {
    p += __shfl_xor_sync(FULL, p, 1) * q;
    b += 1;
  });
  y[threadIdx.x] = a + b;
}
// Device function given an op with __syncthreads inside, in namespace, called from device function.
namespace u {
namespace detail {
__device__ inline float twice(float v) { return 2 * v; }
} // namespace detail
template <class F> __device__ float mapReduce(const float* x, int n, float* s, F f) {
  float v = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    v += detail::twice(f(x[i], i));
  s[threadIdx.x] = v;
  __syncthreads();
  for (int k = blockDim.x / 2; k; k >>= 1) {
    if (threadIdx.x < k)
      s[threadIdx.x] += s[threadIdx.x + k];
    __syncthreads();
  }
  v = s[0];
  __syncthreads();
  return v;
}
} // namespace u
__device__ float variance(const float* x, int n, float* s) {
  const float mean = u::mapReduce(x, n, s, [](float v, int) { return v; }) / n;
  return u::mapReduce(x, n, s,
                      [mean](float v, int) {
                        const float d = v - mean;
                        return d * d;
                      }) /
         n;
}
__global__ void variances(const float* x, float* y, int n) {
  __shared__ float s[64];
  y[threadIdx.x] = variance(x, n, s);
}
// Lambda with a cooperative group.
__global__ void groups(const float* x, float* y, int n) {
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  auto sum = [&](float v) {
    for (int o = warp.size() / 2; o > 0; o /= 2)
      v += warp.shfl_down(v, o);
    return warp.shfl(v, 0);
  };
  auto publish = [&](float v, float* s) {
    if (warp.thread_rank() == 0)
      s[warp.meta_group_rank()] = v;
    block.sync();
  };
  __shared__ float s[8];
  publish(sum(x[threadIdx.x]), s);
  y[threadIdx.x] = s[0] + s[1];
}
// Group passed to a templated function with op.
template <class Tile, class Op> __device__ float tileReduce(const Tile& t, float v, Op op) {
  for (int o = t.size() / 2; o > 0; o /= 2)
    v = op(v, t.shfl_xor(v, o));
  return v;
}
__global__ void ofTiles(const float* x, float* y, int n) {
  auto t = cg::tiled_partition<16>(cg::this_thread_block());
  float k = 0.5f;
  y[threadIdx.x] = tileReduce(t, x[threadIdx.x], [=](float a, float b) { return a + k * b; });
}
// Kernel lambda in a loop, defined inside the loop.
__global__ void inLoop(const float* x, float* y, int n) {
  __shared__ float s[64];
  float acc = 0;
  for (int k = 0; k < n; k += 64) {
    const float base = x[k];
    auto load = [&](int at) {
      s[at] = x[k + at] - base;
      __syncthreads();
    };
    load(threadIdx.x);
    auto use = [&]() -> float {
      float r = s[63 - threadIdx.x];
      __syncthreads();
      return r;
    };
    acc += use();
  }
  y[threadIdx.x] = acc;
}
// Lambda returning a structure, structured binding.
struct MinMax {
  float lo, hi;
};
__global__ void both(const float* x, float* y, int n) {
  auto minmax = [](float v) -> MinMax {
    float lo = v, hi = v;
    for (int o = 16; o; o >>= 1) {
      lo = fminf(lo, __shfl_xor_sync(FULL, lo, o));
      hi = fmaxf(hi, __shfl_xor_sync(FULL, hi, o));
    }
    return {lo, hi};
  };
  const auto [lo, hi] = minmax(x[threadIdx.x]);
  const MinMax m = minmax(x[threadIdx.x + 32]);
  y[threadIdx.x] = hi - lo + m.hi * m.lo;
}
// If with init and lambda, else-if.
__global__ void branches(const float* x, float* y, int n) {
  auto count = [](bool p) { return __popc(__ballot_sync(FULL, p)); };
  float v = x[threadIdx.x];
  if (count(v > 0.5f) > 40)
    v = 1;
  else if (count(v > 0.2f) > 3)
    v += 2;
  if (const int c = count(v > 2.5f); c > 2)
    v += c;
  for (int i = 0; i < count(v > 1.0f) && i < 5; ++i)
    v *= 0.9f;
  switch (count(v < 0.7f)) {
  case 0:
    v += 1;
    break;
  default:
    v += 2;
  }
  y[threadIdx.x] = v;
}
// Lambdas calling lambdas calling lambdas.
__global__ void chain(const float* x, float* y, int n) {
  __shared__ float s[32];
  const int lane = threadIdx.x % 32, w = threadIdx.x / 32;
  auto add = [](float a, float b) { return a + b; };
  auto warp = [&](float v) {
    for (int o = 16; o; o /= 2)
      v = add(v, __shfl_xor_sync(FULL, v, o));
    return v;
  };
  auto block = [&](float v) {
    v = warp(v);
    if (!lane)
      s[w] = v;
    __syncthreads();
    v = warp(lane < blockDim.x / 32 ? s[lane] : 0.f);
    __syncthreads();
    return v;
  };
  auto mean = [&](float v) { return block(v) / blockDim.x; };
  auto var = [&](float v) {
    const float m = mean(v);
    const float d = v - m;
    return mean(d * d);
  };
  const float v = x[threadIdx.x];
  y[threadIdx.x] = (v - mean(v)) * rsqrtf(var(v) + 1e-5f);
}
// Template function with a lambda that meets, given T and op as template parameters.
template <typename T, typename Op>
__device__ __forceinline__ T block_reduce(T val, T* smem, T init, Op op) {
  auto warp_reduce = [&](T v) {
#pragma unroll
    for (int o = 16; o > 0; o >>= 1)
      v = op(v, __shfl_down_sync(FULL, v, o));
    return v;
  };
  val = warp_reduce(val);
  if (threadIdx.x % 32 == 0)
    smem[threadIdx.x / 32] = val;
  __syncthreads();
  val = threadIdx.x < blockDim.x / 32 ? smem[threadIdx.x] : init;
  if (threadIdx.x < 32)
    val = warp_reduce(val);
  if (threadIdx.x == 0)
    smem[0] = val;
  __syncthreads();
  val = smem[0];
  __syncthreads();
  return val;
}
template <typename T> __global__ void softmax(const T* x, T* y, int n) {
  __shared__ T smem[32];
  T m = T(-1e30), t = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    m = max(m, x[i]);
  m = block_reduce(m, smem, T(-1e30), [](T a, T b) { return a > b ? a : b; });
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    t += exp(x[i] - m);
  t = block_reduce(t, smem, T(0), [](T a, T b) { return a + b; });
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    y[i] = exp(x[i] - m) / t;
}
// Functor with state and barrier in method template, given lambda.
struct Ctx {
  float* s;
  template <class F> __device__ float reduce(float v, F f) const {
    s[threadIdx.x] = v;
    __syncthreads();
    for (int k = blockDim.x / 2; k; k /= 2) {
      if (threadIdx.x < k)
        s[threadIdx.x] = f(s[threadIdx.x], s[threadIdx.x + k]);
      __syncthreads();
    }
    v = s[0];
    __syncthreads();
    return v;
  }
  template <class F> __device__ void range(int n, F&& f) const {
    for (int i = threadIdx.x; i < n; i += blockDim.x)
      f(i);
    __syncthreads();
  }
};
__global__ void context(const float* x, float* y, int n) {
  __shared__ float s[64], b[256];
  Ctx c{s};
  c.range(n, [&](int i) { b[i] = x[i] * 3; });
  float v = 0;
  c.range(n, [&](int i) { v += b[n - 1 - i]; });
  v = c.reduce(v, [](float p, float q) { return p + q; });
  c.range(n, [&](int i) { y[i] = b[i] / v; });
}
// Function pointer template parameter and auto parameter.
__device__ float addf(float a, float b) { return a + b; }
template <float (*op)(float, float)> __device__ float foldF(float v) {
  for (int o = 16; o; o >>= 1)
    v = op(v, __shfl_xor_sync(FULL, v, o));
  return v;
}
__global__ void pointers(const float* x, float* y, int n) {
  y[threadIdx.x] = foldF<addf>(x[threadIdx.x]);
}
// Static helper class template with lambda param and unrolled N values.
template <int N, class F> __device__ void unrolled(F&& f) {
#pragma unroll
  for (int i = 0; i < N; ++i)
    f(i);
}
__global__ void several(const float* x, float* y, int n) {
  float a[4] = {};
  unrolled<4>([&](int i) { a[i] = x[threadIdx.x + i * 32]; });
  unrolled<4>([&](int i) {
    for (int o = 16; o; o >>= 1)
      a[i] += __shfl_xor_sync(FULL, a[i], o);
  });
  float t = 0;
  unrolled<4>([&](int i) { t += a[i] * i; });
  y[threadIdx.x] = t;
}
// Early continue/return in given lambda with barrier-free loops, nested for_each.
template <class F> __device__ void grid2d(int h, int w, F f) {
  for (int r = threadIdx.y; r < h; r += blockDim.y)
    for (int c = threadIdx.x; c < w; c += blockDim.x)
      f(r, c);
}
__global__ void nested(const float* x, float* y, int n) {
  __shared__ float s[16][17];
  grid2d(16, 16, [&](int r, int c) {
    if (r == c) {
      s[r][c] = 1;
      return;
    }
    s[r][c] = x[r * 16 + c];
  });
  __syncthreads();
  grid2d(16, 16, [&](int r, int c) {
    float t = 0;
    for (int k = 0; k < 16; ++k) {
      if (k == r)
        continue;
      t += s[r][k] * s[k][c];
    }
    y[r * 16 + c] = t;
  });
}

template <class K> void run(const char* name, K kernel, dim3 threads, const float* x, float* y) {
  for (int i = 0; i < 256; ++i)
    y[i] = 0;
  kernel<<<1, threads>>>(x, y, 256);
  cudaDeviceSynchronize();
  double sum = 0;
  for (int i = 0; i < 256; ++i)
    sum += y[i] * (1 + i % 7);
  printf("%s %.5g\n", name, sum);
}

int main() {
  float *x, *y;
  cudaMallocManaged(&x, 8192);
  cudaMallocManaged(&y, 8192);
  for (int i = 0; i < 1024; ++i)
    x[i] = ((i * 37) % 101) * 0.01f;
  run("staticMember", staticMember, 32, x, y);
  run("member", member, 64, x, y);
  run("lambdaToLambda", lambdaToLambda, 64, x, y);
  run("forwarded", forwarded, 32, x, y);
  run("online", online, 32, x, y);
  run("scanIfElse", scanIfElse, 256, x, y);
  run("anyLeft", anyLeft, 32, x, y);
  run("method", method, 64, x, y);
  run("templateOp", templateOp, 64, x, y);
  run("statics", statics, 32, x, y);
  run("stages", stages, 64, x, y);
  run("inits", inits, 32, x, y);
  run("refs", refs, 32, x, y);
  run("variances", variances, 64, x, y);
  run("groups", groups, 64, x, y);
  run("ofTiles", ofTiles, 64, x, y);
  run("inLoop", inLoop, 64, x, y);
  run("both", both, 32, x, y);
  run("branches", branches, 32, x, y);
  run("chain", chain, 128, x, y);
  run("softmax<float>", softmax<float>, 64, x, y);
  run("context", context, 64, x, y);
  run("pointers", pointers, 32, x, y);
  run("several", several, 32, x, y);
  run("nested", nested, dim3(16, 4), x, y);
  return 0;
}
