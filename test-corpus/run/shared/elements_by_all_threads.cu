// The threads of a block fill shared memory together, one for each element, whatever their number: by one loop whose
// variable is divided by a row's length, or by two. Loops that only look like those keep their order.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int width = 77, height = 53;

__device__ int clampTo(int value, int low, int high) { return value < low ? low : value > high ? high : value; }

// Rows of 34 elements, 10 of them, and a block's threads in any shape.
template <class T> __global__ void constantWidth(const T* in, T* out, int threads) {
  __shared__ T tile[10][34];
  const int tid = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  for (int t = tid; t < 34 * 10; t += threads) {
    int y = t / 34;
    int x = t - y * 34;
    int fromX = min(max((int)(blockIdx.x * 32) + x - 1, 0), width - 1);
    int fromY = min(max((int)(blockIdx.y * 8) + y - 1, 0), height - 1);
    tile[y][x] = in[fromY * width + fromX];
  }
  __syncthreads();
  for (int t = tid; t < 32 * 8; t += threads) {
    const int x = blockIdx.x * 32 + t % 32, y = blockIdx.y * 8 + t / 32;
    if (x < width && y < height)
      out[y * width + x] = tile[t / 32][t % 32] - 2 * tile[t / 32 + 1][t % 32 + 1] + tile[t / 32 + 2][t % 32 + 2];
  }
}

// The width is known at run time only, the last row is not full, and places are tested.
__global__ void guarded(const float* in, float* out, unsigned halo, int limit) {
  extern __shared__ float tile[];
  const unsigned w = blockDim.x + 2 * halo;
  for (unsigned i = threadIdx.y * blockDim.x + threadIdx.x; i < limit; i += blockDim.x * blockDim.y) {
    const int gx = (int)(blockIdx.x * blockDim.x) + (int)(i % w) - (int)halo;
    const int gy = (int)(blockIdx.y * blockDim.y) + (int)(i / w) - (int)halo;
    if (gx >= 0 && gx < width && gy >= 0 && gy < height)
      tile[i] = in[gy * width + gx];
    else
      tile[i] = -1.0f;
  }
  __syncthreads();
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const unsigned at = threadIdx.y * w + threadIdx.x;
  if (x < width && y < height && at + w + 1 < limit)
    out[y * width + x] = tile[at] + 3 * tile[at + w + 1];
}

// Two loops, with constants that are the block's size or are not.
template <int X, int Y, int R>
__global__ void nested(const unsigned char* in, unsigned char* out, bool more) {
  __shared__ unsigned char tile[Y + 2 * R][X + 2 * R], turned[X + 2 * R][Y + 2 * R];
  const int x0 = blockIdx.x * X, y0 = blockIdx.y * Y;
  for (int k = 0; k < 2; ++k) {
    for (int ty = threadIdx.y; ty < Y + 2 * R; ty += Y) {
      const int y = clampTo(y0 + ty - R, 0, height - 1);
      for (int tx = threadIdx.x; tx < X + 2 * R; tx += X) {
        const int x = min(width - 1, max(x0 + tx - R - k, 0));
        tile[ty][tx] = in[y * width + x];
      }
    }
    if (more)
      for (int ty = threadIdx.y; ty < Y + 2 * R; ty += blockDim.y)
        for (int tx = threadIdx.x; tx < X + 2 * R; tx += blockDim.x)
          turned[tx][ty] = in[min(y0 + ty, height - 1) * width + min(x0 + tx, width - 1)] + k;
    __syncthreads();
    const int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
    if (x < width && y < height && threadIdx.x < X && threadIdx.y < Y)
      out[y * width + x] = (k ? out[y * width + x] : 0) + tile[threadIdx.y][threadIdx.x + 2 * R] +
                           2 * tile[threadIdx.y + R][threadIdx.x] +
                           (more ? turned[threadIdx.x + R][threadIdx.y + 2 * R] : 0);
    __syncthreads();
  }
}

// Each thread reads what it has stored in its own step before.
__global__ void inSteps(const int* in, int* out) {
  __shared__ int line[3 * 40];
  for (int t = threadIdx.x; t < 3 * 40; t += 32)
    line[t] = t / 40 * 1000 + in[t % 40] + (t >= 32 ? line[t - 32] : 0);
  __syncthreads();
  for (int t = threadIdx.x; t < 3 * 40; t += 32)
    out[t] = line[t];
}

// The last of a thread's elements stays in a place that several have.
__global__ void sharedPlaces(const int* in, int* out) {
  __shared__ int line[32];
  for (int t = threadIdx.x; t < 3 * 40; t += 32)
    line[t % 32] = in[t % 40] + t / 40;
  __syncthreads();
  out[threadIdx.x] = line[threadIdx.x];
}

// What is added up is the thread's own, and so is the mark that it leaves.
__global__ void ownSums(const int* in, int* out) {
  __shared__ int tile[4][40];
  int sum = 0;
  for (int t = threadIdx.x; t < 4 * 40; t += 32) {
    sum += t % 40;
    tile[t / 40][t % 40] = in[t % 40] + sum + threadIdx.x;
  }
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x / 16][threadIdx.x % 16] + tile[3][threadIdx.x];
}

// Threads that have returned take no elements.
__global__ void someReturn(const int* in, int* out, int active) {
  __shared__ int tile[4][40];
  if (threadIdx.x >= active)
    return;
  for (int t = threadIdx.x; t < 4 * 40; t += 32)
    tile[t / 40][t % 40] = in[t % 40] * (t / 40 + 1);
  __syncthreads();
  for (int t = threadIdx.x; t < 4 * 40; t += 32)
    out[t] = tile[t / 40][t % 40];
}

template <class T> void print(const char* what, const T* values, int count) {
  unsigned sum = 0;
  for (int i = 0; i < count; ++i)
    sum = sum * 31 + (unsigned)(int)values[i];
  printf("%s %u\n", what, sum);
}

int main() {
  const int count = width * height;
  float *in, *out;
  int *ints, *places;
  unsigned char *bytes, *results;
  cudaMallocManaged(&in, count * sizeof(float));
  cudaMallocManaged(&out, count * sizeof(float));
  cudaMallocManaged(&ints, count * sizeof(int));
  cudaMallocManaged(&places, count * sizeof(int));
  cudaMallocManaged(&bytes, count);
  cudaMallocManaged(&results, count);
  for (int i = 0; i < count; ++i) {
    in[i] = i * 37 % 1001;
    ints[i] = i * 53 % 997;
    bytes[i] = i * 29 % 251;
    out[i] = places[i] = results[i] = 0;
  }
  const dim3 tiles((width + 31) / 32, (height + 7) / 8);
  const dim3 shapes[] = {dim3(32, 8), dim3(256), dim3(16, 4, 4), dim3(7, 5)};
  for (const dim3& shape : shapes) {
    constantWidth<<<tiles, shape>>>(in, out, shape.x * shape.y * shape.z);
    constantWidth<<<tiles, shape>>>(ints, places, shape.x * shape.y * shape.z);
    cudaDeviceSynchronize();
    print("float", out, count);
    print("int", places, count);
  }
  for (int x = 8; x <= 32; x += 12) {
    const dim3 shape(x, 8), grid((width + x - 1) / x, (height + 7) / 8);
    const int elements = (x + 4) * 12;
    for (int limit : {elements, elements - 7, 0}) {
      guarded<<<grid, shape, elements * sizeof(float)>>>(in, out, 2, limit);
      cudaDeviceSynchronize();
      print("guarded", out, count);
    }
  }
  for (int more = 0; more < 2; ++more) {
    nested<32, 8, 1><<<tiles, dim3(32, 8)>>>(bytes, results, more);
    cudaDeviceSynchronize();
    print("nested", results, count);
    nested<16, 16, 3><<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(bytes, results, more);
    cudaDeviceSynchronize();
    print("wide", results, count);
  }
  inSteps<<<1, 32>>>(ints, places);
  cudaDeviceSynchronize();
  print("steps", places, 120);
  sharedPlaces<<<1, 32>>>(ints, places);
  cudaDeviceSynchronize();
  print("places", places, 32);
  ownSums<<<1, 32>>>(ints, places);
  cudaDeviceSynchronize();
  print("sums", places, 32);
  someReturn<<<1, 32>>>(ints, places, 32);
  cudaDeviceSynchronize();
  print("all", places, 160);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
