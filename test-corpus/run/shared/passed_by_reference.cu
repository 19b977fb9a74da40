// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions in which threads meet get shared arrays and structures by reference, or are the call
// operator of an object in shared memory.
#include <cstdio>

struct Map {
  unsigned a, b;
};
struct Compose {
  __device__ Map operator()(const Map& f, const Map& g) const {
    return {g.a * f.a, g.a * f.b + g.b};
  }
};

// An array, and a variable of each thread.
template <int N, class T, class Op>
__device__ T exclusive(T x, T (&rows)[2][N], Op op, T identity, T& total) {
  int now = 0;
  rows[0][threadIdx.x] = x;
  __syncthreads();
  for (int d = 1; d < N; d <<= 1) {
    T v = rows[now][threadIdx.x];
    if (threadIdx.x >= d)
      v = op(rows[now][threadIdx.x - d], v);
    now ^= 1;
    rows[now][threadIdx.x] = v;
    __syncthreads();
  }
  total = rows[now][N - 1];
  const T before = threadIdx.x > 0 ? rows[now][threadIdx.x - 1] : identity;
  __syncthreads();
  return before;
}
template <int N, class Op> __global__ void scan(const Map* in, Map* out, int n, Op op) {
  __shared__ Map rows[2][N];
  const Map id{1, 0};
  Map carry = id;
  for (int base = 0; base < n; base += N) {
    const int i = base + threadIdx.x;
    Map total;
    const Map before = exclusive<N>(i < n ? in[i] : id, rows, op, id, total);
    if (i < n)
      out[i] = op(carry, before);
    carry = op(carry, total);
  }
}

// A structure, passed on by another function; one of its members is a scalar that is read again
// behind a barrier.
template <class T, int N> struct Room {
  T slots[N];
  T total;
  int rounds;
};
template <class T, int N> __device__ void addAll(T x, Room<T, N>& room) {
  const int t = threadIdx.x;
  room.slots[t] = x;
  if (t == 0)
    room.total = 0;
  __syncthreads();
  const T before = room.total;
  for (int d = N / 2; d > 0; d /= 2) {
    if (t < d)
      room.slots[t] += room.slots[t + d];
    __syncthreads();
  }
  if (t == 0) {
    room.total = room.slots[0] + before;
    ++room.rounds;
  }
  __syncthreads();
}
template <class T, class Storage> __device__ T sumOf(T x, Storage& storage) {
  addAll(x, storage);
  const T sum = storage.total;
  __syncthreads();
  return sum + storage.rounds;
}
template <class T> __global__ void sums(T* out, int n) {
  __shared__ Room<T, 64> room;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    room.rounds = 0;
  __syncthreads();
  const T first = sumOf(T(i < n ? i : 0), room);
  const T second = sumOf(T(i % 7), room);
  if (i < n)
    out[i] = first * 3 + second;
}

// One array under two names, and one that is constant under one of them.
__device__ int turn(const int (&from)[48], int (&to)[48], int by) {
  const int t = threadIdx.x;
  const int own = from[(t + by) % 48];
  __syncthreads();
  to[t] = own;
  __syncthreads();
  return from[47 - t];
}
__global__ void turns(int* out) {
  __shared__ int a[48], b[48];
  const int t = threadIdx.x;
  a[t] = t * t + blockIdx.x;
  b[t] = 0;
  __syncthreads();
  int sum = turn(a, a, 5);
  __syncthreads();
  sum += 100 * turn(a, b, 3);
  __syncthreads();
  sum += 10000 * turn(b, a, blockIdx.x);
  out[blockIdx.x * 48 + t] = sum + a[0];
}

// Threads that have left; a condition that is one for the block.
__device__ int halve(int (&values)[32], int (&flag)[1]) {
  if (threadIdx.x == 0)
    flag[0] = values[0] % 3;
  __syncthreads();
  const int which = flag[0];
  __syncthreads();
  if (which == 1) {
    values[threadIdx.x] *= 2;
    __syncthreads();
  }
  return values[31 - threadIdx.x] + which;
}
__global__ void leave(int* out, int n) {
  __shared__ int values[32], flag[1];
  values[threadIdx.x] = blockIdx.x + threadIdx.x;
  __syncthreads();
  if (blockIdx.x * 32 + threadIdx.x >= n)
    return;
  out[blockIdx.x * 32 + threadIdx.x] = halve(values, flag);
}

// Parts of variables.
__device__ int row(int (&values)[32], int x) {
  values[threadIdx.x] = x;
  __syncthreads();
  const int y = values[31 - threadIdx.x];
  __syncthreads();
  return y;
}
struct Two {
  int left[32], right[32];
};
__device__ int both(Two& two, int x) { return row(two.left, x) - row(two.right, x * 2); }
__global__ void elements(int* out) {
  __shared__ int rows[2][32];
  __shared__ Two twos[2];
  int sum = row(rows[0], threadIdx.x * 3);
  sum += row(rows[1], threadIdx.x + 50) * 1000;
  sum += both(twos[1], threadIdx.x) + row(twos[0].right, 5);
  out[threadIdx.x] = sum + rows[0][threadIdx.x] + twos[1].left[threadIdx.x];
}

// Not shared memory alone: an array of each thread, elements by turns, a scalar, volatile.
template <int N> __device__ int mixAll(int (&values)[N], int by) {
  int sum = 0;
  for (int i = 0; i < N; ++i) {
    values[i] += by;
    sum += __shfl_xor_sync(~0u, values[i], 1 + i);
  }
  return sum;
}
__global__ void either(int* out) {
  __shared__ int all[4];
  if (threadIdx.x < 4)
    all[threadIdx.x] = 7 * threadIdx.x;
  __syncthreads();
  int own[4] = {int(threadIdx.x), 2, int(threadIdx.x * 3), 4};
  int sum = mixAll(own, 2);
  int copy[4] = {all[0], all[1], all[2], all[3]};
  sum += mixAll(copy, 3) * 1000;
  out[threadIdx.x] = sum + own[0] + copy[3];
}
__device__ int rowOf(int (&values)[32], int x) {
  values[threadIdx.x] = x;
  __syncthreads();
  const int y = values[31 - threadIdx.x];
  __syncthreads();
  return y;
}
__global__ void counted(int* out) {
  __shared__ int rows[3][32];
  int sum = 0;
  for (int i = 0; i < 3; ++i)
    sum = sum * 100 + rowOf(rows[i], threadIdx.x + i);
  out[threadIdx.x] = sum + rows[2][31 - threadIdx.x];
}
__device__ int count(int& counter, int x) {
  if (threadIdx.x == 0)
    counter = x;
  __syncthreads();
  const int seen = counter;
  __syncthreads();
  if (threadIdx.x == 5)
    counter = seen + x;
  __syncthreads();
  return counter * 10 + seen;
}
__global__ void scalars(int* out) {
  __shared__ int counter;
  out[threadIdx.x] = count(counter, threadIdx.x + 4);
}
__device__ int spin(volatile int (&values)[32], int x) {
  values[threadIdx.x] = x;
  __syncthreads();
  return values[threadIdx.x ^ 9];
}
__global__ void volatiles(int* out) {
  __shared__ volatile int values[32];
  out[threadIdx.x] = spin(values, threadIdx.x * 11);
}

// The call operator of an object: in shared memory, of each thread, and one that is a value.
template <int N, class T> struct Fold {
  T slots[N];
  __device__ T operator()(const T& mine) {
    const int t = threadIdx.x;
    slots[t] = mine;
    __syncthreads();
    for (int d = N / 2; d >= 1; d >>= 1) {
      if (t < d)
        slots[t] = slots[t] + slots[t + d];
      __syncthreads();
    }
    const T sum = slots[0];
    __syncthreads();
    return sum;
  }
};
template <class T> struct Warp {
  T factor;
  __device__ T operator()(T x) const {
    for (int d = 16; d > 0; d /= 2)
      x += __shfl_xor_sync(~0u, x, d) * factor;
    return x;
  }
};
template <class T> struct Tally {
  T sum;
  __device__ T operator()(T x) {
    sum += x;
    return __shfl_down_sync(~0u, sum, 1);
  }
};
template <int N, class T> __global__ void folds(T* out, T n) {
  __shared__ Fold<N, T> fold;
  const T i = blockIdx.x * N + threadIdx.x;
  T sum = 0;
  for (T k = 0; k < 3; ++k)
    sum += fold(i < n ? i * k : 1) * (k + 1);
  out[i] = sum;
}
template <class T> __global__ void ofValues(T* out, T n) {
  const Warp<T> warp{n};
  const Warp<T> ofThread{T(threadIdx.x % 3)};
  out[threadIdx.x] = warp(T(threadIdx.x)) * 3 + ofThread(2);
}
template <class T> __global__ void ofThreads(T* out) {
  Tally<T> tally{T(threadIdx.x)};
  T all = 0;
  for (int k = 0; k < 4; ++k)
    all = all * 10 + tally(k);
  out[threadIdx.x] = all + tally.sum;
}

unsigned digest(const void* data, size_t bytes) {
  unsigned h = 2166136261u;
  for (size_t i = 0; i < bytes; ++i)
    h = (h ^ static_cast<const unsigned char*>(data)[i]) * 16777619u;
  return h;
}

int main() {
  constexpr int most = 4096;
  int* out;
  cudaMallocManaged(&out, most * sizeof(int));
  const auto show = [&](const char* name, int n) {
    cudaDeviceSynchronize();
    std::printf("%s %d %d %d %08x\n", name, out[0], out[n / 2], out[n - 1],
                digest(out, n * sizeof(int)));
    for (int i = 0; i < most; ++i)
      out[i] = -1;
  };
  Map *in, *maps;
  cudaMallocManaged(&in, 500 * sizeof(Map));
  cudaMallocManaged(&maps, 500 * sizeof(Map));
  for (int n : {1, 63, 64, 65, 500}) {
    for (int i = 0; i < 500; ++i) {
      in[i] = {unsigned(i * 2 + 1), unsigned(i * 7 % 13)};
      maps[i] = {0, 0};
    }
    scan<64><<<1, 64>>>(in, maps, n, Compose{});
    cudaDeviceSynchronize();
    std::printf("scan %d: %u %u %08x\n", n, maps[n - 1].a, maps[n - 1].b,
                digest(maps, 500 * sizeof(Map)));
  }
  sums<<<4, 64>>>(out, 200);
  show("sums", 256);
  turns<<<3, 48>>>(out);
  show("turns", 144);
  leave<<<5, 32>>>(out, 100);
  show("leave", 160);
  either<<<1, 32>>>(out);
  show("either", 32);
  elements<<<1, 32>>>(out);
  show("elements", 32);
  counted<<<1, 32>>>(out);
  show("counted", 32);
  scalars<<<1, 32>>>(out);
  show("scalars", 32);
  volatiles<<<1, 32>>>(out);
  show("volatiles", 32);
  folds<64><<<3, 64>>>(out, 150);
  show("folds", 192);
  ofValues<<<1, 96>>>(out, 2);
  show("ofValues", 96);
  ofThreads<<<1, 64>>>(out);
  show("ofThreads", 64);
  cudaFree(out);
  cudaFree(in);
  cudaFree(maps);
}
