// Updates of a shared matrix by rows and columns of it that they leave alone give what single
// threads give, for parts of all shapes; loops that only look like such keep their order.
#include <cstdio>
#include <vector>

#define SIDE 23
#define PITCH (SIDE + 1)

__device__ void loadMatrix(const double* in, double* s, int n, int pitch) {
  for (int e = threadIdx.x; e < n * n; e += blockDim.x)
    s[(e / n) * pitch + e % n] = in[e];
}

// Quotients and remainders as rows and columns, a triangle, and the solution of L z = b.
__global__ void choleskyByQuotients(const double* in, double* out, int n, int kind) {
  extern __shared__ double memory[];
  const int pitch = n + 1;
  double* s = memory;
  double* right = memory + n * pitch;
  const int tid = threadIdx.x;
  loadMatrix(in + blockIdx.x * n * n, s, n, pitch);
  for (int i = tid; i < n; i += blockDim.x)
    right[i] = 1.0 + i;
  __syncthreads();
  for (int k = 0; k < n; k++) {
    if (tid == 0) {
      s[k * pitch + k] = sqrt(s[k * pitch + k]);
      right[k] /= s[k * pitch + k];
    }
    __syncthreads();
    const double inverse = 1.0 / s[k * pitch + k];
    for (int i = k + 1 + tid; i < n; i += blockDim.x) {
      s[i * pitch + k] *= inverse;
      right[i] -= s[i * pitch + k] * right[k];
    }
    __syncthreads();
    const int rest = n - k - 1;
    if (kind == 0)
      for (int e = tid; e < rest * rest; e += blockDim.x) {
        const int i = k + 1 + e / rest, j = k + 1 + e % rest;
        if (j <= i)
          s[i * pitch + j] -= s[i * pitch + k] * s[j * pitch + k];
      }
    else if (kind == 1)
      for (int e = tid; e < rest * rest; e += blockDim.x) {
        const int i = e / rest + (k + 1);
        const int j = e - e / rest * rest + k + 1;
        if (i < j)
          continue;
        const double left = s[k + pitch * i];
        s[j + pitch * i] = s[pitch * i + j] - left * s[k + pitch * j];
      }
    else
      for (int e = tid; e < rest * (rest - 1); e += blockDim.x) { // no last row
        const int i = k + 1 + e / rest, j = k + 1 + e % rest;
        if (i >= j && j > k + 1)
          s[i * pitch + j] -= s[i * pitch + k] * s[j * pitch + k];
      }
    __syncthreads();
  }
  for (int e = tid; e < n * n; e += blockDim.x) {
    const int i = e / n, j = e % n;
    out[blockIdx.x * n * (n + 1) + e] = j <= i ? s[i * pitch + j] : 0.0;
  }
  if (tid < n)
    out[blockIdx.x * n * (n + 1) + n * n + tid] = right[tid];
}

// Rows and columns in two dimensions, with the element's place as it is declared.
template <class T, int N, int Pad> __global__ void eliminate(const T* in, T* out, int n, int kind) {
  __shared__ T a[N][N + Pad];
  const int tx = threadIdx.x, ty = threadIdx.y;
  for (int i = ty; i < n; i += blockDim.y)
    for (int j = tx; j < n; j += blockDim.x)
      a[i][j] = in[i * n + j];
  __syncthreads();
  for (int k = 0; k < n; ++k) {
    if (kind == 1) { // the upper triangle
      for (int i = k + 1 + ty; i < n; i += blockDim.y) {
        const T f = a[k][i] / a[k][k];
        for (int j = i + tx; j < n; j += blockDim.x)
          a[i][j] -= f * a[k][j];
      }
    } else if (kind == 2) { // strictly lower, by a condition
      for (int i = k + 1 + ty; i < n; i += blockDim.y)
        for (int j = k + 1 + tx; j < n; j += blockDim.x)
          if (i > j)
            a[i][j] = a[i][j] - a[i][k] * a[k][j] / a[k][k];
    } else if (kind == 3) { // both sides by conditions
      for (int i = k + 1 + ty; i < n; i += blockDim.y)
        for (int j = k + 1 + tx; j < n; j += blockDim.x) {
          if (j < i - 1 || !(j < n - 1))
            continue;
          a[i][j] -= a[i][k] * a[k][j] / a[k][k];
        }
    } else if (kind == 4) { // up to the row's own column
      for (int i = k + 1 + ty; i <= n - 1; i += blockDim.y)
        for (int j = k + 1 + tx; j <= i; j += blockDim.x)
          a[i][j] += -a[i][k] * a[j][k] * T(0.0625);
    } else if (kind == 5) { // each row of threads begins with a column of its own
      for (int i = k + 1 + ty; i < n; i += blockDim.y)
        for (int j = k + 1 + ty + tx; j < n; j += blockDim.x)
          a[i][j] -= a[i][k] * a[k][j] * T(0.0625);
    } else { // everything, and what eliminates it
      for (int i = k + 1 + tx + ty * blockDim.x; i < n; i += blockDim.x * blockDim.y)
        a[i][k] /= a[k][k];
      __syncthreads();
      for (int i = k + 1 + ty; i < n; i += blockDim.y)
        for (int j = k + 1 + tx; j < n; j += blockDim.x)
          a[i][j] -= a[i][k] * a[k][j];
    }
    __syncthreads();
  }
  for (int i = ty; i < n; i += blockDim.y)
    for (int j = tx; j < n; j += blockDim.x)
      out[i * n + j] = a[i][j];
}

// Warps take rows, lanes columns.
__global__ void eliminateByWarps(const float* in, float* out, int n) {
  __shared__ float a[SIDE * PITCH];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int i = threadIdx.x; i < n * n; i += 128)
    a[i / n * PITCH + i % n] = in[i];
  __syncthreads();
  for (int k = 0; k < n; ++k) {
    const float inverse = 1.0f / a[k * PITCH + k];
    for (int i = k + 1 + warp; i < n; i += 4) {
      const float f = a[i * PITCH + k] * inverse;
      for (int j = k + 1 + lane; j < n; j += 32)
        a[i * PITCH + j] -= f * a[k * PITCH + j];
    }
    __syncthreads();
  }
  for (int i = threadIdx.x; i < n * n; i += 128)
    out[i] = a[i / n * PITCH + i % n];
}

// What changes rows or columns that it reads: one thread for each column, or for each row.
__global__ void inOrder(double* out, int n, int kind) {
  __shared__ double a[16][17];
  extern __shared__ double flat[];
  const int tx = threadIdx.x, ty = threadIdx.y;
  if (kind == 0) { // row 0 is the first that changes
    for (int i = ty; i < 16; i += blockDim.y)
      for (int j = tx; j < 16; j += blockDim.x)
        a[i][j] = i + 0.5 * j;
    __syncthreads();
    for (int i = ty; i < n; i += blockDim.y)
      for (int j = tx; j < n; j += blockDim.x)
        a[i][j] += 2.0 * a[0][j];
  } else if (kind == 1) { // column 0 likewise
    for (int i = ty; i < 16; i += blockDim.y)
      for (int j = tx; j < 16; j += blockDim.x)
        a[i][j] = i + 0.5 * j;
    __syncthreads();
    for (int i = ty; i < n; i += blockDim.y)
      for (int j = tx; j < n; j += blockDim.x)
        a[i][j] += 2.0 * a[i][0];
  } else { // rows that overlap
    for (int i = tx + ty * blockDim.x; i < 16 * 4 + 16; i += blockDim.x * blockDim.y)
      flat[i] = 1 + i % 5;
    __syncthreads();
    const int pitch = kind == 2 ? 4 : 5;
    for (int i = 1 + ty; i < 8; i += blockDim.y)
      for (int j = 1 + tx; j < 12; j += blockDim.x)
        flat[i * pitch + j] -= 0.125 * flat[i * pitch + 0] * flat[0 * pitch + j];
    __syncthreads();
    for (int i = ty; i < 16; i += blockDim.y)
      for (int j = tx; j < 16; j += blockDim.x)
        a[i][j] = flat[i * 4 + j];
  }
  __syncthreads();
  for (int i = ty; i < 16; i += blockDim.y)
    for (int j = tx; j < 16; j += blockDim.x)
      out[i * 16 + j] = a[i][j];
}

// A matrix in global memory, of which only one block knows.
__global__ void inGlobalMemory(double* matrix, int n) {
  double* a = matrix;
  for (int k = 0; k < n; ++k) {
    __syncthreads();
    for (int i = k + 1 + threadIdx.y; i < n; i += blockDim.y)
      for (int j = k + 1 + threadIdx.x; j < n; j += blockDim.x)
        a[i * n + j] -= a[i * n + k] * a[k * n + j] * 0.03125;
  }
}

template <class T> static void fill(std::vector<T>& to, int n) {
  to.assign(std::size_t(n) * n, T(0));
  unsigned s = 12345u + n;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) {
      s = s * 1664525u + 1013904223u;
      to[i * n + j] = to[j * n + i] = T(s >> 24) / T(256) + (i == j ? T(n) : T(0));
    }
}
template <class T> static void print(const char* name, const T* device, int count) {
  std::vector<T> host(count);
  cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost);
  double sum = 0, weighted = 0;
  for (int i = 0; i < count; ++i) {
    sum += host[i];
    weighted += double(host[i]) * (1 + i % 13);
  }
  printf("%s %.4f %.4f\n", name, sum, weighted);
}
template <class T> static T* onDevice(const std::vector<T>& host) {
  T* device;
  cudaMalloc(&device, host.size() * sizeof(T));
  cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}

template <class T, int N, int Pad> static void eliminateAll(const char* name) {
  for (int n : {1, 2, 7, N - 1, N}) {
    std::vector<T> host;
    fill(host, n);
    T* in = onDevice(host);
    T* out = onDevice(host);
    for (int kind = 0; kind < 6; ++kind)
      for (const dim3 block : {dim3(16, 8), dim3(32, 4), dim3(7, 3), dim3(1, 1)}) {
        eliminate<T, N, Pad><<<1, block>>>(in, out, n, kind);
        char text[64];
        snprintf(text, sizeof(text), "%s %d kind %d block %u", name, n, kind, block.x);
        print(text, out, n * n);
      }
    cudaFree(in);
    cudaFree(out);
  }
}

int main() {
  for (int n : {1, 2, 5, 8, 9, 23, 30, 40}) {
    std::vector<double> host;
    fill(host, n);
    for (int i = 0; i < n * n; ++i)
      host.push_back(host[i] * 1.5);
    double* in = onDevice(host);
    double* out = onDevice(std::vector<double>(2 * n * (n + 1), 0.0));
    for (int kind = 0; kind < 3; ++kind)
      for (int threads : {128, 96, 33}) {
        choleskyByQuotients<<<2, threads, (n * (n + 1) + n) * sizeof(double)>>>(in, out, n, kind);
        char text[64];
        snprintf(text, sizeof(text), "cholesky %d kind %d threads %d", n, kind, threads);
        print(text, out, 2 * n * (n + 1));
      }
    cudaFree(in);
    cudaFree(out);
  }
  eliminateAll<double, 32, 1>("double 32+1");
  eliminateAll<double, 30, 0>("double 30");
  eliminateAll<float, 30, 1>("float 30+1");
  eliminateAll<float, 48, 0>("float 48");

  for (int n : {1, 16, 22, SIDE}) {
    std::vector<float> host;
    fill(host, n);
    float* in = onDevice(host);
    eliminateByWarps<<<1, 128>>>(in, in, n);
    print("warps", in, n * n);
    cudaFree(in);
  }

  double* out = onDevice(std::vector<double>(256, 0.0));
  const std::size_t bytes = (16 * 4 + 16) * sizeof(double);
  inOrder<<<1, dim3(16, 1), bytes>>>(out, 15, 0);
  print("rows in order", out, 256);
  inOrder<<<1, dim3(1, 8), bytes>>>(out, 15, 1);
  print("columns in order", out, 256);
  for (int kind : {2, 3}) {
    inOrder<<<1, dim3(1, 1), bytes>>>(out, 15, kind);
    print("rows that overlap", out, 256);
  }
  std::vector<double> host;
  fill(host, 16);
  double* matrix = onDevice(host);
  inGlobalMemory<<<1, dim3(16, 4)>>>(matrix, 16);
  print("global", matrix, 256);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return 0;
}
