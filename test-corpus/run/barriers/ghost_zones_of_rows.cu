// Rows of a ghost zone: a flag keeps which threads have computed, bounds of the data are another flag, and places beside a
// thread's own are kept within bounds. Blocks lie inside the data, at either end of it and behind it.
#include <cstdio>
#include <vector>

template <int SIZE> __global__ void cheapest(const int* wall, const int* src, int* out, int cols, int steps, int begin, int* sums) {
  __shared__ int prev[SIZE], next[SIZE];
  const int tx = threadIdx.x;
  const int first = (SIZE - steps * 2) * int(blockIdx.x) - begin;
  const int x = first + tx;
  const int low = first < 0 ? -first : 0;
  const int high = first + SIZE - 1 > cols - 1 ? SIZE - 1 - (first + SIZE - cols) : SIZE - 1;
  int west = tx - 1, east = tx + 1;
  west = west < low ? low : west;
  east = east > high ? high : east;
  const bool valid = tx >= low && tx <= high;
  if (x >= 0 && x <= cols - 1) prev[tx] = src[x];
  __syncthreads();
  bool computed = false;
  int asked = 0;
  for (int i = 0; i < steps; ++i) {
    computed = false;
    if (tx >= i + 1 && tx <= SIZE - 2 - i && valid) {
      computed = true;
      const int least = min(min(prev[west], prev[tx]), prev[east]);
      next[tx] = least + wall[cols * i + x];
    }
    if (valid) asked += i + 1; // also threads in which the branch above is not taken
    __syncthreads();
    if (i == steps - 1) break;
    if (computed) prev[tx] = next[tx];
    __syncthreads();
  }
  if (computed) out[x] = next[tx];
  if (computed || asked > 0) atomicAdd(&sums[blockIdx.x], computed ? asked : asked * 1000);
}

template <int SIZE> void run(int cols, int steps, int begin) {
  const int inner = SIZE - 2 * steps, blocks = cols / inner + 2;
  std::vector<int> wall(cols * steps), src(cols), out(cols), sums(blocks);
  for (size_t i = 0; i < wall.size(); ++i) wall[i] = int(i * 7919 % 101);
  for (int i = 0; i < cols; ++i) src[i] = i * 31 % 53;
  int *dWall, *dSrc, *dOut, *dSums;
  cudaMalloc(&dWall, wall.size() * sizeof(int));
  cudaMalloc(&dSrc, cols * sizeof(int));
  cudaMalloc(&dOut, cols * sizeof(int));
  cudaMalloc(&dSums, blocks * sizeof(int));
  cudaMemcpy(dWall, wall.data(), wall.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dSrc, src.data(), cols * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(dOut, 0, cols * sizeof(int));
  cudaMemset(dSums, 0, blocks * sizeof(int));
  cheapest<SIZE><<<blocks, SIZE>>>(dWall, dSrc, dOut, cols, steps, begin, dSums);
  cudaMemcpy(out.data(), dOut, cols * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(sums.data(), dSums, blocks * sizeof(int), cudaMemcpyDeviceToHost);
  long long all = 0, asked = 0;
  for (int i = 0; i < cols; ++i) all += (long long)out[i] * (i % 97 + 1);
  for (int b = 0; b < blocks; ++b) asked += (long long)sums[b] * (b + 1);
  printf("%d threads, %d columns, %d steps: %lld %lld\n", SIZE, cols, steps, all, asked);
  cudaFree(dWall);
  cudaFree(dSrc);
  cudaFree(dOut);
  cudaFree(dSums);
}

int main() {
  run<256>(3000, 20, 20);
  run<256>(100, 20, 20);
  run<256>(1000, 127, 127); // few threads stay, then none
  run<64>(500, 5, 5);
  run<64>(33, 1, 1);
  run<32>(200, 7, 7);
}
