// Quotients and remainders of numbers that are the same for all threads of a row, computed where a condition on the thread
// holds, say where the row lies. Not every first thread of a vector divides; some divisors are 0 where none does.
#include <cstdio>

template <class Number>
__global__ void rows(const int* in, int* out, const int* flag, Number row, Number height, Number parts) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  if (flag[x])
    out[x] = in[(row % height) * 64 + x % 64] + in[(row / parts) * 64 + x % 64];
}

/// A remainder of a quotient, of values that threads of a row load.
__global__ void nested(const int* in, int* out, const int* flag, const unsigned* numbers) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  if (flag[x] == 1)
    sum = in[(blockIdx.y + numbers[2]) / numbers[0] % numbers[1] * 64 + threadIdx.x];
  out[blockIdx.y * gridDim.x * blockDim.x + x] = sum - 1;
}

/// Between barriers, for threads that stay.
__global__ void staying(const int* in, int* out, int width, int steps) {
  extern __shared__ int tile[];
  const int tx = threadIdx.x, ty = threadIdx.y;
  tile[ty * blockDim.x + tx] = in[ty * blockDim.x + tx];
  __syncthreads();
  if ((ty * 7 + tx) % 11 == 3)
    return;
  int sum = 0;
  for (int k = 0; k < steps; ++k)
    sum += 3 * tile[(ty + k) % blockDim.y * blockDim.x + tx] + k;
  if (tx < width)
    out[ty * blockDim.x + tx] = sum;
}

void print(const char* name, int* out, int count) {
  cudaDeviceSynchronize();
  unsigned sum = 0;
  for (int i = 0; i < count; ++i)
    sum = sum * 31 + unsigned(out[i]);
  printf("%s: %u %d %d\n", name, sum, out[1], out[count - 2]);
  cudaMemset(out, 0, count * sizeof(int));
}

int main() {
  const int count = 1024;
  int *in, *out, *flag;
  unsigned* numbers;
  cudaMallocManaged(&in, count * sizeof(int));
  cudaMallocManaged(&out, count * sizeof(int));
  cudaMallocManaged(&flag, count * sizeof(int));
  cudaMallocManaged(&numbers, 3 * sizeof(unsigned));
  for (int i = 0; i < count; ++i) {
    in[i] = i * 37 % 101;
    flag[i] = i % 8 != 0 && i % 5 != 2;
    out[i] = 0;
  }
  rows<<<16, 64>>>(in, out, flag, 11u, 3u, 4u);
  print("unsigned", out, count);
  rows<<<16, 64>>>(in, out, flag, 11, 4, -12);
  print("signed", out, count);
  rows<<<16, 64>>>(in, out, flag, 29ull, 5ull, 13ull);
  print("64 bits", out, count);
  numbers[0] = 2, numbers[1] = 3, numbers[2] = 5;
  nested<<<dim3(4, 4), 64>>>(in, out, flag, numbers);
  print("nested", out, count);
  const int sizes[][2] = {{16, 4}, {32, 3}, {8, 8}, {20, 6}, {64, 2}};
  for (const auto& size : sizes) {
    staying<<<1, dim3(size[0], size[1]), size[0] * size[1] * sizeof(int)>>>(in, out, 60, 9);
    print("staying", out, size[0] * size[1]);
  }
  for (int i = 0; i < count; ++i)
    flag[i] = 0;
  rows<<<16, 64>>>(in, out, flag, 7u, 0u, 0u);
  rows<<<16, 64>>>(in, out, flag, -2147483647 - 1, -1, -1);
  print("nobody divides", out, count);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
