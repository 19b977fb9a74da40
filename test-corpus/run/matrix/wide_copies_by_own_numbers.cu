// A thread copies a row of four numbers from shared memory, and the row's place is told by what it
// copied before: by the very array that the copy changes.
#include <cstdio>

constexpr int threads = 32, rows = 8, columns = 16;

__global__ void follow(const int* in, int* out, int steps) {
  __shared__ __align__(16) int table[rows][columns];
  const int t = threadIdx.x;
  for (int i = t; i < rows * columns; i += threads)
    table[i / columns][i % columns] = in[i];
  __syncthreads();
  int place[4] = {t % rows, t, t + 1, t + 2};
  for (int step = 0; step < steps; ++step) {
    *reinterpret_cast<int4*>(&place[0]) = *reinterpret_cast<int4*>(&table[place[0] % rows][4]);
    out[step * threads + t] = place[0] + 3 * place[1] + 5 * place[2] + 7 * place[3];
  }
}

__global__ void followColumns(const int* in, int* out, int steps) {
  __shared__ __align__(16) int table[rows][columns];
  const int t = threadIdx.x;
  for (int i = t; i < rows * columns; i += threads)
    table[i / columns][i % columns] = in[i];
  __syncthreads();
  int place[4] = {t, t + 1, t + 2, t + 3};
  const int& first = place[0];
  for (int step = 0; step < steps; ++step) {
    *reinterpret_cast<int4*>(&place[0]) =
        *reinterpret_cast<int4*>(&table[place[1] % rows][first % 4 * 4]);
    out[step * threads + t] = place[0] + 3 * place[1] + 5 * place[2] + 7 * place[3];
  }
}

int main() {
  constexpr int steps = 4, count = steps * threads;
  int *in = nullptr, *out = nullptr;
  cudaMallocManaged(&in, rows * columns * sizeof(int));
  cudaMallocManaged(&out, 2 * count * sizeof(int));
  for (int i = 0; i < rows * columns; ++i)
    in[i] = i * 37 % 101;
  follow<<<1, threads>>>(in, out, steps);
  followColumns<<<1, threads>>>(in, out + count, steps);
  cudaDeviceSynchronize();
  for (int i = 0; i < 2 * count; ++i)
    printf("%d%c", out[i], i % 16 == 15 ? '\n' : ' ');
}
