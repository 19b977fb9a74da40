// Products of shared tiles in which each thread adds up one result: dense layers with padded tables
// that rows of threads read by columns, by rows, in blocks of several shapes, at edges.
#include <cstdio>

template <int TX, int TY, class T>
__global__ void dense(const T* x, const T* w, const T* bias, T* y, int batch, int in, int out) {
  __shared__ T xs[TY][TX];
  __shared__ T ws[TX][TX + 1];
  const int row = blockIdx.y * TY + threadIdx.y, col = blockIdx.x * TX + threadIdx.x;
  T acc = 0;
  for (int t = 0; t < (in + TX - 1) / TX; ++t) {
    const int k = t * TX + threadIdx.x;
    xs[threadIdx.y][threadIdx.x] = row < batch && k < in ? x[row * in + k] : T(0);
    for (int r = threadIdx.y; r < TX; r += TY) {
      const int wRow = blockIdx.x * TX + r;
      ws[r][threadIdx.x] = wRow < out && k < in ? w[wRow * in + k] : T(0);
    }
    __syncthreads();
    for (int i = 0; i < TX; ++i)
      acc += xs[threadIdx.y][i] * ws[threadIdx.x][i];
    __syncthreads();
  }
  if (row < batch && col < out)
    y[row * out + col] = acc + bias[col] > 0 ? acc + bias[col] : T(0);
}

__global__ void square(const float* a, const float* b, float* c, int n) {
  __shared__ float as[16][16], bs[16][17], bt[16][17];
  const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  const int wRow = blockIdx.x * 16 + threadIdx.y;
  float plain = 0.0f, turned = 0.5f;
  for (int t = 0; t < n; t += 16) {
    const int k = t + threadIdx.x;
    as[threadIdx.y][threadIdx.x] = row < n && k < n ? a[row * n + k] : 0.0f;
    bs[threadIdx.y][threadIdx.x] = t + threadIdx.y < n && col < n ? b[(t + threadIdx.y) * n + col] : 0.0f;
    bt[threadIdx.y][threadIdx.x] = wRow < n && k < n ? b[wRow * n + k] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 16; ++i)
      plain += as[threadIdx.y][i] * bs[i][threadIdx.x];
    for (int i = 0; i < 16; ++i)
      turned += as[threadIdx.y][i] * bt[threadIdx.x][i];
    __syncthreads();
  }
  if (row < n && col < n)
    c[row * n + col] = plain - 2.0f * turned;
}

template <class T> void print(const char* name, T* y, int count) {
  cudaDeviceSynchronize();
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += double(y[i]) * (1 + i % 7);
  printf("%s: %.10g %g %g\n", name, sum, double(y[1]), double(y[count - 1]));
}

template <int TX, int TY, class T> void layer(const char* name, int batch, int in, int out) {
  T *x, *w, *b, *y;
  cudaMallocManaged(&x, batch * in * sizeof(T));
  cudaMallocManaged(&w, out * in * sizeof(T));
  cudaMallocManaged(&b, out * sizeof(T));
  cudaMallocManaged(&y, batch * out * sizeof(T));
  for (int i = 0; i < batch * in; ++i) x[i] = T(i * 7 % 13 - 4);
  for (int i = 0; i < out * in; ++i) w[i] = T(i * 5 % 11 - 5);
  for (int i = 0; i < out; ++i) b[i] = T(i % 9);
  dense<TX, TY, T><<<dim3((out + TX - 1) / TX, (batch + TY - 1) / TY), dim3(TX, TY)>>>(x, w, b, y, batch, in, out);
  print(name, y, batch * out);
  if (batch == in && in == out && sizeof(T) == 4) {
    square<<<dim3((out + 15) / 16, (out + 15) / 16), dim3(16, 16)>>>((float*)x, (float*)w, (float*)y, out);
    print("square", y, out * out);
  }
}

int main() {
  layer<16, 16, float>("16 x 16", 37, 53, 45);
  layer<16, 16, float>("16 x 16, even", 50, 50, 50);
  layer<32, 8, float>("32 x 8", 37, 70, 45);
  layer<16, 6, float>("16 x 6", 37, 53, 45);
  layer<8, 8, double>("8 x 8 doubles", 21, 30, 19);
  layer<12, 4, float>("12 x 4", 21, 30, 19);
}
