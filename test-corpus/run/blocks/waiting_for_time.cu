// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that wait for time to pass wait together: all threads of a block have begun before the
// first one ends. One after the other they would take as often as long.
#include <cstdio>

const int threads = 256;

__global__ void together(long long* begin, long long* end, long long cycles) {
  const int t = threadIdx.x;
  const long long start = clock64();
  long long now = start;
  while (now - start < cycles)
    now = clock64();
  begin[t] = start;
  end[t] = now;
}

__device__ int shortWait(unsigned cycles) {
  const unsigned start = (unsigned)clock();
  clock_t passed = 0;
  int rounds = 0;
  while (passed < (clock_t)cycles) {
    const unsigned now = (unsigned)clock();
    passed = (clock_t)(now - start);
    ++rounds;
  }
  return rounds;
}

__global__ void inFunction(int* waited) { waited[threadIdx.x] = shortWait(1000) > 0; }

__global__ void measure(const int* in, int* out, long long* cycles) {
  const long long start = clock64();
  int sum = 0;
  for (int i = 0; i < 100; ++i)
    sum += in[(threadIdx.x + i) % threads];
  out[threadIdx.x] = sum;
  cycles[threadIdx.x] = clock64() - start;
}

int main() {
  long long *begin, *end;
  int *in, *out;
  cudaMallocManaged(&begin, threads * sizeof(long long));
  cudaMallocManaged(&end, threads * sizeof(long long));
  cudaMallocManaged(&in, threads * sizeof(int));
  cudaMallocManaged(&out, threads * sizeof(int));
  int kilohertz = 0;
  cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, 0);
  together<<<1, threads>>>(begin, end, 300LL * kilohertz);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  long long lastBegin = begin[0], firstEnd = end[0];
  for (int t = 1; t < threads; ++t) {
    lastBegin = begin[t] > lastBegin ? begin[t] : lastBegin;
    firstEnd = end[t] < firstEnd ? end[t] : firstEnd;
  }
  printf("together: %d\n", lastBegin < firstEnd);

  inFunction<<<1, threads>>>(out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  int count = 0;
  for (int t = 0; t < threads; ++t)
    count += out[t];
  printf("waited: %d\n", count);

  for (int t = 0; t < threads; ++t)
    in[t] = t;
  measure<<<1, threads>>>(in, out, end);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  long long sum = 0;
  int risen = 0;
  for (int t = 0; t < threads; ++t) {
    sum += out[t];
    risen += end[t] > 0;
  }
  printf("sum: %lld, measured: %d\n", sum, risen);
  return 0;
}
