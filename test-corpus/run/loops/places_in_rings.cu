// Neighbours in a ring, within clamps and behind walls, in kernels without barriers: most threads
// of a row have them as they are, those at its ends do not.
#include <cstdio>
#include <vector>

__constant__ int c_dx[5] = {0, 1, -1, 0, 0};
__constant__ int c_dy[5] = {0, 0, 0, 1, -1};

__global__ void ringByIf(const int* in, int* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  int left = x - 2, right = x + 1, up = y - 1;
  if (left < 0)
    left += w;
  if (right >= w)
    right -= w;
  if (up < 0) {
    up = h - 1;
  }
  out[y * w + x] = in[y * w + left] - 3 * in[y * w + right] + 5 * in[up * w + x];
}

__global__ void ringByRest(const int* in, int* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  const int far = ((x - 3) % w + w) % w;
  out[y * w + x] =
      in[y * w + (x + w - 1) % w] - 3 * in[y * w + (x + 1) % w] + 7 * in[(y + 1) % h * w + far];
}

__global__ void clamped(const int* in, int* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  int sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -2; dx <= 2; ++dx) {
      int sx = x + dx, sy = min(max(y + dy, 0), h - 1);
      if (sx < 0)
        sx = 0;
      else if (sx > w - 1)
        sx = w - 1;
      sum += in[sy * w + sx] * (dx + 3 * dy + 7);
    }
  out[y * w + x] = sum + in[y * w + min(max(x - 5, 1), w - 2)];
}

__global__ void walls(const int* in, const unsigned char* wall, int* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  const int c = y * w + x;
  if (wall[c]) {
    out[c] = -in[c];
    return;
  }
  int f[5], sum = 0;
#pragma unroll
  for (int k = 0; k < 5; ++k) {
    int sx = x - c_dx[k], sy = y - c_dy[k];
    sx = sx < 0 ? sx + w : (sx >= w ? sx - w : sx);
    sy = sy < 0 ? sy + h : (sy >= h ? sy - h : sy);
    f[k] = wall[sy * w + sx] ? in[c] : in[sy * w + sx];
    sum += f[k] * (k + 1);
  }
  out[c] = sum + f[1] * c_dx[1] + f[2] * c_dx[2];
}

int main() {
  for (const int w : {5, 8, 63, 130, 300})
    for (const dim3 block : {dim3(32, 4), dim3(128), dim3(16, 16)}) {
      const int h = 37, n = w * h;
      std::vector<int> in(n), out(n);
      std::vector<unsigned char> wall(n);
      for (int i = 0; i < n; ++i) {
        in[i] = (i * 7919) % 1009;
        wall[i] = i / 23 % 3 == 0 || i % 41 == 0;
      }
      int *from, *to;
      unsigned char* closed;
      cudaMalloc(&from, n * sizeof(int));
      cudaMalloc(&to, n * sizeof(int));
      cudaMalloc(&closed, n);
      cudaMemcpy(from, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
      cudaMemcpy(closed, wall.data(), n, cudaMemcpyHostToDevice);
      const dim3 grid((w + block.x - 1) / block.x, (h + block.y - 1) / block.y);
      for (int kind = 0; kind < 4; ++kind) {
        if (kind == 0)
          ringByIf<<<grid, block>>>(from, to, w, h);
        else if (kind == 1)
          ringByRest<<<grid, block>>>(from, to, w, h);
        else if (kind == 2)
          clamped<<<grid, block>>>(from, to, w, h);
        else
          walls<<<grid, block>>>(from, closed, to, w, h);
        cudaMemcpy(out.data(), to, n * sizeof(int), cudaMemcpyDeviceToHost);
        unsigned sum = 0;
        for (int i = 0; i < n; ++i)
          sum = sum * 31 + unsigned(out[i]);
        printf("%d %d %d: %u\n", w, block.x, kind, sum);
      }
      cudaFree(from);
      cudaFree(to);
      cudaFree(closed);
    }
  return 0;
}
