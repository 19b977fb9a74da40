// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers in a range-based for, behind goto, in a lambda that is called in a loop, and in a body without braces.
#include <cstdio>

struct Steps {
  int values[3];
  __device__ const int* begin() const { return values; }
  __device__ const int* end() const { return values + 3; }
};

__global__ void rangeBased(const int* in, int* out) {
  __shared__ int tile[64];
  const Steps steps = {{1, 5, 9}};
  int sum = 0;
  for (int step : steps.values) {
    tile[threadIdx.x] = in[threadIdx.x] * step;
    __syncthreads();
    sum += tile[(threadIdx.x + step) % 64];
    __syncthreads();
  }
  for (const int& step : steps) {
    tile[threadIdx.x] = sum + step;
    __syncthreads();
    sum ^= tile[63 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void backwards(const int* in, int* out) {
  __shared__ int tile[64];
  int rounds = 0, sum = in[threadIdx.x];
again:
  tile[threadIdx.x] = sum;
  __syncthreads();
  sum += tile[(threadIdx.x + 3) % 64];
  __syncthreads();
  if (++rounds < 4)
    goto again;
  if (sum % 2 == 0)
    goto done;
  sum = -sum;
done:
  out[threadIdx.x] = sum;
}

__global__ void inLambda(const int* in, int* out) {
  __shared__ int tile[64];
  int sum = in[threadIdx.x];
  auto exchange = [&](int distance) {
    tile[threadIdx.x] = sum;
    __syncthreads();
    const int other = tile[threadIdx.x ^ distance];
    __syncthreads();
    return other;
  };
  for (int d = 1; d < 64; d *= 2)
    sum += exchange(d);
  out[threadIdx.x] = sum;
}

__global__ void withoutBraces(const int* in, int* out, int n) {
  __shared__ int tile[64];
  tile[threadIdx.x] = 0;
  for (int i = 0; i < n; ++i)
    if (i % 2)
      for (int j = 0; j < i; ++j)
        __syncthreads();
    else
      do
        if (tile[threadIdx.x] += in[i], i > 1)
          __syncthreads();
      while (false);
  out[threadIdx.x] = tile[threadIdx.x];
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 64 * sizeof(int));
  cudaMallocManaged(&out, 64 * sizeof(int));
  for (int i = 0; i < 64; ++i)
    in[i] = i * 13 % 29;
  auto show = [&](const char* name) {
    printf("%s: %s", name, cudaGetErrorString(cudaDeviceSynchronize()));
    long sum = 0;
    for (int i = 0; i < 64; ++i)
      sum += long(out[i]) * (i + 3);
    printf(" %d %d %ld\n", out[0], out[63], sum);
  };
  rangeBased<<<1, 64>>>(in, out);
  show("rangeBased");
  backwards<<<1, 64>>>(in, out);
  show("backwards");
  inLambda<<<1, 64>>>(in, out);
  show("inLambda");
  withoutBraces<<<1, 64>>>(in, out, 6);
  show("withoutBraces");
}
