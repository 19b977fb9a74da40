// Loops that each row of threads begins at its own row of a tile, in blocks whose rows are no
// warps.
#include <cstdio>
#include <vector>

__constant__ float taps[9];

__device__ int within(int v, int low, int high) { return v < low ? low : (v > high ? high : v); }

// Loads as many rows as there are, whatever the block's size; behind the barrier taps by columns.
template <int WIDTH, int ROWS, int RADIUS>
__global__ void columns(const float* in, float* out, int w, int h) {
  __shared__ float tile[ROWS + 2 * RADIUS][WIDTH];
  const int x = blockIdx.x * WIDTH + threadIdx.x, y0 = blockIdx.y * ROWS;
  const int xc = within(x, 0, w - 1);
  for (int i = threadIdx.y; i < ROWS + 2 * RADIUS; i += blockDim.y)
    tile[i][threadIdx.x] = in[within(y0 - RADIUS + i, 0, h - 1) * w + xc];
  __syncthreads();
  for (int s = threadIdx.y; s < ROWS; s += blockDim.y) {
    if (x >= w || y0 + s >= h)
      break;
    float sum = 0;
    for (int k = -RADIUS; k <= RADIUS; ++k)
      sum += taps[RADIUS + k] * tile[s + RADIUS + k][threadIdx.x];
    out[(y0 + s) * w + x] = sum;
  }
}

// Rows of taps in blocks that read the array itself where they lie inside of it.
__global__ void rows(const float* in, float* out, int w, int h) {
  __shared__ float tile[4][64 + 8];
  const int x0 = blockIdx.x * 64 - 4, x = blockIdx.x * 64 + threadIdx.x;
  const int y = blockIdx.y * 4 + threadIdx.y, yc = within(y, 0, h - 1);
  for (int i = threadIdx.x; i < 64 + 8; i += 64)
    tile[threadIdx.y][i] = in[yc * w + within(x0 + i, 0, w - 1)];
  __syncthreads();
  if (x < w && y < h) {
    float sum = 0;
#pragma unroll
    for (int j = -4; j <= 4; j++)
      sum += taps[4 - j] * tile[threadIdx.y][threadIdx.x + 4 + j];
    out[y * w + x] = sum;
  }
}

// What a thread keeps from step to step, other starts and ends, without a sign, and in three
// dimensions.
__global__ void others(const float* in, float* out, int w, int h, unsigned most) {
  __shared__ float tile[40][8];
  __shared__ float more[30][8];
  __shared__ int seen[40];
  const unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  for (unsigned i = t; i < 40; i += blockDim.x * blockDim.y * blockDim.z)
    seen[i] = 0;
  __syncthreads();
  float sum = 0;
  for (unsigned i = threadIdx.y + 2; i <= most; i += 3) {
    tile[i][threadIdx.x] = in[i * w + threadIdx.x];
    sum += in[i * w + threadIdx.x] * float(i);
    if (threadIdx.x == 0)
      atomicAdd(&seen[i], 1);
  }
  for (int i = threadIdx.z; i < 2; i += 2)
    tile[i][threadIdx.x] = float(i);
  for (int i = threadIdx.y; i < 30; i += blockDim.y)
    more[i][threadIdx.x] = in[min(max(i - 3, 0), h - 1) * w + threadIdx.x];
  __syncthreads();
  for (int i = int(threadIdx.y) - 1; i < 40; i += 2)
    if (i >= 0 && i < int(most) && threadIdx.z == 0)
      sum += tile[i][threadIdx.x] * float(seen[i]) + more[i % 30][threadIdx.x];
  out[(blockIdx.x * 12 + t / 8) * 8 + threadIdx.x] = sum;
}

// Rows that begin elsewhere than at threadIdx.y, as many as a block has, and what must stay in
// order: a thread's own elements, results of atomics, what is volatile, and jumps.
__global__ void starts(const float* in, float* out, const int* lengths, int w) {
  __shared__ float tile[48][16];
  __shared__ volatile float last[16];
  __shared__ int places, sum;
  const int t = threadIdx.y * 16 + threadIdx.x, length = lengths[blockIdx.x];
  for (int i = t; i < 48 * 16; i += 128)
    tile[i / 16][i % 16] = 0;
  if (t == 0)
    places = sum = 0;
  __syncthreads();
  for (int i = 7 - threadIdx.y; i < length; i += 8)
    tile[i][threadIdx.x] = in[i * w + blockIdx.x * 16 + threadIdx.x];
  __syncthreads();
  for (unsigned i = threadIdx.y * 2 + 2; i < 48; i += 16)
    tile[i][threadIdx.x] = tile[i][threadIdx.x] * 2 + tile[i - (threadIdx.y * 0)][threadIdx.x];
  __syncthreads();
  for (int i = threadIdx.y & 1; i < 12; i += 2)
    tile[36 + i][threadIdx.x] = float(i);
  __syncthreads();
  // Each thread goes down a column of its own: what it wrote is what it reads next.
  for (int i = threadIdx.y + 8; i < 48; i += 8)
    tile[i][threadIdx.x] += tile[i - 8][threadIdx.x];
  for (int i = threadIdx.y; i < 48; i += 8)
    if (threadIdx.x == 3)
      atomicAdd(&sum, atomicAdd(&places, 1));
  for (int i = threadIdx.y; i < 1; i += 8)
    last[threadIdx.x] = tile[40][threadIdx.x] * 0 + float(i);
  __syncthreads();
  for (int i = threadIdx.y; i < 48; i += 8) {
    if (i >= length + 4)
      break;
    out[(blockIdx.x * 48 + i) * 16 + threadIdx.x] =
        tile[i][threadIdx.x] + float(sum) + last[threadIdx.x];
  }
}

// The same without a barrier, in blocks that run together.
__global__ void copies(const float* in, float* out, const int* lengths, int w) {
  for (int i = threadIdx.y; i < lengths[blockIdx.x]; i += blockDim.y)
    out[i * w + blockIdx.x * 16 + threadIdx.x] = in[i * w + blockIdx.x * 16 + threadIdx.x] + 1;
}

// Places kept within bounds in other ways: a minimum and a maximum, a choice, without a sign, each
// second element, from the other end, and through a variable.
__global__ void keepsSigned(const float* in, float* out, int w, int h) {
  __shared__ float tile[40][16];
  const int x = blockIdx.x * 16 + threadIdx.x, y0 = blockIdx.y * 32;
  const int left = x > 0 ? x - 1 : 0, right = x + 1 < w ? x + 1 : w - 1;
  for (int i = threadIdx.y; i < 40; i += 8)
    tile[i][threadIdx.x] = in[min(y0 + i, h - 1) * w + min(x, w - 1)] +
                           in[min(y0 + i, h - 1) * w + left] * 2 +
                           in[min(y0 + i, h - 1) * w + right] * 3;
  __syncthreads();
  for (int i = threadIdx.y; i < 32; i += 8)
    if (x < w && y0 + i < h)
      out[(y0 + i) * w + x] = tile[i][threadIdx.x] + tile[i + 8][threadIdx.x] +
                              in[min(2 * x, w - 1)] + in[min(w - 1 - x, w - 1)] * 2 +
                              in[(x < 3 ? x + 2 : x - 3) % w];
}

__global__ void keepsUnsigned(const float* in, float* out, unsigned w, unsigned h) {
  __shared__ float tile[40][16];
  const unsigned x = blockIdx.x * 16 + threadIdx.x, y0 = blockIdx.y * 32;
  for (unsigned i = threadIdx.y; i < 40; i += 8)
    tile[i][threadIdx.x] = in[min(y0 + i, h - 1) * w + min(x, w - 1)] +
                           in[min(y0 + i, h - 1) * w + min(x - 1, w - 1)] * 2;
  __syncthreads();
  for (unsigned i = threadIdx.y; i < 32; i += 8)
    if (x < w && y0 + i < h)
      out[(y0 + i) * w + x] = tile[i][threadIdx.x] + tile[i + 8][threadIdx.x];
}

template <class Number> __global__ void keeps(const float* in, float* out, Number w, Number h) {
  __shared__ float tile[40][16];
  const Number x = blockIdx.x * 16 + threadIdx.x, y0 = blockIdx.y * 32;
  const Number left = x > 0 ? x - 1 : 0, right = x + 1 < w ? x + 1 : w - 1;
  for (Number i = threadIdx.y; i < 40; i += 8)
    tile[i][threadIdx.x] = in[min(y0 + i, h - 1) * w + min(x, w - 1)] +
                           in[min(y0 + i, h - 1) * w + left] * 2 +
                           in[min(y0 + i, h - 1) * w + right] * 3;
  __syncthreads();
  for (Number i = threadIdx.y; i < 32; i += 8)
    if (x < w && y0 + i < h)
      out[(y0 + i) * w + x] = tile[i][threadIdx.x] + tile[i + 8][threadIdx.x] +
                              in[min(2 * x, w - 1)] + in[min(w - 1 - x, w - 1)] * 2 +
                              in[(x < 3 ? x + 2 : x - 3) % w];
}

__device__ int clampTo(int v, int n) { return v < 0 ? 0 : (v >= n ? n - 1 : v); }
__device__ int clampBelow(int v, int n) {
  if (n <= v)
    return n - 1;
  return -1 >= v ? 0 : v;
}
__device__ unsigned clampUnsigned(unsigned v, unsigned n) { return v >= n ? n - 1 : v; }

// Limits that are told by the first place beyond them; rows that are warps.
__global__ void beyond(const float* in, float* out, int w, int h) {
  __shared__ float tile[40][32];
  const int x = blockIdx.x * 32 + threadIdx.x, y0 = blockIdx.y * 32;
  const int xc = clampTo(x - 2, w), right = x + 2 >= w ? w - 1 : x + 2;
  const unsigned other = clampUnsigned(x + 1, w);
  for (int i = threadIdx.y; i < 40; i += 8)
    tile[i][threadIdx.x] = in[(size_t)clampTo(y0 + i - 4, h) * w + xc] +
                           in[clampBelow(y0 + i - 4, h) * w + clampBelow(x - 1, w)] * 2 +
                           in[clampTo(y0 + i, h) * w + right] * 3 + in[unsigned(w) * 3 + other] +
                           in[(x < w ? x : w - 1) + w];
  __syncthreads();
  for (int i = threadIdx.y; i < 32; i += 8)
    if (x < w && y0 + i < h)
      out[(y0 + i) * w + x] = tile[i][threadIdx.x] + tile[i + 8][threadIdx.x];
}

// Tiles of a template's sizes, whose next block's rows are known.
template <int WIDTH, int ROWS, int HEIGHT>
__global__ void strips(const float* in, float* out, int w, int h) {
  __shared__ float tile[ROWS + 2][WIDTH];
  const int x = blockIdx.x * WIDTH + threadIdx.x, y0 = blockIdx.y * ROWS;
  for (int i = threadIdx.y; i < ROWS + 2; i += HEIGHT) {
    const int y = within(y0 + i - 1, 0, h - 1);
    tile[i][threadIdx.x] = in[y * w + within(x, 0, w - 1)];
  }
  __syncthreads();
  constexpr int LAST = ROWS;
  for (int i = threadIdx.y; i < LAST; i += HEIGHT)
    if (x < w && y0 + i < h)
      out[(y0 + i) * w + x] = tile[i][threadIdx.x] - tile[i + 2][threadIdx.x] * 2;
}

int main() {
  const float given[] = {1, -2, 3, -4, 5, 6, -7, 8, 9};
  cudaMemcpyToSymbol(taps, given, sizeof given);
  const int w = 131, h = 75, count = w * h;
  std::vector<float> host(count);
  for (int i = 0; i < count; ++i)
    host[i] = float((i * 37 + i / 91) % 23 - 11);
  float *in, *out;
  cudaMalloc(&in, count * sizeof(float));
  cudaMalloc(&out, count * sizeof(float));
  cudaMemcpy(in, host.data(), count * sizeof(float), cudaMemcpyHostToDevice);
  const auto show = [&](const char* name) {
    cudaMemcpy(host.data(), out, count * sizeof(float), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (int i = 0; i < count; ++i)
      sum += double(host[i]) * (1 + i % 53);
    printf("%s %.0f\n", name, sum);
    cudaMemset(out, 0, count * sizeof(float));
  };
  cudaMemset(out, 0, count * sizeof(float));
  columns<16, 64, 4><<<dim3(9, 2), dim3(16, 16)>>>(in, out, w, h), show("16 x 16");
  columns<16, 64, 4><<<dim3(9, 2), dim3(16, 7)>>>(in, out, w, h), show("16 x 7");
  columns<8, 20, 1><<<dim3(17, 4), dim3(8, 8)>>>(in, out, w, h), show("8 x 8");
  columns<24, 5, 4><<<dim3(6, 15), dim3(24, 16)>>>(in, out, w, h), show("24 x 16");
  columns<32, 30, 3><<<dim3(5, 3), dim3(32, 8)>>>(in, out, w, h), show("32 x 8");
  rows<<<dim3(3, 19), dim3(64, 4)>>>(in, out, w, h), show("rows");
  others<<<3, dim3(8, 3, 2)>>>(in, out, w, h, 38), show("others");
  int *lengths, given2[] = {48, 0, 17, 31, 8, 1, 40, 33};
  cudaMalloc(&lengths, sizeof given2);
  cudaMemcpy(lengths, given2, sizeof given2, cudaMemcpyHostToDevice);
  starts<<<8, dim3(16, 8)>>>(in, out, lengths, w), show("starts");
  copies<<<8, dim3(16, 8)>>>(in, out, lengths, w), show("copies");
  copies<<<8, dim3(16, 1)>>>(in, out, lengths, w), show("copies by one row");
  keepsSigned<<<dim3(9, 3), dim3(16, 8)>>>(in, out, w, h), show("keeps");
  beyond<<<dim3(5, 3), dim3(32, 8)>>>(in, out, w, h), show("beyond");
  beyond<<<dim3(1, 3), dim3(32, 8)>>>(in, out, 3, 70), show("beyond a short row");
  strips<16, 32, 8><<<dim3(9, 3), dim3(16, 8)>>>(in, out, w, h), show("strips");
  strips<8, 13, 4><<<dim3(17, 6), dim3(8, 4)>>>(in, out, w, h), show("narrow strips");
  keepsUnsigned<<<dim3(9, 3), dim3(16, 8)>>>(in, out, w, h), show("keeps without a sign");
  keeps<int><<<dim3(9, 3), dim3(16, 8)>>>(in, out, w, h), show("keeps");
  keeps<unsigned><<<dim3(9, 3), dim3(16, 8)>>>(in, out, w, h), show("keeps without a sign");
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
