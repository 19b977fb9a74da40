// Threads load where other loads tell: numbers of 4 and 8 bytes, indices of several types, guarded
// by conditions of which some are about the index, so that other places may not be read.
#include <cstdio>
#include <vector>

template <class Number, class Index>
__global__ void gathered(const Number* x, const Index* at, Number* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = x[at[i]] * Number(2) + out[i];
}

// Indices outside of the array are marked by -1.
template <class Number>
__global__ void guarded(const Number* x, const int* at, Number* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int place = at[i];
  if (place >= 0)
    out[i] += x[place];
}

__global__ void chained(const int* next, const int* start, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = next[next[next[start[i]]]] - start[i];
}

// A row for each half of a warp.
__global__ void rows(const int* begin, const int* column, const double* value, const double* x,
                     double* out, int n) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 16, lane = threadIdx.x % 16;
  double sum = 0;
  if (row < n)
    for (int j = begin[row] + lane; j < begin[row + 1]; j += 16)
      sum += value[j] * x[column[j]];
  for (int offset = 8; offset > 0; offset /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, offset, 16);
  if (lane == 0 && row < n)
    out[row] = sum;
}

template <class T> T* onDevice(const std::vector<T>& from) {
  T* to;
  cudaMalloc(&to, from.size() * sizeof(T));
  cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice);
  return to;
}
template <class T> unsigned hashOf(const T* device, int n) {
  std::vector<T> back(n);
  cudaMemcpy(back.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost);
  unsigned hash = 5;
  for (int i = 0; i < n; ++i)
    hash = hash * 31 + unsigned((long long)back[i]);
  return hash;
}

template <class Number, class Index> void run(const char* name) {
  const int most = 515, size = 77;
  std::vector<Number> x(size), out(most);
  std::vector<Index> at(most);
  std::vector<int> marked(most);
  for (int i = 0; i < size; ++i)
    x[i] = Number(i * 37 % 101 + 1);
  for (int i = 0; i < most; ++i) {
    out[i] = Number(i % 13);
    at[i] = Index(i * 29 % size);
    marked[i] = i % 3 == 1 ? -1000000000 : i * 31 % size;
  }
  Number *dX = onDevice(x), *dOut = onDevice(out);
  Index* dAt = onDevice(at);
  int* dMarked = onDevice(marked);
  for (const int n : {1, 8, 100, most}) {
    gathered<<<(n + 127) / 128, 128>>>(dX, dAt, dOut, n);
    std::printf("%s %d: %u", name, n, hashOf(dOut, most));
    guarded<<<(n + 127) / 128, 128>>>(dX, dMarked, dOut, n);
    std::printf(" %u\n", hashOf(dOut, most));
  }
}

int main() {
  run<float, int>("float, int");
  run<double, int>("double, int");
  run<double, long long>("double, long long");
  run<float, unsigned char>("float, unsigned char");
  run<int, unsigned>("int, unsigned");
  run<long long, unsigned short>("long long, unsigned short");

  const int n = 300;
  std::vector<int> next(n), start(n), begin(n + 1, 0), column;
  for (int i = 0; i < n; ++i) {
    next[i] = (i * 7 + 11) % n;
    start[i] = i * 13 % n;
    begin[i + 1] = begin[i] + i * 17 % 41;
  }
  std::vector<double> value, x(n);
  for (int j = 0; j < begin[n]; ++j) {
    column.push_back(j * 19 % n);
    value.push_back(j % 9 - 4);
  }
  for (int i = 0; i < n; ++i)
    x[i] = i % 23 - 11;
  int* out = onDevice(std::vector<int>(n));
  chained<<<3, 100>>>(onDevice(next), onDevice(start), out, n);
  std::printf("chained: %u\n", hashOf(out, n));
  double* sums = onDevice(std::vector<double>(n));
  rows<<<(n * 16 + 127) / 128, 128>>>(onDevice(begin), onDevice(column), onDevice(value),
                                      onDevice(x), sums, n);
  std::printf("rows: %u\n", hashOf(sums, n));
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
