// A kernel's parameter of a class with a mutable member: each thread has its own, which const
// methods and references to what is const change.
#include <cstdio>

struct Counter {
  mutable int calls;
  int step;
  __device__ int next() const { return calls += step; }
  __device__ int operator()(int i) const { return calls++ * i; }
};
struct Holder {
  Counter counter;
  int scale;
};

__device__ int byReference(const Counter& counter) {
  counter.calls += 10;
  return counter.calls;
}

__global__ void plain(Counter counter, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = counter.next() + counter.next();
}
__global__ void constant(const Counter counter, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = counter.next() * 100 + byReference(counter);
}
__global__ void within(Holder holder, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = (holder.counter.next() + holder.counter(3)) * holder.scale;
}
__global__ void ofWarps(Counter counter, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int k = 0; k < 3; ++k)
    sum += counter.next();
  sum += __shfl_xor_sync(~0u, sum, 1);
  out[i] = sum + counter.calls;
}
__global__ void ofBlocks(Counter counter, int* out) {
  __shared__ int last[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  last[threadIdx.x] = counter.next();
  __syncthreads();
  out[i] = last[63 - threadIdx.x] + byReference(counter);
}
__global__ void rowsInTurns(Counter counter, int* out, int rows) {
  const int lane = threadIdx.x & 31, first = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int warps = gridDim.x * blockDim.x / 32;
  for (int row = first; row < rows; row += warps) {
    const int sum = __shfl_xor_sync(~0u, counter.next() + lane, 31);
    if (lane == 0)
      out[row] = sum;
  }
}

void tell(const char* what, const int* out, int n) {
  long long sum = 0;
  for (int i = 0; i < n; ++i)
    sum += (long long)out[i] * (1 + i % 7);
  printf("%s %d %d %lld\n", what, out[0], out[n - 1], sum);
}

int main() {
  int* out;
  cudaMallocManaged(&out, 128 * sizeof *out);
  plain<<<2, 64>>>(Counter{0, 1}, out);
  cudaDeviceSynchronize();
  tell("plain", out, 128);
  constant<<<2, 64>>>(Counter{1, 2}, out);
  cudaDeviceSynchronize();
  tell("constant", out, 128);
  within<<<2, 64>>>(Holder{{1, 2}, 5}, out);
  cudaDeviceSynchronize();
  tell("within", out, 128);
  ofWarps<<<2, 64>>>(Counter{0, 1}, out);
  cudaDeviceSynchronize();
  tell("ofWarps", out, 128);
  ofBlocks<<<2, 64>>>(Counter{0, 3}, out);
  cudaDeviceSynchronize();
  tell("ofBlocks", out, 128);
  rowsInTurns<<<2, 64>>>(Counter{0, 1}, out, 101);
  cudaDeviceSynchronize();
  tell("rowsInTurns", out, 101);
  return 0;
}
