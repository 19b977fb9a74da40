// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Methods in which threads meet, with parameters and results: of class templates, of classes in
// other namespaces, of objects in shared memory; names that mean a member, a variable or a type.
#include <cstdio>

namespace {

template <typename Acc> struct Moments {
  Acc s, q;
  int lo, hi;

  using Sum = Acc;
  static constexpr int none = 1 << 20;

  __host__ __device__ static Moments empty() {
    Moments m;
    m.s = Acc(0);
    m.q = Acc(0);
    m.lo = none;
    m.hi = -none;
    return m;
  }
  __device__ void add(int x) {
    s += x;
    q += x * x;
    lo = min(lo, x);
    hi = max(hi, x);
  }
  template <typename B> __device__ void merge(const Moments<B>& o) {
    s += Acc(o.s);
    q += Acc(o.q);
    lo = min(lo, o.lo);
    hi = max(hi, o.hi);
  }
  __device__ Moments shflDown(int d) const {
    Moments r;
    r.s = __shfl_down_sync(0xffffffffu, s, d);
    r.q = __shfl_down_sync(0xffffffffu, q, d);
    r.lo = __shfl_down_sync(0xffffffffu, lo, d);
    r.hi = __shfl_down_sync(0xffffffffu, hi, d);
    return r;
  }
  // A variable that hides a member after it was named.
  __device__ Sum spread(int d) const {
    const Sum before = s;
    Sum s = __shfl_xor_sync(0xffffffffu, before, d);
    return s - before + this->s;
  }
  __device__ Moments shifted(int by) {
    lo = __shfl_up_sync(0xffffffffu, lo, by);
    return *this;
  }
  __device__ int widest(const Moments<int>& other, int hi) const {
    const int m = __reduce_max_sync(0xffffffffu, this->hi - lo);
    return m + other.lo + hi;
  }
};

template <typename Acc> __device__ Moments<Acc> warpReduce(Moments<Acc> m) {
#pragma unroll
  for (int d = 16; d > 0; d >>= 1)
    m.merge(m.shflDown(d));
  return m;
}

} // namespace

namespace tools {
constexpr int width = 32;
struct Pair {
  float value;
  int at;
  __device__ bool beats(const Pair& other) const {
    return value > other.value || (value == other.value && at < other.at);
  }
  __device__ Pair best() const {
    Pair mine = *this;
    for (int d = width / 2; d > 0; d /= 2) {
      Pair other{__shfl_xor_sync(0xffffffffu, mine.value, d),
                 __shfl_xor_sync(0xffffffffu, mine.at, d)};
      if (other.beats(mine))
        mine = other;
    }
    return mine;
  }
};

template <int N> class Block {
public:
  int sums[N];
  __device__ void clear(int t) {
    if (t < N)
      sums[t] = 0;
    __syncthreads();
  }
  __device__ int total(int t, int mine) {
    atomicAdd(&sums[t % N], mine);
    __syncthreads();
    int all = 0;
    for (int i = 0; i < N; ++i)
      all += sums[i];
    __syncthreads();
    return all;
  }
};

__device__ int rank(bool holds) {
  const unsigned found = __ballot_sync(0xffffffffu, holds);
  return __popc(found & ((1u << (threadIdx.x % width)) - 1));
}
} // namespace tools

__global__ void moments(const int* in, int n, long* out) {
  __shared__ Moments<long> part[4];
  Moments<int> mine = Moments<int>::empty();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    mine.add(in[i]);
  Moments<long> m = Moments<long>::empty();
  m.merge(mine);
  m = warpReduce(m);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = m;
  __syncthreads();
  if (threadIdx.x < 32) {
    m = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : Moments<long>::empty();
    m = warpReduce(m);
    if (threadIdx.x == 0) {
      out[0] = m.s;
      out[1] = m.q;
      out[2] = m.lo;
      out[3] = m.hi;
    }
  }
}

__global__ void names(const int* in, long* out) {
  const int t = threadIdx.x;
  Moments<long> m = Moments<long>::empty();
  m.add(in[t]);
  const Moments<int> other{1, 2, 3, 4};
  const int widest = m.widest(other, t % 7);
  Moments<long> up = m.shifted(1);
  out[t] = widest * 10 + up.lo - m.lo * 3;
}

__global__ void hidden(const int* in, long* out) {
  Moments<long> m = Moments<long>::empty();
  m.add(in[threadIdx.x]);
  out[threadIdx.x] = m.spread(3);
}

__global__ void elsewhere(const int* in, long* out) {
  __shared__ tools::Block<3> block;
  const int t = threadIdx.x;
  block.clear(t);
  tools::Pair p{float(in[t] % 19), t};
  const tools::Pair best = p.best();
  const int rank = tools::rank(in[t] % 3 == 0);
  const int all = block.total(t, in[t] % 5);
  out[t] = best.at * 10000 + long(best.value) * 100 + rank + all * 1000000L + p.at;
}

int main() {
  const int n = 1000, threads = 128;
  int* in;
  long* out;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, threads * sizeof(long));
  for (int i = 0; i < n; ++i)
    in[i] = (i * 7919) % 1013 - 300;
  moments<<<1, threads>>>(in, n, out);
  cudaDeviceSynchronize();
  printf("moments %ld %ld %ld %ld\n", out[0], out[1], out[2], out[3]);
  const auto print = [&](const char* what) {
    cudaDeviceSynchronize();
    long sum = 0;
    for (int i = 0; i < threads; ++i)
      sum = sum * 31 % 1000003 + out[i];
    printf("%s %ld\n", what, sum);
  };
  names<<<1, threads>>>(in, out);
  print("names");
  hidden<<<1, threads>>>(in, out);
  print("hidden");
  elsewhere<<<1, threads>>>(in, out);
  print("elsewhere");
  return 0;
}
