// A warp for each row of numbers, most of them shorter than a warp: the last step of each row is
// for its first lanes only, and rows may be empty. Also with some of the lanes from the start, with
// counters without sign, and in blocks whose rows of threads are no whole warps.
#include <cstdio>
#include <vector>

__global__ void sums(const int* begin, const int* column, const float* value, const float* x,
                     float* out, int rows) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x & 31;
  if (row >= rows)
    return;
  float sum = 0;
  for (int j = begin[row] + lane; j < begin[row + 1]; j += 32)
    sum += value[j] * x[column[j]];
  for (int offset = 16; offset > 0; offset >>= 1)
    sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (lane == 0)
    out[row] = sum;
}

__global__ void hashes(const unsigned* begin, const unsigned* in, unsigned* out, unsigned rows) {
  const unsigned row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  const unsigned lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  unsigned hash = lane, steps = 0;
  if (lane >= 3 && lane < 29)
    for (unsigned j = begin[row] + lane; j < begin[row + 1]; j += 32) {
      hash = hash * 31 + in[j];
      ++steps;
    }
  for (int offset = 16; offset > 0; offset >>= 1) {
    hash ^= __shfl_xor_sync(0xffffffff, hash, offset);
    steps += __shfl_xor_sync(0xffffffff, steps, offset);
  }
  if (lane == 0)
    out[row] = hash * 64 + steps;
}

// Warps take the threads of a block in order, wherever its rows end.
__global__ void inNarrowBlocks(const unsigned* begin, const unsigned* in, unsigned* out,
                               unsigned rows) {
  const unsigned rank = threadIdx.y * blockDim.x + threadIdx.x, lane = rank % 32;
  const unsigned row = blockIdx.x * (blockDim.x * blockDim.y / 32) + rank / 32;
  unsigned sum = 0;
  if (row < rows)
    for (unsigned j = begin[row] + lane; j < begin[row + 1]; j += 32)
      sum += in[j] ^ j;
  sum = __reduce_add_sync(0xffffffff, sum);
  if (lane == 0 && row < rows)
    out[row] = sum;
}

template <class T> T* onDevice(const std::vector<T>& from) {
  T* to;
  cudaMalloc(&to, from.size() * sizeof(T));
  cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice);
  return to;
}

int main() {
  const int rows = 301;
  std::vector<int> begin(rows + 1, 0), column;
  for (int r = 0; r < rows; ++r)
    begin[r + 1] = begin[r] + (r % 7 == 3 ? 0 : r * 37 % 101);
  const int n = begin[rows];
  std::vector<float> value(n), x(64);
  std::vector<unsigned> words(n), starts(begin.begin(), begin.end());
  for (int j = 0; j < n; ++j) {
    column.push_back(j * 29 % 64);
    value[j] = float(j % 13 - 6);
    words[j] = j * 2654435761u;
  }
  for (int i = 0; i < 64; ++i)
    x[i] = float(i % 9 - 4);
  const int* const dBegin = onDevice(begin);
  const int* const dColumn = onDevice(column);
  const float* const dValue = onDevice(value);
  const float* const dX = onDevice(x);
  const unsigned* const dStarts = onDevice(starts);
  const unsigned* const dWords = onDevice(words);
  float* dSums = onDevice(std::vector<float>(rows));
  unsigned* dOut = onDevice(std::vector<unsigned>(rows));
  std::vector<float> sumsBack(rows);
  std::vector<unsigned> back(rows);

  for (const int threads : {32, 128, 96}) {
    sums<<<(rows * 32 + threads - 1) / threads, threads>>>(dBegin, dColumn, dValue, dX, dSums,
                                                           rows);
    cudaMemcpy(sumsBack.data(), dSums, rows * sizeof(float), cudaMemcpyDeviceToHost);
    long long total = 0;
    for (int r = 0; r < rows; ++r)
      total += (long long)sumsBack[r] * (r % 11 + 1);
    std::printf("%d threads: sums %lld\n", threads, total);
    hashes<<<(rows * 32 + threads - 1) / threads, threads>>>(dStarts, dWords, dOut, rows);
    cudaMemcpy(back.data(), dOut, rows * sizeof(unsigned), cudaMemcpyDeviceToHost);
    unsigned hash = 0;
    for (int r = 0; r < rows; ++r)
      hash = hash * 33 + back[r];
    std::printf("%d threads: hash %u\n", threads, hash);
  }
  for (const dim3 threads : {dim3(16, 8), dim3(24, 4), dim3(64, 2)}) {
    const int warps = threads.x * threads.y / 32;
    inNarrowBlocks<<<(rows + warps - 1) / warps, threads>>>(dStarts, dWords, dOut, rows);
    cudaMemcpy(back.data(), dOut, rows * sizeof(unsigned), cudaMemcpyDeviceToHost);
    unsigned hash = 0;
    for (int r = 0; r < rows; ++r)
      hash = hash * 33 + back[r];
    std::printf("%u x %u threads: %u\n", threads.x, threads.y, hash);
  }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
