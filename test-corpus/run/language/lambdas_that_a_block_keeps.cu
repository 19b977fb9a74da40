// Lambdas given to functions with barriers refer to the thread, to what is computed again where it is needed and to each
// other, by every way to capture.
#include <cstdio>

template <class F> __device__ void twice(F f) {
  f(0);
  __syncthreads();
  f(1);
  __syncthreads();
}

template <class F> __device__ void through(int shift, F f) {
  const int own = threadIdx.x + shift;
  twice([&](int i) { f(i + own % 2); });
}

__device__ int rank() { return threadIdx.x; }

__global__ void capture(int* out) {
  __shared__ int s[64];
  int* q = s;
  const int mine = threadIdx.x * 2, far = 63 - threadIdx.x;
  s[threadIdx.x] = 0;
  __syncthreads();
  twice([&](int i) { s[(threadIdx.x + i) % 64] += mine + far; });
  out[threadIdx.x] = s[threadIdx.x];
  __syncthreads();
  twice([q, mine](int i) { q[(threadIdx.x + i) % 64] += mine - blockIdx.x; });
  out[64 + threadIdx.x] = s[threadIdx.x];
  __syncthreads();
  twice([=](int i) { q[(threadIdx.x + i) % 64] += far * blockDim.x; });
  out[128 + threadIdx.x] = s[threadIdx.x];
  __syncthreads();
  auto next = [&](int i) { return (threadIdx.x + i + mine / 2) % 64; };
  auto add = [&](int i) { atomicAdd(&s[next(i)], far); };
  twice(add);
  out[192 + threadIdx.x] = s[threadIdx.x];
  __syncthreads();
  twice([q, &mine, &next](int i) { atomicAdd(q + next(i), mine + threadIdx.x); });
  out[256 + threadIdx.x] = s[threadIdx.x];
  __syncthreads();
  twice([](int i) {
    __shared__ int t[2];
    if (rank() == i)
      t[i] = threadIdx.x + 5;
  });
  through(3, [&, far](int i) { atomicAdd(&q[(threadIdx.x * 7 + i) % 64], far); });
  out[320 + threadIdx.x] = s[threadIdx.x];
}

int main() {
  int* out;
  cudaMallocManaged(&out, 384 * sizeof(int));
  capture<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  for (int part = 0; part < 6; ++part) {
    long sum = 0;
    for (int i = 0; i < 64; ++i)
      sum += long(out[part * 64 + i]) * (i + 1);
    printf("%d: %ld %d %d\n", part, sum, out[part * 64], out[part * 64 + 63]);
  }
}
