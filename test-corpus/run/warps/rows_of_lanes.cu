// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays that each lane keeps while its warp meets: of numbers and of structures, in templates whose
// parameters give their size, in blocks of odd sizes and with lanes that have returned; and arrays
// that must stay as they are, because a pointer, a function or a lane's own index reaches them.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

__device__ int sumOfWarp(int v, unsigned mask = 0xffffffffu) {
#pragma unroll
  for (int offset = 16; offset > 0; offset >>= 1)
    v += __shfl_xor_sync(mask, v, offset);
  return v;
}

template <typename Group> __device__ int sumOfGroup(const Group& g, int v) {
  for (int m = g.size() / 2; m > 0; m >>= 1)
    v += g.shfl_xor(v, m);
  return v;
}

// With tiles of two sizes.
template <typename Group> __device__ int lastOfGroup(Group g, int v) {
  const unsigned last = g.num_threads() - 1;
  for (unsigned m = 1; m < g.size(); m *= 2)
    v = max(v, g.shfl_xor(v, m));
  return g.shfl(v, last) * 100 + int(g.thread_rank());
}

template <int Width, int Rows> __global__ void centred(const int* in, int* out, int rows) {
  constexpr int each = Width / 32;
  const int lane = threadIdx.x;
  const int row = blockIdx.x * Rows + threadIdx.y;
  if (row >= rows)
    return;
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int v[each], sum = 0, most = -1000;
#pragma unroll
  for (int i = 0; i < each; ++i) {
    v[i] = in[row * Width + lane + 32 * i];
    most = max(most, v[i]);
    sum += v[i];
  }
  const int mean = sumOfGroup(warp, sum) / Width;
  int odd = 0;
#pragma unroll
  for (int i = 0; i < each; ++i) {
    v[i] -= mean;
    odd += v[i] & 1;
  }
  odd = sumOfGroup(warp, odd);
  most = lastOfGroup(warp, most);
#pragma unroll
  for (int i = 0; i < each; ++i)
    out[row * Width + lane + 32 * i] = v[i] * odd + most;
}

struct Pair {
  int a;
  float b;
};
struct Made {
  int a, b;
  __device__ Made(int x, int y) : a(x), b(y) {}
  __device__ Made() {}
};

template <int Count> __global__ void structures(const int4* in, int4* out, Pair* pairs, int n) {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  int4 v[Count];
  Pair p[2][3];
  int sum = 0;
  for (int k = 0; k < Count; ++k) {
    v[k] = in[(warp * Count + k) * 32 + lane];
    sum += v[k].x + v[k].y - v[k].z;
    v[k].w = lane - v[k].w;
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) {
      p[i][j].a = lane * i + j;
      p[i][j].b = 0.5f * lane - j;
    }
  sum = sumOfWarp(sum);
  for (int k = 0; k < Count; ++k) {
    v[k].x += sum;
    v[k].y ^= k;
  }
  const Pair moved = p[1][2];
  p[0][1] = moved;
  sum = sumOfWarp(v[0].x);
  for (int k = 0; k < Count; ++k) {
    const int4 old = v[k];
    v[k].z = old.x + sum;
    out[(warp * Count + k) * 32 + lane] = v[k];
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      pairs[(warp * 6 + i * 3 + j) * 32 + lane] = p[i][j];
}

// Lanes that have returned keep nothing; the others meet without them.
__global__ void someReturn(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v[4];
  for (int k = 0; k < 4; ++k)
    v[k] = i < n ? in[(i + k) % n] * 0.25 : -1;
  const unsigned mask = __ballot_sync(0xffffffffu, i < n && i % 5 != 3);
  if (i >= n || i % 5 == 3)
    return;
  const int first = __shfl_sync(mask, in[i], __ffs(mask) - 1);
  double sum = 0;
  for (int k = 0; k < 4; ++k) {
    v[k] += first;
    sum += v[k] * (k + 1);
  }
  out[i] = int(sum) + __popc(__ballot_sync(mask, sum > 20));
}

__device__ int lastOf(const int* values, int count) { return values[count - 1]; }
__device__ void raise(int& value) { value += 7; }

// None of these arrays is reached element by element alone.
__global__ void asTheyAre(const int* in, int* out) {
  const int lane = threadIdx.x % 32, i = blockIdx.x * blockDim.x + threadIdx.x;
  int passed[4], pointed[4], chosen[4], raised[2], many[40];
  int4 wide[2];
  Made made[2];
  for (int k = 0; k < 4; ++k) {
    passed[k] = in[i] + k;
    pointed[k] = in[i] * k;
    chosen[k] = in[i] - k;
  }
  for (int k = 0; k < 40; ++k)
    many[k] = in[i] * 3 + k;
  for (int k = 0; k < 2; ++k) {
    raised[k] = k;
    wide[k] = make_int4(lane, k, in[i], 3);
    made[k] = Made(lane, k + in[i]);
  }
  int sum = sumOfWarp(in[i]);
  int* const at = &pointed[1];
  at[1] += sum;
  raise(raised[1]);
  reinterpret_cast<int*>(&wide[0])[2] += sum;
  chosen[lane & 3] += sum;
  for (int k = 0; k < 40; ++k)
    many[k] ^= sum;
  sum = sumOfWarp(chosen[(lane >> 1) & 3]);
  int all = 0;
  for (int k = 0; k < 40; ++k)
    all = all * 3 + many[k];
  out[i] = sum + lastOf(passed, 4) + pointed[2] + raised[1] * 5 + wide[0].z + wide[1].y + all % 1000 +
           made[1].a * 3 + made[1].b;
}

// The same between barriers of the block and in a function of the warp.
__device__ int turned(int value, int rounds) {
  int kept[3];
  for (int k = 0; k < 3; ++k)
    kept[k] = value + k;
  for (int r = 0; r < rounds; ++r) {
    const int next = __shfl_sync(0xffffffffu, kept[r % 3 == 0 ? 0 : 2], (threadIdx.x + 1) % 32);
    for (int k = 0; k < 3; ++k)
      kept[k] += next * (k + 1);
  }
  return kept[0] ^ kept[1] ^ kept[2];
}
__global__ void mixed(const int2* in, int* out) {
  __shared__ int sums[4];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int2 v[3];
  int sum = 0;
  for (int k = 0; k < 3; ++k) {
    v[k] = in[(i + k) % (gridDim.x * blockDim.x)];
    sum += v[k].x * v[k].y;
  }
  sum = sumOfWarp(sum);
  if (threadIdx.x % 32 == 0)
    sums[threadIdx.x / 32] = sum;
  __syncthreads();
  for (int k = 0; k < 3; ++k)
    v[k].y += sums[(threadIdx.x / 32 + 1) % (blockDim.x / 32)];
  out[i] = turned(v[0].x + v[1].y - v[2].y, 4);
}

unsigned hashOf(const void* data, size_t bytes) {
  unsigned hash = 2166136261u;
  for (size_t i = 0; i < bytes; ++i)
    hash = (hash ^ static_cast<const unsigned char*>(data)[i]) * 16777619u;
  return hash;
}

int main() {
  constexpr int count = 1 << 15;
  int *in, *out;
  Pair* pairs;
  cudaMallocManaged(&in, count * sizeof(int));
  cudaMallocManaged(&out, count * sizeof(int));
  cudaMallocManaged(&pairs, count * sizeof(Pair));
  const auto start = [&] {
    for (int i = 0; i < count; ++i) {
      in[i] = (i * 7919 + 13) % 211 - 100;
      out[i] = 0;
    }
  };
  const auto show = [&](const char* name) {
    const cudaError_t error = cudaDeviceSynchronize();
    printf("%s: %s %08x\n", name, cudaGetErrorName(error), hashOf(out, count * sizeof(int)));
    start();
  };
  start();
  for (int rows : {1, 7, 64}) {
    centred<96, 4><<<(rows + 3) / 4, dim3(32, 4)>>>(in, out, rows);
    show("centred 96");
    centred<256, 3><<<(rows + 2) / 3, dim3(32, 3)>>>(in, out, rows);
    show("centred 256");
    centred<32, 1><<<rows, 32>>>(in, out, rows);
    show("centred 32");
  }
  structures<3><<<5, 96>>>(reinterpret_cast<int4*>(in), reinterpret_cast<int4*>(out), pairs, 0);
  show("structures 3");
  printf("pairs %08x\n", hashOf(pairs, 5 * 96 * 6 * sizeof(Pair)));
  structures<6><<<2, 64>>>(reinterpret_cast<int4*>(in), reinterpret_cast<int4*>(out), pairs, 0);
  show("structures 6");
  for (int n : {1, 33, 100, 1000}) {
    someReturn<<<(n + 63) / 64, 64>>>(in, out, n);
    show("some return");
  }
  someReturn<<<3, 32>>>(in, out, 96);
  show("some return");
  asTheyAre<<<7, 64>>>(in, out);
  show("as they are");
  mixed<<<9, 128>>>(reinterpret_cast<int2*>(in), out);
  show("mixed");
  mixed<<<3, 32>>>(reinterpret_cast<int2*>(in), out);
  show("mixed");
  cudaFree(in);
  cudaFree(out);
  cudaFree(pairs);
}
