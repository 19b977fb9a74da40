// Blocks that count in their own tables, in rows that go on from block to block or do not.
#include <cstdio>

const int bins = 48, width = 2300, height = 70;

template <int X, int Y, int Steps>
__global__ void pairs(const float* a, const float* b, int dx, int dy, unsigned* all) {
  __shared__ unsigned table[bins * bins];
  const int t = threadIdx.y * X + threadIdx.x;
  for (int i = t; i < bins * bins; i += X * Y)
    table[i] = 0;
  __syncthreads();
  const int x = blockIdx.x * X + threadIdx.x, first = blockIdx.y * Y * Steps + threadIdx.y;
  for (int r = 0; r < Steps; ++r) {
    const int y = first + r * Y, mx = x + dx, my = y + dy;
    if (x < width && y < height && mx >= 0 && mx < width && my >= 0 && my < height)
      atomicAdd(&table[int(a[y * width + x]) * bins + int(b[my * width + mx])], 1u);
  }
  __syncthreads();
  for (int i = t; i < bins * bins; i += X * Y)
    if (table[i])
      atomicAdd(&all[i], table[i]);
}

// What is counted depends on the thread's own place, or on the block's.
__global__ void places(const float* a, unsigned* all) {
  __shared__ unsigned table[bins];
  const unsigned t = threadIdx.x;
  if (t < bins)
    table[t] = 0;
  const unsigned mine = blockIdx.x % 3;
  __syncthreads();
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < width * height) {
    atomicAdd(&table[(unsigned(a[i]) + threadIdx.x) % bins], 1u);
    atomicAdd(&table[(unsigned(a[i]) * 3 + mine) % bins], mine + 1);
  }
  __syncthreads();
  if (t < bins)
    atomicAdd(&all[t], table[t]);
}

__global__ void values(const float* a, unsigned* all) {
  __shared__ unsigned table[bins];
  if (threadIdx.x < bins)
    table[threadIdx.x] = 0;
  __syncthreads();
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < width * height)
    atomicAdd(&table[unsigned(a[i])], 1u + i % 7);
  __syncthreads();
  if (threadIdx.x < bins)
    atomicAdd(&all[threadIdx.x], table[threadIdx.x]);
}

void print(const char* name, const unsigned* all, int count) {
  unsigned long long sum = 0;
  for (int i = 0; i < count; ++i)
    sum += all[i] * (i % 29 + 1ull);
  printf("%s %u %u %llu\n", name, all[3], all[count / 2 + 1], sum);
}

int main() {
  float *a, *b;
  unsigned* all;
  cudaMallocManaged(&a, width * height * sizeof(float));
  cudaMallocManaged(&b, width * height * sizeof(float));
  cudaMallocManaged(&all, 4 * bins * bins * sizeof(unsigned));
  for (int i = 0; i < width * height; ++i)
    a[i] = i * 7919 % 4799 / 100, b[i] = i % 1000 * 104729 % 9551 / 199;
  pairs<32, 8, 4><<<dim3((width + 31) / 32, 3), dim3(32, 8)>>>(a, b, 5, -3, all);
  pairs<64, 2, 5><<<dim3(36, 7), dim3(64, 2)>>>(a, b, -40, 11, all + bins * bins);
  places<<<(width * height + 127) / 128, 128>>>(a, all + 2 * bins * bins);
  values<<<(width * height + 95) / 96, 96>>>(a, all + 3 * bins * bins);
  cudaDeviceSynchronize();
  print("32 x 8", all, bins * bins);
  print("64 x 2", all + bins * bins, bins * bins);
  print("places", all + 2 * bins * bins, bins);
  print("values", all + 3 * bins * bins, bins);
}
