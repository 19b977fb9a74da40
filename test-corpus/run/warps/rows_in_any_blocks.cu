// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warps of the grid take a row each, in blocks of any size: where blocks are no whole warps, threads
// of one warp of a block work on different rows. No thread waits for its warp here, so that is legal.
#include <cstdio>

__global__ void rows(const int* in, int* out, int width, int count) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = thread & 31, row = thread >> 5;
  if (row >= count) return;
  for (int i = lane; i < width; i += 32) out[row * width + i] = in[row * width + i] * 2 + 1;
}
__global__ void several(const int* in, int* out, int width, int count) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int warps = gridDim.x * blockDim.x / 32;
  for (int row = thread / 32; row < count; row += warps)
    for (int i = thread % 32; i < width; i += 32) out[row * width + i] = in[row * width + i] * 3 + row;
}
__global__ void sums(const int* in, int* out, int width, int count) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = thread / 32, lane = thread - row * 32;
  if (row >= count) return;
  int s = 0;
  for (int i = lane; i < width; i += 32) s += in[row * width + i];
  atomicAdd(out + row, s);
}
__global__ void csr(const int* begin, const int* in, int* out, int count) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = thread / 32;
  if (row < count) {
    int s = 0;
    for (int i = begin[row] + thread % 32; i < begin[row + 1]; i += 32) s += in[i];
    if (s) atomicAdd(&out[row], s);
  }
}
__global__ void plane(const int* in, int* out, int width, int count) {
  const int rank = threadIdx.y * blockDim.x + threadIdx.x;
  const int thread = blockIdx.x * blockDim.x * blockDim.y + rank;
  const int row = thread >> 5;
  if (row >= count) return;
  for (int i = thread & 31; i < width; i += 32) out[row * width + i] = in[row * width + i] * 5 - 1;
}
__global__ void planeX(const int* in, int* out, int width, int count) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  const int part = threadIdx.x / 32;
  if (row >= count) return;
  for (int i = part * 32 + threadIdx.x % 32; i < width; i += blockDim.x) out[row * width + i] = in[row * width + i] + part;
}
__global__ void shared(const int* in, int* out, int width, int count) {
  __shared__ int s[128];
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = thread / 32, lane = thread % 32;
  int v = 0;
  if (row < count)
    for (int i = lane; i < width; i += 32) v += in[row * width + i] + i;
  s[threadIdx.x] = v;
  __syncthreads();
  int n = 0;
  if (row < count)
    for (int i = lane; i < width; i += 32) n += i ^ row;
  n += s[blockDim.x - 1 - threadIdx.x];
  if (row < count) atomicAdd(out + row, n);
}
__global__ void early(const int* in, int* out, int width, int count) {
  __shared__ int s[128];
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = thread / 32, lane = thread % 32;
  if (row >= count) return;
  int v = 0;
  for (int i = lane; i < width; i += 32) v += in[row * width + i];
  s[threadIdx.x] = v;
  __syncthreads();
  for (int i = lane; i < width; i += 32) out[row * width + i] = s[threadIdx.x] + row;
}
__global__ void sized(const int* in, int* out, int width, int count) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = thread & 31, row = thread >> 5;
  if (row >= count) return;
  for (int i = lane; i < width; i += 32) {
    int v = in[row * width + i] + 1, k = 0;
    while (v != 1 && k < 500) {
      v = v & 1 ? 3 * v + 1 : v / 2;
      ++k;
    }
    out[row * width + i] = k;
  }
}

const int width = 100, count = 37, n = width * count;
int *in, *out, *begin;

void show(const char* name, int x, int y) {
  const cudaError_t error = cudaDeviceSynchronize();
  long long sum = 0;
  for (int i = 0; i < n; ++i) sum += (long long)out[i] * (i % 13 + 1);
  std::printf("%s %dx%d: %lld %s\n", name, x, y, sum, cudaGetErrorName(error));
  cudaMemset(out, 0, n * sizeof(int));
  cudaDeviceSynchronize();
}

int main() {
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  cudaMallocManaged(&begin, (count + 1) * sizeof(int));
  for (int i = 0; i < n; ++i) in[i] = i * 7 % 1001, out[i] = 0;
  for (int i = 0; i <= count; ++i) begin[i] = i * i;
  for (int size : {32, 48, 64, 80, 100, 20, 16, 24, 40, 7, 1, 128}) {
    const int blocks = (count * 32 + size - 1) / size;
    rows<<<blocks, size>>>(in, out, width, count);
    show("rows", size, 1);
    several<<<(8 * 32 + size - 1) / size * 2, size>>>(in, out, width, count);
    show("several", size, 1);
    sums<<<blocks, size>>>(in, out, width, count);
    show("sums", size, 1);
    csr<<<blocks, size>>>(begin, in, out, count);
    show("csr", size, 1);
    shared<<<blocks, size>>>(in, out, width, count);
    show("shared", size, 1);
    early<<<blocks, size>>>(in, out, width, count);
    show("early", size, 1);
  }
  for (dim3 size : {dim3(32, 2), dim3(24, 2), dim3(48, 2), dim3(16, 4), dim3(8, 3), dim3(40, 3)}) {
    const int threads = size.x * size.y;
    plane<<<(count * 32 + threads - 1) / threads, size>>>(in, out, width, count);
    show("plane", size.x, size.y);
    planeX<<<(count + size.y - 1) / size.y, size>>>(in, out, width, count);
    show("planeX", size.x, size.y);
  }
  sized<<<(count * 32 + 47) / 48, 48>>>(in, out, width, count);
  show("sized", 48, 1);
  cudaFree(in);
  cudaFree(out);
  cudaFree(begin);
}
