// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device functions in which threads meet: with structures by value, references, shared memory of
// their own that calls have in common, templates, and names that the kernel has, too.
#include <climits>
#include <cstdio>
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr unsigned ALL = 0xffffffffu;
constexpr int THREADS = 128;
constexpr int N = 1500;
__device__ int scale = 3;

struct Stats {
  int low, high;
  long long sum;
  int odd;
};

__device__ __forceinline__ Stats combine(const Stats& a, const Stats& b) {
  Stats r;
  r.low = min(a.low, b.low);
  r.high = max(a.high, b.high);
  r.sum = a.sum + b.sum;
  r.odd = a.odd + b.odd;
  return r;
}

__device__ __forceinline__ Stats shuffled(const Stats& a, int d) {
  Stats r;
  r.low = __shfl_down_sync(ALL, a.low, d);
  r.high = __shfl_down_sync(ALL, a.high, d);
  r.sum = __shfl_down_sync(ALL, a.sum, d);
  r.odd = __shfl_down_sync(ALL, a.odd, d);
  return r;
}

__device__ Stats warpReduce(Stats s) {
#pragma unroll
  for (int d = warpSize / 2; d > 0; d /= 2)
    s = combine(s, shuffled(s, d));
  return s;
}

// Whole structures, a function in a function in a function.
__device__ Stats blockReduce(Stats s) {
  __shared__ Stats part[32];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  s = warpReduce(s);
  if (lane == 0)
    part[warp] = s;
  __syncthreads();
  if (warp == 0) {
    Stats none = {INT_MAX, INT_MIN, 0, 0};
    s = lane < int(blockDim.x >> 5) ? part[lane] : none;
    s = warpReduce(s);
  }
  return s;
}

__global__ void reduceStats(const int* in, int n, Stats* out) {
  Stats mine = {INT_MAX, INT_MIN, 0, 0};
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int v = in[i];
    const Stats one = {v, v, v, v & 1};
    mine = combine(mine, one);
  }
  mine = blockReduce(mine);
  if (threadIdx.x == 0)
    out[blockIdx.x] = mine;
}

// Called twice with one shared array; the kernel has the function's names for other things.
template <typename T> __device__ T warpSum(T v) {
#pragma unroll
  for (int o = 16; o > 0; o >>= 1)
    v += __shfl_xor_sync(ALL, v, o);
  return v;
}

template <typename T> __device__ T blockSum(T v) {
  static __shared__ T shared[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  v = warpSum<T>(v);
  if (lane == 0)
    shared[warp] = v;
  __syncthreads();
  v = threadIdx.x < blockDim.x / 32 ? shared[lane] : T(0);
  v = warpSum<T>(v);
  if (threadIdx.x == 0)
    shared[0] = v;
  __syncthreads();
  const T total = shared[0];
  __syncthreads();
  return total;
}

__global__ void spread(const int* in, int* out, int columns) {
  const int lane = threadIdx.x, row = blockIdx.x;
  int v = 0;
  for (int c = lane; c < columns; c += blockDim.x)
    v += in[row * columns + c];
  const int mean = blockSum<int>(v) / columns;
  double squares = 0;
  for (int c = lane; c < columns; c += blockDim.x)
    squares += double(in[row * columns + c] - mean) * (in[row * columns + c] - mean);
  const long long shared = (long long)blockSum<double>(squares);
  int far = 0;
  for (int c = lane; c < columns; c += blockDim.x)
    far += abs(in[row * columns + c] - mean) > 300;
  far = blockSum(far);
  for (int c = lane; c < columns; c += blockDim.x)
    out[row * columns + c] = in[row * columns + c] - mean + far * 10000 + int(shared % 1000);
}

// A template that gives on its parameters, and one that declares a constant for them.
template <int BLOCK, class T> __device__ T sumOf(T v) {
  __shared__ T parts[BLOCK / 32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  v = warpSum<T>(v);
  if (lane == 0)
    parts[warp] = v;
  __syncthreads();
  T all = 0;
  for (int w = 0; w < BLOCK / 32; ++w)
    all += parts[w];
  __syncthreads();
  return all;
}

template <int BLOCK> __global__ void sums(const int* in, int n, long long* out) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  int v = i < n ? in[i] : 0;
  long long square = (long long)v * v;
  v = sumOf<BLOCK, int>(v);
  square = sumOf<BLOCK, long long>(square);
  if (threadIdx.x == 0) {
    out[blockIdx.x * 4] = v;
    out[blockIdx.x * 4 + 1] = square;
  }
}
template <int BLOCK> __global__ void sumsOfHalves(const int* in, int n, long long* out) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  int v = i < n ? in[i] : 0;
  constexpr int HALF = BLOCK / 2;
  int low = threadIdx.x < HALF ? v : -v;
  int high = threadIdx.x < HALF ? 1 : threadIdx.x;
  low = sumOf<HALF * 2, int>(low);
  high = sumOf<HALF * 2, int>(high);
  if (threadIdx.x == 0) {
    out[blockIdx.x * 4 + 2] = low;
    out[blockIdx.x * 4 + 3] = high;
  }
}

// What a call leaves in its shared memory the next one finds there.
__device__ int counted(int v, bool first) {
  __shared__ int total;
  if (first && threadIdx.x == 0)
    total = 0;
  __syncthreads();
  const int before = total;
  __syncthreads();
  atomicAdd(&total, v);
  __syncthreads();
  return before * 2 + total;
}
__device__ int countedOnce(int v) { return counted(v, false) + 1; }

__global__ void countsOn(const int* in, int* out) {
  const int v = in[blockIdx.x * blockDim.x + threadIdx.x] & 7;
  int first = counted(v, true);
  const int second = counted(v + 1, false);
  first = first + second;
  out[blockIdx.x * blockDim.x + threadIdx.x] = first;
}
__global__ void countsOnOtherwise(const int* in, int* out) { // by way of another function
  const int v = in[blockIdx.x * blockDim.x + threadIdx.x] & 7;
  const int first = counted(v, true);
  const int second = countedOnce(v + 1);
  out[blockIdx.x * blockDim.x + threadIdx.x] = first + second;
}
__global__ void countsOnInCondition(const int* in, int* out) { // where no statement can stand before
  const int v = in[blockIdx.x * blockDim.x + threadIdx.x] & 7;
  int first = counted(v, true);
  for (int k = 0; counted(k, false) < 2000; ++k)
    first += k;
  out[blockIdx.x * blockDim.x + threadIdx.x] = first;
}

// References to what the caller keeps; the lower place of equal values.
__device__ void largest(int& v, int& at) {
#pragma unroll
  for (int o = 16; o > 0; o /= 2) {
    const int other = __shfl_xor_sync(ALL, v, o), place = __shfl_xor_sync(ALL, at, o);
    if (other > v || (other == v && place < at)) {
      v = other;
      at = place;
    }
  }
}

__global__ void places(const int* in, int n, int* out) {
  struct {
    int value, at;
  } best = {INT_MIN, -1};
  int v = INT_MIN, at = INT_MAX;
  for (int i = blockIdx.x * 32 + threadIdx.x; i < n; i += gridDim.x * 32) {
    if (in[i] > v) {
      v = in[i];
      at = i;
    }
    if (in[i] % 100 > best.value) {
      best.value = in[i] % 100;
      best.at = i;
    }
  }
  largest(v, at);
  largest(best.value, best.at);
  out[(blockIdx.x * 32 + threadIdx.x) * 2] = at;
  out[(blockIdx.x * 32 + threadIdx.x) * 2 + 1] = best.at;
}

// The same argument twice, a parameter that changes, and one that stays.
__device__ int joined(int v, int first) {
  for (int o = 1; o < 32; o *= 2)
    v = v * 3 + __shfl_up_sync(ALL, v, o) + first;
  return v;
}
// A function that returns early, and one that names what the kernel hides.
__device__ int guarded(int v, int n) {
  if (n <= 0)
    return -1;
  v += __shfl_xor_sync(ALL, v, 1);
  return v;
}
__device__ int scaled(int v) { return scale * __shfl_xor_sync(ALL, v, 2); }

__global__ void others(const int* in, int* out, int n) {
  const int t = threadIdx.x;
  int v = in[t], scale = 5;
  int w = in[t + 32];
  v = joined(v, v);
  w = joined(w + 1, v) + w;
  int x = guarded(v, n);
  x += guarded(w, t < 1000 ? n : 0);
  scale += scaled(w);
  const int both[2] = {scaled(v), scaled(scale)};
  out[t] = v + w + x + scale + both[0] * 7 + both[1];
}

// Trees in memory that the caller gives, in blocks of any size, behind threads that have exited.
__device__ int tree(int* s, int v) {
  const int t = threadIdx.x;
  s[t] = v;
  __syncthreads();
  for (int size = blockDim.x; size > 1;) {
    const int half = (size + 1) / 2;
    if (t + half < size)
      s[t] += s[t + half];
    __syncthreads();
    size = half;
  }
  v = s[0];
  __syncthreads();
  return v;
}

__global__ void trees(const int* in, int n, int* out) {
  extern __shared__ int memory[];
  if (blockIdx.x * blockDim.x >= n)
    return;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = i < n ? in[i] : 0;
  int squares = v * v;
  v = tree(memory, v);
  squares = tree(memory, squares);
  if (i < n)
    out[i] = v * 2 + squares;
}

// Cooperative groups, by value and by reference.
template <int SIZE>
__device__ int tileSum(const cg::thread_block_tile<SIZE>& tile, int v) {
  for (int i = tile.size() / 2; i > 0; i /= 2)
    v += tile.shfl_xor(v, i);
  return v;
}
__device__ int groupSum(cg::thread_block block, const cg::thread_block_tile<32>& tile, int v,
                        int* memory) {
  v = tileSum<32>(tile, v);
  if (tile.thread_rank() == 0)
    memory[block.thread_rank() / 32] = v;
  block.sync();
  int all = 0;
  for (int w = 0; w < THREADS / 32; ++w)
    all += memory[w];
  return all;
}
__global__ void groups(const int* in, int* out, int rows) {
  __shared__ int first[THREADS / 32], second[THREADS / 32];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    int v = in[row * THREADS + threadIdx.x];
    const int mean = groupSum(block, tile, v, first) / THREADS;
    v -= mean;
    const int spreadOf = groupSum(block, tile, abs(v), second);
    out[row * THREADS + threadIdx.x] = v * 1000 + spreadOf % 1000;
    block.sync();
  }
}

// Templates' kernels: functors, arguments that nobody writes, and instances with memory of their
// own.
struct Larger {
  __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};
struct Adder {
  __device__ int operator()(int a, int b) const { return a + b; }
};
template <int BLOCK, class Op> __device__ int allReduce(int v, Op op, int neutral) {
  static_assert(BLOCK % 32 == 0, "whole warps");
  __shared__ int part[BLOCK / 32];
  for (int m = 16; m >= 1; m >>= 1)
    v = op(v, __shfl_xor_sync(ALL, v, m));
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = v;
  __syncthreads();
  int r = neutral;
#pragma unroll
  for (int w = 0; w < BLOCK / 32; ++w)
    r = op(r, part[w]);
  __syncthreads();
  return r;
}
template <class Group, class T> __device__ T totalOf(const Group& group, T v) {
  for (int d = group.size() / 2; d > 0; d /= 2)
    v += group.shfl_down(v, d);
  return group.shfl(v, 0);
}
template <class Group> __device__ int ticket(const Group& group, int v) {
  __shared__ int count;
  if (v < 0 && threadIdx.x == 0)
    count = group.size();
  __syncthreads();
  if (threadIdx.x == 0 && v > 0)
    count += v;
  __syncthreads();
  v = count;
  __syncthreads();
  return v;
}
template <int BLOCK> __global__ void ranges(const int* in, int n, int* out) {
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  auto few = cg::tiled_partition<8>(block);
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  int v = i < n ? in[i] : 0;
  int high = v;
  high = allReduce<BLOCK>(high, Larger(), INT_MIN);
  int sum = v - high;
  sum = allReduce<BLOCK>(sum, Adder{}, 5);
  const int ofWarp = totalOf(warp, v);
  const long long ofFew = totalOf(few, (long long)v * v);
  int first = ticket(warp, -1);
  int second = ticket(few, -1);
  first = ticket(warp, 3);
  second = ticket(few, 50);
  if (i < n)
    out[i] = high + 2 * sum + 3 * ofWarp + int(ofFew % 1000) + first * 1000 + second * 100000;
}

static unsigned hashOf(const void* data, int words) {
  const unsigned* p = static_cast<const unsigned*>(data);
  unsigned hash = 2166136261u;
  for (int i = 0; i < words; ++i)
    hash = (hash ^ p[i]) * 16777619u;
  return hash;
}

int main() {
  static int in[N];
  unsigned x = 12345;
  for (int& v : in) {
    x = x * 1664525u + 1013904223u;
    v = int(x >> 21) - 700;
  }
  int *d, *out;
  Stats* stats;
  long long* wide;
  cudaMalloc(&d, sizeof in);
  cudaMalloc(&out, sizeof in * 2);
  cudaMalloc(&stats, 8 * sizeof(Stats));
  cudaMalloc(&wide, 64 * sizeof(long long));
  cudaMemcpy(d, in, sizeof in, cudaMemcpyHostToDevice);
  static int got[N * 2];
  const auto show = [&](const char* name, int count) {
    cudaMemcpy(got, out, count * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%s %d %d %d %08x\n", name, got[0], got[1], got[count - 1], hashOf(got, count));
    cudaMemset(out, 0, sizeof in * 2);
  };
  cudaMemset(out, 0, sizeof in * 2);
  for (int n : {N, 1000, 100, 1}) {
    reduceStats<<<3, THREADS>>>(d, n, stats);
    Stats s[3];
    cudaMemcpy(s, stats, sizeof s, cudaMemcpyDeviceToHost);
    for (const Stats& one : s)
      printf("stats %d: %d %d %lld %d\n", n, one.low, one.high, one.sum, one.odd);
  }
  for (int threads : {32, 64, 128}) {
    spread<<<5, threads>>>(d, out, 300);
    show("spread", N);
  }
  sums<64><<<4, 64>>>(d, 200, wide);
  sumsOfHalves<64><<<4, 64>>>(d, 200, wide);
  sums<128><<<2, 128>>>(d, 200, wide + 16);
  sumsOfHalves<128><<<2, 128>>>(d, 200, wide + 16);
  long long sumsOf[24];
  cudaMemcpy(sumsOf, wide, sizeof sumsOf, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 24; ++i)
    printf("%lld%c", sumsOf[i], i % 4 == 3 ? '\n' : ' ');
  countsOn<<<3, 96>>>(d, out);
  show("counts on", 288);
  countsOnOtherwise<<<3, 96>>>(d, out);
  show("by way of another", 288);
  countsOnInCondition<<<3, 96>>>(d, out);
  show("in a condition", 288);
  places<<<4, 32>>>(d, N, out);
  show("places", 256);
  places<<<4, 32>>>(d, 40, out);
  show("few places", 256);
  others<<<1, 32>>>(d, out, 7);
  show("others", 32);
  others<<<1, 32>>>(d, out, 0);
  show("guarded", 32);
  for (int threads : {1, 33, 100, 256}) {
    trees<<<8, threads, threads * sizeof(int)>>>(d, 777, out);
    show("trees", 777);
  }
  groups<<<4, THREADS>>>(d, out, 11);
  show("groups", 11 * THREADS);
  ranges<64><<<16, 64>>>(d, 1000, out);
  show("ranges", 1000);
  ranges<128><<<2, 128>>>(d, 150, out);
  show("ranges", 150);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(d);
  cudaFree(out);
  cudaFree(stats);
  cudaFree(wide);
  return 0;
}
