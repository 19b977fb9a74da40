// Rows that warps take are fetched before they come to them: sparse rows of any length, rows of
// structures in short loops, and rows to which a warp goes on by the grid, of which only those are
// asked for that it will take. Also where a loop is left early, and where its bound moves.
#include <cooperative_groups.h>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

template <typename T> struct Sparse {
  int rows;
  const int* begin;
  const int* column;
  const T* value;
};

template <typename T> __device__ T sumOfWarp(T v) {
  for (int offset = 16; offset > 0; offset >>= 1)
    v += __shfl_down_sync(0xffffffffu, v, offset);
  return v;
}

template <typename T> __global__ void once(Sparse<T> a, const T* __restrict__ x, T* __restrict__ y) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x & 31;
  if (row >= a.rows)
    return;
  T sum = T(0);
  for (int k = a.begin[row] + lane; k < a.begin[row + 1]; k += 32)
    sum += a.value[k] * __ldg(&x[a.column[k]]);
  sum = sumOfWarp(sum);
  if (lane == 0)
    y[row] = T(2) * sum;
}

__global__ void byGrid(Sparse<float> a, const float* __restrict__ x, float* __restrict__ y) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int warps = blockDim.x / 32;
  for (int row = blockIdx.x * warps + tile.meta_group_rank(); row < a.rows;
       row += gridDim.x * warps) {
    const int from = a.begin[row], to = a.begin[row + 1];
    float sum = 0;
    for (int k = from + (int)tile.thread_rank(); k < to; k += 32)
      sum += a.value[k] * x[a.column[k]];
    for (int offset = tile.size() / 2; offset > 0; offset /= 2)
      sum += tile.shfl_down(sum, offset);
    if (tile.thread_rank() == 0)
      y[row] = sum;
  }
}

// The rows behind the one that ends the list may lie anywhere.
__global__ void untilEnd(const int* begin, const int* value, int* y, int rows) {
  const int warps = blockDim.x / 32, lane = threadIdx.x % 32;
  for (int row = blockIdx.x * warps + threadIdx.x / 32; row < rows; row += gridDim.x * warps) {
    const int from = begin[row];
    if (from < 0)
      break;
    int sum = 0;
    for (int k = from + lane; k < begin[row + 1]; k += 32)
      sum += value[k];
    sum = sumOfWarp(sum);
    if (lane == 0)
      y[row] = sum;
  }
}

__global__ void upToMoving(const int* begin, const int* value, int* y, int rows) {
  const int warps = blockDim.x / 32, lane = threadIdx.x % 32;
  int bound = rows;
  for (int row = blockIdx.x * warps + threadIdx.x / 32; row < bound; row += gridDim.x * warps) {
    const int from = begin[row], to = begin[row + 1];
    int sum = 0;
    for (int k = from + lane; k < to; k += 32)
      sum += value[k] * row;
    sum = sumOfWarp(sum);
    if (lane == 0)
      y[row] = sum;
    bound = rows - 1;
  }
}

template <int N>
__global__ void centred(const float4* __restrict__ in, float4* __restrict__ out, int rows) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows)
    return;
  const int lane = threadIdx.x;
  float4 v[N];
  float sum = 0;
#pragma unroll
  for (int k = 0; k < N; ++k) {
    v[k] = in[row * (N * 32) + k * 32 + lane];
    sum += v[k].x + v[k].y + v[k].z + v[k].w;
  }
  for (int mask = 16; mask > 0; mask >>= 1)
    sum += __shfl_xor_sync(~0u, sum, mask);
  const float mean = sum / (N * 128);
#pragma unroll
  for (int k = 0; k < N; ++k)
    out[row * (N * 32) + k * 32 + lane] =
        make_float4(v[k].x - mean, v[k].y - mean, v[k].z - mean, v[k].w - mean);
}

// Through a pointer to the row, in place, by the grid; with rows that lie apart.
__global__ void scaled(float* a, int rows, int pitch) {
  const int lane = threadIdx.x % 32, warps = gridDim.x * blockDim.x / 32;
  for (int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32; row < rows; row += warps) {
    float* mine = a + row * pitch;
    float v[3], most = 0;
    for (int k = 0; k < 3; ++k) {
      v[k] = mine[k * 32 + lane];
      most = fmaxf(most, fabsf(v[k]));
    }
    for (int mask = 16; mask > 0; mask >>= 1)
      most = fmaxf(most, __shfl_xor_sync(~0u, most, mask));
    for (int k = 0; k < 3; ++k)
      mine[k * 32 + lane] = v[k] / most;
  }
}

template <class T> T* onDevice(const std::vector<T>& v) {
  T* p;
  cudaMalloc(&p, (v.size() + 1) * sizeof(T));
  cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}
template <class T> double checkOf(const T* p, int n) {
  std::vector<T> v(n);
  cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost);
  cudaMemset(const_cast<T*>(p), 0, n * sizeof(T));
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += double(v[i]) * (1 + i % 13);
  return sum;
}

int main() {
  for (int rows : {1, 31, 1000}) {
    std::vector<int> begin(1, 0), column, number;
    std::vector<float> value;
    for (int r = 0; r < rows; ++r) {
      const int length = r % 7 == 3 ? 0 : r % 97 == 5 ? 300 : (r * 37) % 70;
      for (int k = 0; k < length; ++k) {
        column.push_back((r * 11 + k * 5) % rows);
        value.push_back(float((r + k) % 16));
        number.push_back((r * k) % 19);
      }
      begin.push_back(int(column.size()));
    }
    std::vector<float> x(rows);
    for (int r = 0; r < rows; ++r)
      x[r] = float(r % 8);
    const std::vector<double> wide(value.begin(), value.end()), wideX(x.begin(), x.end());
    const int *b = onDevice(begin), *c = onDevice(column), *n = onDevice(number);
    const float *v = onDevice(value), *dx = onDevice(x);
    const double *w = onDevice(wide), *dwx = onDevice(wideX);
    float* y = onDevice(x);
    double* z = onDevice(wideX);
    int* counts = onDevice(begin);
    for (int threads : {64, 256}) {
      const int blocks = (rows * 32 + threads - 1) / threads;
      once<<<blocks, threads>>>(Sparse<float>{rows, b, c, v}, dx, y);
      once<<<blocks, threads>>>(Sparse<double>{rows, b, c, w}, dwx, z);
      printf("once %.0f %.0f\n", checkOf(y, rows), checkOf(z, rows));
      for (int grid : {1, 3}) {
        byGrid<<<grid, threads>>>(Sparse<float>{rows, b, c, v}, dx, y);
        printf("by grid %.0f\n", checkOf(y, rows));
        std::vector<int> ended = begin;
        for (int r = rows / 2; r < rows; ++r)
          ended[r] = -1;
        int* e = onDevice(ended);
        untilEnd<<<grid, threads>>>(e, n, counts, rows);
        printf("until end %.0f\n", checkOf(counts, rows));
        upToMoving<<<grid, threads>>>(b, n, counts, rows);
        printf("up to moving %.0f\n", checkOf(counts, rows));
        cudaFree(e);
      }
    }
  }
  for (int rows : {5, 64}) {
    std::vector<float4> in(rows * 96);
    for (int i = 0; i < rows * 96; ++i)
      in[i] = make_float4(float(i % 7), float(i % 5), float(i % 3), float(i % 11));
    float4 *a = onDevice(in), *out = onDevice(in);
    centred<3><<<(rows + 3) / 4, dim3(32, 4)>>>(a, out, rows);
    printf("centred %.2f\n", checkOf(reinterpret_cast<float*>(out), rows * 384));
    scaled<<<2, 64>>>(reinterpret_cast<float*>(a), rows, 128);
    printf("scaled %.2f\n", checkOf(reinterpret_cast<float*>(a), rows * 128));
  }
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
