// Loops that threads leave one by one, in blocks with rows of 16 threads: two rows may run at once.
#include <cstdio>
#include <vector>

struct Point {
  int re, im;
  __device__ Point(int r, int i) : re(r), im(i) {}
  __device__ int norm2() const { return (re * re + im * im) / 256; }
  __device__ Point operator*(const Point& o) const {
    return Point((re * o.re - im * o.im) / 256, (im * o.re + re * o.im) / 256);
  }
  __device__ Point operator+(const Point& o) const { return Point(re + o.re, im + o.im); }
};

// Two parts of a condition, one of which counts steps.
__device__ int escape(int x, int y, Point c, int limit) {
  Point z(x, y);
  int it = 0;
  while (it < limit && z.norm2() <= 4 * 256) {
    z = z * z + c;
    ++it;
  }
  return it;
}

// A head that is one for all, and a return.
__device__ int escapeByReturn(int x, int y, Point c) {
  Point z(x, y);
  for (int i = 0; i < 60; ++i) {
    z = z * z + c;
    if (z.norm2() > 4 * 256)
      return i;
  }
  return 60;
}

template <typename Number> __device__ int halvings(Number value, int most) {
  int count = 0;
  while (value > Number(3) && count < most) {
    value = value / Number(2);
    count++;
  }
  return count;
}

__constant__ uchar4 palette[8];

__global__ void julia(uchar4* image, int* steps, int width, int height, int limit) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  const int it = escape((x - width / 2) * 8, (y - height / 2) * 8, Point(-80, 160), limit);
  const int at = y * width + x;
  steps[at] = it;
  image[at] = it == limit ? make_uchar4(0, 0, 0, 255) : palette[it & 7];
}

__global__ void byReturn(unsigned short* out, int width, int height) {
  int x = threadIdx.x + blockIdx.x * blockDim.x;
  int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x < width && y < height)
    out[x + y * width] = (unsigned short)escapeByReturn(x * 7 - 200, y * 9 - 150, Point(-200, 40));
}

// The loop stands in the kernel; it breaks, continues, and is left at another place, too.
__global__ void collatz(int* out, int width, int height, int most) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  unsigned value = y * width + x + 1;
  int odd = 0, all = 0;
  for (int i = 0; i < most; ++i) {
    if (value == 1)
      break;
    ++all;
    if (value % 2 == 0) {
      value /= 2;
      continue;
    }
    value = 3 * value + 1;
    ++odd;
  }
  out[y * width + x] = all * 1000 + odd;
}

template <typename Number> __global__ void halve(int* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  out[y * width + x] = halvings<Number>(Number(1) + Number(x) * Number(y), 9);
}

// Rows of a block have something for themselves: a loop whose length is the row's.
__global__ void rowsOfTheirOwn(int* out, const int* lengths, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  int sum = 0;
  for (int k = 0; k < lengths[y]; ++k) {
    int value = x + k, steps = 0;
    while (value > 2 && steps < 20) {
      value = value % 3 == 0 ? value / 3 : value - 1;
      ++steps;
    }
    sum += steps;
  }
  out[y * width + x] = sum;
}

// Three dimensions, a do loop, and a set that depends on the row.
__global__ void boxes(int* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = threadIdx.z;
  if (x >= width || y >= height || (y + z) % 5 == 0)
    return;
  int a = x + 1, b = y + 10 * z + 1;
  do {
    const int rest = a % b;
    a = b;
    b = rest;
  } while (b != 0);
  out[(z * height + y) * width + x] = a;
}

static void print(const char* name, const std::vector<int>& values) {
  unsigned long long sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    sum = sum * 31 + unsigned(values[i]);
  printf("%s %d %d %llx\n", name, values[0], values[values.size() / 2], sum);
}

int main() {
  const int width = 75, height = 43;
  const int count = width * height;
  int *out, *lengths;
  uchar4* image;
  unsigned short* shorts;
  cudaMalloc(&out, 2 * count * sizeof(int));
  cudaMalloc(&image, count * sizeof(uchar4));
  cudaMalloc(&shorts, count * sizeof(unsigned short));
  cudaMalloc(&lengths, height * sizeof(int));
  std::vector<int> values(count), perRow(height);
  for (int y = 0; y < height; ++y)
    perRow[y] = y % 4;
  cudaMemcpy(lengths, perRow.data(), height * sizeof(int), cudaMemcpyHostToDevice);
  uchar4 colours[8];
  for (int i = 0; i < 8; ++i)
    colours[i] = make_uchar4(i, 2 * i, 255 - i, 7);
  cudaMemcpyToSymbol(palette, colours, sizeof colours);
  const auto grid = [&](dim3 block) {
    return dim3((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
  };
  const auto show = [&](const char* name) {
    cudaMemcpy(values.data(), out, count * sizeof(int), cudaMemcpyDeviceToHost);
    print(name, values);
    cudaMemset(out, 0, 2 * count * sizeof(int));
  };

  dim3 block(16, 16);
  julia<<<grid(block), block>>>(image, out, width, height, 50);
  show("julia");
  std::vector<uchar4> pixels(count);
  cudaMemcpy(pixels.data(), image, count * sizeof(uchar4), cudaMemcpyDeviceToHost);
  for (int i = 0; i < count; ++i)
    values[i] = pixels[i].x + 256 * pixels[i].y + 65536 * pixels[i].z;
  print("image", values);

  // Kernels that are launched with other blocks, too.
  for (const dim3 other : {dim3(16, 3), dim3(8, 8), dim3(32, 4), dim3(5, 7), dim3(16, 1)}) {
    julia<<<grid(other), other>>>(image, out, width, height, 50);
    show("julia of another block");
  }
  const dim3 small(16, 2), odd(16, 5);
  byReturn<<<grid(small), small>>>(shorts, width, height);
  std::vector<unsigned short> halves(count);
  cudaMemcpy(halves.data(), shorts, count * sizeof(unsigned short), cudaMemcpyDeviceToHost);
  values.assign(halves.begin(), halves.end());
  print("byReturn", values);
  collatz<<<grid(block), block>>>(out, width, height, 1000);
  show("collatz");
  collatz<<<grid(odd), odd>>>(out, width, height, 17);
  show("collatz, few steps");
  halve<float><<<grid(block), block>>>(out, width, height);
  show("halve<float>");
  halve<double><<<grid(block), block>>>(out, width, height);
  show("halve<double>");
  halve<int><<<grid(block), block>>>(out, width, height);
  show("halve<int>");
  rowsOfTheirOwn<<<grid(block), block>>>(out, lengths, width, height);
  show("rowsOfTheirOwn");
  const dim3 box(16, 4, 2);
  boxes<<<grid(box), box>>>(out, width, height);
  show("boxes");
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return 0;
}
