// Blocks that take rows in turn, with barriers in each: what the next block loads is fetched ahead,
// in whatever way a row's place is told. Few rows, more blocks than rows, rows that are left out.
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

constexpr int threads = 96;

__device__ float sumOfBlock(float v, float* shared) {
  const int t = threadIdx.x;
  shared[t] = v;
  __syncthreads();
  for (int d = 64; d > 0; d /= 2) {
    if (t < d && t + d < threads)
      shared[t] += shared[t + d];
    __syncthreads();
  }
  const float sum = shared[0];
  __syncthreads();
  return sum;
}

// One structure a thread.
__global__ void centredFours(const float4* __restrict__ in, float4* __restrict__ out, int rows) {
  __shared__ float shared[threads];
  const int t = threadIdx.x;
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    float4 v = in[(size_t)row * threads + t];
    const float mean = sumOfBlock(v.x + v.y + v.z + v.w, shared) / 128;
    v.x -= mean, v.y -= mean, v.z -= mean, v.w -= mean;
    out[(size_t)row * threads + t] = v;
  }
}

// A loop over the row's elements, which pointers of the block name; in place.
__global__ void centredRows(float* data, int rows, int width) {
  __shared__ float shared[threads];
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    float* const x = data + (size_t)row * width;
    float sum = 0;
    for (int i = threadIdx.x; i < width; i += blockDim.x)
      sum += x[i];
    const float mean = sumOfBlock(sum, shared) / 512;
    for (int i = threadIdx.x; i < width; i += blockDim.x)
      x[i] -= mean;
    __syncthreads();
  }
}

// The last row is shorter, and rows that are marked are left out: their places may not be read.
__global__ void sumsOfTiles(const int* __restrict__ in, const int* __restrict__ leftOut, int* sums,
                            int tiles, int n) {
  __shared__ int tile[threads];
  for (unsigned at = blockIdx.x; at < unsigned(tiles); at += gridDim.x) {
    const int base = at * threads;
    const int i = base + threadIdx.x;
    tile[threadIdx.x] = i < n && !leftOut[at] ? in[i] : -1;
    __syncthreads();
    if (threadIdx.x == 0) {
      int sum = 0;
      for (int k = 0; k < threads; ++k)
        sum += tile[k] * (k + 1);
      sums[at] = sum;
    }
    __syncthreads();
  }
}

// Places that the row alone does not tell, or that change in the row: nothing is fetched for them.
__global__ void rowsByList(const float* __restrict__ in, const int* __restrict__ list,
                           float* __restrict__ out, int rows) {
  __shared__ float shared[threads];
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    const int from = list[row];
    int place = from * threads + threadIdx.x;
    float sum = in[place];
    place ^= 1;
    sum += 2 * in[place];
    const float all = sumOfBlock(sum, shared);
    out[row * threads + threadIdx.x] = all - in[from * threads + threadIdx.x];
  }
}

template <class T> T* copied(const std::vector<T>& from) {
  T* to = nullptr;
  cudaMalloc(&to, from.size() * sizeof(T));
  cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice);
  return to;
}

template <class T> double weighed(const T* from, size_t n) {
  std::vector<T> all(n);
  cudaMemcpy(all.data(), from, n * sizeof(T), cudaMemcpyDeviceToHost);
  double out = 0;
  for (size_t i = 0; i < n; ++i)
    out += double(all[i]) * (1 + i % 7);
  return out;
}

int main() {
  for (const int rows : {1, 5, 64, 301})
    for (const int blocks : {1, 4, 70}) {
      std::vector<float> values(size_t(rows) * threads * 4);
      std::vector<int> numbers(size_t(rows) * threads), list(rows), none(rows);
      for (size_t i = 0; i < values.size(); ++i)
        values[i] = float(int(unsigned(i) * 2654435761u >> 20) % 64 - 20);
      for (size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = int(unsigned(i) * 40503u >> 4) % 100;
      for (int row = 0; row < rows; ++row)
        list[row] = (row * 7 + 3) % rows, none[row] = row % 5 == 3;
      float* const in = copied(values);
      float* const out = copied(values);
      int* const n = copied(numbers);
      int* const sums = copied(none);
      int* const l = copied(list);
      int* const left = copied(none);
      centredFours<<<blocks, threads>>>((const float4*)in, (float4*)out, rows);
      printf("%d rows, %d blocks: %.4f", rows, blocks, weighed(out, values.size()));
      centredRows<<<blocks, threads>>>(out, rows, threads * 4 - 1);
      printf(" %.4f", weighed(out, size_t(rows) * (threads * 4 - 1)));
      sumsOfTiles<<<blocks, threads>>>(n, left, sums, rows, rows * threads - 5);
      printf(" %.0f", weighed(sums, rows));
      rowsByList<<<blocks, threads>>>(in, l, out, rows);
      printf(" %.2f\n", weighed(out, size_t(rows) * threads));
      for (void* p : {(void*)in, (void*)out, (void*)n, (void*)sums, (void*)l, (void*)left})
        cudaFree(p);
    }
}
