// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Guards on a thread's place (`i < n`) between the votes and shuffles of warps: they hold for whole
// warps, for a part of one, or for none. Flags are bytes.
#include <cstdio>
#include <vector>

__global__ void flags(const int* in, int n, unsigned char* flag, int* counts) {
  __shared__ int count;
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool keep = false;
  if (i < n) {
    keep = in[i] % 3 == 0 && in[i] > 40;
    flag[i] = keep;
  }
  const unsigned votes = __ballot_sync(0xffffffffu, keep);
  if ((threadIdx.x & 31) == 0 && votes)
    atomicAdd(&count, __popc(votes));
  __syncthreads();
  if (threadIdx.x == 0)
    counts[blockIdx.x] = count;
}

__global__ void pack(const int* in, const unsigned char* flag, const int* offsets, int n,
                     int* out) {
  __shared__ int begin[4];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32,
            warp = threadIdx.x / 32;
  const int f = i < n ? flag[i] : 0;
  const unsigned votes = __ballot_sync(0xffffffffu, f);
  if (lane == 0)
    begin[warp] = __popc(votes);
  __syncthreads();
  if (threadIdx.x == 0) {
    int run = 0;
    for (int w = 0; w < 4; ++w) {
      const int own = begin[w];
      begin[w] = run;
      run += own;
    }
  }
  __syncthreads();
  if (!f)
    return;
  out[offsets[blockIdx.x] + begin[warp] + __popc(votes & ((1u << lane) - 1))] = in[i];
}

// A lower bound, places that wrap around, values that only some lanes change, and what is stored
// for the others as well.
template <class T> __global__ void between(const T* in, T* out, unsigned low, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x - 3;
  T v = 1;
  if (i >= low && i < n)
    v = in[i];
  for (int d = 1; d < 32; d *= 2) {
    const T other = __shfl_xor_sync(0xffffffffu, v, d);
    if (i < n)
      v += other;
  }
  if (i < n)
    out[i] = v;
  else
    out[n + threadIdx.x] = T(v + 1);
}

// Rows of 16 threads: warps of two rows.
__global__ void rows(const int* in, int* out, int width, int height) {
  const int x = blockIdx.x * 16 + threadIdx.x, y = threadIdx.y;
  int v = x < width && y < height ? in[y * width + x] : -1;
  v += __shfl_down_sync(0xffffffffu, v, 1);
  if (x < width && y < height)
    out[y * width + x] = v;
}

template <class T> static void show(const std::vector<T>& values) {
  unsigned long long hash = 14695981039346656037ull;
  for (T v : values)
    hash = (hash ^ static_cast<unsigned>(v)) * 1099511628211ull;
  std::printf(" %016llx", hash);
}

template <class T> static std::vector<T> fetch(const T* from, int count) {
  std::vector<T> out(count);
  cudaMemcpy(out.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost);
  return out;
}

int main() {
  const int room = 1024;
  std::vector<int> host(room);
  std::vector<unsigned char> bytes(room);
  for (int i = 0; i < room; ++i) {
    host[i] = (i * 7919 + 13) % 307;
    bytes[i] = static_cast<unsigned char>(host[i]);
  }
  int *in, *out, *counts;
  unsigned char *flag, *small;
  cudaMalloc(&in, room * sizeof(int));
  cudaMalloc(&out, room * sizeof(int));
  cudaMalloc(&counts, 16 * sizeof(int));
  cudaMalloc(&flag, room);
  cudaMalloc(&small, room);
  cudaMemcpy(in, host.data(), room * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(small, bytes.data(), room, cudaMemcpyHostToDevice);
  for (int n : {1, 31, 32, 33, 95, 128, 129, 160, 200, 255, 256, 300}) {
    std::printf("n = %d:", n);
    const int blocks = (n + 127) / 128;
    cudaMemset(out, 0, room * sizeof(int));
    cudaMemset(flag, 9, room);
    flags<<<blocks, 128>>>(in, n, flag, counts);
    cudaDeviceSynchronize();
    show(fetch(flag, room));
    std::vector<int> count = fetch(counts, blocks);
    show(count);
    int run = 0;
    for (int& c : count) {
      const int own = c;
      c = run;
      run += own;
    }
    cudaMemcpy(counts, count.data(), blocks * sizeof(int), cudaMemcpyHostToDevice);
    pack<<<blocks, 128>>>(in, flag, counts, n, out);
    cudaDeviceSynchronize();
    show(fetch(out, room));
    cudaMemset(out, 0, room * sizeof(int));
    between<int><<<1, 128>>>(in, out, 5u, unsigned(n));
    cudaDeviceSynchronize();
    show(fetch(out, room));
    cudaMemset(flag, 9, room);
    between<unsigned char><<<1, 128>>>(small, flag, 40u, unsigned(n));
    cudaDeviceSynchronize();
    show(fetch(flag, room));
    rows<<<(n / 4 + 16) / 16, dim3(16, 4)>>>(in, out, n / 4, 3);
    cudaDeviceSynchronize();
    show(fetch(out, room));
    std::printf("\n");
  }
  cudaFree(in);
  cudaFree(out);
  cudaFree(counts);
  cudaFree(flag);
  cudaFree(small);
  return 0;
}
