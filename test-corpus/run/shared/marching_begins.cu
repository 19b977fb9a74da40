// Threads that march with a queue of planes in registers and move it, and their places, on where a step begins, in all but the
// first; and some that only look so.
#include <cstdio>
#include <vector>

constexpr int BX = 32, BY = 4;

template <int RADIUS> __global__ void queue(float* __restrict__ out, const float* __restrict__ in, int nx, int ny, int nz) {
  __shared__ float plane[BY + 2 * RADIUS][BX + 2 * RADIUS];
  const int tx = threadIdx.x + RADIUS, ty = threadIdx.y + RADIUS;
  const int gx = blockIdx.x * BX + tx, gy = blockIdx.y * BY + ty;
  const int each = nx * ny;
  int at = gy * nx + gx;
  float behind[RADIUS], front[RADIUS], current;
#pragma unroll
  for (int i = RADIUS - 1; i >= 0; --i) {
    behind[i] = in[at];
    at += each;
  }
  current = in[at];
  int to = at;
  at += each;
#pragma unroll
  for (int i = 0; i < RADIUS; ++i) {
    front[i] = in[at];
    at += each;
  }
  for (int z = 0; z < nz; ++z) {
    if (z > 0) {
#pragma unroll
      for (int i = RADIUS - 1; i > 0; --i) behind[i] = behind[i - 1];
      behind[0] = current;
      current = front[0];
#pragma unroll
      for (int i = 0; i < RADIUS - 1; ++i) front[i] = front[i + 1];
      front[RADIUS - 1] = in[at];
      at += each;
      to += each;
    }
    __syncthreads();
    if (threadIdx.y < RADIUS) {
      plane[threadIdx.y][tx] = in[to - RADIUS * nx];
      plane[threadIdx.y + BY + RADIUS][tx] = in[to + BY * nx];
    }
    if (threadIdx.x < RADIUS) {
      plane[ty][threadIdx.x] = in[to - RADIUS];
      plane[ty][threadIdx.x + BX + RADIUS] = in[to + BX];
    }
    plane[ty][tx] = current;
    __syncthreads();
    float v = 3 * current;
#pragma unroll
    for (int i = 1; i <= RADIUS; ++i)
      v += i * (2 * front[i - 1] + 3 * behind[i - 1] + 5 * plane[ty - i][tx] + 7 * plane[ty + i][tx] + 11 * plane[ty][tx - i] +
                13 * plane[ty][tx + i]);
    out[to] = v;
  }
}

// The loop begins somewhere.
__global__ void fromOn(float* __restrict__ out, const float* __restrict__ in, int nx, int ny, int from, int nz) {
  __shared__ float tile[BY][BX];
  const int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y, each = nx * ny;
  int at = y * nx + x;
  float here = in[at], next = in[at + each];
  for (int z = from; z < nz; ++z) {
    if (z != from) {
      here = next;
      at += each;
      next = in[at + each];
    }
    __syncthreads();
    tile[threadIdx.y][threadIdx.x] = here;
    __syncthreads();
    if (threadIdx.x > 0) out[at] = here + 2 * next + 3 * tile[threadIdx.y][threadIdx.x - 1];
  }
}

// The second step does not move on.
__global__ void fromTwo(float* __restrict__ out, const float* __restrict__ in, int nx, int ny, int from, int nz) {
  __shared__ float tile[BY][BX];
  const int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y, each = nx * ny;
  int at = y * nx + x;
  float here = in[at], next = in[at + each];
  for (int z = from; z < nz; ++z) {
    if (z > from + 1) {
      here = next;
      at += each;
      next = in[at + each];
    }
    __syncthreads();
    tile[threadIdx.y][threadIdx.x] = here;
    __syncthreads();
    if (threadIdx.x > 0) out[at] = here + 2 * next + 3 * tile[threadIdx.y][threadIdx.x - 1] + z;
  }
}

// Where the last step was is asked for behind the loop.
__global__ void askedBehind(float* __restrict__ out, const float* __restrict__ in, int nx, int ny, int from, int nz) {
  __shared__ float tile[BY][BX];
  const int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y, each = nx * ny;
  int at = y * nx + x;
  float here = in[at], next = in[at + each];
  for (int z = from; z < nz; ++z) {
    if (z > from) {
      here = next;
      at += each;
      next = in[at + each];
    }
    __syncthreads();
    tile[threadIdx.y][threadIdx.x] = here;
    __syncthreads();
    if (threadIdx.x > 0) out[at] = here + 2 * next + 3 * tile[threadIdx.y][threadIdx.x - 1];
  }
  out[at + each] = 17 + at % 19;
}

// The place is a value, too, and named by a macro.
#define PLACE at
__global__ void askedFor(float* __restrict__ out, const float* __restrict__ in, int nx, int ny, int from, int nz) {
  __shared__ float tile[BY][BX];
  const int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y, each = nx * ny;
  int at = y * nx + x;
  float here = in[at], next = in[at + each];
  for (int z = from; z < nz; ++z) {
    if (z > from) {
      here = next;
      at += each;
      next = in[at + each];
    }
    __syncthreads();
    tile[threadIdx.y][threadIdx.x] = here;
    __syncthreads();
    if (threadIdx.x > 0) out[at] = here + 2 * next + 3 * tile[threadIdx.y][threadIdx.x - 1] + PLACE % 23;
  }
}

// One moves on from where it is in other steps than the other.
__global__ void oneStays(float* __restrict__ out, const float* __restrict__ in, int nx, int ny, int from, int nz) {
  __shared__ float tile[BY][BX];
  const int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y, each = nx * ny;
  int at = y * nx + x;
  float here = in[at], next = in[at + each];
  for (int z = from; z < nz; ++z) {
    if (z > from) {
      at += each;
      next = in[at + each];
    }
    __syncthreads();
    tile[threadIdx.y][threadIdx.x] = here;
    __syncthreads();
    if (threadIdx.x > 0) out[at] = here + 2 * next + 3 * tile[threadIdx.y][threadIdx.x - 1];
    here = in[at];
  }
}

int main() {
  const int nx = 2 * BX + 8, ny = 3 * BY + 8;
  const size_t most = size_t(nx) * ny * 24;
  std::vector<float> host(most);
  for (size_t i = 0; i < most; ++i) host[i] = float((i * 31 + i / 7) % 211);
  float *in, *out;
  cudaMalloc(&in, most * sizeof(float));
  cudaMalloc(&out, most * sizeof(float));
  cudaMemcpy(in, host.data(), most * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, most * sizeof(float));
  const auto print = [&](const char* name, int nz) {
    std::vector<float> result(most);
    cudaMemcpy(result.data(), out, most * sizeof(float), cudaMemcpyDeviceToHost);
    long long sum = 0;
    for (size_t i = 0; i < most; ++i) sum += (long long)result[i] * (long long)(i % 13 + 1);
    printf("%s %d: %lld\n", name, nz, sum);
    cudaMemset(out, 0, most * sizeof(float));
  };
  const dim3 grid(2, 3), block(BX, BY);
  for (const int nz : {0, 1, 2, 9}) {
    queue<1><<<grid, block>>>(out, in, nx, ny, nz);
    print("radius 1", nz);
    queue<4><<<grid, block>>>(out, in, nx, ny, nz);
    print("radius 4", nz);
    fromOn<<<grid, block>>>(out, in, nx, ny, 3, nz + 3);
    print("from on", nz);
    fromTwo<<<grid, block>>>(out, in, nx, ny, 0, nz);
    print("from two", nz);
    askedBehind<<<grid, block>>>(out, in, nx, ny, 0, nz);
    print("asked behind", nz);
    askedFor<<<grid, block>>>(out, in, nx, ny, 2, nz + 2);
    print("asked for", nz);
    oneStays<<<grid, block>>>(out, in, nx, ny, 0, nz);
    print("one stays", nz);
  }
  return 0;
}
