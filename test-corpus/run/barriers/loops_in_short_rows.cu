// Loops that all threads of a block take alike, between barriers, in blocks whose rows are halves or
// parts of a warp: filters with a radius known when the program runs.
#include <cstdio>
#include <cstdlib>
#include <vector>

__constant__ int weights[64];

/// Threads outside the image return behind the barrier.
__global__ void box(const int* in, int* out, int width, int height, int radius) {
  extern __shared__ int tile[];
  const int pitch = blockDim.x + 2 * radius;
  for (int j = threadIdx.y; j < blockDim.y + 2 * radius; j += blockDim.y)
    for (int i = threadIdx.x; i < pitch; i += blockDim.x) {
      const int x = int(blockIdx.x * blockDim.x) + i - radius;
      const int y = int(blockIdx.y * blockDim.y) + j - radius;
      tile[j * pitch + i] = x >= 0 && x < width && y >= 0 && y < height ? in[y * width + x] : 0;
    }
  __syncthreads();
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  int sum = 0;
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx)
      sum += tile[(threadIdx.y + radius + dy) * pitch + threadIdx.x + radius + dx];
  out[y * width + x] = sum;
}

/// They return before it; what each row counts with is its own, and a value is kept over a barrier.
__global__ void returning(const int* in, const int* ofRow, int* out, int width, int height,
                          int steps) {
  extern __shared__ int tile[];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * blockDim.x + tx, y = blockIdx.y * blockDim.y + ty;
  tile[ty * blockDim.x + tx] = x < width && y < height ? in[y * width + x] : 1;
  __syncthreads();
  if (x >= width || (y * 7 + x) % 11 == 3)
    return;
  const int factor = ofRow[ty];
  int sum = 0;
  for (int k = 0; k < steps; ++k)
    sum += factor * tile[(ty + k) % blockDim.y * blockDim.x + tx] + k;
  __syncthreads();
  for (int k = 0; k < steps; ++k) {
    if (k > ty % 3)
      sum ^= weights[k] + tile[ty * blockDim.x + tx];
  }
  if (y < height)
    out[y * width + x] = sum;
}

/// A loop around barriers, with sums that live through it: a product in tiles of any size.
__global__ void product(const int* a, const int* b, int* c, int n) {
  extern __shared__ int shared[];
  const int size = blockDim.x;
  int* const left = shared;
  int* const right = shared + size * size;
  const int row = blockIdx.y * size + threadIdx.y, column = blockIdx.x * size + threadIdx.x;
  int sum = 0;
  for (int first = 0; first < n; first += size) {
    const int l = first + threadIdx.x, r = first + threadIdx.y;
    left[threadIdx.y * size + threadIdx.x] = row < n && l < n ? a[row * n + l] : 0;
    right[threadIdx.y * size + threadIdx.x] = r < n && column < n ? b[r * n + column] : 0;
    __syncthreads();
    for (int k = 0; k < size; ++k)
      sum += left[threadIdx.y * size + k] * right[k * size + threadIdx.x];
    __syncthreads();
  }
  if (row < n && column < n)
    c[row * n + column] = sum;
}

/// No barrier: the radius is all that is known of the loops.
__global__ void global(const int* in, int* out, int width, int height, int radius) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < radius || x >= width - radius || y < radius || y >= height - radius)
    return;
  int sum = 0;
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx)
      sum += in[(y + dy) * width + x + dx] * weights[(dy + radius) * (2 * radius + 1) + dx + radius];
  out[y * width + x] = sum;
}

template <class T> T* copyOf(const std::vector<T>& values) {
  T* out = nullptr;
  cudaMalloc(&out, values.size() * sizeof(T));
  cudaMemcpy(out, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return out;
}

unsigned sumOf(int* device, std::size_t count) {
  std::vector<int> values(count);
  cudaMemcpy(values.data(), device, count * sizeof(int), cudaMemcpyDeviceToHost);
  unsigned sum = 0;
  for (std::size_t i = 0; i < count; ++i)
    sum = sum * 31 + unsigned(values[i]);
  cudaMemset(device, 0, count * sizeof(int));
  return sum;
}

int main() {
  const int width = 77, height = 45;
  std::vector<int> image(width * height), factors(64), numbers(64);
  for (std::size_t i = 0; i < image.size(); ++i)
    image[i] = int(i * 2654435761u >> 20) % 100;
  for (int i = 0; i < 64; ++i) {
    factors[i] = i % 5 + 1;
    numbers[i] = i * 3 % 7;
  }
  int* in = copyOf(image);
  int* ofRow = copyOf(factors);
  int* out = copyOf(std::vector<int>(image.size()));
  cudaMemcpyToSymbol(weights, numbers.data(), 64 * sizeof(int));
  const dim3 blocks[] = {dim3(16, 16), dim3(32, 8), dim3(8, 8),  dim3(16, 3), dim3(20, 6),
                         dim3(64, 2),  dim3(48, 4), dim3(5, 7), dim3(1, 32), dim3(128, 1)};
  for (const dim3 block : blocks) {
    const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    printf("%u x %u:", block.x, block.y);
    for (int radius = 0; radius < 4; ++radius) {
      box<<<grid, block, (block.x + 2 * radius) * (block.y + 2 * radius) * sizeof(int)>>>(
          in, out, width, height, radius);
      printf(" %u", sumOf(out, image.size()));
      global<<<grid, block>>>(in, out, width, height, radius);
      printf(" %u", sumOf(out, image.size()));
    }
    returning<<<grid, block, block.x * block.y * sizeof(int)>>>(in, ofRow, out, width, height, 9);
    printf(" %u\n", sumOf(out, image.size()));
  }
  for (const int size : {4, 8, 16, 20, 32}) {
    const int n = 37, blocksOfRow = (n + size - 1) / size;
    product<<<dim3(blocksOfRow, blocksOfRow), dim3(size, size), 2 * size * size * sizeof(int)>>>(
        in, in + 1000, out, n);
    printf("tiles of %d: %u\n", size, sumOf(out, n * n));
  }
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
