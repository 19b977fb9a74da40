// Blocks in which each thread updates its own element of a shared matrix by rows and columns that
// stay give what single threads give, for parts of all shapes and blocks of all sizes.
#include <cstdio>

template <class T, int N> __global__ void factorise(const T* in, T* out, int from) {
  __shared__ T a[N][N + 1];
  __shared__ T right[N];
  const int tx = threadIdx.x, ty = threadIdx.y;
  a[ty][tx] = in[(blockIdx.x * N + ty) * N + tx];
  if (ty == 0) right[tx] = T(1) + tx;
  __syncthreads();
  for (int k = from; k < N; ++k) {
    if (ty == 0 && tx > k) a[tx][k] /= a[k][k];
    __syncthreads();
    if (ty > k) {
      if (tx > k) a[ty][tx] -= a[ty][k] * a[k][tx];
      if (tx == 0) right[ty] -= a[ty][k] * right[k];
    }
    __syncthreads();
  }
  out[(blockIdx.x * N + ty) * N + tx] = a[ty][tx] + (ty == tx ? right[tx] : T(0));
}

// A triangle, in a matrix that is laid out by hand, whose size only the launch knows.
__global__ void triangle(const double* in, double* out, int end) {
  extern __shared__ double s[];
  const unsigned n = blockDim.x;
  const int x = threadIdx.x, y = threadIdx.y;
  s[y * n + x] = in[(blockIdx.x * n + y) * n + x];
  __syncthreads();
  for (int k = 0; k < end; ++k) {
    if (x == k && y > k) s[y * n + k] /= 1 + s[k * n + k] * s[k * n + k];
    __syncthreads();
    if (x > k && x <= y && y < end) s[y * n + x] -= s[y * n + k] * s[x * n + k];
    __syncthreads();
  }
  out[(blockIdx.x * n + y) * n + x] = s[y * n + x];
}

// Rows above and below one, and no guard on columns that do not change.
__global__ void reduceRows(const float* in, float* out) {
  __shared__ float a[8][16], factor[8];
  a[threadIdx.y][threadIdx.x] = in[threadIdx.y * 16 + threadIdx.x];
  __syncthreads();
  for (int k = 0; k < 8; ++k) {
    if (threadIdx.x == 0) factor[threadIdx.y] = a[threadIdx.y][k] / a[k][k];
    __syncthreads();
    if (threadIdx.y < k && threadIdx.x > k)
      a[threadIdx.y][threadIdx.x] += 0.5f * a[k][threadIdx.x] * a[threadIdx.y][k];
    if (threadIdx.y > k && threadIdx.x >= 8)
      a[threadIdx.y][threadIdx.x] -= factor[threadIdx.y] * a[k][threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.y * 16 + threadIdx.x] = a[threadIdx.y][threadIdx.x];
}

template <class T, class Launch> void run(const char* name, int n, int m, Launch launch) {
  T *a, *b;
  cudaMallocManaged(&a, 4 * n * m * sizeof(T));
  cudaMallocManaged(&b, 4 * n * m * sizeof(T));
  for (int i = 0; i < 4 * n * m; ++i)
    a[i] = b[i] = T((i * 37) % 64) / 64 + (i % (n * m) / m == i % m ? T(m) : T(0));
  launch(a, b);
  cudaDeviceSynchronize();
  double sum = 0;
  for (int i = 0; i < 4 * n * m; ++i)
    sum += b[i] * (1 + i % 11);
  printf("%s %d: %.5g %.5g %.5g\n", name, n, sum, double(b[n * m - 1]), double(b[3 * m + 5]));
}

int main() {
  run<double>("factors", 16, 16, [](double* a, double* b) { factorise<double, 16><<<4, dim3(16, 16)>>>(a, b, 0); });
  run<float>("factors", 16, 16, [](float* a, float* b) { factorise<float, 16><<<4, dim3(16, 16)>>>(a, b, 3); });
  run<float>("factors", 32, 32, [](float* a, float* b) { factorise<float, 32><<<4, dim3(32, 32)>>>(a, b, 0); });
  run<double>("six", 6, 6, [](double* a, double* b) { factorise<double, 6><<<4, dim3(6, 6)>>>(a, b, 0); });
  for (int n : {7, 16, 23})
    run<double>("triangle", n, n, [&](double* a, double* b) { triangle<<<4, dim3(n, n), n * n * 8>>>(a, b, n - n / 5); });
  run<float>("rows", 8, 16, [](float* a, float* b) { reduceRows<<<1, dim3(16, 8)>>>(a, b); });
}
