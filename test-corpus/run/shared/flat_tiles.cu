// Tiles that are copies of a piece of an array with its neighbours, declared as one row and indexed by sums: blocks inside
// of the grid may read the array itself, where each index stays in its row.
#include <cstdio>
#include <vector>

#define AT(r, c) ((r) * (BX + 2) + (c))

// Two dimensions, by a macro; the type is the template's.
template <typename T, int BX, int BY> __global__ void byMacro(const T* __restrict__ in, T* __restrict__ out, int nx, int ny) {
  __shared__ T s[(BX + 2) * (BY + 2)];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * BX + tx, y = blockIdx.y * BY + ty;
  const int cx = min(x, nx - 1), cy = min(y, ny - 1);
  s[AT(ty + 1, tx + 1)] = in[cy * nx + cx];
  if (tx == 0) s[AT(ty + 1, 0)] = in[cy * nx + max(cx - 1, 0)];
  if (tx == BX - 1) s[AT(ty + 1, BX + 1)] = in[cy * nx + min(x + 1, nx - 1)];
  if (ty == 0) s[AT(0, tx + 1)] = in[max(cy - 1, 0) * nx + cx];
  if (ty == BY - 1) s[AT(BY + 1, tx + 1)] = in[min(y + 1, ny - 1) * nx + cx];
  __syncthreads();
  if (x >= nx || y >= ny) return;
  out[y * nx + x] = T(2) * s[AT(ty + 1, tx + 1)] + s[AT(ty, tx + 1)] + T(3) * s[AT(ty + 2, tx + 1)] + T(5) * s[AT(ty + 1, tx)] +
                    T(7) * s[AT(ty + 1, tx + 2)];
}

struct Box {
  int nx, ny, nz;
  __host__ __device__ size_t at(int x, int y, int z) const { return ((size_t)z * ny + y) * nx + x; }
};

// Three dimensions, each row in a row of the next kind, with places by a method.
template <typename T, int B> __global__ void nested(const T* __restrict__ in, T* __restrict__ out, Box g) {
  constexpr int W = B + 2;
  __shared__ T tile[W * W * W];
  auto L = [](int x, int y, int z) { return (z * W + y) * W + x; };
  const int tx = threadIdx.x, ty = threadIdx.y, tz = threadIdx.z;
  const int x = blockIdx.x * B + tx, y = blockIdx.y * B + ty, z = blockIdx.z * B + tz;
  const int cx = min(x, g.nx - 1), cy = min(y, g.ny - 1), cz = min(z, g.nz - 1);
  tile[L(tx + 1, ty + 1, tz + 1)] = in[g.at(cx, cy, cz)];
  if (tx == 0) tile[L(0, ty + 1, tz + 1)] = in[g.at(max(cx - 1, 0), cy, cz)];
  if (tx == B - 1) tile[L(B + 1, ty + 1, tz + 1)] = in[g.at(min(x + 1, g.nx - 1), cy, cz)];
  if (ty == 0) tile[L(tx + 1, 0, tz + 1)] = in[g.at(cx, max(cy - 1, 0), cz)];
  if (ty == B - 1) tile[L(tx + 1, B + 1, tz + 1)] = in[g.at(cx, min(y + 1, g.ny - 1), cz)];
  if (tz == 0) tile[L(tx + 1, ty + 1, 0)] = in[g.at(cx, cy, max(cz - 1, 0))];
  if (tz == B - 1) tile[L(tx + 1, ty + 1, B + 1)] = in[g.at(cx, cy, min(z + 1, g.nz - 1))];
  __syncthreads();
  if (x >= g.nx || y >= g.ny || z >= g.nz) return;
  out[g.at(x, y, z)] = tile[L(tx + 1, ty + 1, tz + 1)] + 2 * tile[L(tx, ty + 1, tz + 1)] + 3 * tile[L(tx + 2, ty + 1, tz + 1)] +
                       4 * tile[L(tx + 1, ty, tz + 1)] + 5 * tile[L(tx + 1, ty + 2, tz + 1)] + 6 * tile[L(tx + 1, ty + 1, tz)] +
                       7 * tile[L(tx + 1, ty + 1, tz + 2)];
}

// Sizes that differ, a loop over the columns behind the barrier.
constexpr int XS = 20, YS = 6, ZS = 4;
__global__ void spelledOut(const int* in, int* out, int nx, int ny, int nz) {
  __shared__ int s[ZS * YS * XS];
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y, z = blockIdx.z * 2 + threadIdx.z;
  for (int k = threadIdx.z; k < ZS; k += 2)
    for (int j = threadIdx.y; j < YS; j += 4)
      for (int i = threadIdx.x; i < XS; i += 16) {
        const int gx = min(max(int(blockIdx.x) * 16 + i - 2, 0), nx - 1);
        const int gy = min(max(int(blockIdx.y) * 4 + j - 1, 0), ny - 1);
        const int gz = min(max(int(blockIdx.z) * 2 + k - 1, 0), nz - 1);
        s[k * YS * XS + j * XS + i] = in[(gz * ny + gy) * nx + gx];
      }
  __syncthreads();
  if (x < nx && y < ny && z < nz) {
    int sum = 0;
    for (int i = 0; i < 5; ++i) sum += (i + 1) * s[(threadIdx.z + 1) * YS * XS + (threadIdx.y + 1) * XS + threadIdx.x + i];
    sum += 7 * s[threadIdx.z * YS * XS + (threadIdx.y + 1) * XS + threadIdx.x + 2];
    sum += 9 * s[(threadIdx.z + 2) * YS * XS + (threadIdx.y + 2) * XS + threadIdx.x + 2];
    out[(z * ny + y) * nx + x] = sum;
  }
}

// What lies before a row is the end of the one above, which is no neighbour in the array.
__global__ void beforeTheRow(const int* __restrict__ in, int* __restrict__ out, int nx, int ny) {
  __shared__ int s[10 * 16];
  const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 8 + ty;
  s[(ty + 1) * 16 + tx] = in[y * nx + x];
  if (ty == 0) s[tx] = y > 0 ? in[(y - 1) * nx + x] : -1;
  if (ty == 7) s[9 * 16 + tx] = y < ny - 1 ? in[(y + 1) * nx + x] : -2;
  __syncthreads();
  out[y * nx + x] = s[(ty + 1) * 16 + tx] + 3 * s[(ty + 1) * 16 + tx - 1] + 5 * s[ty * 16 + tx + 17];
}

// A block that is wider than the rows fills some elements twice.
__global__ void widerBlock(const int* __restrict__ in, int* __restrict__ out, int n) {
  __shared__ int s[8 * 16 + 16];
  const int t = threadIdx.x + blockIdx.x * 16;
  s[threadIdx.y * 16 + threadIdx.x] = in[blockIdx.y * 64 + threadIdx.y * 16 + threadIdx.x + blockIdx.x];
  __syncthreads();
  if (threadIdx.y < 4) atomicAdd(&out[t % n], s[threadIdx.y * 16 + threadIdx.x] * (threadIdx.y + 1));
}

template <typename T> struct Device {
  T* data;
  size_t n;
  explicit Device(size_t n, bool fill) : n(n) {
    std::vector<T> host(n);
    for (size_t i = 0; i < n; ++i) host[i] = fill ? T((i * 7 + i / 13) % 101) : T(0);
    cudaMalloc(&data, n * sizeof(T));
    cudaMemcpy(data, host.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~Device() { cudaFree(data); }
  void print(const char* name) const {
    std::vector<T> host(n);
    cudaMemcpy(host.data(), data, n * sizeof(T), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (size_t i = 0; i < n; ++i) sum += double(host[i]) * double(i % 17 + 1);
    printf("%s %.0f %.0f %.0f\n", name, sum, double(host[0]), double(host[n / 2]));
  }
};

template <typename T, int BX, int BY> void runMacro(const char* name, int nx, int ny, dim3 block) {
  Device<T> in(size_t(nx) * ny, true), out(size_t(nx) * ny, false);
  byMacro<T, BX, BY><<<dim3((nx + BX - 1) / BX, (ny + BY - 1) / BY), block>>>(in.data, out.data, nx, ny);
  out.print(name);
}

template <typename T, int B> void runNested(const char* name, Box g) {
  const size_t n = size_t(g.nx) * g.ny * g.nz;
  Device<T> in(n, true), out(n, false);
  nested<T, B><<<dim3((g.nx + B - 1) / B, (g.ny + B - 1) / B, (g.nz + B - 1) / B), dim3(B, B, B)>>>(in.data, out.data, g);
  out.print(name);
}

int main() {
  runMacro<float, 16, 8>("float tiles", 100, 45, dim3(16, 8));
  runMacro<double, 32, 4>("double tiles", 96, 32, dim3(32, 4));
  runMacro<int, 8, 8>("one block", 5, 7, dim3(8, 8));
  runNested<double, 8>("nested", {37, 26, 19});
  runNested<int, 4>("small nested", {16, 12, 9});
  {
    Device<int> in(70 * 22 * 9, true), out(70 * 22 * 9, false);
    spelledOut<<<dim3(5, 6, 5), dim3(16, 4, 2)>>>(in.data, out.data, 70, 22, 9);
    out.print("spelled out");
  }
  {
    Device<int> in(64 * 32, true), out(64 * 32, false);
    // The first element of the tile's first row is written by another thread: none reads before it.
    beforeTheRow<<<dim3(4, 4), dim3(16, 8)>>>(in.data, out.data, 64, 32);
    out.print("before the row");
  }
  {
    Device<int> in(1024, true), out(64, false);
    widerBlock<<<dim3(3, 4), dim3(16, 8)>>>(in.data, out.data, 64);
    out.print("wider block");
  }
  return 0;
}
