// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places kept within a picture by min() and max(), of one and of both, in variables and in indices,
// signed and unsigned, under branches, in blocks at the borders and in the middle, and in rows of
// 32, 64 and 24 threads.
#include <cstdio>

template <int wide, int high> __global__ void blur(const int* in, int* out, int width, int height) {
  __shared__ int tile[high][wide];
  const int x = blockIdx.x * wide + threadIdx.x, y = blockIdx.y * high + threadIdx.y;
  const int cx = min(x, width - 1), cy = min(y, height - 1);
  tile[threadIdx.y][threadIdx.x] = in[cy * width + cx];
  __syncthreads();
  const int left = max(int(threadIdx.x) - 1, 0);
  const int right = min(int(threadIdx.x) + 1, wide - 1);
  const int sum = tile[threadIdx.y][left] + 2 * tile[threadIdx.y][threadIdx.x] -
                  3 * tile[threadIdx.y][right] +
                  in[cy * width + min(max(x - 2, 0), width - 1)] * 5 +
                  in[cy * width + max(min(width - 1, 3 + x), 0)];
  __syncthreads();
  if (x < width && y < height)
    out[y * width + x] = sum + cx;
}

__global__ void edges(const unsigned* in, unsigned* out, unsigned n) {
  __shared__ unsigned row[64];
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  const unsigned last = min(i, n - 1);
  row[threadIdx.x] = in[last] + min(i, 100u);
  __syncthreads();
  unsigned sum = 0;
  if (threadIdx.x & 1)
    sum = row[min(threadIdx.x + 5, 63u)] * 3;
  else
    sum = row[max(threadIdx.x, 5u) - 5];
  sum += max(i, 7u) + 10 * min(2 * threadIdx.x, 31u);
  __syncthreads();
  out[i] = sum;
}

template <class Word> unsigned hash(const Word* values, int count) {
  unsigned h = 2166136261u;
  for (int i = 0; i < count; ++i)
    h = (h ^ static_cast<unsigned>(values[i])) * 16777619u;
  return h;
}

int main() {
  constexpr int width = 150, height = 37;
  int *in, *out;
  cudaMallocManaged(&in, width * height * sizeof(int));
  cudaMallocManaged(&out, width * height * sizeof(int));
  for (int i = 0; i < width * height; ++i)
    in[i] = i * 7919 % 1009;
  blur<32, 8><<<dim3(5, 5), dim3(32, 8)>>>(in, out, width, height);
  cudaDeviceSynchronize();
  std::printf("32 x 8 %08x\n", hash(out, width * height));
  blur<64, 4><<<dim3(3, 10), dim3(64, 4)>>>(in, out, width, height);
  cudaDeviceSynchronize();
  std::printf("64 x 4 %08x\n", hash(out, width * height));
  blur<24, 2><<<dim3(7, 19), dim3(24, 2)>>>(in, out, width, height);
  cudaDeviceSynchronize();
  std::printf("24 x 2 %08x\n", hash(out, width * height));
  edges<<<20, 64>>>(reinterpret_cast<unsigned*>(in), reinterpret_cast<unsigned*>(out), 1200);
  cudaDeviceSynchronize();
  std::printf("edges %08x\n", hash(out, 1280));
  return cudaGetLastError();
}
