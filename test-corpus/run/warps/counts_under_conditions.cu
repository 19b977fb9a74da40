// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What threads count under conditions, alone and by a function that loads for them, what they add
// to one integer, votes of tiles that some lanes have left, and small shared arrays kept from step
// to step of a kernel's loop.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>

namespace cg = cooperative_groups;

constexpr int threads = 128, bytes = 1000;

__global__ void differences(const unsigned char* a, const unsigned char* b, int n, int* total,
                            int* most) {
  __shared__ int sum, greatest;
  if (threadIdx.x == 0) {
    sum = 5;
    greatest = 0;
  }
  __syncthreads();
  const uchar4* x = (const uchar4*)(a + bytes * blockIdx.x);
  const uchar4* y = (const uchar4*)(b + bytes * blockIdx.x);
  int count = 0;
  signed char last = -1;
  for (int i = threadIdx.x; i < n / 4; i += threads) {
    const uchar4 j = x[i], k = y[i];
    if (j.x ^ k.x)
      count++;
    if (j.y != k.y && j.z != k.z)
      count += 2;
    if (j.w > k.w || (j.w == k.w && i <= 7)) {
      --count;
      last = (signed char)i;
    }
  }
  atomicAdd(&sum, count);
  if (last > 20)
    atomicMax(&greatest, last);
  if (count & 1)
    atomicSub(&sum, 3);
  __syncthreads();
  if (threadIdx.x == 0) {
    total[blockIdx.x] = sum;
    most[blockIdx.x] = greatest;
  }
}

// Others store to a thread's element beside its own condition.
__global__ void marks(const int* in, int* out) {
  __shared__ int mark[threads];
  const int t = threadIdx.x;
  mark[t] = -t;
  __syncthreads();
  if (in[t] == 1)
    mark[t ^ 1] = 100 + t;
  if (in[t] == 2)
    mark[t] = 200 + t;
  __syncthreads();
  out[t] = mark[t];
}

struct Points {
  const float2* p;
  int n;
  __device__ bool near(float2 a, int j, float most) const {
    const float2 b = p[j];
    const float dx = a.x - b.x, dy = a.y - b.y;
    return dx * dx + dy * dy <= most;
  }
};

__global__ void degrees(Points points, float most, int* degree) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int warps = gridDim.x * tile.meta_group_size();
  for (int i = blockIdx.x * tile.meta_group_size() + tile.meta_group_rank(); i < points.n;
       i += warps) {
    const float2 me = points.p[i];
    int c = 0;
    for (int j = tile.thread_rank(); j < points.n; j += tile.size())
      if (points.near(me, j, most))
        c++;
    c = cg::reduce(tile, c, cg::plus<int>());
    if (tile.thread_rank() == 0)
      degree[i] = c;
  }
}

template <int size> __global__ void votes(Points points, float most, const int* degree, int* out) {
  auto tile = cg::tiled_partition<size>(cg::this_thread_block());
  const int lane = tile.thread_rank();
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) / size;
  if (i >= points.n || (degree[i] % 3 == 0 && lane > 5))
    return;
  const float2 me = points.p[i];
  const bool hit = lane < points.n && degree[lane] > 2 && points.near(me, lane, most);
  int bits = tile.any(hit) ? 1 : 0;
  // (what a tile's all() says where lanes have left is not defined)
  if (degree[i] % 3 != 0) {
    bits |= tile.all(hit || lane > 3) ? 2 : 0;
    bits |= int(tile.ballot(hit)) << 2;
  }
  if (lane == 0)
    out[i] = bits;
}

template <class Index> struct Rows {
  Index rows;
  const Index* begins;
  const float* values;
};

// The bounds of the last row are what the first lane finds before it stores the next.
template <unsigned vectors, class Index>
__global__ void rowSums(const Rows<Index> a, float* out, Index* before) {
  __shared__ volatile Index bounds[vectors][2];
  __shared__ Index steps[vectors];
  const unsigned lane = threadIdx.x % 32u, vec = threadIdx.x / 32u;
  const Index all = vectors * gridDim.x;
  for (Index row = blockIdx.x * vectors + vec; row < a.rows; row += all) {
    if (lane == 0) {
      const bool first = row < all;
      steps[vec] = first ? 1 : steps[vec] + 1;
      before[row] = first ? 7 : bounds[vec][1] + 1000 * steps[vec];
    }
    __syncwarp();
    if (lane < 2)
      bounds[vec][lane] = a.begins[row + lane];
    __syncwarp();
    const Index begin = bounds[vec][0], end = bounds[vec][1];
    __syncwarp();
    float sum = 0;
    for (Index j = begin + lane; j < end; j += 32u)
      sum += a.values[j];
    for (unsigned off = 16; off; off >>= 1)
      sum += __shfl_down_sync(0xffffffffu, sum, off);
    if (lane == 0)
      out[row] = sum;
  }
}

template <class T> T* managed(int n) {
  T* p = nullptr;
  cudaMallocManaged(&p, n * sizeof(T));
  return p;
}

template <class T> void show(const char* name, const T* values, int n) {
  unsigned long long hash = 7;
  for (int i = 0; i < n; ++i)
    hash = hash * 1000003 + (unsigned long long)(long long)values[i];
  std::printf("%s %llx:", name, hash);
  for (int i = 0; i < 6; ++i)
    std::printf(" %lld", (long long)values[i]);
  std::printf("\n");
}

int main() {
  const int blocks = 5, n = 300;
  unsigned char *a = managed<unsigned char>(blocks * bytes),
                *b = managed<unsigned char>(blocks * bytes);
  int *total = managed<int>(n), *most = managed<int>(n), *in = managed<int>(n);
  float2* p = managed<float2>(n);
  unsigned s = 1;
  for (int i = 0; i < blocks * bytes; ++i) {
    s = s * 1103515245u + 12345u;
    a[i] = (unsigned char)((s >> 16) % 3);
    b[i] = (unsigned char)((s >> 20) % 3 + (i / bytes) % 2);
  }
  for (int i = 0; i < n; ++i) {
    s = s * 1103515245u + 12345u;
    p[i] = make_float2((float)((s >> 12) % 64), (float)((s >> 20) % 64));
    in[i] = i % 2 ? 2 * ((s >> 16) % 2) : 0;
  }
  for (int i = 0; i < threads; i += 2) // one of two neighbours stores to the pair's second
    if (in[i + 1] == 0)
      in[i] = (p[i].x > 32) ? 1 : 0;

  dim3 size;
  size.x = threads;
  size.y = 1;
  dim3 grid;
  grid.x = blocks;
  differences<<<grid, size>>>(a, b, bytes, total, most);
  cudaDeviceSynchronize();
  for (int i = 0; i < blocks; ++i)
    std::printf("%d %d\n", total[i], most[i]);
  differences<<<blocks, threads>>>(a, b, 404, total, most);
  cudaDeviceSynchronize();
  for (int i = 0; i < blocks; ++i)
    std::printf("%d %d\n", total[i], most[i]);

  marks<<<1, size>>>(in, total);
  cudaDeviceSynchronize();
  show("marks", total, threads);

  const Points points{p, n};
  int* degree = managed<int>(n);
  degrees<<<7, 64>>>(points, 90.f, degree);
  cudaDeviceSynchronize();
  show("degrees", degree, n);
  votes<32><<<(n + 1) / 2, 64>>>(points, 900.f, degree, total);
  cudaDeviceSynchronize();
  show("votes of 32", total, n);
  votes<8><<<(n + 7) / 8, 64>>>(points, 900.f, degree, total);
  cudaDeviceSynchronize();
  show("votes of 8", total, n);

  unsigned *begins = managed<unsigned>(n + 1), *before = managed<unsigned>(n);
  float *values = managed<float>(n * 80), *sums = managed<float>(n);
  begins[0] = 0;
  for (int i = 0; i < n; ++i)
    begins[i + 1] = begins[i] + (i * 37) % 80;
  for (unsigned i = 0; i < begins[n]; ++i)
    values[i] = (float)(i % 13);
  rowSums<4><<<9, 128>>>(Rows<unsigned>{(unsigned)n, begins, values}, sums, before);
  cudaDeviceSynchronize();
  show("sums", sums, n);
  show("before", before, n);
}
