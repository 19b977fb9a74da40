// Several steps of a stencil in shared memory: the range of threads that compute shrinks from step
// to step, two buffers take turns, and the loop is to be written out. A tile is 32 x 32, of which
// 26 x 26 are stored; another is 16 x 8.
#include <cstdio>
#include <vector>

template <int X, int Y, int STEPS>
__global__ void spread(const int* __restrict__ in, int* __restrict__ out, int width, int height) {
  __shared__ int tile[2][Y][X + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * (X - 2 * STEPS) + tx - STEPS,
            y = blockIdx.y * (Y - 2 * STEPS) + ty - STEPS;
  tile[0][ty][tx] = in[((y + height) % height) * width + (x + width) % width];
  __syncthreads();
  int from = 0;
#pragma unroll
  for (int s = 1; s <= STEPS; s++) {
    if (tx >= s && tx < X - s && ty >= s && ty < Y - s)
      tile[from ^ 1][ty][tx] = (tile[from][ty][tx - 1] + 2 * tile[from][ty][tx + 1] +
                                3 * tile[from][ty - 1][tx] + 5 * tile[from][ty + 1][tx] + s) %
                               1009;
    from ^= 1;
    __syncthreads();
  }
  if (tx >= STEPS && tx < X - STEPS && ty >= STEPS && ty < Y - STEPS && x < width && y < height)
    out[y * width + x] = tile[from][ty][tx];
}

int main() {
  const int width = 100, height = 70;
  std::vector<int> values(width * height);
  for (int i = 0; i < width * height; ++i)
    values[i] = i * 31 % 1009;
  int *a = nullptr, *b = nullptr;
  cudaMalloc(&a, values.size() * sizeof(int));
  cudaMalloc(&b, values.size() * sizeof(int));
  cudaMemcpy(a, values.data(), values.size() * sizeof(int), cudaMemcpyHostToDevice);
  spread<32, 32, 3>
      <<<dim3((width + 25) / 26, (height + 25) / 26), dim3(32, 32)>>>(a, b, width, height);
  spread<16, 8, 2><<<dim3((width + 11) / 12, (height + 3) / 4), dim3(16, 8)>>>(b, a, width, height);
  cudaMemcpy(values.data(), a, values.size() * sizeof(int), cudaMemcpyDeviceToHost);
  long sum = 0;
  for (int i = 0; i < width * height; ++i)
    sum += long(values[i]) * (i % 17 + 1);
  printf("%ld\n", sum);
  for (int i = 0; i < width * height; i += 613)
    printf("%d %d\n", i, values[i]);
}
