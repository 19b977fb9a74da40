// A warp for each row, lane by lane: the steps that all lanes take, and what is left of the row.
#include <cstdio>
#include <vector>

struct Rows {
  int count;
  const int* first;
  const int* column;
  const double* value;
};

__global__ void products(Rows a, const double* x, double* y) {
  const int lane = threadIdx.x & 31, warps = gridDim.x * blockDim.x / 32;
  for (int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32; row < a.count; row += warps) {
    double sum = 0;
    const int end = a.first[row + 1];
    for (int j = a.first[row] + lane; j < end; j += 32)
      sum += a.value[j] * x[a.column[j]];
    for (int offset = 16; offset > 0; offset >>= 1)
      sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (lane == 0)
      y[row] = sum;
  }
}

// Two values are kept, lanes store on their way, and steps pass over every second stretch.
__global__ void extremes(Rows a, const double* x, float* least, int* count, int* seen) {
  const int lane = threadIdx.x & 31, row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row >= a.count)
    return;
  float low = 1e9f;
  int n = 0;
  const int last = a.first[row + 1] - 1;
  for (int j = a.first[row] + lane; j <= last; j += 64) {
    const float here = float(x[a.column[j]]) * float(a.value[j]);
    if (here < low)
      low = here;
    n += a.column[j] & 1;
    seen[j] += lane + 1;
  }
  for (int mask = 16; mask > 0; mask /= 2) {
    low = fminf(low, __shfl_xor_sync(0xffffffffu, low, mask));
    n += __shfl_xor_sync(0xffffffffu, n, mask);
  }
  if (lane == 0) {
    least[row] = low;
    count[row] = n;
  }
}

int main() {
  const int lengths[] = {0,  1,  2,  3,  4,  5,  7,  8,  9,  11, 12, 15, 16, 17, 20, 23, 24,
                         27, 28, 29, 30, 31, 32, 33, 35, 36, 63, 64, 65, 95, 96, 97, 130};
  const int count = sizeof lengths / sizeof *lengths, columns = 97;
  int *first, *column, *counts, *seen;
  double *value, *x, *y;
  float* least;
  cudaMallocManaged(&first, (count + 1) * sizeof(int));
  for (int row = 0; row < count; ++row)
    first[row + 1] = first[row] + lengths[row];
  const int all = first[count];
  cudaMallocManaged(&column, all * sizeof(int));
  cudaMallocManaged(&seen, all * sizeof(int));
  cudaMallocManaged(&counts, count * sizeof(int));
  cudaMallocManaged(&value, all * sizeof(double));
  cudaMallocManaged(&x, columns * sizeof(double));
  cudaMallocManaged(&y, count * sizeof(double));
  cudaMallocManaged(&least, count * sizeof(float));
  for (int j = 0; j < all; ++j)
    column[j] = j * 29 % columns, value[j] = 0.1 * (j % 13) - 0.37, seen[j] = 0;
  for (int c = 0; c < columns; ++c)
    x[c] = 1.0 / (c + 1);
  const Rows a{count, first, column, value};
  products<<<3, 128>>>(a, x, y);
  extremes<<<(count + 3) / 4, 128>>>(a, x, least, counts, seen);
  cudaDeviceSynchronize();
  long long places = 0;
  for (int j = 0; j < all; ++j)
    places += (j + 1ll) * seen[j];
  for (int row = 0; row < count; ++row)
    printf("%d: %.15g %.7g %d\n", lengths[row], y[row], least[row], counts[row]);
  printf("%lld\n", places);
}
