// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel changes the parameters of its own pack: each thread has copies, of objects too.
#include <cstdio>

struct Next {
  int last = 0;
  __device__ int run(int* s) {
    s[threadIdx.x] = threadIdx.x * threadIdx.x;
    __syncthreads();
    last = s[(threadIdx.x + 1) % blockDim.x];
    __syncthreads();
    return last;
  }
};

struct Mirror {
  int add;
  __device__ int run(int* s) {
    s[blockDim.x - 1 - threadIdx.x] = threadIdx.x + add++;
    __syncthreads();
    const int got = s[threadIdx.x];
    __syncthreads();
    return got;
  }
};

template <class... Steps> __global__ void chain(int* out, int rounds, Steps... steps) {
  __shared__ int s[64];
  int r = 0;
  while (rounds-- > 0)
    ((r = r * 31 + steps.run(s)), ...);
  out[threadIdx.x] = r;
}

template <class... Numbers> __global__ void countDown(int* out, Numbers... numbers) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 5 == 4)
    return;
  int rounds = 0;
  while ((... || (numbers > i)))
    ((numbers -= 3), ...), ++rounds;
  out[i] = rounds * 100 + int((0 + ... + numbers));
}

template <class First, class... Rest> __global__ void shifted(int* out, First first, Rest... rest) {
  first += threadIdx.x;
  out[threadIdx.x] = int(first);
  if (threadIdx.x % 2)
    return;
  ((rest *= 2), ...);
  out[threadIdx.x] += int((0 + ... + rest));
}

int main() {
  int* out;
  cudaMallocManaged(&out, 128 * sizeof(int));
  const auto show = [&](const char* name, int n) {
    printf("%s: %s", name, cudaGetErrorName(cudaDeviceSynchronize()));
    for (int i = 0; i < n; i += 7)
      printf(" %d", out[i]);
    printf("\n");
  };
  chain<<<1, 64>>>(out, 2, Mirror{1}, Next{}, Mirror{5});
  show("chain", 64);
  chain<<<1, 32>>>(out, 3);
  show("no steps", 32);
  for (int i = 0; i < 128; ++i)
    out[i] = -1;
  countDown<<<2, 64>>>(out, 200, 150.5f, (short)90);
  show("count down", 128);
  shifted<<<1, 64>>>(out, 2.5, 3, 4ll, 0.5f);
  show("shifted", 64);
  cudaFree(out);
  return 0;
}
