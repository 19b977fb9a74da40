// Tiles whose borders are arrays of their own, which threads beside them read instead of the tile, in the ways that programs
// have; and some that are not what they look like.
#include <cstdio>
#include <vector>

#define B 16

// Four borders, clamped at the edges of the grid, chosen by equality.
__global__ void byEquality(const int* in, int* out, int* sides, int nx, int ny) {
  int tx = threadIdx.x, ty = threadIdx.y;
  int x = blockIdx.x * B + tx, y = blockIdx.y * B + ty, at = y * nx + x;
  __shared__ int tile[B][B];
  __shared__ int north[B], south[B], west[B], east[B];
  tile[ty][tx] = in[at];
  if (ty == 0) north[tx] = y > 0 ? in[at - nx] : in[at];
  if (ty == B - 1) south[tx] = y < ny - 1 ? in[at + nx] : in[at];
  if (tx == 0) west[ty] = x > 0 ? in[at - 1] : in[at];
  if (tx == B - 1) east[ty] = x < nx - 1 ? in[at + 1] : in[at];
  __syncthreads();
  int c = tile[ty][tx];
  int n = (ty == 0 ? north[tx] : tile[ty - 1][tx]) - c;
  int s = (ty == B - 1 ? south[tx] : tile[ty + 1][tx]) - c;
  int w = (tx == 0 ? west[ty] : tile[ty][tx - 1]) - c;
  int e = (tx == B - 1 ? east[ty] : tile[ty][tx + 1]) - c;
  out[at] = 2 * n + 3 * s + 5 * w + 7 * e + c;
  sides[at] = n - s + (w ^ e);
}

// Chosen by order, by statements, by the thread's index itself, and by what is not nothing.
__global__ void byOrder(const float* in, float* out, int nx, int ny) {
  __shared__ float above[B];
  __shared__ float tile[B][B];
  __shared__ float left[B], right[B], below[B];
  const int x = blockIdx.x * B + threadIdx.x, y = blockIdx.y * B + threadIdx.y;
  const int ty = threadIdx.y;
  tile[ty][threadIdx.x] = in[y * nx + x];
  if (ty == 0)
    above[threadIdx.x] = y ? in[(y - 1) * nx + x] : 1.0f;
  if (ty == B - 1)
    below[threadIdx.x] = y + 1 < ny ? in[(y + 1) * nx + x] : 2.0f;
  if (threadIdx.x == 0)
    left[ty] = x ? in[y * nx + x - 1] : 3.0f;
  if (threadIdx.x == B - 1)
    right[ty] = x + 1 < nx ? in[y * nx + x + 1] : 4.0f;
  __syncthreads();
  float sum = tile[ty][threadIdx.x], n, w;
  if (ty > 0)
    n = tile[ty - 1][threadIdx.x];
  else
    n = above[threadIdx.x];
  if (!threadIdx.x) {
    w = left[ty] * 2.0f;
  } else {
    w = tile[ty][threadIdx.x - 1] * 2.0f;
  }
  if (ty < B - 1) sum += tile[ty + 1][threadIdx.x]; else sum += below[threadIdx.x];
  sum += (threadIdx.x >= B - 1) ? right[ty] : tile[ty][1 + threadIdx.x];
  out[y * nx + x] = sum + n * 4.0f + w;
}

// Two borders only, of a tile that is no square and changes between barriers; the block may be smaller than the tile.
__global__ void smaller(const short* in, short* out, int rounds) {
  __shared__ short tile[8][32], first[32], before[8];
  const int tx = threadIdx.x, ty = threadIdx.y, at = (blockIdx.x * 8 + ty) * 32 + tx;
  tile[ty][tx] = in[at];
  first[tx] = short(tx);
  if (tx == 0) before[ty] = short(100 + ty);
  __syncthreads();
  for (int r = 0; r < rounds; ++r) {
    const short up = ty == 0 ? first[tx] : tile[ty - 1][tx];
    const short back = tx > 0 ? tile[ty][tx - 1] : before[ty];
    __syncthreads();
    tile[ty][tx] = short(up + back + r);
    if (ty == 0) first[tx] = short(first[tx] + 1);
    if (tx == 0) before[ty] += 2;
    __syncthreads();
  }
  out[at] = tile[ty][tx];
}

// More threads than the tile has rows: those behind come by no border.
__global__ void larger(const int* in, int* out) {
  __shared__ int tile[8][B];
  __shared__ int last[B];
  const int tx = threadIdx.x, ty = threadIdx.y;
  int sum = -1;
  if (ty < 8) tile[ty][tx] = in[ty * B + tx];
  if (ty == 7) last[tx] = 1000 + tx;
  __syncthreads();
  if (ty < 8) {
    sum = tile[ty][tx];
    sum += ty < 7 ? tile[ty + 1][tx] : last[tx];
  }
  out[ty * B + tx] = sum;
}

// All threads choose, also those that have no row: these read the border.
__global__ void behind(const int* in, int* out) {
  __shared__ int tile[8][B];
  __shared__ int last[B];
  const int tx = threadIdx.x, ty = threadIdx.y;
  if (ty < 8) tile[ty][tx] = in[ty * B + tx];
  if (ty == 15) last[tx] = 2000 + tx;
  __syncthreads();
  out[ty * B + tx] = ty < 7 ? tile[ty + 1][tx] : last[tx];
}

// The whole tile as one row; a border that is read by itself; one that is another's; another type.
__global__ void others(const int* in, int* out) {
  __shared__ int whole[8][8];
  __shared__ int edge[8];
  __shared__ int tile[8][8];
  __shared__ int low[8], lower[8];
  __shared__ unsigned char small[8];
  const int tx = threadIdx.x, ty = threadIdx.y, t = ty * 8 + tx;
  whole[0][t] = in[t];
  tile[ty][tx] = in[t] * 3;
  if (ty == 0) edge[tx] = in[t] + 50;
  if (ty == 0) low[tx] = tx * 11, lower[tx] = tx * 13;
  if (tx == 7) small[ty] = (unsigned char)(in[t] + 250);
  __syncthreads();
  const int a = ty == 0 ? edge[tx] : whole[ty - 1][tx];
  const int b = edge[7 - tx];
  const int c = ty == 0 ? low[tx] : tile[ty - 1][tx];
  const int d = ty == 0 ? lower[tx] : tile[ty - 1][tx];
  const int e = tx == 7 ? small[ty] : tile[ty][tx + 1];
  out[t] = a + 2 * b + 3 * c + 5 * d + 7 * e;
}

// The tile's name means another variable where a border is filled; and a border is filled before there is a tile.
__global__ void names(const int* in, int* out) {
  __shared__ int edge[8];
  const int tx = threadIdx.x, ty = threadIdx.y, t = ty * 8 + tx;
  if (ty == 0) edge[tx] = in[t] + 9;
  __shared__ int first[8][8];
  __shared__ int tile[8][8];
  __shared__ int side[8];
  first[ty][tx] = in[t];
  tile[ty][tx] = in[t] * 2;
  {
    const int tile = in[t] * 5;
    if (tx == 0) side[ty] = tile + 1;
  }
  __syncthreads();
  out[t] = (ty == 0 ? edge[tx] : first[ty - 1][tx]) + 3 * (tx == 0 ? side[ty] : tile[ty][tx - 1]);
}

// Borders of two tiles at once, each in turn, with a tile that is added to and addressed by sums.
__global__ void twoTiles(const double* in, double* out, int n) {
  __shared__ double a[B][B], b[B][B];
  __shared__ double a0[B];
  __shared__ double b0[B], b1[B];
  const unsigned tx = threadIdx.x, ty = threadIdx.y;
  a[ty][tx] = 0;
  b[ty][tx] = 1;
  if (tx == 0) a0[ty] = 0.5 * ty;
  if (ty == 0) b0[tx] = 0.25 * tx;
  if (ty == B - 1) b1[tx] = 0.125 * tx;
  for (int i = 0; i < n; ++i) {
    __syncthreads();
    const double left = tx == 0 ? a0[ty] : a[ty][tx - 1];
    const double up = ty == 0 ? b0[tx] : b[ty - 1][tx];
    const double down = ty == B - 1 ? b1[tx] : b[ty + 1][tx];
    __syncthreads();
    a[ty][tx] += left + in[(ty * B + tx) % 61];
    b[ty][tx] = up - down + a[ty][tx];
  }
  out[ty * B + tx] = a[ty][tx] + 2 * b[ty][tx];
}

template <class T> static T* filled(int n, int times) {
  T* p;
  cudaMallocManaged(&p, n * sizeof(T));
  for (int i = 0; i < n; ++i) p[i] = T(i * times % 61);
  return p;
}
template <class T> static void print(const char* name, const T* p, int n) {
  cudaDeviceSynchronize();
  double sum = 0, weighted = 0;
  for (int i = 0; i < n; ++i) {
    sum += p[i];
    weighted += p[i] * double(i % 17 + 1);
  }
  printf("%s: %.0f %.0f %g %g\n", name, sum, weighted, double(p[0]), double(p[n - 1]));
}

int main() {
  const int nx = 80, ny = 64, n = nx * ny;
  const dim3 block(B, B), grid(nx / B, ny / B);
  int *in = filled<int>(n, 7), *out = filled<int>(n, 0), *sides = filled<int>(n, 0);
  byEquality<<<grid, block>>>(in, out, sides, nx, ny);
  print("equality", out, n);
  print("sides", sides, n);
  float *fin = filled<float>(n, 11), *fout = filled<float>(n, 0);
  byOrder<<<grid, block>>>(fin, fout, nx, ny);
  print("order", fout, n);
  short *sin = filled<short>(4 * 256, 5), *sout = filled<short>(4 * 256, 0);
  smaller<<<4, dim3(32, 8)>>>(sin, sout, 3);
  print("two", sout, 4 * 256);
  smaller<<<4, dim3(16, 5)>>>(sin, sout, 2);
  print("smaller", sout, 4 * 256);
  int* in2 = filled<int>(256, 13);
  larger<<<1, dim3(B, B)>>>(in2, out);
  print("larger", out, 256);
  behind<<<1, dim3(B, B)>>>(in2, out);
  print("behind", out, 256);
  others<<<1, dim3(8, 8)>>>(in2, out);
  print("others", out, 64);
  names<<<1, dim3(8, 8)>>>(in2, out);
  print("names", out, 64);
  double *din = filled<double>(61, 3), *dout = filled<double>(256, 0);
  twoTiles<<<1, dim3(B, B)>>>(din, dout, 4);
  print("two tiles", dout, 256);
  return 0;
}
