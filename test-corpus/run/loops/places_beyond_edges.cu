// Places that functions wrap around, mirror or keep within bounds in several ways, from columns that a branch or a step
// names itself; tiles of structures, and rows of tiles that only some rows of threads fill.
#include <cstdio>

__device__ int wrapped(int i, int n) { return i < 0 ? i + n : (i >= n ? i - n : i); }
__device__ int wrappedByParts(int i, int n) {
  if (i < 0)
    i += n;
  else if (i >= n)
    i -= n;
  return i;
}
__device__ int wrappedOften(int i, int n) {
  while (i < 0) i += n;
  while (i >= n) i = i - n;
  return i;
}
__device__ int mirrored(int i, int n) {
  if (i < 0) i = -i - 1;
  if (i >= n) i = 2 * n - 1 - i;
  return i;
}
__device__ int mirroredAgain(int i, int n) {
  if (i < 0) return -i;
  return i <= n - 1 ? i : 2 * (n - 1) - i;
}
// These two give back another place inside, too.
__device__ int shifted(int i, int n) { return i >= n ? i - n : i + 1; }
__device__ int turned(int i, int n) {
  if (i < n) i = n - 1 - i;
  return i >= 0 ? i : 0;
}

template <int KIND> __device__ int place(int i, int n) {
  return KIND == 0   ? wrapped(i, n)
         : KIND == 1 ? wrappedByParts(i, n)
         : KIND == 2 ? wrappedOften(i, n)
         : KIND == 3 ? mirrored(i, n)
                     : mirroredAgain(i, n);
}

struct Pair {
  float a, b;
};

__global__ void pairs(const Pair* in, float* out, int width, int height) {
  __shared__ Pair tile[8 + 2][32 + 2];
  const int flat = threadIdx.y * 32 + threadIdx.x;
  const int x0 = blockIdx.x * 32 - 1, y0 = blockIdx.y * 8 - 1;
  for (int k = flat; k < 34 * 10; k += 256) {
    const int y = k / 34, x = k - y * 34;
    tile[y][x] = in[wrapped(y0 + y, height) * width + wrapped(x0 + x, width)];
  }
  __syncthreads();
  const int x = threadIdx.x + 1, y = threadIdx.y + 1;
  const Pair n = tile[y - 1][x], s = tile[y + 1][x], e = tile[y][x + 1], w = tile[y][x - 1];
  const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  if (column < width && row < height) out[row * width + column] = n.a - s.b + 2 * e.a - 3 * w.b;
}

template <int KIND> __global__ void rows(const unsigned char* in, float* out, int width, int height) {
  __shared__ float line[4][64 + 8];
  const int y = blockIdx.y * 4 + threadIdx.y;
  const int x0 = blockIdx.x * 64;
  if (y < height) {
    for (int k = threadIdx.x; k < 64 + 8; k += 64) {
      const int x = x0 + k - 4;
      line[threadIdx.y][k] = x < width + 4 ? (float)in[y * width + place<KIND>(x, width)] : -1.0f;
    }
  }
  __syncthreads();
  const int x = x0 + threadIdx.x;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int t = 0; t < 9; ++t) sum += (t + 1) * line[threadIdx.y][threadIdx.x + t];
  out[y * width + x] = sum;
}

__global__ void bothSides(const unsigned char* in, float* out, int width, int height) {
  __shared__ float line[4][64 + 8], other[4][64 + 8];
  const int tx = threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
  const int x0 = blockIdx.x * 64;
  if (y < height)
    for (int k = tx; k < 64 + 8; k += 64) {
      const int at = x0 + k - 4;
      line[threadIdx.y][k] = at < width + 4 ? (float)in[y * width + mirrored(at, width)] : -1.0f;
      const int from = at - 1;
      other[threadIdx.y][k] = from < width + 4 ? in[y * width + wrappedOften(from, width)] : 2.0f;
    }
  __syncthreads();
  const int x = x0 + tx;
  if (x < width && y < height)
    out[y * width + x] = line[threadIdx.y][tx + 8] - line[threadIdx.y][tx] + other[threadIdx.y][tx + 3] * 2 +
                         other[threadIdx.y][tx];
}

__global__ void moved(const unsigned char* in, float* out, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ float line[64];
  line[threadIdx.x] = in[shifted(x, width)] + 2 * in[turned(x, width)];
  __syncthreads();
  if (x < width) out[x] = line[threadIdx.x] + line[threadIdx.x ^ 1];
}

// Compared without a sign, places below 0 are large; and the user's own min() is another one.
__device__ int cappedWithoutSign(int i, int n) {
  if (i >= 40u) i = n;
  return i;
}
__device__ int leastWithoutSign(int i, int n) { return min(i, 50u); }
namespace own {
__device__ int min(int a, int b) { return a < b ? a + 1 : b - 1; }
__device__ int limited(int i, int n) { return min(i, n); }
} // namespace own

__global__ void unusual(const unsigned char* in, float* out, int width, int shift) {
  const int first = blockIdx.x * 32 - shift;
  const int x = first + threadIdx.x;
  if (threadIdx.x < 60) {
    const int p = x + 1;
    out[blockIdx.x * 64 + threadIdx.x] = in[cappedWithoutSign(p, width) & 511] +
                                         2 * in[leastWithoutSign(x, width) & 511] +
                                         3 * in[own::limited(p, width) & 511];
  }
}

// Only some rows fill theirs, in a loop that other rows leave at once; the others' stay.
__global__ void someRows(const unsigned char* in, int* out, int first) {
  __shared__ int line[8][40];
  const int k = threadIdx.y;
  for (int i = threadIdx.x; i < 40; i += 16) line[threadIdx.y][i] = -int(threadIdx.y);
  __syncthreads();
  if (k >= first && k < 6)
    for (int k = threadIdx.x; k < 40; k += 16) line[threadIdx.y][k] = in[k] + threadIdx.y;
  __syncthreads();
  if (threadIdx.y % 2 == 0)
    for (int i = threadIdx.x; i < 40; i += 16) line[threadIdx.y][i] += 1000;
  __syncthreads();
  for (int i = threadIdx.x; i < 40; i += 16) out[threadIdx.y * 40 + i] = line[threadIdx.y][i];
}

template <typename T> double sumOf(const T* v, int count) {
  cudaDeviceSynchronize();
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += (i % 101 + 1) * (double)v[i];
  return sum;
}

int main() {
  unsigned char* bytes;
  Pair* in;
  float* out;
  int* numbers;
  cudaMallocManaged(&bytes, 20000);
  cudaMallocManaged(&in, 20000 * sizeof(Pair));
  cudaMallocManaged(&out, 20000 * sizeof(float));
  cudaMallocManaged(&numbers, 320 * sizeof(int));
  for (int i = 0; i < 20000; ++i) bytes[i] = i * 7 % 253, in[i] = {float(i % 89), float(i % 57)};
  const int sizes[][2] = {{8, 5}, {64, 8}, {65, 9}, {100, 33}, {128, 16}, {191, 4}};
  for (const auto& size : sizes) {
    const int width = size[0], height = size[1], count = width * height;
    const dim3 wide((width + 63) / 64, (height + 3) / 4), block(64, 4);
    for (int i = 0; i < 20000; ++i) out[i] = 0;
    pairs<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)>>>(in, out, width, height);
    printf("%d x %d: pairs %.1f", width, height, sumOf(out, count));
    rows<0><<<wide, block>>>(bytes, out, width, height);
    printf(" %.1f", sumOf(out, count));
    rows<1><<<wide, block>>>(bytes, out, width, height);
    printf(" %.1f", sumOf(out, count));
    rows<2><<<wide, block>>>(bytes, out, width, height);
    printf(" %.1f", sumOf(out, count));
    rows<3><<<wide, block>>>(bytes, out, width, height);
    printf(" %.1f", sumOf(out, count));
    rows<4><<<wide, block>>>(bytes, out, width, height);
    printf(" %.1f", sumOf(out, count));
    bothSides<<<wide, block>>>(bytes, out, width, height);
    printf(" %.1f", sumOf(out, count));
    moved<<<(width + 63) / 64, 64>>>(bytes, out, width);
    printf(" %.1f\n", sumOf(out, width));
  }
  for (int shift : {0, 5, 40}) {
    unusual<<<3, 64>>>(bytes, out, 48, shift);
    printf("unusual %.1f\n", sumOf(out, 192));
  }
  for (int first : {0, 3, 6}) {
    someRows<<<1, dim3(16, 8)>>>(bytes, numbers, first);
    printf("rows from %d: %.0f\n", first, sumOf(numbers, 320));
  }
}
