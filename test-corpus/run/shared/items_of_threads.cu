// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that count the elements by which they fill shared memory: as many as the block has
// threads apart, fewer and more, in blocks of one and two dimensions, with counts that fill no
// rows, guards on the element itself, unsigned and long places, and a policy class that all
// instances of a template are given.
#include <cstdio>

template <int ROWS_, int COLUMNS_, int THREADS_> struct Policy {
  static constexpr int Rows = ROWS_, Columns = COLUMNS_, Threads = THREADS_;
  static constexpr int Items = Rows * Columns / Threads;
};
struct Twice {
  int add;
  __device__ int operator()(int x) const { return 2 * x + add; }
};

template <class P, class Change>
__global__ void turned(const int* in, int* out, int height, int width, Change change) {
  __shared__ int tile[P::Columns][P::Rows + 1];
  const int tid = threadIdx.x;
  const int row0 = blockIdx.y * P::Rows, column0 = blockIdx.x * P::Columns;
#pragma unroll
  for (int l = 0; l < P::Items; ++l) {
    const int e = tid + l * P::Threads;
    const int r = row0 + e / P::Columns, c = column0 + e % P::Columns;
    tile[e % P::Columns][e / P::Columns] = r < height && c < width ? in[r * width + c] : -1;
  }
  __syncthreads();
#pragma unroll
  for (int l = 0; l < P::Items; ++l) {
    const int e = tid + l * P::Threads;
    const int c = column0 + e / P::Rows, r = row0 + e % P::Rows;
    if (r < height && c < width)
      out[c * height + r] = change(tile[e / P::Rows][e % P::Rows]);
  }
}

// Blocks of other sizes than the distance: some elements are stored by several threads, or none.
__global__ void others(const int* in, int* out, int items, int distance, int limit) {
  __shared__ int tile[40][24];
  const int tid = threadIdx.y * blockDim.x + threadIdx.x;
  for (int l = 0; l < 4; ++l) {
    const int e = tid + l * 240;
    tile[e / 24][e % 24] = 7;
  }
  __syncthreads();
  for (int l = 0; l < items; ++l) {
    const unsigned e = threadIdx.x + distance * l;
    const unsigned r = e / 24u;
    if (e < unsigned(limit) && r < 40)
      tile[r][e % 24u] = in[e] + e;
  }
  __syncthreads();
  for (long l = 0; l < 4; ++l) {
    const long e = l * 240 + tid;
    out[blockIdx.x * 960 + e] = tile[e / 24][e % 24];
  }
}

// What is not such a loop: the counter is used by itself, and places that threads share.
__global__ void near(const int* in, int* out) {
  __shared__ int tile[8][32], all[32];
  const int tid = threadIdx.x;
  for (int l = 0; l < 4; ++l) {
    const int e = tid + l * 64;
    tile[e / 32][e % 32] = in[e] + l;
  }
  for (int l = 0; l < 4; ++l) {
    const int e = tid / 64 + l * 64;
    if (e % 32 == 0)
      all[e / 32] = e;
  }
  __syncthreads();
  for (int l = 1; l < 4; ++l) {
    const int e = tid + l * 64;
    tile[e / 32][e % 32] += all[e / 32 / 2 * 2];
  }
  __syncthreads();
  for (int l = 0; l < 4; ++l)
    out[tid + l * 64] = tile[(tid + l * 64) / 32][(tid + l * 64) % 32];
}

static void print(const char* name, const int* out, int n) {
  long long sum = 0;
  for (int i = 0; i < n; ++i)
    sum += (long long)out[i] * (i % 89 + 1);
  printf("%s: %lld, %d %d %d\n", name, sum, out[0], out[n / 2], out[n - 1]);
}

int main() {
  const int height = 75, width = 101, n = height * width;
  int *in, *out;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  for (int i = 0; i < n; ++i)
    in[i] = i * 31 % 977;
  using Tile = Policy<32, 64, 256>;
  turned<Tile><<<dim3(2, 3), Tile::Threads>>>(in, out, height, width, Twice{3});
  cudaDeviceSynchronize();
  print("turned", out, n);
  struct {
    dim3 block;
    int items, distance, limit;
  } const cases[] = {{dim3(240), 4, 240, 960}, {dim3(240), 4, 240, 901}, {dim3(120, 2), 8, 120, 960},
                     {dim3(240), 3, 200, 960}, {dim3(60, 4), 16, 60, 950}, {dim3(24, 10), 5, 24, 960},
                     {dim3(240), 0, 240, 960}, {dim3(48, 5), 7, 100, 700}};
  for (const auto& one : cases) {
    cudaMemset(out, 0, n * sizeof(int));
    others<<<2, one.block>>>(in, out, one.items, one.distance, one.limit);
    cudaDeviceSynchronize();
    print("others", out, 2 * 960);
  }
  near<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  print("near", out, 256);
}
