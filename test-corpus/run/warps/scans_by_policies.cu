// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A segmented scan whose pairs, operator and tile are policies: the pair's members have names that its class gives to types.
#include <cstdio>

namespace seg {

template <typename T>
struct plus {
  using value_type = T;
  __host__ __device__ constexpr T operator()(T a, T b) const { return a + b; }
};

template <typename Op>
struct segmented {
  using T = typename Op::value_type;
  struct pair {
    int head;
    T value;
  };
  __device__ static pair identity() { return pair{0, T{0}}; }
  __device__ static pair combine(pair a, pair b) {
    return pair{a.head | b.head, b.head ? b.value : Op{}(a.value, b.value)};
  }
};

template <int Block, int Items>
struct tile_policy {
  static constexpr int block = Block;
  static constexpr int items = Items;
  static constexpr int warps = Block / 32;
};

template <typename Seg>
__device__ typename Seg::pair warp_inclusive(typename Seg::pair p) {
  const int lane = threadIdx.x & 31;
#pragma unroll
  for (int d = 1; d < 32; d <<= 1) {
    typename Seg::pair o;
    o.head = __shfl_up_sync(0xffffffffu, p.head, d);
    o.value = __shfl_up_sync(0xffffffffu, p.value, d);
    if (lane >= d)
      p = Seg::combine(o, p);
  }
  return p;
}

template <typename Seg, int Warps>
__device__ typename Seg::pair block_exclusive(typename Seg::pair p, typename Seg::pair& total) {
  using pair = typename Seg::pair;
  __shared__ pair warp_total[Warps];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  const pair inc = warp_inclusive<Seg>(p);
  if (lane == 31)
    warp_total[warp] = inc;
  __syncthreads();
  pair before = Seg::identity(), all = Seg::identity();
#pragma unroll
  for (int w = 0; w < Warps; ++w) {
    if (w == warp)
      before = all;
    all = Seg::combine(all, warp_total[w]);
  }
  total = all;
  pair exc;
  exc.head = __shfl_up_sync(0xffffffffu, inc.head, 1);
  exc.value = __shfl_up_sync(0xffffffffu, inc.value, 1);
  if (lane == 0)
    exc = Seg::identity();
  __syncthreads();
  return Seg::combine(before, exc);
}

template <typename Policy, typename T>
__device__ void load_tile(const T* values, const unsigned char* heads, int base, T (&v)[Policy::items], int (&h)[Policy::items]) {
  for (int k = 0; k < Policy::items; ++k) {
    v[k] = values[base + k];
    h[k] = heads[base + k];
  }
}

template <typename Seg, typename Policy>
__global__ void __launch_bounds__(Policy::block)
scan(const typename Seg::T* values, const unsigned char* heads, typename Seg::T* out, int n) {
  using pair = typename Seg::pair;
  constexpr int tile = Policy::block * Policy::items;
  pair carry = Seg::identity();
  for (int first = 0; first < n; first += tile) {
    typename Seg::T v[Policy::items];
    int h[Policy::items];
    const int base = first + threadIdx.x * Policy::items;
    load_tile<Policy>(values, heads, base, v, h);
    pair run = Seg::identity();
#pragma unroll
    for (int k = 0; k < Policy::items; ++k)
      run = Seg::combine(run, pair{h[k], v[k]});
    pair total;
    run = Seg::combine(carry, block_exclusive<Seg, Policy::warps>(run, total));
#pragma unroll
    for (int k = 0; k < Policy::items; ++k) {
      run = Seg::combine(run, pair{h[k], v[k]});
      v[k] = run.value;
    }
    for (int k = 0; k < Policy::items; ++k)
      out[base + k] = v[k];
    carry = Seg::combine(carry, total);
  }
}

// The class's name for a type in an array, too.
template <typename Op>
__global__ void largest(const typename segmented<Op>::pair* in, int* out) {
  typename segmented<Op>::pair best = in[threadIdx.x];
  for (int by = 16; by > 0; by /= 2) {
    const typename segmented<Op>::pair other = {__shfl_xor_sync(0xffffffffu, best.head, by),
                                                __shfl_xor_sync(0xffffffffu, best.value, by)};
    if (other.value > best.value || (other.value == best.value && other.head < best.head))
      best = other;
  }
  out[threadIdx.x] = best.head;
}

} // namespace seg

int main() {
  using Seg = seg::segmented<seg::plus<int>>;
  constexpr int n = 4 * 128 * 4;
  int *values, *out;
  unsigned char* heads;
  Seg::pair* pairs;
  cudaMallocManaged(&values, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  cudaMallocManaged(&heads, n);
  cudaMallocManaged(&pairs, 32 * sizeof(Seg::pair));
  unsigned s = 17;
  for (int i = 0; i < n; ++i) {
    s = s * 1664525u + 1013904223u;
    values[i] = int(s >> 16) % 100 - 40;
    heads[i] = (s >> 8) % 60 == 0;
  }
  seg::scan<Seg, seg::tile_policy<128, 4>><<<1, 128>>>(values, heads, out, n);
  cudaDeviceSynchronize();
  int run = 0, wrong = 0;
  for (int i = 0; i < n; ++i) {
    run = heads[i] ? values[i] : run + values[i];
    wrong += out[i] != run;
  }
  printf("%d wrong, %d %d %d\n", wrong, out[0], out[n / 2], out[n - 1]);
  for (int i = 0; i < 32; ++i)
    pairs[i] = {i, i * 11 % 23};
  seg::largest<seg::plus<int>><<<1, 32>>>(pairs, out);
  cudaDeviceSynchronize();
  printf("largest at %d and %d\n", out[0], out[31]);
  return 0;
}
