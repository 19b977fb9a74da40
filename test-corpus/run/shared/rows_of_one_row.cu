// Blocks of one row whose threads update elements of a shared matrix that quotients and remainders
// of their places tell.
#include <cstdio>

constexpr int N = 12;

__global__ void factorise(const float* in, float* out) {
  __shared__ float a[N][N];
  const int t = threadIdx.x, row = t / N, col = t % N;
  a[row][col] = in[blockIdx.x * N * N + t];
  __syncthreads();
  for (int k = 0; k < N - 1; ++k) {
    if (row > k && col == k) a[row][k] /= a[k][k];
    __syncthreads();
    if (row > k && col > k) a[row][col] -= a[row][k] * a[k][col];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + t] = a[row][col];
}

// A matrix laid out by hand, shifts and masks, steps by all threads, and a vector of some of them.
__global__ void solve(const double* in, double* out) {
  __shared__ double a[8 * 16], sum[16];
  const unsigned tid = threadIdx.x;
  const unsigned r = tid >> 4, c = tid & 15;
  for (unsigned i = tid; i < 8 * 16; i += blockDim.x) a[i] = in[blockIdx.x * 128 + i];
  if (threadIdx.x < 16) sum[tid] = 0;
  __syncthreads();
  for (int k = 0; k < 8; ++k) {
    const double f = a[r * 16 + k] / a[k * 16 + k];
    __syncthreads();
    if (r != k) a[r * 16 + c] -= f * a[k * 16 + c];
    __syncthreads();
    if (tid > k && tid < 16) sum[tid] += a[k * 16 + tid];
    __syncthreads();
  }
  out[blockIdx.x * 128 + tid] = a[r * 16 + c] + sum[threadIdx.x % 16] * (threadIdx.x / 16);
}

// Shortest paths, of integers; a block of more threads than the matrix has elements.
__global__ void paths(const int* in, int* out, int n) {
  __shared__ int d[10][11];
  const int i = threadIdx.x / 10, j = threadIdx.x % 10;
  if (i < 10) d[i][j] = in[threadIdx.x];
  __syncthreads();
  for (int k = 0; k < n; ++k) {
    if (i < 10) d[i][j] = min(d[i][j], d[i][k] + d[k][j]);
    __syncthreads();
  }
  if (threadIdx.x < 100) out[threadIdx.x] = d[i][j] + 1000 * (threadIdx.x > 55);
}

template <class T> void show(const char* name, const T* values, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += values[i] * (1 + i % 13);
  printf("%s %.5g %.5g %.5g\n", name, sum, double(values[17]), double(values[count - 1]));
}

int main() {
  float *a, *b;
  double *c, *d;
  int *e, *f;
  cudaMallocManaged(&a, 3 * N * N * sizeof(float));
  cudaMallocManaged(&b, 3 * N * N * sizeof(float));
  cudaMallocManaged(&c, 3 * 128 * sizeof(double));
  cudaMallocManaged(&d, 3 * 128 * sizeof(double));
  cudaMallocManaged(&e, 100 * sizeof(int));
  cudaMallocManaged(&f, 100 * sizeof(int));
  for (int i = 0; i < 3 * N * N; ++i) a[i] = (i * 37 % 64) / 64.0f + (i % (N * N) / N == i % N ? N : 0);
  for (int i = 0; i < 3 * 128; ++i) c[i] = (i * 29 % 64) / 64.0 + (i % 128 / 16 == i % 16 ? 16 : 0);
  for (int i = 0; i < 100; ++i) e[i] = i / 10 == i % 10 ? 0 : 1 + i * 41 % 97;
  factorise<<<3, N * N>>>(a, b);
  solve<<<3, 128>>>(c, d);
  paths<<<1, 110>>>(e, f, 10);
  cudaDeviceSynchronize();
  show("factors", b, 3 * N * N);
  show("solve", d, 3 * 128);
  show("paths", f, 100);
}
