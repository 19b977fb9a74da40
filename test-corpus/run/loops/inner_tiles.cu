// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles with halos of which only the inner threads write: bounds that the block's size decides beside those of the grid, also
// such as only a part of the branch asks; blocks inside of the grid, at its edges and outside.
#include <cstdio>

struct Weights {
  float at[3][3];
};

// Guards inside of the branch, a variable in front of it.
__global__ void filtered(const float* in, float* out, float* sums, int w, int h, const Weights weights) {
  __shared__ float tile[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 14 + ty, column = blockIdx.x * 14 + tx;
  const int fromRow = row - 1, fromColumn = column - 1;
  tile[ty][tx] = fromRow >= 0 && fromRow < h && fromColumn >= 0 && fromColumn < w ? in[fromRow * w + fromColumn] : 0.0f;
  __syncthreads();
  float sum = 0.0f;
  const float own = tile[ty][tx];
  if (ty < 14 && tx < 14) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        sum += weights.at[i][j] * tile[ty + i][tx + j];
    sums[(blockIdx.y * gridDim.x + blockIdx.x) * 196 + ty * 14 + tx] = own;
    if (row < h && column < w)
      out[row * w + column] = sum;
    else
      sums[(blockIdx.y * gridDim.x + blockIdx.x) * 196 + ty * 14 + tx] -= 1.0f;
  }
}

// Three dimensions; the place is one less than the thread's, and unsigned for one side.
__global__ void cubes(const double* in, double* out, int n, unsigned last) {
  __shared__ double s[8][8][8];
  const int x = blockIdx.x * 6 + threadIdx.x - 1;
  const int y = blockIdx.y * 6 + threadIdx.y - 1;
  const unsigned z = blockIdx.z * 6 + threadIdx.z - 1;
  if (x >= 0 && x < n && y >= 0 && y < n && z < last)
    s[threadIdx.z][threadIdx.y][threadIdx.x] = in[(z * n + y) * n + x];
  __syncthreads();
  if (x >= 1 && x < n - 1 && y >= 1 && y < n - 1 && z >= 1 && z < last - 1)
    if (threadIdx.x >= 1 && threadIdx.x < 7 && threadIdx.y >= 1 && threadIdx.y < 7 && threadIdx.z >= 1 && threadIdx.z < 7)
      out[(z * n + y) * n + x] = s[threadIdx.z][threadIdx.y][threadIdx.x - 1] + s[threadIdx.z][threadIdx.y][threadIdx.x + 1] * 2 +
                                 s[threadIdx.z][threadIdx.y - 1][threadIdx.x] * 3 + s[threadIdx.z][threadIdx.y + 1][threadIdx.x] * 4 +
                                 s[threadIdx.z - 1][threadIdx.y][threadIdx.x] * 5 + s[threadIdx.z + 1][threadIdx.y][threadIdx.x] * 6;
}

// Narrow elements, sizes of a template and of the block; bounds of the block's size alone.
template <typename T, int halo> __global__ void opened(const T* in, T* out, int w, int h) {
  __shared__ T tile[8][32];
  const int x = blockIdx.x * (32 - 2 * halo) + threadIdx.x, y = blockIdx.y * (8 - 2 * halo) + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = x < w && y < h ? in[y * w + x] : T(255);
  __syncthreads();
  if (threadIdx.x >= halo && threadIdx.x < blockDim.x - halo && threadIdx.y >= halo && threadIdx.y < blockDim.y - halo) {
    T least = tile[threadIdx.y][threadIdx.x];
    const T left = tile[threadIdx.y][threadIdx.x - halo], right = tile[threadIdx.y][threadIdx.x + halo];
    const T above = tile[threadIdx.y - halo][threadIdx.x], below = tile[threadIdx.y + halo][threadIdx.x];
    least = left < least ? left : least;
    least = right < least ? right : least;
    least = above < least ? above : least;
    least = below < least ? below : least;
    if (y < h)
      if (x < w && x != 40)
        out[y * w + x] = least;
  }
}

// The whole block, with more to ask inside; what comes before has an effect.
__global__ void stamped(int* out, int* count, int w, int h) {
  __shared__ int s[8][8];
  const int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  s[threadIdx.y][threadIdx.x] = x * 100 + y;
  __syncthreads();
  const int before = atomicAdd(&count[threadIdx.y], 1);
  if (y < h && before >= 0) {
    const int mirrored = s[threadIdx.y][7 - threadIdx.x];
    out[y * (w + 8) + x] = mirrored;
    if (x >= 2 && x < w - 2)
      out[y * (w + 8) + x] += 7;
  }
  __syncthreads();
  if (y < h) {
    s[threadIdx.y][threadIdx.x] += 1;
    if (x >= 2 && x < w - 2 && threadIdx.y != 3)
      out[y * (w + 8) + x] -= s[threadIdx.y][threadIdx.x];
  }
}

template <typename T> unsigned long long hash(const T* data, int n) {
  unsigned long long sum = 1469598103934665603ull;
  for (int i = 0; i < n; ++i)
    sum = (sum ^ static_cast<unsigned long long>(static_cast<long long>(data[i] * 8))) * 1099511628211ull;
  return sum;
}

template <typename T> T* filled(int n, int factor) {
  T* data;
  cudaMallocManaged(&data, n * sizeof(T));
  for (int i = 0; i < n; ++i)
    data[i] = static_cast<T>((i * factor + i / 7) % 251);
  return data;
}

int main() {
  Weights weights;
  for (int i = 0; i < 9; ++i)
    weights.at[i / 3][i % 3] = static_cast<float>(i - 3);
  const int sizes[][2] = {{61, 45}, {14, 14}, {13, 15}, {1, 1}, {84, 70}};
  for (const auto& size : sizes) {
    const int w = size[0], h = size[1];
    // One block more than needed to each side.
    const dim3 grid(w / 14 + 2, h / 14 + 2);
    const int parts = grid.x * grid.y * 196;
    float *in = filled<float>(w * h, 13), *out = filled<float>(w * h, 1), *sums = filled<float>(parts, 0);
    filtered<<<grid, dim3(16, 16)>>>(in, out, sums, w, h, weights);
    const int n = h < 33 ? h : 33;
    double *volume = filled<double>(n * n * n, 11), *changed = filled<double>(n * n * n, 3);
    cubes<<<dim3(n / 6 + 1, n / 6 + 1, n / 6 + 1), dim3(8, 8, 8)>>>(volume, changed, n, n);
    unsigned char *bytes = filled<unsigned char>(w * h, 29), *least = filled<unsigned char>(w * h, 5);
    short *words = filled<short>(w * h, 31), *leastWords = filled<short>(w * h, 5);
    opened<unsigned char, 2><<<dim3(w / 28 + 1, h / 4 + 1), dim3(32, 8)>>>(bytes, least, w, h);
    opened<short, 1><<<dim3(w / 30 + 1, h / 6 + 1), dim3(32, 8)>>>(words, leastWords, w, h);
    int *stamps = filled<int>((w + 8) * h, 0), *count = filled<int>(8, 0);
    stamped<<<dim3(w / 8 + 1, h / 8 + 1), dim3(8, 8)>>>(stamps, count, w, h);
    const cudaError_t error = cudaDeviceSynchronize();
    printf("%d %d: %d %llx %llx %llx %llx %llx %llx %d\n", w, h, error, hash(out, w * h), hash(sums, parts),
           hash(changed, n * n * n), hash(least, w * h), hash(leastWords, w * h), hash(stamps, (w + 8) * h), count[7]);
  }
  return 0;
}
