// Threads that each take a column of a matrix in shared memory, and go along its rows, update it
// by rows and columns that they leave alone: factorisations.
#include <cstdio>

template <class T, int N, int Y> __global__ void factors(const T* in, T* lower, T* both) {
  __shared__ T s[N][N + 1];
  __shared__ T m[N * N];
  const int tx = threadIdx.x, ty = threadIdx.y;
  for (int r = ty; r < N; r += Y) {
    s[r][tx] = in[r * N + tx];
    m[r * N + tx] = in[r * N + tx];
  }
  __syncthreads();
  for (int k = 0; k < N; ++k) {
    if (ty == 0 && tx > k) {
      s[tx][k] /= s[k][k];
      m[tx * N + k] /= m[k * N + k];
    }
    __syncthreads();
    for (int r = k + 1 + ty; r < N; r += Y)
      if (tx > k && tx <= r)
        s[r][tx] -= s[r][k] * s[tx][k] * s[k][k];
    __syncthreads();
    for (int r = ty; r < N; r += blockDim.y)
      if (k < r && tx > k) {
        const T f = m[r * N + k];
        m[r * N + tx] -= f * m[k * N + tx];
      }
    __syncthreads();
  }
  for (int r = ty; r < N; r += Y) {
    lower[r * N + tx] = s[r][tx];
    both[r * N + tx] = m[r * N + tx];
  }
}

template <class T> void print(const char* name, const T* values, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += double(values[i]) * (1 + i % 7);
  printf("%s %.1f last %.1f\n", name, sum, double(values[count - 1]));
}

template <class T, int N, int Y> void factor() {
  T *in, *lower, *both;
  cudaMallocManaged(&in, N * N * sizeof(T));
  cudaMallocManaged(&lower, N * N * sizeof(T));
  cudaMallocManaged(&both, N * N * sizeof(T));
  for (int i = 0; i < N * N; ++i)
    in[i] = i / N == i % N ? T(N) : T((i / N + i % N) * 5 % 8) / 8;
  factors<T, N, Y><<<1, dim3(N, Y)>>>(in, lower, both);
  cudaDeviceSynchronize();
  print("lower", lower, N * N);
  print("both", both, N * N);
}

int main() {
  factor<float, 32, 8>();
  factor<double, 32, 4>();
  factor<float, 16, 16>();
  factor<float, 17, 5>();
  factor<double, 9, 1>();
  return 0;
}
