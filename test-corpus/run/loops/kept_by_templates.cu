// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of a block keep small arrays across barriers, in kernels whose template gives the block's
// size: launched by templates with sizes of their own, by dim3, and with blocks of other sizes. The
// items of each thread end anywhere, and what is done outside of a guard is done there too.
#include <cstdio>
#include <cuda_runtime.h>

struct Model {
  int up, low, high;
};

// Two halves of shared memory change places.
template <int STEPS, int THREADS>
__global__ void __launch_bounds__(THREADS) lattice(const Model* models, int* out) {
  constexpr int NODES = STEPS + 1;
  constexpr int PER = (NODES + THREADS - 1) / THREADS;
  extern __shared__ int levels[];
  int *now = levels, *next = levels + NODES;
  const Model m = models[blockIdx.x];
  int kept[PER];
#pragma unroll
  for (int q = 0; q < PER; ++q) {
    const int j = threadIdx.x + q * THREADS;
    kept[q] = m.low * j;
    if (j < NODES)
      now[j] = kept[q] % 101;
  }
  __syncthreads();
  for (int level = STEPS - 1; level >= 0; --level) {
#pragma unroll
    for (int q = 0; q < PER; ++q) {
      const int j = threadIdx.x + q * THREADS;
      kept[q] = (kept[q] + m.up) % 1000;
      if (j <= level)
        next[j] = (m.high * now[j + 1] + m.low * now[j] + kept[q]) % 1009;
    }
    __syncthreads();
    int* other = now;
    now = next;
    next = other;
  }
  int sum = 0;
  for (int q = 0; q < PER; ++q)
    sum += kept[q] * (q + 1);
  atomicAdd(&out[2 * blockIdx.x], sum);
  if (threadIdx.x == 0)
    out[2 * blockIdx.x + 1] = now[0];
}

template <int STEPS, int THREADS> void runLattice(const Model* models, int* out) {
  cudaMemset(out, 0, 6 * sizeof(int));
  lattice<STEPS, THREADS><<<3, THREADS, 2 * (STEPS + 1) * sizeof(int)>>>(models, out);
  int host[6];
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("lattice %d %d: %d %d %d %d %d %d\n", STEPS, THREADS, host[0], host[1], host[2], host[3],
         host[4], host[5]);
}

template <int THREADS> __device__ int blockSum(int v) {
  __shared__ int part[THREADS / 32];
  for (int mask = 16; mask > 0; mask >>= 1)
    v += __shfl_xor_sync(0xffffffffu, v, mask);
  __syncthreads();
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = v;
  __syncthreads();
  int total = 0;
  for (int w = 0; w < THREADS / 32; ++w)
    total += part[w];
  return total;
}

// Structures of four, in rows that end within a block, within a warp, and at their ends.
template <int COLS, int THREADS>
__global__ void __launch_bounds__(THREADS) rows(const int4* in, int4* out) {
  constexpr int VEC = COLS / 4;
  constexpr int PER = (VEC + THREADS - 1) / THREADS;
  const size_t base = (size_t)blockIdx.x * VEC;
  int4 v[PER];
  int s = 0;
#pragma unroll
  for (int q = 0; q < PER; ++q) {
    const int i = threadIdx.x + q * THREADS;
    v[q] = make_int4(1, 2, 3, 4);
    if (i < VEC) {
      const int4 a = in[base + i];
      v[q] = make_int4(a.x + 1, a.y, a.z, a.w);
      s += (v[q].x + v[q].y) + (v[q].z + v[q].w);
    }
  }
  const int mean = blockSum<THREADS>(s) / COLS;
  int ss = 0;
#pragma unroll
  for (int q = 0; q < PER; ++q)
    if (threadIdx.x + q * THREADS < VEC) {
      v[q].x -= mean;
      v[q].w -= mean;
      ss += v[q].x * v[q].x + v[q].w * v[q].w;
    } else {
      ss += v[q].y;
    }
  const int spread = blockSum<THREADS>(ss) / COLS;
#pragma unroll
  for (int q = 0; q < PER; ++q) {
    const int i = threadIdx.x + q * THREADS;
    if (i < VEC)
      out[base + i] = make_int4(v[q].x + spread, v[q].y, v[q].z, v[q].w - spread);
  }
}

int values[3 * 4096];

template <int COLS, int THREADS> void runRows(int* in, int* out) {
  cudaMemset(out, 0, 3 * COLS * sizeof(int));
  rows<COLS, THREADS><<<3, dim3(THREADS)>>>((int4*)in, (int4*)out);
  cudaMemcpy(values, out, 3 * COLS * sizeof(int), cudaMemcpyDeviceToHost);
  unsigned sum = 0;
  for (int i = 0; i < 3 * COLS; ++i)
    sum = sum * 31 + (unsigned)values[i];
  printf("rows %d %d: %u\n", COLS, THREADS, sum);
}

// Blocks of two dimensions, one of which is a parameter; and blocks of another size.
template <int WIDTH, int ROWS> __global__ void grid(int* out, int n, int low) {
  __shared__ int s[ROWS * WIDTH];
  const int x = threadIdx.x, y = threadIdx.y;
  int kept[2] = {x, y};
  s[y * blockDim.x + x] = x * y;
  __syncthreads();
  for (int step = 0; step < 3; ++step) {
    kept[0] += step;
    if (x >= low + step)
      kept[1] += s[y * blockDim.x + blockDim.x - 1 - x];
    __syncthreads();
  }
  if (y * blockDim.x + x < n)
    out[y * blockDim.x + x] = kept[0] * 100 + kept[1];
}

template <int WIDTH, int ROWS> void runGrid(int* out, dim3 other, int n, int low) {
  const dim3 block(WIDTH, ROWS);
  for (int i = 0; i < 2; ++i) {
    cudaMemset(out, 0, WIDTH * ROWS * sizeof(int));
    if (i == 0)
      grid<WIDTH, ROWS><<<1, block>>>(out, n, low);
    else
      grid<WIDTH, ROWS><<<1, other>>>(out, n, low);
    cudaMemcpy(values, out, WIDTH * ROWS * sizeof(int), cudaMemcpyDeviceToHost);
    unsigned sum = 0;
    for (int k = 0; k < WIDTH * ROWS; ++k)
      sum = sum * 31 + (unsigned)values[k];
    printf("grid %d %d: %u\n", WIDTH, ROWS, sum);
  }
}

int main() {
  const Model models[3] = {{7, 3, 5}, {1, 2, 8}, {500, 9, 4}};
  Model* deviceModels;
  int *in, *out;
  cudaMalloc(&deviceModels, sizeof models);
  cudaMemcpy(deviceModels, models, sizeof models, cudaMemcpyHostToDevice);
  cudaMalloc(&in, sizeof values);
  cudaMalloc(&out, sizeof values);
  for (int i = 0; i < 3 * 4096; ++i)
    values[i] = i * 37 % 101 - 50;
  cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);

  runLattice<500, 128>(deviceModels, out);
  runLattice<511, 128>(deviceModels, out);
  runLattice<37, 64>(deviceModels, out);
  runLattice<1, 32>(deviceModels, out);
  runLattice<200, 48>(deviceModels, out);
  runRows<1280, 192>(in, out);
  runRows<1024, 256>(in, out);
  runRows<1028, 128>(in, out);
  runRows<4096, 96>(in, out);
  runRows<64, 64>(in, out);
  runGrid<32, 4>(out, dim3(16, 4), 100, 5);
  runGrid<64, 4>(out, dim3(10, 3), 256, 0);
  runGrid<128, 4>(out, dim3(128, 4), 500, 127);
  cudaFree(deviceModels);
  cudaFree(in);
  cudaFree(out);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
