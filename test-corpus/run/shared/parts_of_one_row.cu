// Branches that a range of one row of threads takes run for that range: columns of a shared matrix
// are divided and substituted back, with ranges that are empty, whole, or end behind the row.
#include <cstdio>

template <class T, int N, int ROWS> __global__ void solve(const T* in, T* out, int first, int last) {
  __shared__ T a[N][N + 1];
  __shared__ T b[N];
  const int tx = threadIdx.x, ty = threadIdx.y;
  for (int r = ty; r < N; r += ROWS)
    a[r][tx] = in[(blockIdx.x * N + r) * N + tx];
  if (ty == 0) b[tx] = T(1) + tx % 5;
  __syncthreads();
  for (int k = first; k < last; ++k) {
    if (ty == 0 && tx > k) a[tx][k] /= a[k][k];
    __syncthreads();
    if (tx >= k - 2 && tx < k + 3 && ty == 1) b[tx] += a[k][tx];
    __syncthreads();
  }
  for (int k = N - 1; k >= 0; --k) {
    if (ty == 0 && tx == k) b[k] /= a[k][k];
    __syncthreads();
    if (ty == 0 && tx < k) b[tx] -= a[tx][k] * b[k];
    __syncthreads();
  }
  // All of the row but what a value in memory leaves out, and a range known to the launch alone.
  if (ty == ROWS - 1 && tx >= first) out[blockIdx.x * N * 2 + tx] = b[tx];
  if (ty == 0 && tx < last && tx + 1 > first) out[(blockIdx.x * 2 + 1) * N + tx] = a[tx][first] + b[N - 1 - tx];
}

// Two layers of threads, each of which takes the branch.
__global__ void layers(float* out, unsigned from, unsigned to) {
  __shared__ float s[2][4][16];
  const unsigned x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  s[z][y][x] = 1 + x + 16 * y + 64 * z;
  __syncthreads();
  if (y == 2 && x >= from && x < to) s[z][y][x] = -s[z][0][15 - x];
  __syncthreads();
  out[(z * 4 + y) * 16 + x] = s[z][y][x];
}

template <class T, int N, int ROWS> void run(int first, int last) {
  T *in, *out;
  cudaMallocManaged(&in, 3 * N * N * sizeof(T));
  cudaMallocManaged(&out, 3 * 2 * N * sizeof(T));
  for (int i = 0; i < 3 * N * N; ++i)
    in[i] = T((i * 29) % 64) / 256 + (i % (N * N) / N == i % N ? T(4) : T(0));
  for (int i = 0; i < 6 * N; ++i)
    out[i] = 0;
  solve<T, N, ROWS><<<3, dim3(N, ROWS)>>>(in, out, first, last);
  cudaDeviceSynchronize();
  double sum = 0;
  for (int i = 0; i < 6 * N; ++i)
    sum += out[i] * (1 + i % 7);
  printf("%d %d %d %d: %.5g %.5g\n", N, ROWS, first, last, sum, double(out[N - 1]));
}

int main() {
  run<double, 16, 16>(0, 16);
  run<double, 16, 4>(3, 9);
  run<float, 32, 8>(0, 31);
  run<float, 8, 2>(1, 8);
  run<double, 12, 3>(0, 12);
  float* out;
  cudaMallocManaged(&out, 128 * sizeof(float));
  for (unsigned from : {0u, 5u, 16u})
    for (unsigned to : {0u, 11u, 40u}) {
      layers<<<1, dim3(16, 4, 2)>>>(out, from, to);
      cudaDeviceSynchronize();
      double sum = 0;
      for (int i = 0; i < 128; ++i)
        sum += out[i] * (i % 9);
      printf("%u %u: %g\n", from, to, sum);
    }
}
