// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that divide their number by sizes that are known at run time only: rows and columns,
// images and channels; with sizes that are short, odd, zero for nobody and longer than everything,
// numbers below zero, unsigned and of 64 bits, and numbers that wrap around.
#include <cstdio>

__global__ void columns(const int* in, int* out, int width, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int x = i % width, y = i / width;
  int s = in[i] * 3;
  if (x > 0 && y > 0)
    s += in[i - 1] * 2 + in[i - width];
  if (x == width - 1)
    s -= y;
  out[i] = s + x * 7;
}

__global__ void channels(int* x, const int* bias, int area, int count, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    x[i] = x[i] * 2 + bias[(i / area) % count];
}

__global__ void boxes(const int* in, int* out, int nx, int ny, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const int x = i % nx, y = (i / nx) % ny, z = i / (nx * ny);
    out[i] = in[i] + x - 2 * y + 3 * z + (x > 0 ? in[i - 1] : 0) + (y == 1 ? 5 : 0);
  }
}

__global__ void turned(const int* in, int* out, unsigned rows, unsigned width) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows * width)
    out[(i % width) * rows + i / width] = in[i] + int(i % width);
}

__global__ void signs(int* out, int shift, int width, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const int place = i - shift;
    out[i] = place / width * 1000 + place % width;
  }
}

__global__ void wide(int* out, long long first, long long width, int n) {
  const long long i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = int((first + i) / width % 10007) + int((first + i) % width);
}

// The place wraps around within the row of threads.
__global__ void wraps(unsigned* out, unsigned first, unsigned width, int n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < unsigned(n))
    out[i] = (first + i) / width + (first + i) % width * 3;
}

__global__ void rowSums(const int* in, int* out, int width, int n) {
  __shared__ int s[256];
  int sum = 0;
  for (int i = threadIdx.x; i < n; i += 256)
    sum += in[i] * (i / width + 1) - i % width;
  s[threadIdx.x] = sum;
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) {
    if (threadIdx.x < d)
      s[threadIdx.x] += s[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[0] = s[0];
}

int main() {
  const int n = 10007, most = 1 << 14;
  int *in, *out;
  cudaMallocManaged(&in, most * sizeof(int));
  cudaMallocManaged(&out, most * sizeof(int));
  for (int i = 0; i < most; ++i)
    in[i] = i * 37 % 1009 - 300;
  const auto print = [&](const char* name, int size) {
    cudaDeviceSynchronize();
    unsigned sum = 0;
    for (int i = 0; i < most; ++i)
      sum = sum * 31 + unsigned(out[i]);
    std::printf("%s %d: %u\n", name, size, sum);
    for (int i = 0; i < most; ++i)
      out[i] = 0;
  };
  for (const int width : {1, 7, 63, 64, 65, 100, 255, 256, 1000, 20000}) {
    columns<<<(n + 255) / 256, 256>>>(in, out, width, n);
    print("columns", width);
    channels<<<5, 192>>>(out, in, width, 13, n);
    print("channels", width);
    boxes<<<(n + 127) / 128, 128>>>(in, out, width, 9, n);
    print("boxes", width);
    if (width <= 1000) {
      turned<<<(most + 255) / 256, 256>>>(in, out, unsigned(n / width), unsigned(width));
      print("turned", width);
    }
    for (const int shift : {5000, -7, 0x7fffffff - 5000}) {
      signs<<<(n + 255) / 256, 256>>>(out, shift, width, n);
      print("signs", width);
      signs<<<(n + 255) / 256, 256>>>(out, shift, -width, n);
      print("divided by less than zero", width);
    }
    for (const long long first : {0ll, -3000ll, 1ll << 40, 0x7fffffffffffffffll - n}) {
      wide<<<(n + 255) / 256, 256>>>(out, first, width, n);
      print("wide", width);
    }
    for (const unsigned first : {0u, 0x7ffffff0u, 0xffffff00u}) {
      wraps<<<(n + 255) / 256, 256>>>(reinterpret_cast<unsigned*>(out), first, unsigned(width), n);
      print("wraps", width);
    }
    rowSums<<<1, 256>>>(in, out, width, n);
    print("sums", width);
  }
}
