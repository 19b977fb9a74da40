// Threads that march, and compute what only those inside store: behind the edge they have loaded nothing. They meet as a group,
// by sync(block) or block.sync(), and move places on that nothing asks for but what is kept.
#include <cooperative_groups.h>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

#define RADIUS 3
constexpr int BX = 16, BY = 8;

__constant__ float stencil[RADIUS + 1];

// The array has a halo, which is not in `nx` and `ny`.
__global__ void queues(float* output, const float* input, const int nx, const int ny, const int nz) {
  bool reads = true;
  bool writes = true;
  const int gx = blockIdx.x * blockDim.x + threadIdx.x;
  const int gy = blockIdx.y * blockDim.y + threadIdx.y;
  cg::thread_block block = cg::this_thread_block();
  __shared__ float tile[BY + 2 * RADIUS][BX + 2 * RADIUS];
  const int row = nx + 2 * RADIUS, plane = row * (ny + 2 * RADIUS);
  int from = 0, to = 0;
  from += RADIUS * row + RADIUS;
  from += gy * row + gx;
  float front[RADIUS], behind[RADIUS], current;
  const int tx = threadIdx.x + RADIUS, ty = threadIdx.y + RADIUS;
  if (gx >= nx + RADIUS || gy >= ny + RADIUS) reads = false;
  if (gx >= nx || gy >= ny) writes = false;
  for (int i = RADIUS - 2; i >= 0; i--) {
    if (reads) behind[i] = input[from];
    from += plane;
  }
  if (reads) current = input[from];
  to = from;
  from += plane;
  for (int i = 0; i < RADIUS; i++) {
    if (reads) front[i] = input[from];
    from += plane;
  }
#pragma unroll 4
  for (int z = 0; z < nz; z++) {
    for (int i = RADIUS - 1; i > 0; i--) behind[i] = behind[i - 1];
    behind[0] = current;
    current = front[0];
#pragma unroll
    for (int i = 0; i < RADIUS - 1; i++) front[i] = front[i + 1];
    if (reads) front[RADIUS - 1] = input[from];
    from += plane;
    to += plane;
    cg::sync(block);
    if (threadIdx.y < RADIUS && gx < nx + RADIUS) {
      tile[threadIdx.y][tx] = input[to - RADIUS * row];
      if (gy + BY < ny + RADIUS) tile[threadIdx.y + BY + RADIUS][tx] = input[to + BY * row];
    }
    if (threadIdx.x < RADIUS && gy < ny + RADIUS) {
      tile[ty][threadIdx.x] = input[to - RADIUS];
      if (gx + BX < nx + RADIUS) tile[ty][threadIdx.x + BX + RADIUS] = input[to + BX];
    }
    tile[ty][tx] = current;
    block.sync();
    float value = stencil[0] * current;
#pragma unroll
    for (int i = 1; i <= RADIUS; i++)
      value += stencil[i] * (front[i - 1] + 2 * behind[i - 1] + 3 * tile[ty - i][tx] + 5 * tile[ty + i][tx] + 7 * tile[ty][tx - i] +
                             11 * tile[ty][tx + i]);
    if (writes) output[to] = value;
  }
}

// What is asked for behind the branch, or in its other part, all threads compute; `MODE` 3 asks what they compute.
template <int MODE> __global__ void others(float* output, const float* input, int nx, int ny, int nz) {
  __shared__ float tile[BY][BX + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int gx = blockIdx.x * BX + tx, gy = blockIdx.y * BY + ty;
  const bool inside = gx < nx && gy < ny;
  const int plane = nx * ny;
  int at = gy * nx + gx;
  float here = 0, next = 0, sum = 0;
  if (inside) here = input[at];
  for (int z = 0; z < nz - 1; z++) {
    next = inside ? input[at + plane] : 1.0f;
    tile[ty][tx] = here;
    __syncthreads();
    float value = tile[ty][tx] + 2 * next;
    int count = 0;
    for (int i = 0; i < 3; ++i) {
      value += i * here;
      if (value > 300) ++count;
    }
    if (MODE == 0) {
      if (inside) output[at] = value;
      sum += value;
    }
    if (MODE == 1) {
      if (inside)
        output[at] = value;
      else
        sum += value;
    }
    if (MODE == 2) {
      float twice = value + here;
      if (inside) output[at] = twice + count;
      sum += count;
    }
    if (MODE == 3)
      if (inside && count < 2) output[at] = value;
    __syncthreads();
    here = next;
    at += plane;
  }
  output[nx * ny * nz + (blockIdx.y * BY + ty) * gridDim.x * BX + gx] = sum;
}

// What is computed for the branch is asked for behind it, too, counts on from step to step, or is its condition.
__global__ void usedBehind(float* __restrict__ output, const float* __restrict__ input, int nx, int ny, int nz) {
  __shared__ float tile[BY][BX];
  const int tx = threadIdx.x, ty = threadIdx.y, gx = blockIdx.x * BX + tx, gy = blockIdx.y * BY + ty;
  const bool inside = gx < nx && gy < ny;
  int at = gy * nx + gx;
  float here = 0, last = 0;
  if (inside) here = input[at];
  for (int z = 0; z < nz - 1; z++) {
    tile[ty][tx] = here;
    __syncthreads();
    float value = 2 * tile[ty][tx];
    value += here;
    if (inside) output[at] = value;
    last = value + 1;
    __syncthreads();
    if (inside) here = input[at + nx * ny];
    at += nx * ny;
  }
  output[nx * ny * nz + gy * gridDim.x * BX + gx] = last;
}

__global__ void countsOn(float* __restrict__ output, const float* __restrict__ input, int nx, int ny, int nz) {
  __shared__ float tile[BY][BX];
  const int tx = threadIdx.x, ty = threadIdx.y, gx = blockIdx.x * BX + tx, gy = blockIdx.y * BY + ty;
  const bool inside = gx < nx && gy < ny;
  int at = gy * nx + gx, steps = 0;
  float here = 0;
  if (inside) here = input[at];
  for (int z = 0; z < nz - 1; z++) {
    tile[ty][tx] = here;
    __syncthreads();
    float value = 2 * tile[ty][tx];
    steps += 2;
    value += steps;
    if (inside) output[at] = value;
    __syncthreads();
    if (inside) here = input[at + nx * ny];
    at += nx * ny;
  }
  output[nx * ny * nz + gy * gridDim.x * BX + gx] = steps;
}

__global__ void asksForIt(float* __restrict__ output, const float* __restrict__ input, int nx, int ny, int nz) {
  __shared__ float tile[BY][BX];
  const int tx = threadIdx.x, ty = threadIdx.y, gx = blockIdx.x * BX + tx, gy = blockIdx.y * BY + ty;
  const bool inside = gx < nx && gy < ny;
  int at = gy * nx + gx;
  float here = 0;
  if (inside) here = input[at];
  for (int z = 0; z < nz - 1; z++) {
    tile[ty][tx] = here;
    __syncthreads();
    float value = 2 * tile[ty][tx];
    bool stores = inside && gx > z;
    if (stores) output[at] = value;
    __syncthreads();
    if (inside) here = input[at + nx * ny];
    at += nx * ny;
  }
}

int main() {
  const size_t most = 80 * 40 * 24;
  std::vector<float> host(most);
  for (size_t i = 0; i < most; ++i) host[i] = float((i * 31 + i / 7) % 211);
  float *in, *out;
  cudaMalloc(&in, most * sizeof(float));
  cudaMalloc(&out, most * sizeof(float));
  cudaMemcpy(in, host.data(), most * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, most * sizeof(float));
  const float weights[RADIUS + 1] = {1, 2, 3, 5};
  cudaMemcpyToSymbol(stencil, weights, sizeof(weights));
  const auto print = [&](const char* name) {
    std::vector<float> result(most);
    cudaMemcpy(result.data(), out, most * sizeof(float), cudaMemcpyDeviceToHost);
    long long sum = 0;
    for (size_t i = 0; i < most; ++i) sum += (long long)result[i] * (long long)(i % 13 + 1);
    printf("%s %lld\n", name, sum);
    cudaMemset(out, 0, most * sizeof(float));
  };
  const dim3 block(BX, BY);
  struct Size {
    int nx, ny, nz;
  };
  for (const Size s : {Size{64, 16, 6}, Size{37, 9, 7}, Size{5, 3, 1}, Size{17, 8, 5}}) {
    const dim3 grid((s.nx + BX - 1) / BX, (s.ny + BY - 1) / BY);
    printf("%d x %d x %d\n", s.nx, s.ny, s.nz);
    queues<<<grid, block>>>(out, in, s.nx, s.ny, s.nz);
    print("queues");
    others<0><<<grid, block>>>(out, in, s.nx, s.ny, s.nz);
    print("behind the branch");
    others<1><<<grid, block>>>(out, in, s.nx, s.ny, s.nz);
    print("in the other part");
    others<2><<<grid, block>>>(out, in, s.nx, s.ny, s.nz);
    print("of two");
    others<3><<<grid, block>>>(out, in, s.nx, s.ny, s.nz);
    print("in the condition");
    usedBehind<<<grid, block>>>(out, in, s.nx, s.ny, s.nz);
    print("used behind");
    countsOn<<<grid, block>>>(out, in, s.nx, s.ny, s.nz);
    print("counts on");
    asksForIt<<<grid, block>>>(out, in, s.nx, s.ny, s.nz);
    print("asks for it");
  }
  return 0;
}
