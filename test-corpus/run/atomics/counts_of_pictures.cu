// Counts of the pixels of a picture: blocks go along rows, and over rows, by the grid. Warps count
// in arrays of their own, pixels that do not count are left out.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

constexpr int bins = 64;
constexpr int warps = 3;
constexpr int threads = warps * 32;

__device__ unsigned grey(uchar4 c) { return (77u * c.x + 150u * c.y + 29u * c.z) >> 10; }

// A pointer to the row, and one to the warp's array.
__global__ void byWarps(const uchar4* __restrict__ in, int width, int height, int pitch,
                        unsigned* __restrict__ out) {
  __shared__ unsigned counts[warps][bins];
  for (int i = threadIdx.x; i < warps * bins; i += threads)
    (&counts[0][0])[i] = 0;
  __syncthreads();
  unsigned* mine = counts[threadIdx.x >> 5];
  for (int y = blockIdx.y; y < height; y += gridDim.y) {
    const uchar4* row = in + (size_t)y * pitch;
    for (int x = blockIdx.x * threads + threadIdx.x; x < width; x += gridDim.x * threads) {
      const uchar4 c = row[x];
      if (c.w == 0)
        continue;
      atomicAdd(&mine[grey(c)], 1u);
    }
  }
  __syncthreads();
  for (int b = threadIdx.x; b < bins; b += threads) {
    unsigned sum = 0;
    for (int w = 0; w < warps; ++w)
      sum += counts[w][b];
    atomicAdd(&out[b], sum);
  }
}

// One index for row and column, several numbers with values of their own, in dynamic shared memory.
__global__ void sumsAndExtremes(const uchar4* in, int width, int height, int pitch, int* out) {
  extern __shared__ int values[];
  int *sums = values, *most = values + bins, *least = values + 2 * bins;
  for (int i = threadIdx.x; i < bins; i += blockDim.x) {
    sums[i] = 0;
    most[i] = -1;
    least[i] = 1000;
  }
  __syncthreads();
  for (int y = blockIdx.y; y < height; y += gridDim.y)
    for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < width; x += gridDim.x * blockDim.x) {
      const uchar4 c = in[y * pitch + x];
      const unsigned bin = grey(c);
      const int value = c.x * 3 + c.y - c.z;
      if (value > 200)
        atomicAdd(&sums[bin], value - x);
      if (c.w > 7)
        atomicMax(&most[bin], value);
      else if (c.w > 3)
        atomicMin(&least[bin], value + y);
    }
  __syncthreads();
  for (int i = threadIdx.x; i < bins; i += blockDim.x) {
    atomicAdd(&out[i], sums[i]);
    atomicMax(&out[bins + i], most[i]);
    atomicMin(&out[2 * bins + i], least[i]);
  }
}

// Numbers of 64 bits, and floats that are whole numbers.
__global__ void wideAndFloats(const uchar4* in, int width, int height, int pitch,
                              unsigned long long* wide, float* floats) {
  __shared__ unsigned long long counts[2][bins];
  __shared__ float sums[bins];
  const int t = threadIdx.x;
  for (int i = t; i < bins; i += blockDim.x) {
    counts[0][i] = counts[1][i] = 0;
    sums[i] = 0;
  }
  __syncthreads();
  for (int y = 0; y < height; ++y) {
    const uchar4* row = in + y * pitch;
    for (int x = t; x < width; x += blockDim.x) {
      const uchar4 c = row[x];
      const unsigned bin = (c.x * 5u + c.y * 3u + c.z) % bins;
      if (c.w & 1)
        atomicAdd(&counts[(t >> 5) & 1][bin], (unsigned long long)c.x << 33);
      if (c.w & 2)
        atomicAdd(&sums[bin], float(c.y & 15));
    }
  }
  __syncthreads();
  for (int i = t; i < bins; i += blockDim.x) {
    wide[i] = counts[0][i] + counts[1][i];
    floats[i] = sums[i];
  }
}

// Rows end where the picture says, and what is counted so far says where the next goes.
__global__ void notApart(const uchar4* in, const int* ends, int height, int pitch, unsigned* out) {
  __shared__ unsigned counts[bins];
  for (int i = threadIdx.x; i < bins; i += blockDim.x)
    counts[i] = 0;
  __syncthreads();
  for (int y = blockIdx.y; y < height; y += gridDim.y) {
    const int end = ends[y];
    if (end < 0)
      break;
    for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < end; x += gridDim.x * blockDim.x) {
      const uchar4 c = in[y * pitch + x];
      if (c.w != 0)
        atomicAdd(&counts[grey(c)], 1u);
      if (c.w == 3)
        atomicAdd(&counts[grey(c) / 2], 2u);
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < bins; i += blockDim.x)
    atomicAdd(&out[i], counts[i]);
}

template <class Type> void print(const char* name, const Type* values, int count) {
  double sum = 0, weighted = 0;
  for (int i = 0; i < count; ++i) {
    sum += double(values[i]);
    weighted += double(values[i]) * (i + 1);
  }
  printf("%s: %.17g %.17g\n", name, sum, weighted);
}

int main() {
  const int most = 700 * 160;
  uchar4* in;
  unsigned* counts;
  int *numbers, *ends;
  unsigned long long* wide;
  float* floats;
  cudaMallocManaged(&in, most * sizeof(uchar4));
  cudaMallocManaged(&counts, bins * sizeof(unsigned));
  cudaMallocManaged(&numbers, 3 * bins * sizeof(int));
  cudaMallocManaged(&ends, 160 * sizeof(int));
  cudaMallocManaged(&wide, bins * sizeof(unsigned long long));
  cudaMallocManaged(&floats, bins * sizeof(float));
  unsigned state = 12345;
  for (int i = 0; i < most; ++i) {
    state = state * 1664525u + 1013904223u;
    in[i] = make_uchar4(state >> 24, state >> 16, i % 7 ? state >> 12 : 9, (state >> 9) & 15);
  }
  const int sizes[][3] = {{1, 1, 1},      {31, 3, 32},     {96, 5, 96},     {97, 2, 100},
                          {500, 40, 512}, {700, 160, 700}, {672, 159, 690}, {0, 5, 3}};
  for (const auto& size : sizes) {
    const int width = size[0], height = size[1], pitch = size[2];
    printf("%d x %d\n", width, height);
    for (const dim3 grid : {dim3(1, 1), dim3(2, 5), dim3(3, 64)}) {
      for (int i = 0; i < bins; ++i) {
        counts[i] = 0;
        numbers[i] = 0;
        numbers[bins + i] = -1;
        numbers[2 * bins + i] = 1000;
      }
      byWarps<<<grid, threads>>>(in, width, height, pitch, counts);
      sumsAndExtremes<<<grid, 64, 3 * bins * sizeof(int)>>>(in, width, height, pitch, numbers);
      cudaDeviceSynchronize();
      print("counts", counts, bins);
      print("numbers", numbers, 3 * bins);
      for (int y = 0; y < height; ++y)
        ends[y] = y == 100 ? -1 : width - y % 5;
      notApart<<<grid, 128>>>(in, ends, height, pitch, counts);
      cudaDeviceSynchronize();
      print("not apart", counts, bins);
    }
    wideAndFloats<<<1, 96>>>(in, width, height, pitch, wide, floats);
    cudaDeviceSynchronize();
    print("wide", wide, bins);
    print("floats", floats, bins);
  }
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  return 0;
}
