// Kernels that march through a volume with a shared tile of the plane and its neighbours in
// registers keep their results where translations read the array instead, and where they may not.
#include <cstdio>
#include <vector>

#define RAD 2

struct Grid {
  int nx, ny, nz;
  __host__ __device__ size_t plane() const { return (size_t)nx * ny; }
  __host__ __device__ size_t volume() const { return plane() * nz; }
  __host__ __device__ size_t at(int x, int y, int z) const { return ((size_t)z * ny + y) * nx + x; }
  __device__ bool inside(int x, int y) const { return x >= 0 && x < nx && y >= 0 && y < ny; }
};

constexpr int TX = 32, TY = 8;

// Places that move on, guards in each branch.
__global__ void starMoving(const float* __restrict__ in, float* __restrict__ out, int nx, int ny,
                           int nz) {
  __shared__ float plane[TY + 2 * RAD][TX + 2 * RAD];
  const int x = blockIdx.x * TX + threadIdx.x + RAD;
  const int y = blockIdx.y * TY + threadIdx.y + RAD;
  const int sx = threadIdx.x + RAD, sy = threadIdx.y + RAD;
  const bool inside = x < nx - RAD && y < ny - RAD;
  const bool loadable = x < nx && y < ny;
  const int slice = nx * ny;
  int idx = y * nx + x;
  float below2 = 0, below1 = 0, cur = 0, above1 = 0, above2 = 0;
  if (loadable) {
    below1 = in[idx];
    cur = in[idx + slice];
    above1 = in[idx + 2 * slice];
    above2 = in[idx + 3 * slice];
  }
  idx += slice;
  for (int z = RAD; z < nz - RAD; ++z) {
    idx += slice;
    below2 = below1;
    below1 = cur;
    cur = above1;
    above1 = above2;
    if (loadable)
      above2 = in[idx + 2 * slice];
    __syncthreads();
    plane[sy][sx] = cur;
    if (threadIdx.x < RAD && y < ny) {
      plane[sy][threadIdx.x] = in[idx - RAD];
      if (x + TX < nx)
        plane[sy][sx + TX] = in[idx + TX];
    }
    if (threadIdx.y < RAD && x < nx) {
      plane[threadIdx.y][sx] = in[idx - RAD * nx];
      if (y + TY < ny)
        plane[sy + TY][sx] = in[idx + TY * nx];
    }
    __syncthreads();
    if (inside)
      out[idx] = cur * 3 +
                 (plane[sy][sx - 1] + plane[sy][sx + 1] + plane[sy - 1][sx] + plane[sy + 1][sx] +
                  below1 + above1) -
                 0.5f * (plane[sy][sx - 2] + plane[sy][sx + 2] + plane[sy - 2][sx] +
                         plane[sy + 2][sx] + below2 + above2);
  }
}

// Places by the step, loads by a lambda that asks whether they are inside; what is at the borders
// is copied.
template <int BX, int BY>
__global__ void starAsking(const float* __restrict__ in, float* __restrict__ out, Grid g) {
  __shared__ float tile[BY + 2][BX + 2];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * BX + tx;
  const int y = blockIdx.y * BY + ty;
  const bool live = x < g.nx && y < g.ny;
  const bool core = x >= 1 && x < g.nx - 1 && y >= 1 && y < g.ny - 1;
  auto load = [&](int px, int py, int pz) {
    return g.inside(px, py) ? in[g.at(px, py, pz)] : 0.0f;
  };
  if (live) {
    out[g.at(x, y, 0)] = in[g.at(x, y, 0)];
    out[g.at(x, y, g.nz - 1)] = in[g.at(x, y, g.nz - 1)];
  }
  float b1 = load(x, y, 0), c = load(x, y, 1);
  for (int z = 1; z < g.nz - 1; ++z) {
    const float f1 = load(x, y, z + 1);
    __syncthreads();
    tile[ty + 1][tx + 1] = c;
    if (ty == 0)
      tile[0][tx + 1] = load(x, y - 1, z);
    if (ty == BY - 1)
      tile[BY + 1][tx + 1] = load(x, y + 1, z);
    if (tx == 0)
      tile[ty + 1][0] = load(x - 1, y, z);
    if (tx == BX - 1)
      tile[ty + 1][BX + 1] = load(x + 1, y, z);
    __syncthreads();
    if (live) {
      float r = c;
      if (core)
        r = 0.5f * c + 0.25f * (tile[ty][tx + 1] + tile[ty + 2][tx + 1] + tile[ty + 1][tx] +
                                tile[ty + 1][tx + 2] + b1 + f1);
      out[g.at(x, y, z)] = r;
    }
    b1 = c;
    c = f1;
  }
}

// Zeros outside: all threads read what was not loaded.
template <int BX, int BY>
__global__ void starOfZeros(const float* __restrict__ in, float* __restrict__ out, Grid g) {
  __shared__ float tile[BY + 2][BX + 2];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * BX + tx, y = blockIdx.y * BY + ty;
  auto load = [&](int px, int py, int pz) {
    return g.inside(px, py) ? in[g.at(px, py, pz)] : 0.0f;
  };
  float c = load(x, y, 0);
  for (int z = 0; z < g.nz; ++z) {
    __syncthreads();
    tile[ty + 1][tx + 1] = c;
    if (ty == 0)
      tile[0][tx + 1] = load(x, y - 1, z);
    if (ty == BY - 1)
      tile[BY + 1][tx + 1] = load(x, y + 1, z);
    if (tx == 0)
      tile[ty + 1][0] = load(x - 1, y, z);
    if (tx == BX - 1)
      tile[ty + 1][BX + 1] = load(x + 1, y, z);
    __syncthreads();
    if (x < g.nx && y < g.ny)
      out[g.at(x, y, z)] =
          c + tile[ty][tx + 1] + tile[ty + 2][tx + 1] - tile[ty + 1][tx] - tile[ty + 1][tx + 2];
    if (z + 1 < g.nz)
      c = load(x, y, z + 1);
  }
}

// A queue of planes in one array, tiles filled by loops.
template <typename T, int R>
__global__ void starOfQueue(const T* __restrict__ in, T* __restrict__ out, int nx, int ny, int nz) {
  __shared__ T s[TY + 2 * R][TX + 2 * R];
  const int x0 = blockIdx.x * TX, y0 = blockIdx.y * TY;
  const int gx = x0 + threadIdx.x, gy = y0 + threadIdx.y;
  const int row = nx + 2 * R, slab = row * (ny + 2 * R);
  T q[2 * R + 1];
  size_t at = (size_t)(gy + R) * row + gx + R;
#pragma unroll
  for (int i = 0; i < 2 * R + 1; ++i)
    q[i] = in[at + i * slab];
  for (int z = 0; z < nz; ++z) {
    for (int j = threadIdx.y; j < TY + 2 * R; j += TY)
      for (int i = threadIdx.x; i < TX + 2 * R; i += TX)
        s[j][i] = in[(size_t)(z + R) * slab + (y0 + j) * row + x0 + i];
    __syncthreads();
    T sum = q[R] * 2;
    for (int r = 1; r <= R; ++r)
      sum += (s[threadIdx.y + R][threadIdx.x + R - r] + s[threadIdx.y + R][threadIdx.x + R + r] +
              s[threadIdx.y + R - r][threadIdx.x + R] + s[threadIdx.y + R + r][threadIdx.x + R] +
              q[R - r] + q[R + r]) *
             r;
    out[at + R * slab] = sum;
    at += slab;
#pragma unroll
    for (int i = 0; i < 2 * R; ++i)
      q[i] = q[i + 1];
    if (z + 1 < nz)
      q[2 * R] = in[at + 2 * R * slab];
    __syncthreads();
  }
}

// Threads outside return first; blocks begin at names of their own.
__global__ void starOfStaying(const float* __restrict__ in, float* __restrict__ out, int nx, int ny,
                              int nz) {
  __shared__ float s[TY + 2][TX + 2];
  const int bx = blockIdx.x * TX, by = blockIdx.y * TY;
  const int x = bx + threadIdx.x, y = by + threadIdx.y;
  if (x >= nx || y >= ny)
    return;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  float below = 0, here = in[y * nx + x], above = in[(ny + y) * nx + x];
  for (int z = 1; z <= nz - 2; z++) {
    below = here;
    here = above;
    above = in[((z + 1) * ny + y) * nx + x];
    s[ty][tx] = here;
    if (threadIdx.x == 0 && x > 0)
      s[ty][0] = in[(z * ny + y) * nx + x - 1];
    if (threadIdx.x == TX - 1 && x + 1 < nx)
      s[ty][TX + 1] = in[(z * ny + y) * nx + x + 1];
    if (threadIdx.y == 0 && y > 0)
      s[0][tx] = in[(z * ny + y - 1) * nx + x];
    if (threadIdx.y == TY - 1 && y + 1 < ny)
      s[TY + 1][tx] = in[(z * ny + y + 1) * nx + x];
    __syncthreads();
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
      out[(z * ny + y) * nx + x] =
          here - 0.5f * (s[ty][tx - 1] + s[ty][tx + 1] + s[ty - 1][tx] + s[ty + 1][tx]) + below -
          above;
    __syncthreads();
  }
}

// One block that stores where it has loaded.
__global__ void inPlace(float* a, int nx, int ny, int nz) {
  __shared__ float tile[TY + 2][TX + 2];
  const int x = threadIdx.x + 1, y = threadIdx.y + 1;
  float below = a[y * nx + x], here = a[(ny + y) * nx + x];
  for (int z = 1; z < nz - 1; ++z) {
    const float above = a[((z + 1) * ny + y) * nx + x];
    __syncthreads();
    tile[y][x] = here;
    if (threadIdx.x == 0)
      tile[y][0] = a[(z * ny + y) * nx];
    if (threadIdx.x == TX - 1)
      tile[y][TX + 1] = a[(z * ny + y) * nx + TX + 1];
    if (threadIdx.y == 0)
      tile[0][x] = a[z * ny * nx + x];
    if (threadIdx.y == TY - 1)
      tile[TY + 1][x] = a[(z * ny + TY + 1) * nx + x];
    __syncthreads();
    a[(z * ny + y) * nx + x] =
        0.25f * (tile[y][x - 1] + tile[y][x + 1] + tile[y - 1][x] + tile[y + 1][x]) + below - above;
    below = here;
    here = above;
  }
}

// The tile keeps every second plane, and what is stored in it is not what was loaded.
template <bool TWICE>
__global__ void otherTiles(const float* __restrict__ in, float* __restrict__ out, int nx, int ny,
                           int nz) {
  __shared__ float tile[TY][TX];
  const int x = blockIdx.x * TX + threadIdx.x, y = blockIdx.y * TY + threadIdx.y;
  float here = in[y * nx + x];
  for (int z = 0; z < nz - 1; ++z) {
    const float above = in[((z + 1) * ny + y) * nx + x];
    __syncthreads();
    if (TWICE)
      tile[threadIdx.y][threadIdx.x] = here * 2;
    else if (z % 2 == 0)
      tile[threadIdx.y][threadIdx.x] = here;
    __syncthreads();
    out[(z * ny + y) * nx + x] = tile[threadIdx.y][TX - 1 - threadIdx.x] + above;
    here = above;
  }
}

// No tile; blocks of other sizes than the kernel counts with.
__global__ void apart(const float* __restrict__ in, float* __restrict__ out, int nx, int ny,
                      int nz) {
  const int tx = threadIdx.x;
  const int x = blockIdx.x * 32 + tx, y = blockIdx.y * 4 + threadIdx.y;
  if (x >= nx || y >= ny)
    return;
  float here = in[y * nx + x];
  for (int z = 0; z < nz - 1; ++z) {
    const float above = in[((z + 1) * ny + y) * nx + x];
    out[(z * ny + y) * nx + x] = above - here;
    here = above;
  }
}

template <class T> struct Fields {
  T *in, *out;
  size_t count;
  explicit Fields(size_t n) : count(n) {
    std::vector<T> values(n);
    unsigned seed = 7;
    for (T& v : values) {
      seed = seed * 1664525u + 1013904223u;
      v = T(seed >> 20) / 64;
    }
    cudaMalloc(&in, n * sizeof(T));
    cudaMalloc(&out, n * sizeof(T));
    cudaMemcpy(in, values.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    cudaMemset(out, 0, n * sizeof(T));
  }
  ~Fields() {
    cudaFree(in);
    cudaFree(out);
  }
  void print(const char* name, const T* from) const {
    std::vector<T> values(count);
    cudaMemcpy(values.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (size_t i = 0; i < count; ++i)
      sum += double(values[i]) * (1 + i % 13);
    printf("%s %zu: %.3f %s\n", name, count, sum, cudaGetErrorString(cudaGetLastError()));
  }
};

int blocks(int n, int size) { return (n + size - 1) / size; }

int main() {
  const Grid grids[] = {{40, 13, 9}, {64, 16, 5}, {33, 8, 6}, {100, 37, 12}, {5, 5, 5}, {3, 2, 4}};
  for (const Grid& g : grids) {
    const dim3 block(TX, TY);
    {
      Fields<float> f(g.volume());
      if (g.nx > 4 && g.ny > 4)
        starMoving<<<dim3(blocks(g.nx - 4, TX), blocks(g.ny - 4, TY)), block>>>(f.in, f.out, g.nx,
                                                                                g.ny, g.nz);
      f.print("moving", f.out);
    }
    {
      Fields<float> f(g.volume());
      starAsking<32, 4><<<dim3(blocks(g.nx, 32), blocks(g.ny, 4)), dim3(32, 4)>>>(f.in, f.out, g);
      f.print("asking", f.out);
      starAsking<16, 16>
          <<<dim3(blocks(g.nx, 16), blocks(g.ny, 16)), dim3(16, 16)>>>(f.in, f.out, g);
      f.print("asking", f.out);
      starOfZeros<32, 8><<<dim3(blocks(g.nx, 32), blocks(g.ny, 8)), block>>>(f.in, f.out, g);
      f.print("zeros", f.out);
      starOfStaying<<<dim3(blocks(g.nx, TX), blocks(g.ny, TY)), block>>>(f.in, f.out, g.nx, g.ny,
                                                                         g.nz);
      f.print("staying", f.out);
      apart<<<dim3(blocks(g.nx, 32), blocks(g.ny, 4)), dim3(32, 4)>>>(f.in, f.out, g.nx, g.ny,
                                                                      g.nz);
      f.print("apart", f.out);
      cudaMemset(f.out, 0, g.volume() * sizeof(float));
      apart<<<dim3(blocks(g.nx, 32), blocks(g.ny, 4)), dim3(20, 3)>>>(f.in, f.out, g.nx, g.ny,
                                                                      g.nz);
      f.print("apart", f.out);
    }
  }
  const int nx = 64, ny = 24, nz = 10;
  {
    Fields<double> f((nx + 2) * (ny + 2) * (nz + 2));
    starOfQueue<double, 1><<<dim3(nx / TX, ny / TY), dim3(TX, TY)>>>(f.in, f.out, nx, ny, nz);
    f.print("queue", f.out);
  }
  {
    Fields<float> f((nx + 6) * (ny + 6) * (nz + 6));
    starOfQueue<float, 3><<<dim3(nx / TX, ny / TY), dim3(TX, TY)>>>(f.in, f.out, nx, ny, nz);
    f.print("queue", f.out);
  }
  {
    Fields<float> f((TX + 2) * (TY + 2) * nz);
    inPlace<<<1, dim3(TX, TY)>>>(f.in, TX + 2, TY + 2, nz);
    f.print("in place", f.in);
  }
  {
    Fields<float> f(nx * ny * nz);
    otherTiles<true><<<dim3(nx / TX, ny / TY), dim3(TX, TY)>>>(f.in, f.out, nx, ny, nz);
    f.print("twice", f.out);
    otherTiles<false><<<dim3(nx / TX, ny / TY), dim3(TX, TY)>>>(f.in, f.out, nx, ny, nz);
    f.print("every second", f.out);
  }
  return 0;
}
