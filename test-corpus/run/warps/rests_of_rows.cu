// Rows of all lengths up to three warps: what is left of a row behind whole warps is any number of
// the first lanes, which add up numbers that other numbers choose. Also rows whose places end where
// those of an int do, and sums in two variables of different sizes.
#include <climits>
#include <cstdio>
#include <vector>

__global__ void sums(const int* begin, const int* column, const double* value, const double* x,
                     double* out, int rows) {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32,
            warps = gridDim.x * blockDim.x / 32;
  const int lane = threadIdx.x % 32;
  for (int row = warp; row < rows; row += warps) {
    double sum = 0;
    for (int k = begin[row] + lane; k < begin[row + 1]; k += 32)
      sum += value[k] * x[column[k]];
    for (int o = 16; o > 0; o /= 2)
      sum += __shfl_xor_sync(0xffffffffu, sum, o);
    if (lane == 0)
      out[row] = sum;
  }
}

// Places count from INT_MAX - 64 on: two steps further there is no int.
__global__ void countsToTheEnd(const unsigned char* in, int* out, double* squares, int rows) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  const int first = INT_MAX - 64, end = first + row % 32;
  int sum = 0;
  double square = 0;
  for (int k = first + lane; k < end; k += 32) {
    sum += in[row + (k - first)];
    square += double(in[row + (k - first)]) * (k - first);
  }
  for (int o = 16; o > 0; o /= 2) {
    sum += __shfl_xor_sync(0xffffffffu, sum, o);
    square += __shfl_xor_sync(0xffffffffu, square, o);
  }
  if (lane == 0) {
    out[row] = sum;
    squares[row] = square;
  }
}

template <class Type> Type* upload(const std::vector<Type>& values) {
  Type* out = nullptr;
  cudaMalloc(&out, values.size() * sizeof(Type));
  cudaMemcpy(out, values.data(), values.size() * sizeof(Type), cudaMemcpyHostToDevice);
  return out;
}

int main() {
  const int rows = 97;
  std::vector<int> begin(rows + 1), column;
  for (int row = 0; row < rows; ++row)
    begin[row + 1] = begin[row] + row;
  std::vector<double> value(begin[rows]), x(64);
  for (int k = 0; k < begin[rows]; ++k) {
    column.push_back(k * 37 % 64);
    value[k] = k % 13 - 5;
  }
  for (int k = 0; k < 64; ++k)
    x[k] = k * 0.5;
  std::vector<unsigned char> bytes(rows + 64);
  for (int k = 0; k < rows + 64; ++k)
    bytes[k] = k * 29 % 251;
  std::vector<double> out(rows), squares(rows);
  std::vector<int> counts(rows);
  double* sum = upload(out);
  double* square = upload(squares);
  int* count = upload(counts);
  sums<<<4, 128>>>(upload(begin), upload(column), upload(value), upload(x), sum, rows);
  countsToTheEnd<<<25, 128>>>(upload(bytes), count, square, rows);
  cudaMemcpy(out.data(), sum, rows * sizeof(double), cudaMemcpyDeviceToHost);
  cudaMemcpy(squares.data(), square, rows * sizeof(double), cudaMemcpyDeviceToHost);
  cudaMemcpy(counts.data(), count, rows * sizeof(int), cudaMemcpyDeviceToHost);
  for (int row = 0; row < rows; ++row)
    printf("%d %.1f %d %.1f\n", row, out[row], counts[row], squares[row]);
}
