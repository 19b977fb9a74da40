// Tiles that blocks inside of the grid need not fill: blocks behind one another may run as one row where all that they
// compute goes on from block to block, and must not where anything starts anew.
#include <cstdio>
#include <vector>

// A volume that blocks cover exactly, with walls.
__global__ void volume(const double* in, double* out, dim3 n, double r) {
  __shared__ double t[6][6][18];
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y, z = blockIdx.z * 4 + threadIdx.z;
  const int lx = threadIdx.x + 1, ly = threadIdx.y + 1, lz = threadIdx.z + 1;
  const int nx = n.x, ny = n.y, nz = n.z, plane = nx * ny, id = z * plane + y * nx + x;
  t[lz][ly][lx] = in[id];
  if (threadIdx.x == 0 && x > 0) t[lz][ly][0] = in[id - 1];
  if (threadIdx.x == 15 && x < nx - 1) t[lz][ly][17] = in[id + 1];
  if (threadIdx.y == 0 && y > 0) t[lz][0][lx] = in[id - nx];
  if (threadIdx.y == 3 && y < ny - 1) t[lz][5][lx] = in[id + nx];
  if (threadIdx.z == 0 && z > 0) t[0][ly][lx] = in[id - plane];
  if (threadIdx.z == 3 && z < nz - 1) t[5][ly][lx] = in[id + plane];
  __syncthreads();
  if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1)
    out[id] = r * (t[lz][ly][lx - 1] + t[lz][ly][lx + 1] + t[lz][ly - 1][lx] + t[lz][ly + 1][lx] + t[lz - 1][ly][lx] +
                   t[lz + 1][ly][lx]) + t[lz][ly][lx];
  else
    out[id] = -t[lz][ly][lx];
}

// The last block of a row, and the last row, are in part outside.
__global__ void partial(const float* in, float* out, int nx, int ny) {
  __shared__ float s[8 + 2][16 + 2];
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1, i = y * nx + x;
  if (x < nx && y < ny) {
    s[ty][tx] = in[i];
    if (threadIdx.x == 0 && x > 0) s[ty][0] = in[i - 1];
    if (threadIdx.x == 15 && x < nx - 1) s[ty][17] = in[i + 1];
    if (threadIdx.y == 0 && y > 0) s[0][tx] = in[i - nx];
    if (threadIdx.y == 7 && y < ny - 1) s[9][tx] = in[i + nx];
  }
  __syncthreads();
  if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1) out[i] = s[ty][tx - 1] + 2 * s[ty][tx + 1] + 3 * s[ty - 1][tx] + 4 * s[ty + 1][tx];
}

// One column of the array is not read: the block that has it does not read through its tile.
__global__ void gap(const float* in, float* out, int nx, int column) {
  __shared__ float s[8][16];
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  s[threadIdx.y][threadIdx.x] = x != column ? in[y * nx + x] : 1000.0f;
  __syncthreads();
  out[y * nx + x] = s[threadIdx.y][threadIdx.x] + s[7 - threadIdx.y][threadIdx.x];
}

// Places of blocks are further apart than their threads.
__global__ void apart(const float* in, float* out, int nx) {
  __shared__ float s[8][16];
  const int x = blockIdx.x * 20 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  s[threadIdx.y][threadIdx.x] = in[y * nx + x];
  __syncthreads();
  out[y * nx + x] = s[7 - threadIdx.y][threadIdx.x] + 1.0f;
}

// The tile goes on, what is stored does not; and the other way round.
__global__ void storedApart(const float* in, float* out, int nx) {
  __shared__ float s[8][16];
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  s[threadIdx.y][threadIdx.x] = in[y * nx + x];
  __syncthreads();
  out[y * 2 * nx + blockIdx.x * 32 + threadIdx.x] = s[7 - threadIdx.y][threadIdx.x];
}
__global__ void readApart(const float* in, float* out, int nx) {
  __shared__ float s[8][16];
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  s[threadIdx.y][threadIdx.x] = in[y * 2 * nx + blockIdx.x * 32 + threadIdx.x];
  __syncthreads();
  out[y * nx + x] = s[7 - threadIdx.y][threadIdx.x];
}

// One element for all threads of a row; and rows turned around.
__global__ void firsts(const float* in, float* out, int nx) {
  __shared__ float s[8][16];
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  s[threadIdx.y][threadIdx.x] = in[y * nx + x];
  __syncthreads();
  out[y * nx + x] = s[threadIdx.y][0] + s[7 - threadIdx.y][threadIdx.x];
}
__global__ void mirrored(const float* in, float* out, int nx) {
  __shared__ float s[8][16];
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  s[threadIdx.y][threadIdx.x] = in[y * nx + x];
  __syncthreads();
  out[y * nx + x] = s[threadIdx.y][15 - threadIdx.x];
}

// The thread's or the block's number as such, or divided.
__global__ void byThread(const float* in, float* out, int nx) {
  __shared__ float s[8][16];
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  s[threadIdx.y][threadIdx.x] = in[y * nx + x];
  __syncthreads();
  float v = s[7 - threadIdx.y][threadIdx.x];
  if (threadIdx.x > 3) v += threadIdx.x;
  out[y * nx + x] = v;
}
__global__ void byBlock(const float* in, float* out, int nx) {
  __shared__ float s[8][16];
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  s[threadIdx.y][threadIdx.x] = in[y * nx + x];
  __syncthreads();
  out[y * nx + x] = s[7 - threadIdx.y][threadIdx.x] * (blockIdx.x & 1 ? 2.0f : 3.0f);
}
__global__ void byQuotient(const float* in, float* out, const float* table, int nx) {
  __shared__ float s[8][16];
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  s[threadIdx.y][threadIdx.x] = in[y * nx + x];
  __syncthreads();
  out[y * nx + x] = s[7 - threadIdx.y][threadIdx.x] * table[x / 16] + table[x >> 4];
}
__global__ void byNumber(const float* in, float* out, const float* table, int nx) {
  __shared__ float s[8][16];
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  s[threadIdx.y][threadIdx.x] = in[y * nx + x];
  __syncthreads();
  out[y * nx + x] = s[7 - threadIdx.y][threadIdx.x] * table[blockIdx.x] + table[threadIdx.x];
}
// Every second element changes.
__global__ void chequered(const float* in, float* out, int nx, int ny) {
  __shared__ float s[4 + 2][32 + 2];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1, i = y * nx + x;
  if (x < nx && y < ny) {
    s[ty][tx] = in[i];
    if (threadIdx.x == 0 && x > 0) s[ty][0] = in[i - 1];
    if (threadIdx.x == 31 && x < nx - 1) s[ty][33] = in[i + 1];
  }
  __syncthreads();
  if (x < nx && y < ny) {
    float v = s[ty][tx];
    if (x > 0 && x < nx - 1 && ((x + y) & 1) == 0) v = 0.5f * (s[ty][tx - 1] + s[ty][tx + 1]);
    out[i] = v;
  }
}

// What threads keep from before the barrier is their own.
__global__ void kept(const float* in, const float* other, float* out, int nx) {
  __shared__ float s[8][16];
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  float mine = other[y * nx + x];
  mine *= mine;
  s[threadIdx.y][threadIdx.x] = in[y * nx + x];
  __syncthreads();
  out[y * nx + x] = s[7 - threadIdx.y][threadIdx.x] + mine;
}

// Other work behind: a second barrier, or an atomic function.
__global__ void workBehind(const float* in, float* out, float* sums, int nx) {
  __shared__ float s[8][16];
  __shared__ float columns[16];
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  s[threadIdx.y][threadIdx.x] = in[y * nx + x];
  __syncthreads();
  out[y * nx + x] = 2 * s[7 - threadIdx.y][threadIdx.x];
  if (threadIdx.y == 0) columns[threadIdx.x] = s[3][threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    float sum = 0;
    for (int k = 0; k < 16; ++k) sum += columns[k];
    sums[blockIdx.y * gridDim.x + blockIdx.x] = sum;
  }
}
__global__ void counted(const float* in, float* out, unsigned* count, int nx) {
  __shared__ float s[8][16];
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  s[threadIdx.y][threadIdx.x] = in[y * nx + x];
  __syncthreads();
  const float v = s[7 - threadIdx.y][threadIdx.x];
  out[y * nx + x] = v;
  if (threadIdx.x == 0) atomicAdd(count, v > 3 ? blockIdx.x + 1 : 100u);
}

// Without signs, sums of a loop, and a size by a template.
template <int BX, int BY> __global__ void box(const float* __restrict__ in, float* __restrict__ out, unsigned nx, unsigned ny) {
  __shared__ float s[BY + 2][BX + 2];
  const unsigned x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y;
  for (int r = threadIdx.y; r < BY + 2; r += BY)
    for (int c = threadIdx.x; c < BX + 2; c += BX) {
      const int gx = int(blockIdx.x * BX) + c - 1, gy = int(blockIdx.y * BY) + r - 1;
      s[r][c] = gx >= 0 && gx < int(nx) && gy >= 0 && gy < int(ny) ? in[gy * int(nx) + gx] : 0.0f;
    }
  __syncthreads();
  if (x < nx && y < ny) {
    float sum = 0;
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) sum += (r * 3 + c + 1) * s[threadIdx.y + r][threadIdx.x + c];
    out[y * nx + x] = sum;
  }
}

// One dimension, also launched with blocks that the tile is not made for.
__global__ void line(const float* in, float* out, int n) {
  __shared__ float s[64 + 4];
  const int g = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x + 2;
  s[l] = g < n ? in[g] : 0.0f;
  if (threadIdx.x < 2) {
    s[threadIdx.x] = g >= 2 ? in[g - 2] : 0.0f;
    s[l + blockDim.x] = g + int(blockDim.x) < n ? in[g + blockDim.x] : 0.0f;
  }
  __syncthreads();
  if (g < n) out[g] = s[l - 2] + 2 * s[l - 1] + 3 * s[l] + 4 * s[l + 1] + 5 * s[l + 2];
}

template <class Number> void print(const char* name, const Number* device, size_t count) {
  std::vector<Number> host(count);
  cudaMemcpy(host.data(), device, count * sizeof(Number), cudaMemcpyDeviceToHost);
  double sum = 0, weighted = 0;
  for (size_t i = 0; i < count; ++i) {
    sum += double(host[i]);
    weighted += double(host[i]) * double(i % 1009 + 1);
  }
  printf("%s: %.4f %.4f\n", name, sum, weighted);
  cudaMemset((void*)device, 0, count * sizeof(Number));
}

int main() {
  constexpr int most = 1 << 18;
  std::vector<float> numbersOf(most);
  std::vector<double> doubles(most);
  for (int i = 0; i < most; ++i) {
    numbersOf[i] = float((i * 7 + i / 97 * 13) % 29);
    doubles[i] = double((i * 11 + i / 53 * 5) % 37);
  }
  float *in, *out, *other;
  double *volumeIn, *volumeOut;
  unsigned* count;
  cudaMalloc(&in, most * sizeof(float));
  cudaMalloc(&other, most * sizeof(float));
  cudaMalloc(&out, most * sizeof(float));
  cudaMalloc(&volumeIn, most * sizeof(double));
  cudaMalloc(&volumeOut, most * sizeof(double));
  cudaMalloc(&count, sizeof(unsigned));
  cudaMemset(out, 0, most * sizeof(float));
  cudaMemset(volumeOut, 0, most * sizeof(double));
  cudaMemset(count, 0, sizeof(unsigned));
  cudaMemcpy(in, numbersOf.data(), most * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(other, numbersOf.data() + 1, (most - 1) * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(volumeIn, doubles.data(), most * sizeof(double), cudaMemcpyHostToDevice);

  for (const dim3 n : {dim3(160, 24, 16), dim3(16, 16, 16), dim3(32, 12, 12), dim3(2064, 12, 8)}) {
    volume<<<dim3(n.x / 16, n.y / 4, n.z / 4), dim3(16, 4, 4)>>>(volumeIn, volumeOut, n, 0.125);
    print("volume", volumeOut, n.x * n.y * n.z);
  }
  for (const int nx : {150, 160, 15, 1500}) {
    const int ny = 61;
    partial<<<dim3((nx + 15) / 16, (ny + 7) / 8), dim3(16, 8)>>>(in, out, nx, ny);
    print("partial", out, nx * ny);
    chequered<<<dim3((nx + 31) / 32, (ny + 3) / 4), dim3(32, 4)>>>(in, out, nx, ny);
    print("chequered", out, nx * ny);
    box<16, 4><<<dim3((nx + 15) / 16, (ny + 3) / 4), dim3(16, 4)>>>(in, out, nx, ny);
    print("box of 16", out, nx * ny);
    box<32, 8><<<dim3((nx + 31) / 32, (ny + 7) / 8), dim3(32, 8)>>>(in, out, nx, ny);
    print("box of 32", out, nx * ny);
  }
  for (const int column : {70, 0, 159, -5, 2000}) {
    gap<<<dim3(10, 4), dim3(16, 8)>>>(in, out, 160, column);
    print("gap", out, 160 * 32);
  }
  const dim3 grid(10, 4), block(16, 8);
  const int nx = 160, all = nx * 32;
  apart<<<grid, block>>>(in, out, 200);
  print("apart", out, 200 * 32);
  storedApart<<<grid, block>>>(in, out, nx);
  print("storedApart", out, 2 * all);
  readApart<<<grid, block>>>(in, out, nx);
  print("readApart", out, all);
  firsts<<<grid, block>>>(in, out, nx);
  print("firsts", out, all);
  mirrored<<<grid, block>>>(in, out, nx);
  print("mirrored", out, all);
  byThread<<<grid, block>>>(in, out, nx);
  print("byThread", out, all);
  byBlock<<<grid, block>>>(in, out, nx);
  print("byBlock", out, all);
  byQuotient<<<grid, block>>>(in, out, other, nx);
  print("byQuotient", out, all);
  byNumber<<<grid, block>>>(in, out, other, nx);
  print("byNumber", out, all);
  kept<<<grid, block>>>(in, other, out, nx);
  print("kept", out, all);
  workBehind<<<grid, block>>>(in, out, out + all, nx);
  print("workBehind", out, all + 40);
  counted<<<grid, block>>>(in, out, count, nx);
  print("counted", out, all);
  print("count", count, 1);
  for (const int n : {1000, 1024, 40, 6000}) {
    line<<<(n + 63) / 64, 64>>>(in, out, n);
    print("line", out, n);
    line<<<(n + 47) / 48, 48>>>(in, out, n);
    print("line of 48", out, n);
  }
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return 0;
}
