// Tiles that a block fills along anti-diagonals keep their values, whichever way they lie in
// memory: threads that take a column or a row each, two triangles, wide steps, several arrays,
// arrays that are named as one row or by address, and blocks of several sizes.
#include <cstdio>
#include <vector>

#define N 32

__device__ int score(int a, int b) { return a == b ? 5 : -4 + ((a * 3 + b) & 1); }

// A thread for each column; the first row by all threads.
__global__ void columns(const int* a, const int* b, int* out, int gap) {
  __shared__ int t[N + 1][N + 1];
  const int tid = threadIdx.x;
  t[0][tid + 1] = -(tid + 1) * gap;
  t[tid + 1][0] = -(tid + 1) * gap - (tid & 3);
  if (tid == 0)
    t[0][0] = 0;
  __syncthreads();
  for (int d = 0; d < 2 * N - 1; ++d) {
    const int r = d - tid;
    if (r >= 0 && r < N) {
      const int best = max(t[r][tid + 1], t[r + 1][tid]) - gap;
      t[r + 1][tid + 1] = max(best, t[r][tid] + score(a[r], b[tid]));
    }
    __syncthreads();
  }
  for (int r = 0; r <= N; ++r)
    out[r * (N + 1) + tid + 1] = t[r][tid + 1];
  out[(tid + 1) * (N + 1)] = t[tid + 1][0];
}

// A thread for each row, of unsigned places.
template <class T, unsigned Size> __global__ void rows(const int* a, const int* b, T* out) {
  __shared__ T t[Size + 1][Size + 2];
  const unsigned y = threadIdx.x;
  t[y + 1][0] = T(0);
  t[0][y + 1] = T(0);
  if (y == 0)
    t[0][0] = T(0);
  __syncthreads();
  for (unsigned d = 0; d < 2 * Size - 1; d++) {
    if (y <= d && d - y < Size) {
      const unsigned x = d - y;
      t[y + 1][x + 1] = a[y] == b[x] ? T(t[y][x] + T(1)) : max(t[y + 1][x], t[y][x + 1]);
    }
    __syncthreads();
  }
  for (unsigned x = 0; x < Size; x++)
    out[y * Size + x] = t[y + 1][x + 1];
}

__global__ void rowsOfBytes(const int* a, const int* b, int* out) {
  __shared__ unsigned char t[33][33];
  const int y = threadIdx.x;
  t[0][y + 1] = static_cast<unsigned char>(y + 1);
  t[y + 1][0] = static_cast<unsigned char>(y + 1);
  if (y == 0)
    t[0][0] = 0;
  for (int d = 0; d <= 62; d++) {
    __syncthreads();
    const int x = d - y;
    if (x >= 0 && x <= 31) {
      const int most = min(t[y][x + 1], t[y + 1][x]) + 1;
      t[y + 1][x + 1] = static_cast<unsigned char>(min(most, t[y][x] + (a[y] != b[x])));
    }
  }
  __syncthreads();
  for (int x = 0; x < 32; x++)
    out[y * 32 + x] = t[y + 1][x + 1];
}

// Two triangles, one after the other, with a table of scores beside the tile.
__global__ void triangles(const int* scores, int* out, int penalty) {
  __shared__ int temp[17][17];
  __shared__ int ref[16][16];
  const int tx = threadIdx.x;
  if (tx == 0)
    temp[tx][0] = 3;
  for (int ty = 0; ty < 16; ty++)
    ref[ty][tx] = scores[ty * 16 + tx];
  temp[tx + 1][0] = -tx;
  temp[0][tx + 1] = 2 - tx;
  __syncthreads();
  for (int m = 0; m < 16; m++) {
    if (tx <= m) {
      int x = tx + 1;
      int y = m - tx + 1;
      temp[y][x] = max(temp[y - 1][x - 1] + ref[y - 1][x - 1],
                       max(temp[y][x - 1] - penalty, temp[y - 1][x] - penalty));
    }
    __syncthreads();
  }
  for (int m = 14; m >= 0; m--) {
    if (tx <= m) {
      int x = tx + 16 - m;
      int y = 16 - tx;
      temp[y][x] = max(temp[y - 1][x - 1] + ref[y - 1][x - 1],
                       max(temp[y][x - 1] - penalty, temp[y - 1][x] - penalty));
    }
    __syncthreads();
  }
  for (int ty = 0; ty < 16; ty++)
    out[ty * 16 + tx] = temp[ty + 1][tx + 1];
}

// Three tables of a local alignment with affine gaps, and the best score of each thread.
__global__ void affine(const int* a, const int* b, float* out) {
  __shared__ float h[N + 1][N + 1];
  __shared__ float e[N + 1][N + 1], f[N + 1][N + 1];
  const int tid = threadIdx.x;
  for (int r = 0; r <= N; ++r)
    for (int c = tid; c <= N; c += blockDim.x) {
      h[r][c] = 0.0f;
      e[r][c] = -1.0f;
      f[r][c] = -1.0f;
    }
  __syncthreads();
  float best = 0.0f;
  for (int d = 2; d <= 2 * N; ++d) {
    const int i = d - tid - 1, j = tid + 1;
    if (i >= 1 && i <= N) {
      e[i][j] = fmaxf(e[i][j - 1] - 0.5f, h[i][j - 1] - 2.0f);
      f[i][j] = fmaxf(f[i - 1][j] - 0.5f, h[i - 1][j] - 2.0f);
      const float s = fmaxf(h[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 3.0f : -1.5f), 0.0f);
      h[i][j] = fmaxf(s, fmaxf(e[i][j], f[i][j]));
      best = fmaxf(best, h[i][j]);
    }
    __syncthreads();
  }
  out[tid] = best;
}

// The first row stands for the whole array.
__global__ void asOneRow(const int* a, int* out) {
  __shared__ int t[8][9];
  __shared__ int u[8][9];
  const int tid = threadIdx.x;
  for (int i = tid; i < 72; i += blockDim.x)
    t[0][i] = a[i & 31];
  u[0][tid] = a[tid]; // 72 threads
  __syncthreads();
  for (int d = 0; d < 15; ++d) {
    const int r = d - tid;
    if (tid < 8 && r >= 1 && r < 8) {
      t[r][tid + 1] = t[r - 1][tid] + t[r][tid];
      u[r][tid + 1] = u[r - 1][tid] + u[r][tid];
    }
    __syncthreads();
  }
  if (tid < 8)
    for (int r = 0; r < 8; ++r)
      out[r * 8 + tid] = t[r][tid + 1] + 3 * u[r][tid + 1];
}

// Somebody has the address of an element, and walks on from there.
__global__ void byAddress(const int* a, int* out) {
  __shared__ int t[16][16];
  const int tid = threadIdx.x;
  int* first = &t[0][0];
  for (int i = 0; i < 16; ++i)
    first[i * 16 + tid] = a[(i + tid) & 31];
  __syncthreads();
  for (int d = 2; d < 31; ++d) {
    const int r = d - tid;
    if (tid > 0 && r >= 1 && r < 16)
      t[r][tid] += t[r - 1][tid] - t[r][tid - 1] + t[r - 1][tid - 1];
    __syncthreads();
  }
  for (int i = 0; i < 16; ++i)
    out[i * 16 + tid] = t[i][tid];
}

template <class T> void print(const char* name, const T* values, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += double(values[i]) * (1 + i % 13);
  printf("%s %.3f last %.3f\n", name, sum, double(values[count - 1]));
}

int main() {
  int *a, *b, *out;
  float* floats;
  double* doubles;
  cudaMallocManaged(&a, 256 * sizeof(int));
  cudaMallocManaged(&b, 256 * sizeof(int));
  cudaMallocManaged(&out, 33 * 33 * sizeof(int));
  cudaMallocManaged(&floats, 33 * 33 * sizeof(float));
  cudaMallocManaged(&doubles, 33 * 33 * sizeof(double));
  for (int i = 0; i < 256; ++i) {
    a[i] = (i * 7 + i / 5) % 4;
    b[i] = (i * 5 + i / 3) % 4;
  }
  out[0] = 0;
  columns<<<1, N>>>(a, b, out, 6);
  cudaDeviceSynchronize();
  print("columns", out, 33 * 33);
  rows<int, 32><<<1, 32>>>(a, b, out);
  cudaDeviceSynchronize();
  print("rows", out, 32 * 32);
  rowsOfBytes<<<1, 32>>>(a, b, out);
  cudaDeviceSynchronize();
  print("rows of bytes", out, 32 * 32);
  rows<double, 24><<<1, 24>>>(a, b, doubles);
  cudaDeviceSynchronize();
  print("rows of doubles", doubles, 24 * 24);
  triangles<<<1, 16>>>(a, out, 2);
  cudaDeviceSynchronize();
  print("triangles", out, 16 * 16);
  affine<<<1, N>>>(a, b, floats);
  cudaDeviceSynchronize();
  print("affine", floats, N);
  asOneRow<<<1, 72>>>(a, out);
  cudaDeviceSynchronize();
  print("as one row", out, 64);
  byAddress<<<1, 16>>>(a, out);
  cudaDeviceSynchronize();
  print("by address", out, 256);
  return 0;
}
