// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lambdas in which threads meet: with values, in templates, generic, called by other lambdas, given
// to functions that loop, called on the spot, with names that mean something else where they are
// called.
#include <cstdio>

constexpr unsigned everyLane = 0xffffffffu;

__device__ int value(int i) { return (i * 7919 + 13) % 101 - 40; }

// One after the other, each with a value.
__global__ void values(int* out) {
  const int t = threadIdx.x, lane = t & 31;
  auto sumOf = [&](int v) {
#pragma unroll
    for (int o = 16; o; o >>= 1)
      v += __shfl_xor_sync(everyLane, v, o);
    return v;
  };
  const auto last = [](int v) { return __shfl_sync(0xffffffffu, v, 31); };
  int v = value(blockIdx.x * 128 + t);
  const int sum = sumOf(v);
  v = sumOf(v * 2) + last(v) * 3;
  int o = sumOf(last(v + lane) + lane) - sum;
  if (sumOf(lane == 3) == 1)
    o += 5;
  out[blockIdx.x * 128 + t] = o + v;
}

// In a template, of the template's type.
template <class T, int Block> __global__ void typed(T* out) {
  __shared__ T part[Block / 32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  auto warpSum = [&](T v) {
    for (int o = 16; o > 0; o /= 2)
      v += __shfl_down_sync(everyLane, v, o);
    return v;
  };
  auto blockSum = [&](T v) -> T {
    v = warpSum(v);
    if (lane == 0)
      part[warp] = v;
    __syncthreads();
    T s = 0;
    for (int w = 0; w < Block / 32; ++w)
      s += part[w];
    __syncthreads();
    return s;
  };
  T x = T(value(blockIdx.x * Block + threadIdx.x));
  const T mean = blockSum(x) / T(Block);
  x -= mean;
  x = blockSum(x * x) + x;
  out[blockIdx.x * Block + threadIdx.x] = x;
}

// Generic, and of a device function.
template <class Op> __device__ int fold(int v, Op op) {
  for (int o = 16; o; o >>= 1)
    v = op(v, __shfl_xor_sync(everyLane, v, o));
  return v;
}
__device__ int spread(const int* in, int n, int lane) {
  const auto most = [](int v) { return fold(v, [](int x, int y) { return x > y ? x : y; }); };
  const auto least = [](auto v) { return -fold(-v, [](auto x, auto y) { return x > y ? x : y; }); };
  int high = -1000, low = 1000;
  for (int k = lane; k < n; k += 32) {
    high = max(high, in[k]);
    low = min(low, in[k]);
  }
  high = most(high);
  low = least(low);
  return high * 1000 + low;
}
__global__ void generic(const int* in, int* out, int n) {
  const int w = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
  const int s = spread(in + w * n, n, lane);
  auto twice = [&](auto v) { return v + __shfl_xor_sync(everyLane, v, 1); };
  const float f = twice(s * 0.5f);
  out[blockIdx.x * blockDim.x + threadIdx.x] = twice(s + lane) + int(f);
}

namespace blk {
constexpr unsigned full = 0xffffffffu;
template <class F> __device__ __forceinline__ void each(int n, F&& f) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    f(i);
}
template <class F> __device__ void warps(int n, const F& f) {
  for (int w = threadIdx.x >> 5; w < n; w += blockDim.x >> 5)
    f(w, int(threadIdx.x & 31));
}
template <class F> __device__ void steps(int n, F f) {
  for (int i = 0; i < n; ++i) {
    f(i);
    __syncthreads();
  }
}
template <class Op> __device__ int reduce(int v, int* scratch, Op op) {
  for (int o = 16; o; o >>= 1)
    v = op(v, __shfl_xor_sync(full, v, o));
  if ((threadIdx.x & 31) == 0)
    scratch[threadIdx.x >> 5] = v;
  __syncthreads();
  v = scratch[0];
  for (int w = 1; w < int(blockDim.x >> 5); ++w)
    v = op(v, scratch[w]);
  __syncthreads();
  return v;
}
} // namespace blk

// Given to functions that loop, in a template; `w`, `n` and `i` are names there too.
template <int D> __global__ void given(const int* in, int* out, int n) {
  __shared__ int score[128], scratch[32];
  int w = 3, i = 1;
  blk::warps(n, [&](int t, int lane) {
    int s = in[(t * D + lane) % 512] * w + i;
#pragma unroll
    for (int o = 16; o; o >>= 1)
      s += __shfl_xor_sync(blk::full, s, o);
    if (lane == 0)
      score[t] = s + n;
  });
  __syncthreads();
  int m = -100000;
  blk::each(n, [&](int t) { m = max(m, score[t]); });
  m = blk::reduce(m, scratch, [](int a, int b) { return a > b ? a : b; });
  int sum = 0;
  blk::each(n, [&](int t) {
    if (score[t] % 3 == 0)
      return;
    const int e = m - score[t];
    score[t] = e;
    sum += e;
  });
  int offset = 2;
  sum = blk::reduce(sum, scratch, [&](int a, int b) { return a + b + 0 * offset; });
  blk::steps(4, [&](int k) {
    if (threadIdx.x < 64)
      score[threadIdx.x] += score[min(int(threadIdx.x) + 64, n - 1 - k)];
    ++offset;
  });
  blk::each(n, [&](int j) { out[blockIdx.x * n + j] = score[j] + sum * offset + m; });
}

// A loop that calls a lambda which is given to it by name, and gives it on.
template <class F> __device__ void twoAtATime(int n, F f) {
  for (int i = 0; i < n; i += 2) {
    f(i);
    f(i + 1);
  }
}
template <class F> __device__ void passOn(int n, F f) { twoAtATime(n, f); }
__global__ void named(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  int sum = 0;
  auto step = [&](int i) {
    s[t] = value(t + i);
    __syncthreads();
    sum += s[63 - t] * (i + 1);
    __syncthreads();
  };
  twoAtATime(4, step);
  passOn(2, step);
  passOn(2, [&](int i) { step(i + 10); });
  out[t] = sum;
}

// Called on the spot.
__global__ void onTheSpot(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  const int total = [&] {
    int v = value(t);
    for (int o = 16; o; o >>= 1)
      v += __shfl_xor_sync(everyLane, v, o);
    return v;
  }();
  [&] {
    s[t] = total + t;
    __syncthreads();
  }();
  out[t] = s[(t + 32) % 64];
}

// Arguments that name what parameters are called, variables that hide others, shared memory of its
// own.
__global__ void names(int* out) {
  const int t = threadIdx.x;
  int a = t, b = 2 * t + 1;
  auto mix = [&](int b, int a) {
    __shared__ int s[64];
    s[t] = a * 3 - b;
    __syncthreads();
    const int r = s[(t + 1) % 64];
    __syncthreads();
    return r;
  };
  int c = mix(a, b);
  c += mix(b, a + c);
  {
    int u = 5, s = c;
    c = mix(s, u) + u;
    a += c;
  }
  for (int b = 0; b < 3; ++b)
    a += mix(b, a);
  out[t] = a + b + c;
}

// What it names is another variable where it is called: it stays.
__global__ void hidden(int* out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  auto next = [&](int v) {
    s[t] = v;
    __syncthreads();
    const int r = s[(t + 1) % 64];
    __syncthreads();
    return r;
  };
  int c = next(t);
  {
    int t = 5;
    c += next(t + c);
  }
  out[t] = c;
}

// Values that are copied when the lambda is made.
__global__ void copies(int* out) {
  const int t = threadIdx.x;
  int k = t;
  auto shifted = [=](int v) { return __shfl_sync(everyLane, v + k, (t + 1) & 31); };
  k = 100;
  out[t] = shifted(k) + k;
}

// Some threads leave at once, others later.
__global__ void guards(int* out, int n) {
  const int t = threadIdx.x, warp = t >> 5;
  auto scan = [&](int v) {
    if (n < 0)
      return 0;
    for (int d = 1; d < 32; d *= 2) {
      const int u = __shfl_up_sync(everyLane, v, d);
      if ((t & 31) >= d)
        v += u;
    }
    return v;
  };
  int v = scan(value(t));
  if (warp < 1)
    v += scan(1);
  out[t] = v;
}

// A functor whose operator waits, and one that lambdas call.
struct BlockMax {
  int* s;
  __device__ int operator()(int v) const {
    s[threadIdx.x] = v;
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
      if (threadIdx.x < d)
        s[threadIdx.x] = max(s[threadIdx.x], s[threadIdx.x + d]);
      __syncthreads();
    }
    const int m = s[0];
    __syncthreads();
    return m;
  }
};
template <class R> __device__ int range(int v, R most) { return most(v) + most(-v); }
__global__ void functors(int* out) {
  __shared__ int s[64];
  const BlockMax most{s};
  const int v = value(threadIdx.x * 3);
  const auto negated = [&](int x) { return most(-x); };
  const int r = range(v, most);
  out[threadIdx.x] = r * 1000 + negated(v);
}

template <class T> long sumUp(const T* a, int n) {
  cudaDeviceSynchronize();
  long h = 0;
  for (int i = 0; i < n; ++i)
    h = (h * 31 + long(a[i])) % 1000000007;
  return h;
}

int main() {
  int *out, *in;
  double* real;
  cudaMallocManaged(&out, 4096 * sizeof *out);
  cudaMallocManaged(&in, 4096 * sizeof *in);
  cudaMallocManaged(&real, 4096 * sizeof *real);
  for (int i = 0; i < 4096; ++i)
    in[i] = (i * 131 + 7) % 211;
  values<<<4, 128>>>(out);
  printf("values %ld\n", sumUp(out, 512));
  typed<int, 128><<<4, 128>>>(out);
  printf("typed int %ld\n", sumUp(out, 512));
  typed<double, 64><<<4, 64>>>(real);
  printf("typed double %ld\n", sumUp(real, 256));
  generic<<<4, 64>>>(in, out, 100);
  printf("generic %ld\n", sumUp(out, 256));
  given<16><<<3, 128>>>(in, out, 100);
  printf("given %ld\n", sumUp(out, 300));
  named<<<1, 64>>>(out);
  printf("named %ld\n", sumUp(out, 64));
  onTheSpot<<<1, 64>>>(out);
  printf("onTheSpot %ld\n", sumUp(out, 64));
  names<<<1, 64>>>(out);
  printf("names %ld\n", sumUp(out, 64));
  hidden<<<1, 64>>>(out);
  printf("hidden %ld\n", sumUp(out, 64));
  copies<<<1, 32>>>(out);
  printf("copies %ld\n", sumUp(out, 32));
  guards<<<1, 64>>>(out, 64);
  printf("guards %ld\n", sumUp(out, 64));
  functors<<<1, 64>>>(out);
  printf("functors %ld\n", sumUp(out, 64));
  return 0;
}
