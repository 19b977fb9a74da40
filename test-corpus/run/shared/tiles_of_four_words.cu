// Threads that move four words at a time into tiles, as they are or transposed, move all of them:
// blocks of one row or several, places by quotients and remainders, tiles that are multiplied, and
// regions that compute as well.
#include <cstdio>

template <int BM, int BN, int BK, int TM, int TN>
__global__ void product(int n, int depth, const float* a, const float* b, float* c) {
  __shared__ float as[BK][BM];
  __shared__ float bs[BK][BN];
  const int tid = threadIdx.x;
  const int aRow = tid / (BK / 4), aColumn = (tid % (BK / 4)) * 4;
  const int bRow = tid / (BN / 4), bColumn = (tid % (BN / 4)) * 4;
  constexpr int threads = (BM / TM) * (BN / TN);
  const int ty = tid / (BN / TN), tx = tid % (BN / TN);
  const float* aBlock = a + blockIdx.y * BM * depth;
  const float* bBlock = b + blockIdx.x * BN;
  float sum[TM][TN] = {};
  for (int k0 = 0; k0 < depth; k0 += BK) {
    for (int r = 0; r < BM; r += threads / (BK / 4)) {
      const float4 v = *reinterpret_cast<const float4*>(&aBlock[(aRow + r) * depth + k0 + aColumn]);
      as[aColumn][aRow + r] = v.x;
      as[aColumn + 1][aRow + r] = v.y;
      as[aColumn + 2][aRow + r] = v.z;
      as[aColumn + 3][aRow + r] = v.w;
    }
    for (int r = 0; r < BK; r += threads / (BN / 4))
      *reinterpret_cast<float4*>(&bs[bRow + r][bColumn]) =
          *reinterpret_cast<const float4*>(&bBlock[(k0 + bRow + r) * n + bColumn]);
    __syncthreads();
    for (int k = 0; k < BK; ++k)
      for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j)
          sum[i][j] += as[k][ty * TM + i] * bs[k][tx * TN + j];
    __syncthreads();
  }
  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; ++j)
      c[(blockIdx.y * BM + ty * TM + i) * n + blockIdx.x * BN + tx * TN + j] = sum[i][j];
}

// Several products one behind the other, with sums that are cleared, or looked at, on the way, and
// a loop that ends early.
template <int kind> __global__ void products(int depth, const float* a, const float* b, float* c) {
  __shared__ float as[8][32], bs[8][32];
  const int tid = threadIdx.x, ty = tid / 8, tx = tid % 8;
  float sum[4][4];
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      sum[i][j] = 1.0f;
  for (int round = 0; round < 3; ++round) {
    if (kind == 1)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          sum[i][j] = float(i);
    for (int k0 = 0; k0 < depth; k0 += 8) {
      *reinterpret_cast<float4*>(&as[ty][tx * 4]) =
          *reinterpret_cast<const float4*>(&a[(k0 + ty) * 32 + tx * 4]);
      *reinterpret_cast<float4*>(&bs[ty][tx * 4]) =
          *reinterpret_cast<const float4*>(&b[(k0 + ty) * 32 + tx * 4]);
      __syncthreads();
      for (int k = 0; k < 8; ++k)
        for (int i = 0; i < 4; ++i)
          for (int j = 0; j < 4; ++j)
            sum[i][j] += as[k][ty * 4 + i] * bs[k][tx * 4 + j];
      __syncthreads();
      if (kind == 3 && k0 == 16)
        break;
    }
    if (kind == 4 && round == 1)
      return;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        c[(ty * 4 + i) * 32 + tx * 4 + j] = sum[i][j] + float(round);
  }
}

__global__ void lookedAt(int depth, const float* a, const float* b, float* c) {
  __shared__ float as[8][32], bs[8][32];
  const int tid = threadIdx.x, ty = tid / 8, tx = tid % 8;
  float sum[4][4];
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      sum[i][j] = 1.0f;
  for (int round = 0; round < 3; ++round) {
    for (int k0 = 0; k0 < depth; k0 += 8) {
      *reinterpret_cast<float4*>(&as[ty][tx * 4]) =
          *reinterpret_cast<const float4*>(&a[(k0 + ty) * 32 + tx * 4]);
      *reinterpret_cast<float4*>(&bs[ty][tx * 4]) =
          *reinterpret_cast<const float4*>(&b[(k0 + ty) * 32 + tx * 4]);
      __syncthreads();
      for (int k = 0; k < 8; ++k)
        for (int i = 0; i < 4; ++i)
          for (int j = 0; j < 4; ++j)
            sum[i][j] += as[k][ty * 4 + i] * bs[k][tx * 4 + j];
      __syncthreads();
      sum[1][2] *= 0.5f;
    }
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        c[(ty * 4 + i) * 32 + tx * 4 + j] = sum[i][j] + float(round);
  }
}

// Blocks of several rows; the second move computes.
__global__ void turned(const int4* in, int4* out, int width) {
  __shared__ int tile[32][8 * 4 + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  const int4 v = in[(blockIdx.y * blockDim.y + y) * width + blockIdx.x * 8 + x];
  tile[y][x * 4] = v.x;
  tile[y][x * 4 + 1] = v.y;
  tile[y][x * 4 + 2] = v.z;
  tile[y][x * 4 + 3] = v.w;
  __syncthreads();
  int4 w;
  w.x = tile[x * 4][y] + 1;
  w.y = tile[x * 4 + 1][y] * 3;
  w.z = tile[x * 4 + 2][y] - v.x;
  w.w = tile[x * 4 + 3][y];
  out[(blockIdx.x * blockDim.y + y) * width + blockIdx.y * 8 + x] = w;
}

// Pairs of doubles through dynamic shared memory, and a number for whoever comes with it.
__global__ void pairs(const double2* __restrict__ in, double2* out, int count) {
  extern __shared__ double2 kept[];
  const int tid = threadIdx.x;
  kept[tid] = __ldg(&in[blockIdx.x * blockDim.x + tid]);
  __syncthreads();
  const int from = int(blockDim.x) - 1 - tid;
  out[blockIdx.x * blockDim.x + tid] = kept[from];
  __syncthreads();
  if (tid < count)
    kept[tid] = kept[tid + count];
  __syncthreads();
  out[blockIdx.x * blockDim.x + tid].y += kept[tid].x;
}

template <class T> void print(const char* name, const T* values, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += double(values[i]) * (1 + i % 11);
  printf("%s %.3f\n", name, sum);
}

int main() {
  constexpr int n = 128, depth = 32;
  float *a, *b, *c;
  cudaMallocManaged(&a, n * depth * sizeof(float));
  cudaMallocManaged(&b, n * depth * sizeof(float));
  cudaMallocManaged(&c, n * n * sizeof(float));
  for (int i = 0; i < n * depth; ++i) {
    a[i] = float(i * 7 % 16) - 4;
    b[i] = float(i * 5 % 8) - 2;
  }
  product<64, 64, 16, 4, 4><<<dim3(n / 64, n / 64), 256>>>(n, depth, a, b, c);
  cudaDeviceSynchronize();
  print("64 x 64", c, n * n);
  product<128, 64, 16, 8, 4><<<dim3(n / 64, n / 128), 256>>>(n, depth, a, b, c);
  cudaDeviceSynchronize();
  print("128 x 64", c, n * n);
  product<32, 32, 16, 4, 2><<<dim3(n / 32, n / 32), 128>>>(n, depth, a, b, c);
  cudaDeviceSynchronize();
  print("32 x 32", c, n * n);

  const auto rounds = [&](auto kernel, const char* name) {
    kernel<<<1, 64>>>(depth, a, b, c);
    cudaDeviceSynchronize();
    print(name, c, 32 * 32);
  };
  rounds(products<0>, "summed up");
  rounds(products<1>, "cleared");
  rounds(lookedAt, "looked at");
  rounds(products<3>, "left early");
  rounds(products<4>, "returned");

  constexpr int width = 64;
  int *in, *out;
  cudaMallocManaged(&in, width * width * sizeof(int));
  cudaMallocManaged(&out, width * width * sizeof(int));
  for (int i = 0; i < width * width; ++i)
    in[i] = i * 13 % 257;
  turned<<<dim3(2, 2), dim3(8, 32)>>>(reinterpret_cast<int4*>(in), reinterpret_cast<int4*>(out),
                                      width / 4);
  cudaDeviceSynchronize();
  print("turned", out, width * width);

  double *from, *to;
  cudaMallocManaged(&from, 600 * sizeof(double));
  cudaMallocManaged(&to, 600 * sizeof(double));
  for (const int threads : {96, 75}) {
    for (int i = 0; i < 600; ++i) {
      from[i] = i * 3 % 41;
      to[i] = 0;
    }
    pairs<<<3, threads, threads * sizeof(double2)>>>(reinterpret_cast<double2*>(from),
                                                     reinterpret_cast<double2*>(to), 20);
    cudaDeviceSynchronize();
    print("pairs", to, 600);
  }
  return 0;
}
