// Arrays of threads that live across barriers and are reached element by element alone keep their values: accumulators
// of a product, windows that move along, in templates and without, for blocks in one and two dimensions.
#include <cstdio>
#include <vector>

template <typename T, int BM, int BN, int BK, int TM, int TN>
__global__ void product(int n, const T* a, const T* b, T* c) {
  __shared__ T left[BM * BK];
  __shared__ T right[BK * BN];
  const int column = threadIdx.x % (BN / TN), row = threadIdx.x / (BN / TN);
  const unsigned rowA = threadIdx.x / BK, columnA = threadIdx.x % BK;
  const unsigned rowB = threadIdx.x / BN, columnB = threadIdx.x % BN;
  const unsigned threads = (BM * BN) / (TM * TN);
  T sum[TM * TN] = {T(1)};
  for (int k = 0; k < n; k += BK) {
    for (unsigned i = 0; i < BM; i += threads / BK)
      left[(rowA + i) * BK + columnA] = a[(blockIdx.y * BM + rowA + i) * n + k + columnA];
    for (unsigned i = 0; i < BK; i += threads / BN)
      right[(rowB + i) * BN + columnB] = b[(k + rowB + i) * n + blockIdx.x * BN + columnB];
    __syncthreads();
    for (int d = 0; d < BK; ++d)
      for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j)
          sum[i * TN + j] += left[(row * TM + i) * BK + d] * right[d * BN + column * TN + j];
    __syncthreads();
  }
  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; ++j)
      c[(blockIdx.y * BM + row * TM + i) * n + blockIdx.x * BN + column * TN + j] = sum[i * TN + j];
}

// Two dimensions of elements, a block of two dimensions, counters that go down, and one element on its own.
__global__ void window(const int* in, int* out, int planes, int plane) {
  __shared__ int now[8][16];
  const int at = threadIdx.y * 16 + threadIdx.x;
  short behind[2][3];
  unsigned long long seen[2] = {5, 7};
  for (int i = 2; i >= 0; i--) {
    behind[0][i] = in[i * plane + at];
    behind[1][i] = -in[i * plane + at];
  }
  for (int z = 3; z < planes; ++z) {
    now[threadIdx.y][threadIdx.x] = in[z * plane + at];
    __syncthreads();
    const int value = now[7 - threadIdx.y][15 - threadIdx.x];
    for (int i = 2; i > 0; i--)
      for (int j = 0; j < 2; ++j)
        behind[j][i] = behind[j][i - 1];
    behind[0][0] = value;
    behind[1][0]--;
    if (threadIdx.x % 8 == 3)
      seen[1] += behind[0][2] * 3;
    seen[0] = seen[0] * 31 + behind[0][1] - behind[1][2];
    __syncthreads();
  }
  out[blockIdx.x * 128 + at] = int(seen[0] % 100003) + int(seen[1] % 1009) + behind[1][1];
}

// Threads that return early, and blocks whose rows are no whole parts.
__global__ void early(const float* in, float* out, int n) {
  __shared__ float shared[48];
  const int lane = threadIdx.x & 7, part = threadIdx.x >> 3;
  float kept[4] = {1, 2, 3, 4};
  if (threadIdx.x >= 44)
    return;
  for (int s = 0; s < n; ++s) {
    shared[threadIdx.x] = in[s * 48 + part * 8 + lane];
    __syncthreads();
    for (int i = 0; i < 4; ++i)
      kept[i] = kept[i] * 0.5f + shared[(threadIdx.x + i) % 44];
    __syncthreads();
  }
  out[threadIdx.x] = kept[0] + kept[1] * 2 + kept[2] * 4 + kept[3] * 8;
}

template <typename T, int BM, int BN, int BK, int TM, int TN> void multiply(const char* name, int n) {
  T *a, *b, *c;
  cudaMallocManaged(&a, n * n * sizeof(T));
  cudaMallocManaged(&b, n * n * sizeof(T));
  cudaMallocManaged(&c, n * n * sizeof(T));
  for (int i = 0; i < n * n; ++i) {
    a[i] = T(i * 7 % 13 - 6);
    b[i] = T(i * 5 % 11 - 5);
  }
  product<T, BM, BN, BK, TM, TN><<<dim3(n / BN, n / BM), BM * BN / (TM * TN)>>>(n, a, b, c);
  cudaDeviceSynchronize();
  double total = 0;
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const int row = i % TM, column = j % TN;
      double sum = row == 0 && column == 0;
      for (int k = 0; k < n; ++k)
        sum += double(a[i * n + k]) * double(b[k * n + j]);
      wrong += sum != double(c[i * n + j]);
      total += double(c[i * n + j]) * ((i * 3 + j) % 17);
    }
  printf("%s: %d wrong, %.0f\n", name, wrong, total);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}

int main() {
  multiply<float, 32, 32, 8, 4, 4>("float, 4 by 4", 64);
  multiply<float, 64, 64, 8, 8, 8>("float, 8 by 8", 128);
  multiply<double, 16, 32, 8, 2, 4>("double, 2 by 4", 64);
  multiply<int, 32, 32, 16, 8, 1>("int, 8 by 1", 64);

  const int planes = 20, plane = 128;
  int *in, *out;
  cudaMallocManaged(&in, planes * plane * sizeof(int));
  cudaMallocManaged(&out, 2 * plane * sizeof(int));
  for (int i = 0; i < planes * plane; ++i)
    in[i] = i * 37 % 101;
  window<<<2, dim3(16, 8)>>>(in, out, planes, plane);
  cudaDeviceSynchronize();
  for (int i : {0, 3, 17, 64, 127, 128, 255})
    printf("%d ", out[i]);
  long long all = 0;
  for (int i = 0; i < 2 * plane; ++i)
    all += (long long)out[i] * (i % 7 + 1);
  printf("%lld\n", all);

  float *x, *y;
  cudaMallocManaged(&x, 10 * 48 * sizeof(float));
  cudaMallocManaged(&y, 48 * sizeof(float));
  for (int i = 0; i < 480; ++i)
    x[i] = float(i % 19);
  for (int i = 0; i < 48; ++i)
    y[i] = -1;
  early<<<1, 48>>>(x, y, 10);
  cudaDeviceSynchronize();
  for (int i = 0; i < 48; ++i)
    printf("%.6f%c", y[i], i % 8 == 7 ? '\n' : ' ');
  return 0;
}
