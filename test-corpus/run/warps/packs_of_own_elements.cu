// Rows that warps keep in arrays of each lane's own, which pointers and functors reach by packs: a
// softmax with a functor that loads and one that stores, a table that is reached through itself,
// and pointers that say const.
#include <cmath>
#include <cstdio>
#include <vector>

template <typename T, int N> struct alignas(sizeof(T) * N) Pack {
  T element[N];
};

template <typename T> struct ScaledLoad {
  const T* from;
  int length;
  T scale;
  template <int N> __device__ void load(T* to, int row, int column) const {
    const Pack<T, N> pack = *reinterpret_cast<const Pack<T, N>*>(from + row * length + column);
#pragma unroll
    for (int i = 0; i < N; ++i)
      to[i] = pack.element[i] * scale;
  }
};

template <typename T> struct DirectStore {
  T* to;
  int length;
  template <int N> __device__ void store(const T* from, int row, int column) const {
    Pack<T, N> pack;
#pragma unroll
    for (int i = 0; i < N; ++i)
      pack.element[i] = from[i];
    *reinterpret_cast<Pack<T, N>*>(to + row * length + column) = pack;
  }
};

__device__ float warpMax(float v) {
  for (int mask = 16; mask > 0; mask /= 2)
    v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, mask));
  return v;
}
__device__ int warpSum(int v) {
  for (int mask = 16; mask > 0; mask /= 2)
    v += __shfl_xor_sync(0xffffffffu, v, mask);
  return v;
}

// Keeps what lies how far below the row's greatest element, in steps of a quarter.
template <typename Load, typename Store, int size, int columns>
__global__ void below(Load load, Store store, int rows) {
  constexpr int packs = columns / size;
  float kept[columns];
  const int lane = threadIdx.x;
  for (int row = blockIdx.x * blockDim.y + threadIdx.y; row < rows; row += gridDim.x * blockDim.y) {
    float most = -INFINITY;
#pragma unroll
    for (int p = 0; p < packs; ++p) {
      float* pack = kept + p * size;
      load.template load<size>(pack, row, (p * 32 + lane) * size);
#pragma unroll
      for (int i = 0; i < size; ++i)
        most = fmaxf(most, pack[i]);
    }
    most = warpMax(most);
#pragma unroll
    for (int i = 0; i < columns; ++i)
      kept[i] = floorf((most - kept[i]) * 4.0f);
#pragma unroll
    for (int p = 0; p < packs; ++p) {
      const int at = p * size;
      float* const pack = &kept[at];
      *pack += 1.0f;
      store.template store<size>(pack, row, (p * 32 + lane) * size);
    }
  }
}

// A table of each lane that is followed through itself, by a pointer that says const.
__device__ void fill(int (&table)[8], int seed) {
  for (int i = 0; i < 8; ++i)
    table[i] = (seed * 5 + i * 3) & 7;
}
__device__ int follow(const int* table, int steps) {
  int at = steps & 7;
  for (int i = 0; i < steps; ++i)
    at = table[table[at]];
  return at;
}
__global__ void walks(int* out, int* sums) {
  int table[8];
  fill(table, threadIdx.x);
  const int* behind = table + 4;
  int* const all = table;
  const int first = behind[all[all[0]] & 3];
  all[behind[1] & 7] ^= 5;
  const int reached = follow(table, 3 + int(threadIdx.x % 4)) + follow(behind - 4, 2);
  out[blockIdx.x * blockDim.x + threadIdx.x] = first * 100 + reached;
  const int sum = warpSum(reached + *behind);
  if (threadIdx.x % 32 == 0)
    sums[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = sum;
}

int main() {
  constexpr int rows = 37, length = 32 * 12;
  std::vector<float> x(rows * length), y(rows * length);
  unsigned seed = 7;
  for (float& v : x) {
    seed = seed * 1664525u + 1013904223u;
    v = float(seed >> 20) / 64.0f;
  }
  float *in, *result;
  cudaMalloc(&in, x.size() * sizeof(float));
  cudaMalloc(&result, y.size() * sizeof(float));
  cudaMemcpy(in, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice);
  const ScaledLoad<float> load{in, length, 0.5f};
  const DirectStore<float> store{result, length};
  below<ScaledLoad<float>, DirectStore<float>, 4, 12><<<5, dim3(32, 4)>>>(load, store, rows);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaMemcpy(y.data(), result, y.size() * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < rows * length; ++i)
    sum += double(y[i]) * (i % 97);
  printf("%g %g %g %.10g\n", y[0], y[5], y[rows * length - 1], sum);

  int *out, *sums;
  cudaMallocManaged(&out, 128 * sizeof(int));
  cudaMallocManaged(&sums, 4 * sizeof(int));
  walks<<<2, 64>>>(out, sums);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  for (int i = 0; i < 128; i += 9)
    printf("%d ", out[i]);
  printf("\n%d %d %d %d\n", sums[0], sums[1], sums[2], sums[3]);
}
