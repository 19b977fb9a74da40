// Threads that march with a place that is kept within the array and moves on with each step, and with queues that are filled from
// their end: what they load where a place was kept within is the last column's and row's, and never read by those inside.
#include <cstdio>
#include <vector>

constexpr int R = 3;
constexpr int BX = 16, BY = 4;

struct Grid {
  int nx, ny, nz; // with a halo of R
  __host__ __device__ int plane() const { return nx * ny; }
};

// A step stores where the place is, and each edge of the tile has a bound of its own.
__global__ void moves(const float* __restrict__ in, float* __restrict__ out, const float* __restrict__ more, Grid g) {
  __shared__ float s[BY + 2 * R][BX + 2 * R];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int ix = blockIdx.x * BX + tx + R, iy = blockIdx.y * BY + ty + R;
  const int sx = tx + R, sy = ty + R;
  const int plane = g.plane();
  const bool inside = ix < g.nx - R && iy < g.ny - R;
  const int cx = min(ix, g.nx - 1), cy = min(iy, g.ny - 1);
  int idx = cy * g.nx + cx;
  float behind[R], front[R], current;
#pragma unroll
  for (int k = 0; k < R; ++k) behind[R - 1 - k] = in[idx + k * plane];
  current = in[idx + R * plane];
#pragma unroll
  for (int k = 0; k < R; ++k) front[k] = in[idx + (R + 1 + k) * plane];
  idx += R * plane;
  for (int iz = R; iz < g.nz - R; ++iz) {
    __syncthreads();
    s[sy][sx] = current;
    if (ty < R) {
      const int yb = min(iy + BY, g.ny - 1);
      s[ty][sx] = in[iz * plane + min(iy - R, g.ny - 1) * g.nx + cx];
      s[ty + BY + R][sx] = in[iz * plane + yb * g.nx + cx];
    }
    if (tx < R) {
      const int xb = min(ix + BX, g.nx - 1);
      s[sy][tx] = in[iz * plane + cy * g.nx + min(ix - R, g.nx - 1)];
      s[sy][tx + BX + R] = in[iz * plane + cy * g.nx + xb];
    }
    __syncthreads();
    if (inside) {
      float sum = 3 * current;
#pragma unroll
      for (int k = 1; k <= R; ++k)
        sum += k * (s[sy][sx - k] + 2 * s[sy][sx + k] + 3 * s[sy - k][sx] + 5 * s[sy + k][sx] + 7 * behind[k - 1] + 11 * front[k - 1]);
      out[idx] = sum - out[idx] + more[idx];
    }
#pragma unroll
    for (int k = R - 1; k > 0; --k) behind[k] = behind[k - 1];
    behind[0] = current;
    current = front[0];
#pragma unroll
    for (int k = 0; k < R - 1; ++k) front[k] = front[k + 1];
    if (iz + R + 1 < g.nz) front[R - 1] = in[idx + (R + 1) * plane];
    idx += plane;
  }
}

// The same queue in variables, and a place that a condition keeps within.
__global__ void variables(const float* __restrict__ in, float* __restrict__ out, Grid g) {
  __shared__ float s[BY + 2][BX + 2];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y;
  const int cx = min(x, g.nx - 1), cy = y < g.ny - 1 ? y : g.ny - 1;
  const int plane = g.nx * g.ny;
  int at = cy * g.nx + cx;
  float down = in[at], here = in[at + plane], up;
  at += plane;
  for (int z = 1; z < g.nz - 1; ++z) {
    up = in[at + plane];
    s[ty][tx] = here;
    if (threadIdx.x == 0 && x > 0) s[ty][0] = in[at - 1];
    if (threadIdx.x == BX - 1 && x + 1 < g.nx) s[ty][BX + 1] = in[at + 1];
    if (threadIdx.y == 0 && y > 0) s[0][tx] = in[at - g.nx];
    if (threadIdx.y == BY - 1 && y + 1 < g.ny) s[BY + 1][tx] = in[at + g.nx];
    __syncthreads();
    if (x > 0 && x < g.nx - 1 && y > 0 && y < g.ny - 1)
      out[at] = here + 2 * down + 3 * up + 5 * s[ty][tx - 1] + 7 * s[ty][tx + 1] + 11 * s[ty - 1][tx] + 13 * s[ty + 1][tx];
    __syncthreads();
    down = here;
    here = up;
    at += plane;
  }
}

// Threads at both edges follow the column beside them: a neighbour reads what they keep.
__global__ void bothEdges(const float* __restrict__ in, float* __restrict__ out, Grid g) {
  __shared__ float s[BY + 2][BX + 2];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y;
  const int cx = max(min(x, g.nx - 2), 1), cy = y < g.ny - 1 ? y : g.ny - 1;
  const int plane = g.nx * g.ny;
  int at = cy * g.nx + cx;
  float down = in[at], here = in[at + plane], up;
  at += plane;
  for (int z = 1; z < g.nz - 1; ++z) {
    up = in[at + plane];
    s[ty][tx] = here;
    if (threadIdx.x == 0) s[ty][0] = in[at - 1];
    if (threadIdx.x == BX - 1) s[ty][BX + 1] = in[at + 1];
    if (threadIdx.y == 0 && y > 0) s[0][tx] = in[at - g.nx];
    if (threadIdx.y == BY - 1 && y + 1 < g.ny) s[BY + 1][tx] = in[at + g.nx];
    __syncthreads();
    if (x > 0 && x < g.nx - 1 && y > 0 && y < g.ny - 1)
      out[at] = here + 2 * down + 3 * up + 5 * s[ty][tx - 1] + 7 * s[ty][tx + 1] + 11 * s[ty - 1][tx] + 13 * s[ty + 1][tx];
    __syncthreads();
    down = here;
    here = up;
    at += plane;
  }
}

// All threads read: those beyond the last column, too.
__global__ void allRead(const float* __restrict__ in, float* __restrict__ out, Grid g) {
  __shared__ float s[BY][BX];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * BX + tx, y = blockIdx.y * BY + ty, wide = gridDim.x * BX, high = gridDim.y * BY;
  const int plane = g.plane();
  int at = min(y, g.ny - 1) * g.nx + min(x, g.nx - 1);
  float here = in[at], next = in[at + plane];
  for (int z = 0; z < g.nz - 2; ++z) {
    s[ty][tx] = here;
    __syncthreads();
    out[(z * high + y) * wide + x] = here + 2 * next + (tx > 0 ? 3 * s[ty][tx - 1] : 0);
    __syncthreads();
    here = next;
    next = in[at + 2 * plane];
    at += plane;
  }
}

// Queues that are filled from the end, all of them, all but one, by two, or turned around.
__global__ void fromTheEnd(const float* __restrict__ in, float* __restrict__ out, Grid g) {
  __shared__ float s[BY][BX];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * BX + tx, y = blockIdx.y * BY + ty;
  const int at = y * g.nx + x, plane = g.plane();
  float front[4] = {0, 0, 0, 0}, here = in[at];
  for (int k = 0; k < 4; ++k) front[3 - k] = in[at + (4 - k) * plane];
  for (int z = 0; z < g.nz - 5; ++z) {
    s[ty][tx] = here;
    __syncthreads();
    if (tx > 0) out[at + z * plane] = here + 2 * front[0] + 3 * front[1] + 5 * front[2] + 7 * front[3] + 11 * s[ty][tx - 1];
    __syncthreads();
    here = front[0];
    for (int k = 0; k < 3; ++k) front[k] = front[k + 1];
    front[3] = in[at + (z + 5) * plane];
  }
}
__global__ void notAll(const float* __restrict__ in, float* __restrict__ out, Grid g) {
  __shared__ float s[BY][BX];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * BX + tx, y = blockIdx.y * BY + ty;
  const int at = y * g.nx + x, plane = g.plane();
  float front[4] = {0, 0, 0, 0}, here = in[at];
  for (int k = 0; k < 3; ++k) front[3 - k] = in[at + (4 - k) * plane];
  for (int z = 0; z < g.nz - 5; ++z) {
    s[ty][tx] = here;
    __syncthreads();
    if (tx > 0) out[at + z * plane] = here + 2 * front[0] + 3 * front[1] + 5 * front[2] + 7 * front[3] + 11 * s[ty][tx - 1];
    __syncthreads();
    here = front[0];
    for (int k = 0; k < 3; ++k) front[k] = front[k + 1];
    front[3] = in[at + (z + 5) * plane];
  }
}
__global__ void byTwo(const float* __restrict__ in, float* __restrict__ out, Grid g) {
  __shared__ float s[BY][BX];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * BX + tx, y = blockIdx.y * BY + ty;
  const int at = y * g.nx + x, plane = g.plane();
  float front[4] = {0, 0, 0, 0}, here = in[at];
  for (int k = 1; k >= 0; --k) front[3 - 2 * k] = in[at + (4 - 2 * k) * plane];
  for (int z = 0; z < g.nz - 5; ++z) {
    s[ty][tx] = here;
    __syncthreads();
    if (tx > 0) out[at + z * plane] = here + 2 * front[0] + 3 * front[1] + 5 * front[2] + 7 * front[3] + 11 * s[ty][tx - 1];
    __syncthreads();
    here = front[0];
    for (int k = 0; k < 3; ++k) front[k] = front[k + 1];
    front[3] = in[at + (z + 5) * plane];
  }
}
__global__ void turnedAround(const float* __restrict__ in, float* __restrict__ out, Grid g) {
  __shared__ float s[BY][BX];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * BX + tx, y = blockIdx.y * BY + ty;
  const int at = y * g.nx + x, plane = g.plane();
  float front[4] = {0, 0, 0, 0}, here = in[at];
  for (int k = 0; k < 4; ++k) front[3 - k] = in[at + (1 + k) * plane];
  for (int k = 0; k < 4; ++k) front[3 - k] = front[k];
  for (int z = 0; z < g.nz - 5; ++z) {
    s[ty][tx] = here;
    __syncthreads();
    if (tx > 0) out[at + z * plane] = here + 2 * front[0] + 3 * front[1] + 5 * front[2] + 7 * front[3] + 11 * s[ty][tx - 1];
    __syncthreads();
    here = front[0];
    for (int k = 0; k < 3; ++k) front[k] = front[k + 1];
    front[3] = in[at + (z + 5) * plane];
  }
}

// All but the last element, which nothing asks for before it was moved on to.
__global__ void allButTheLast(const float* __restrict__ in, float* __restrict__ out, Grid g) {
  __shared__ float s[BY][BX];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * BX + tx, y = blockIdx.y * BY + ty;
  int at = y * g.nx + x;
  const int plane = g.plane();
  float behind[4], here;
  for (int k = 0; k < 3; ++k) behind[2 - k] = in[at + k * plane];
  here = in[at + 3 * plane];
  at += 3 * plane;
  for (int z = 3; z < g.nz - 1; ++z) {
    s[ty][tx] = here;
    __syncthreads();
    if (tx > 0) out[at] = here + 2 * behind[0] + 3 * behind[1] + 5 * behind[2] + 11 * s[ty][tx - 1];
    __syncthreads();
    for (int k = 3; k > 0; --k) behind[k] = behind[k - 1];
    behind[0] = here;
    here = in[at + plane];
    at += plane;
  }
}

// The place is where another one is kept within, from the second step on.
__global__ void otherMoves(const float* __restrict__ in, float* __restrict__ out, Grid g) {
  __shared__ float s[BY][BX];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * BX + tx, y = blockIdx.y * BY + ty, plane = g.plane();
  const int cx = min(x, g.nx - 1), cy = min(y, g.ny - 1), first = cy * g.nx + min(x + 1, g.nx - 1);
  int at = cy * g.nx + cx;
  float here = in[at];
  for (int z = 0; z < g.nz - 2; ++z) {
    s[ty][tx] = here;
    __syncthreads();
    if (tx > 0 && x < g.nx - 1 && y < g.ny) out[z * plane + y * g.nx + x] = here + 2 * s[ty][tx - 1];
    __syncthreads();
    here = in[at + plane];
    at = first + z * plane;
  }
}

int main() {
  const size_t most = 80 * 40 * 24;
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
  for (const Grid g : {Grid{70, 14, 12}, Grid{38, 18, 9}, Grid{9, 8, 8}, Grid{23, 11, 7}}) {
    const dim3 grid((g.nx - 2 * R + BX - 1) / BX, (g.ny - 2 * R + BY - 1) / BY);
    const dim3 whole((g.nx + BX - 1) / BX, (g.ny + BY - 1) / BY);
    printf("%d x %d x %d\n", g.nx, g.ny, g.nz);
    moves<<<grid, block>>>(in, out, more, g);
    print("moves");
    variables<<<whole, block>>>(in, out, g);
    print("variables");
    bothEdges<<<whole, block>>>(in, out, g);
    print("both edges");
    allRead<<<whole, block>>>(in, out, g);
    print("all read");
    otherMoves<<<whole, block>>>(in, out, g);
    print("other moves");
  }
  const Grid even{64, 12, 12};
  const dim3 grid(even.nx / BX, even.ny / BY);
  fromTheEnd<<<grid, block>>>(in, out, even);
  print("from the end");
  notAll<<<grid, block>>>(in, out, even);
  print("not all");
  byTwo<<<grid, block>>>(in, out, even);
  print("by two");
  turnedAround<<<grid, block>>>(in, out, even);
  print("turned around");
  allButTheLast<<<grid, block>>>(in, out, even);
  print("all but the last");
  return 0;
}
