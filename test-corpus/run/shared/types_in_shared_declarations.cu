// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declarations of shared variables in device functions may define their struct or union, named or not.
#include <cstdio>

__device__ int exchange(int v) {
  __shared__ union {
    int i[64];
    float f[64];
  } both;
  both.i[threadIdx.x] = v;
  __syncthreads();
  int r = both.i[threadIdx.x ^ 1];
  __syncthreads();
  both.f[threadIdx.x] = r * 0.5f;
  __syncthreads();
  r += static_cast<int>(both.f[63 - threadIdx.x] * 2);
  __syncthreads();
  return r;
}

template <typename T, int N> __device__ T largest(T v) {
  __shared__ struct {
    T values[N];
    int places[N];
    __device__ void keep(int to, int from) {
      if (values[from] > values[to]) {
        values[to] = values[from];
        places[to] = places[from];
      }
    }
  } best;
  best.values[threadIdx.x] = v;
  best.places[threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (int distance = N / 2; distance > 0; distance /= 2) {
    if (threadIdx.x < distance)
      best.keep(threadIdx.x, threadIdx.x + distance);
    __syncthreads();
  }
  T result = best.values[0] + best.places[0];
  __syncthreads();
  return result;
}

__device__ int two(int v) {
  struct Pair {
    int a, b;
  };
  static __shared__ struct Named {
    int value;
  } first, rest[63];
  __shared__ Pair pair;
  if (threadIdx.x == 0) {
    first.value = v;
    pair = {3, 4};
  } else {
    rest[threadIdx.x - 1].value = v;
  }
  __syncthreads();
  int sum = first.value + rest[62 - threadIdx.x % 63].value + pair.a * pair.b;
  __syncthreads();
  return sum;
}

__global__ void all(int* out) {
  __shared__ struct {
    int a;
    union {
      float f;
      unsigned bits;
    };
  } head;
  if (threadIdx.x == 0) {
    head.a = 3;
    head.f = 2.0f;
  }
  __syncthreads();
  const int v = exchange(threadIdx.x * threadIdx.x % 50);
  const int m = largest<int, 64>((v * 29) % 61);
  const double d = largest<double, 64>(threadIdx.x == 40 ? 7.5 : 0.0);
  out[threadIdx.x] = v + m * 1000 + static_cast<int>(d * 2) + head.a + (head.bits >> 28) + two(v) * 7;
}

int main() {
  int *device, host[64];
  cudaMalloc(&device, sizeof(host));
  all<<<1, 64>>>(device);
  cudaMemcpy(host, device, sizeof(host), cudaMemcpyDeviceToHost);
  unsigned hash = 0;
  for (int v : host)
    hash = hash * 31 + v;
  printf("%d %d %d %u %s\n", host[0], host[31], host[63], hash, cudaGetErrorName(cudaGetLastError()));
  return 0;
}
