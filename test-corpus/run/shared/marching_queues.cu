// Threads that march with a queue of planes in registers, one behind and one in front, in arrays or in variables, over an array
// with a halo: they move it on only if there is a next step, those beyond the edge follow the last column and row to help
// to load, and all of a block fill the tile element by element. Sizes come from a parameter's methods.
#include <cstdio>
#include <vector>

constexpr int R = 2;
constexpr int BX = 32, BY = 4;

struct Grid {
  int nx, ny, nz; // inside
  __host__ __device__ int px() const { return nx + 2 * R; }
  __host__ __device__ int py() const { return ny + 2 * R; }
  __host__ __device__ size_t plane() const { return (size_t)px() * py(); }
  __host__ __device__ size_t cells() const { return plane() * (nz + 2 * R); }
};

template <int RADIUS>
__global__ void queues(Grid g, const float* __restrict__ in, const float* __restrict__ more, float* __restrict__ out) {
  __shared__ float tile[BY + 2 * RADIUS][BX + 2 * RADIUS];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * BX + tx, y = blockIdx.y * BY + ty;
  const bool active = x < g.nx && y < g.ny;
  const size_t plane = g.plane();
  size_t at = (size_t)(min(y, g.ny - 1) + RADIUS) * g.px() + min(x, g.nx - 1) + RADIUS;
  float behind[RADIUS], front[RADIUS], centre;
#pragma unroll
  for (int r = 0; r < RADIUS; r++) behind[r] = in[at + (RADIUS - 1 - r) * plane];
  centre = in[at + RADIUS * plane];
#pragma unroll
  for (int r = 0; r < RADIUS; r++) front[r] = in[at + (RADIUS + 1 + r) * plane];
  for (int z = 0; z < g.nz; z++) {
    const size_t base = (size_t)(z + RADIUS) * plane;
    for (int k = ty * BX + tx; k < (BY + 2 * RADIUS) * (BX + 2 * RADIUS); k += BX * BY) {
      const int ly = k / (BX + 2 * RADIUS), lx = k % (BX + 2 * RADIUS);
      const int gx = min((int)blockIdx.x * BX + lx, g.px() - 1);
      const int gy = min((int)blockIdx.y * BY + ly, g.py() - 1);
      tile[ly][lx] = in[base + (size_t)gy * g.px() + gx];
    }
    __syncthreads();
    if (active) {
      float sum = 3 * centre;
#pragma unroll
      for (int r = 1; r <= RADIUS; r++)
        sum += r * (tile[ty + RADIUS][tx + RADIUS - r] + 2 * tile[ty + RADIUS][tx + RADIUS + r] + 3 * tile[ty + RADIUS - r][tx + RADIUS] +
                    5 * tile[ty + RADIUS + r][tx + RADIUS] + 7 * behind[r - 1] + 11 * front[r - 1]);
      const size_t i = at + base;
      out[i] = sum - more[i];
    }
    __syncthreads();
    if (z + 1 < g.nz) {
#pragma unroll
      for (int r = RADIUS - 1; r > 0; r--) behind[r] = behind[r - 1];
      behind[0] = centre;
      centre = front[0];
#pragma unroll
      for (int r = 0; r < RADIUS - 1; r++) front[r] = front[r + 1];
      front[RADIUS - 1] = in[at + (size_t)(z + 1 + 2 * RADIUS) * plane];
    }
  }
}

// The same of any radius: as there are two, a halo of two planes says nothing of it.
template <int RADIUS> __global__ void anyRadius(Grid g, const float* __restrict__ in, float* __restrict__ out) {
  __shared__ float tile[BY + 2 * RADIUS][BX + 2 * RADIUS];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * BX + tx, y = blockIdx.y * BY + ty;
  const size_t plane = g.plane();
  size_t at = (size_t)(min(y, g.ny - 1) + R) * g.px() + min(x, g.nx - 1) + R;
  float front[RADIUS], centre = in[at + R * plane];
  for (int r = 0; r < RADIUS; r++) front[r] = in[at + (R + 1 + r) * plane];
  for (int z = 0; z < g.nz; z++) {
    const size_t base = (size_t)(z + R) * plane;
    for (int k = ty * BX + tx; k < (BY + 2 * RADIUS) * (BX + 2 * RADIUS); k += BX * BY) {
      const int ly = k / (BX + 2 * RADIUS), lx = k % (BX + 2 * RADIUS);
      const int gx = min((int)blockIdx.x * BX + lx + R - RADIUS, g.px() - 1);
      const int gy = min((int)blockIdx.y * BY + ly + R - RADIUS, g.py() - 1);
      tile[ly][lx] = in[base + (size_t)gy * g.px() + gx];
    }
    __syncthreads();
    if (x < g.nx && y < g.ny)
      out[at + base] = centre + 2 * front[0] + 3 * front[RADIUS - 1] + 5 * tile[ty][tx + RADIUS] + 7 * tile[ty + 2 * RADIUS][tx + RADIUS];
    __syncthreads();
    if (z + 1 < g.nz) {
      centre = front[0];
      for (int r = 0; r < RADIUS - 1; r++) front[r] = front[r + 1];
      front[RADIUS - 1] = in[at + (size_t)(z + 1 + R + RADIUS) * plane];
    }
  }
}

// Variables, a place that moves on, a macro, and names for the sizes.
#define AT(x, y) ((y) * px + (x))
__global__ void variables(const float* __restrict__ in, float* __restrict__ out, int nx, int ny, int nz) {
  __shared__ float s[BY + 2][BX + 2];
  const int px = nx + 2, py = ny + 2, stride = px * py;
  const int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y;
  const int tid = threadIdx.y * BX + threadIdx.x;
  const int cx = min(x, nx - 1) + 1, cy = min(y, ny - 1) + 1;
  float down = in[AT(cx, cy)], here = in[stride + AT(cx, cy)], up = in[2 * stride + AT(cx, cy)];
  for (int z = 1; z <= nz; ++z) {
    for (int e = tid; e < (BX + 2) * (BY + 2); e += BX * BY) {
      const int row = e / (BX + 2), column = e % (BX + 2);
      s[row][column] = in[z * stride + AT(min((int)(blockIdx.x * BX) + column, px - 1), min((int)(blockIdx.y * BY) + row, py - 1))];
    }
    __syncthreads();
    if (x < nx && y < ny)
      out[z * stride + AT(cx, cy)] = here + 2 * down + 3 * up + 5 * s[threadIdx.y + 1][threadIdx.x] + 7 * s[threadIdx.y + 1][threadIdx.x + 2] +
                                     11 * s[threadIdx.y][threadIdx.x + 1] + 13 * s[threadIdx.y + 2][threadIdx.x + 1];
    __syncthreads();
    if (z < nz) {
      down = here;
      here = up;
      up = in[(z + 2) * stride + AT(cx, cy)];
    }
  }
}

// The queue stands still in the last steps but one.
__global__ void standsStill(Grid g, const float* __restrict__ in, float* __restrict__ out) {
  __shared__ float tile[BY][BX];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * BX + tx, y = blockIdx.y * BY + ty;
  const size_t plane = g.plane(), at = (size_t)(min(y, g.ny - 1) + R) * g.px() + min(x, g.nx - 1) + R;
  float front[R], centre = in[at];
  for (int r = 0; r < R; r++) front[r] = in[at + (1 + r) * plane];
  for (int z = 0; z < g.nz; z++) {
    tile[ty][tx] = in[at + z * plane];
    __syncthreads();
    if (x < g.nx && y < g.ny) out[at + z * plane] = centre + 2 * front[0] + 3 * front[1] + 5 * tile[ty][tx ^ 1];
    __syncthreads();
    if (z + 3 < g.nz) {
      centre = front[0];
      for (int r = 0; r < R - 1; r++) front[r] = front[r + 1];
      front[R - 1] = in[at + (z + 1 + R) * plane];
    }
  }
}

// Threads beyond the edge add up what they followed the last column for.
__global__ void edgeReads(Grid g, const float* __restrict__ in, float* __restrict__ out) {
  __shared__ float tile[BY + 2][BX + 2];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * BX + tx, y = blockIdx.y * BY + ty;
  const int plane = g.px() * g.py(), at = (min(y, g.ny - 1) + R) * g.px() + min(x, g.nx - 1) + R;
  float here = in[at], front = in[at + plane];
  for (int z = 0; z < g.nz; z++) {
    for (int k = ty * BX + tx; k < (BY + 2) * (BX + 2); k += BX * BY) {
      const int ly = k / (BX + 2), lx = k % (BX + 2);
      tile[ly][lx] = in[z * plane + min((int)blockIdx.y * BY + ly, g.ny - 1) * g.px() + min((int)blockIdx.x * BX + lx, g.nx - 1)];
    }
    __syncthreads();
    if (x < g.nx + 1 && y < g.ny)
      out[z * plane + (y + R) * g.px() + x + R] = here + 2 * front + 3 * tile[ty][tx] + 5 * tile[ty + 1][tx + 2];
    __syncthreads();
    if (z + 1 < g.nz) {
      here = front;
      front = in[at + (z + 2) * plane];
    }
  }
}

// A tile's rows come from rows of the array that are told by another width.
__global__ void otherWidth(Grid g, const float* __restrict__ in, float* __restrict__ out) {
  __shared__ float tile[BY + 2][BX + 2];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * BX + tx, y = blockIdx.y * BY + ty;
  const int plane = g.px() * g.py(), at = (min(y, g.ny - 1) + R) * g.px() + min(x, g.nx - 1) + R;
  float here = in[at];
  for (int z = 0; z < g.nz; z++) {
    for (int k = ty * BX + tx; k < (BY + 2) * (BX + 2); k += BX * BY) {
      const int ly = k / (BX + 2), lx = k % (BX + 2);
      tile[ly][lx] = in[z * plane + min((int)blockIdx.y * BY + k / BX, g.py() - 1) * g.px() + min((int)blockIdx.x * BX + lx, g.px() - 1)];
    }
    __syncthreads();
    if (x < g.nx && y < g.ny) out[z * plane + at] = here + 3 * tile[ty][tx] + 5 * tile[ty + 1][tx + 2];
    __syncthreads();
    if (z + 1 < g.nz) here = in[at + (z + 1) * plane];
  }
}

// Columns and rows are kept within one bound, of which a condition says something for rows only.
__global__ void oneGuard(const float* __restrict__ in, float* __restrict__ out, int nx, int ny, int nz, int most) {
  __shared__ float tile[BY][BX];
  const int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y;
  const int plane = nx * ny, at = y * nx + x;
  float here = in[at];
  for (int z = 0; z < nz; z++) {
    for (int k = threadIdx.y * BX + threadIdx.x; k < BY * BX; k += BX * BY) {
      const int ly = k / BX, lx = k % BX;
      tile[ly][lx] = in[z * plane + min(ly, most - 1) * nx + min(lx, most - 1)];
    }
    __syncthreads();
    if ((int)threadIdx.y < most) out[z * plane + at] = here + 3 * tile[threadIdx.y][threadIdx.x];
    __syncthreads();
    if (z + 1 < nz) here = in[at + (z + 1) * plane];
  }
}

// A method that its class keeps for itself, one that a heir hides, and one that asks for what changes.
struct Base {
  int width;
  __host__ __device__ int row() const { return width; }
};
struct Sizes : Base {
  __host__ __device__ Sizes(int nx, int ny, int nz) : Base{nx}, ny_(ny), nz(nz) {}
  __host__ __device__ int row() const { return Base::row() + 1; }
  __host__ __device__ int plane() const { return row() * ny_; }
  __host__ __device__ int rows() const { return ny_; }
  int ny_, nz;
};
class Closed {
  int nx_, ny_;
  __host__ __device__ int twice() const { return 2 * nx_; }

public:
  int nz;
  __host__ __device__ Closed(int nx, int ny, int nz) : nx_(nx), ny_(ny), nz(nz) {}
  __host__ __device__ int row() const { return twice() - nx_; }
  __host__ __device__ int rows() const { return ny_; }
  __host__ __device__ int plane() const { return row() * ny_; }
};
template <class S> __global__ void sizes(S s, const float* __restrict__ in, float* __restrict__ out) {
  __shared__ float tile[BY][BX];
  const int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y, at = y * s.row() + x;
  float here = in[at], next = in[at + s.plane()];
  for (int z = 0; z < s.nz; z++) {
    tile[threadIdx.y][threadIdx.x] = here;
    __syncthreads();
    if (threadIdx.x > 0) out[at + z * s.plane()] = here + 2 * next + 3 * tile[threadIdx.y][threadIdx.x - 1];
    __syncthreads();
    if (z + 1 < s.nz) {
      here = next;
      next = in[at + (z + 2) * s.plane()];
    }
  }
}
__global__ void closed(Closed s, const float* __restrict__ in, float* __restrict__ out) {
  __shared__ float tile[BY][BX];
  const int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y, at = y * s.row() + x;
  float here = in[at], next = in[at + s.plane()];
  for (int z = 0; z < s.nz; z++) {
    tile[threadIdx.y][threadIdx.x] = here;
    __syncthreads();
    if (threadIdx.x > 0) out[at + z * s.plane()] = here + 2 * next + 3 * tile[threadIdx.y][threadIdx.x - 1];
    __syncthreads();
    if (z + 1 < s.nz) {
      here = next;
      next = in[at + (z + 2) * s.plane()];
    }
  }
}

int main() {
  const size_t most = 100 * 40 * 24;
  std::vector<float> host(most);
  for (size_t i = 0; i < most; ++i) host[i] = float((i * 31 + i / 7) % 211);
  float *in, *more, *out;
  cudaMalloc(&in, most * sizeof(float));
  cudaMalloc(&more, most * sizeof(float));
  cudaMalloc(&out, most * sizeof(float));
  cudaMemcpy(in, host.data(), most * sizeof(float), cudaMemcpyHostToDevice);
  for (size_t i = 0; i < most; ++i) host[i] = float(i % 17);
  cudaMemcpy(more, host.data(), most * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, most * sizeof(float));
  const auto print = [&](const char* name) {
    std::vector<float> result(most);
    cudaMemcpy(result.data(), out, most * sizeof(float), cudaMemcpyDeviceToHost);
    long long sum = 0;
    for (size_t i = 0; i < most; ++i) sum += (long long)result[i] * (long long)(i % 13 + 1);
    printf("%s %lld\n", name, sum);
    cudaMemset(out, 0, most * sizeof(float));
  };
  const dim3 block(BX, BY);
  for (const Grid g : {Grid{64, 8, 9}, Grid{71, 18, 10}, Grid{5, 3, 4}, Grid{33, 5, 1}, Grid{32, 4, 2}}) {
    const dim3 grid((g.nx + BX - 1) / BX, (g.ny + BY - 1) / BY);
    printf("%d x %d x %d\n", g.nx, g.ny, g.nz);
    queues<R><<<grid, block>>>(g, in, more, out);
    print("queues");
    anyRadius<1><<<grid, block>>>(g, in, out);
    print("radius 1");
    anyRadius<2><<<grid, block>>>(g, in, out);
    print("radius 2");
    variables<<<grid, block>>>(in, out, g.nx, g.ny, g.nz);
    print("variables");
    standsStill<<<grid, block>>>(g, in, out);
    print("stands still");
    edgeReads<<<grid, block>>>(g, in, out);
    print("edge reads");
    otherWidth<<<grid, block>>>(g, in, out);
    print("other width");
  }
  oneGuard<<<dim3(2, 3), block>>>(in, out, 64, 12, 5, 3);
  print("one guard");
  sizes<<<dim3(2, 3), block>>>(Sizes(64, 12, 5), in, out);
  print("sizes");
  closed<<<dim3(2, 3), block>>>(Closed(64, 12, 5), in, out);
  print("closed");
  return 0;
}
