// Threads that own a row of a shared matrix, which they update column by column.
#include <cstdio>
#include <vector>

constexpr int n = 12, matrices = 4;

// One matrix for each row of threads, by a pointer.
__global__ void triangles(const int* in, int* out, int count) {
  __shared__ int s[matrices][n][n + 1];
  __shared__ int sums[matrices][n];
  const int row = threadIdx.x, m = threadIdx.y;
  const int id = blockIdx.x * matrices + m;
  const bool live = id < count;
  int(*a)[n + 1] = s[m];
  for (int j = 0; j < n; ++j)
    a[j][row] = live ? in[(id * n + j) * n + row] : int(j == row);
  sums[m][row] = 0;
  __syncthreads();
  for (int k = 0; k < n; ++k) {
    if (row > k) {
      const int factor = a[row][k] % 5;
      for (int j = k + 1; j <= row; ++j)
        a[row][j] -= factor * a[j][k];
    }
    __syncthreads();
    if (row > k)
      sums[m][row] += a[row][k];
    __syncthreads();
  }
  if (live) {
    for (int j = 0; j < n; ++j)
      out[(id * n + j) * n + row] = row <= j ? a[j][row] : 0;
    out[count * n * n + id * n + row] = sums[m][row];
  }
}

// Rows that are longer than a vector; the column is stored in the same step.
__global__ void elimination(const double* in, double* out) {
  __shared__ double a[40][41];
  const int row = threadIdx.x;
  for (int j = 0; j < 40; ++j)
    a[j][row] = in[j * 40 + row];
  __syncthreads();
  for (int k = 0; k < 3; ++k) {
    if (row > k) {
      const double factor = a[row][k] * 0.5;
      a[row][k] = factor;
      for (int j = k + 1; j < 40; j++)
        a[row][j] = a[row][j] - factor * a[k][j];
    }
    __syncthreads();
  }
  for (int j = 0; j < 40; ++j)
    out[j * 40 + row] = a[j][row];
}

// Columns that change while others read them: each thread reads its own row only, from left to
// right.
__global__ void runningSums(const int* in, int* out, int most) {
  __shared__ int a[16][20];
  const int row = threadIdx.x;
  for (int j = 0; j < 20; ++j)
    a[row][j] = in[row * 20 + j];
  __syncthreads();
  if (row < most)
    for (int j = 1; j < most + 4; ++j)
      a[row][j] += a[row][j - 1];
  __syncthreads();
  // The column is one that the loop comes to.
  if (row < most)
    for (int j = most - 1; j <= row + 2; ++j)
      a[row][j] += a[row][most];
  __syncthreads();
  // In front of a column.
  if (row > 2)
    for (int j = 1; j < row; ++j)
      a[row][j] -= a[row][row];
  __syncthreads();
  for (int j = 0; j < 20; ++j)
    out[row * 20 + j] = a[row][j];
}

// A step that also changes the column which it reads: of its own row.
__global__ void columnChanges(const int* in, int* out) {
  __shared__ int a[16][17];
  const int row = threadIdx.x;
  for (int j = 0; j < 16; ++j)
    a[row][j] = in[row * 16 + j] % 7;
  __syncthreads();
  for (int k = 0; k < 15; ++k) {
    if (row == k + 1) {
      a[row][k] += 1;
      for (int j = k + 1; j <= row; ++j)
        a[row][j] -= a[row][k] * a[j][k];
    }
    __syncthreads();
  }
  for (int j = 0; j < 16; ++j)
    out[row * 16 + j] = a[row][j];
}

// A matrix of which no row is complete in the grid's last block, and a loop that some skip.
template <int Size> __global__ void columns(const float* in, float* out, int width, int rows) {
  __shared__ float tile[Size][Size + 1];
  const int x = blockIdx.x * Size + threadIdx.x;
  for (int j = 0; j < Size; ++j)
    tile[j][threadIdx.x] = x < width && j < rows ? in[j * width + x] : 0.0f;
  __syncthreads();
  for (int k = 0; k + 1 < Size; ++k) {
    if (int(threadIdx.x) > k && threadIdx.x % 3 != 0)
      for (int j = k + 1; j < Size; ++j)
        tile[threadIdx.x][j] += tile[j][k];
    __syncthreads();
  }
  if (x < width) {
    for (int j = 0; j < rows; ++j)
      out[j * width + x] = tile[j][threadIdx.x];
    out[rows * width + x] = tile[threadIdx.x][0];
  }
}

// Bounds that may not be computed, or lie far away, where the guard does not hold.
__global__ void parted(const int* in, int* out, int width, int parts) {
  __shared__ int a[16];
  const int x = blockIdx.x * 16 + threadIdx.x;
  a[threadIdx.x] = in[x];
  __syncthreads();
  if (x < width && parts > 0) {
    for (int j = 8 % parts; j < 8 / parts; ++j)
      out[j * width + x] = a[threadIdx.x ^ 1];
    out[8 * width + x] = a[threadIdx.x];
  }
}
__global__ void withoutSign(const int* in, int* out, int width, unsigned count) {
  __shared__ int a[16];
  const int x = blockIdx.x * 16 + threadIdx.x;
  a[threadIdx.x] = in[x];
  __syncthreads();
  if (x < width && count > 0) {
    for (unsigned j = 0; j <= count - 1; ++j)
      out[j * width + x] = a[threadIdx.x ^ 1];
    out[8 * width + x] = a[threadIdx.x];
  }
}

template <class Number> static void show(const char* name, const std::vector<Number>& values) {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    sum += values[i] * double(i % 17 + 1);
  printf("%s %.10g %.10g %.10g\n", name, double(values[n + 1]), double(values.back()), sum);
}

template <class Number> struct Buffers {
  Number *in, *out;
  std::vector<Number> result;
  Buffers(int inputs, int outputs) : result(outputs) {
    std::vector<Number> values(inputs);
    for (int i = 0; i < inputs; ++i)
      values[i] = Number(i * 37 % 23 - 9);
    cudaMalloc(&in, inputs * sizeof(Number));
    cudaMalloc(&out, outputs * sizeof(Number));
    cudaMemcpy(in, values.data(), inputs * sizeof(Number), cudaMemcpyHostToDevice);
    cudaMemset(out, 0, outputs * sizeof(Number));
  }
  void print(const char* name) {
    cudaMemcpy(result.data(), out, result.size() * sizeof(Number), cudaMemcpyDeviceToHost);
    show(name, result);
  }
};

int main() {
  const int count = 10;
  Buffers<int> batch(count * n * n, count * n * (n + 1));
  triangles<<<(count + matrices - 1) / matrices, dim3(n, matrices)>>>(batch.in, batch.out, count);
  batch.print("triangles");
  Buffers<double> large(1600, 1600);
  elimination<<<1, 40>>>(large.in, large.out);
  large.print("elimination");
  for (const int most : {3, 8, 15}) {
    Buffers<int> sums(16 * 20, 16 * 20);
    runningSums<<<1, 16>>>(sums.in, sums.out, most);
    sums.print("runningSums");
  }
  Buffers<int> changes(256, 256);
  columnChanges<<<1, 16>>>(changes.in, changes.out);
  changes.print("columnChanges");
  Buffers<float> parts(7 * 19, 8 * 19);
  columns<8><<<3, 8>>>(parts.in, parts.out, 19, 7);
  parts.print("columns");
  for (const int part : {0, 1, 3}) {
    Buffers<int> rows(32, 9 * 20);
    parted<<<2, 16>>>(rows.in, rows.out, 20, part);
    rows.print("parted");
    withoutSign<<<2, 16>>>(rows.in, rows.out, 20, part);
    rows.print("withoutSign");
  }
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return 0;
}
