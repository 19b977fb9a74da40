// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Uniform break, continue and return in loops with barriers: with braces, with more statements, in else, from memory.
#include <cstdio>

__global__ void k(int* out, const int* plan, int n) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  int mine = 0;
  s[t] = t;
  __syncthreads();
  for (int r = 0; r < n; ++r) {
    const int what = plan[r];
    if (what == 1) {
      continue;
    }
    mine += s[(t + 1) % 32];
    __syncthreads();
    s[t] = mine % 100 + r;
    __syncthreads();
    if (what == 2) {
      mine += 1000;
      continue;
    } else if (what == 3)
      break;
    if (what == 4) {
      out[t] = -mine;
      return;
    }
    int i = 0;
    while (true) {
      if (++i > r)
        break;
      mine += i;
      __syncthreads();
      s[t] += mine % 7;
      __syncthreads();
    }
  }
  out[t] = mine + s[31 - t];
}

// Jumps alone in their branch: the whole block takes them.
__global__ void alone(int* out, const int* plan, int n) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  int mine = 0;
  s[t] = t;
  __syncthreads();
  for (int r = 0; r < n; ++r) {
    const int what = plan[r];
    if (what == 1) {
      continue;
    }
    mine += s[(t + 1) % 32];
    __syncthreads();
    s[t] = mine % 100 + r;
    __syncthreads();
    int turn = 0;
    while (true) {
      ++turn;
      if (turn > r)
        break;
      mine += turn;
      __syncthreads();
      s[t] += mine % 7;
      __syncthreads();
    }
    if (what == 3)
      break;
    out[t] = -mine;
    if (what == 4)
      return;
    mine *= 2;
  }
  out[t] = mine + s[31 - t];
}

int main() {
  int *out, *plan;
  cudaMallocManaged(&out, 32 * sizeof(int));
  cudaMallocManaged(&plan, 8 * sizeof(int));
  const int plans[4][8] = {{0, 1, 2, 0, 3, 0, 0, 0}, {1, 1, 0, 4, 0, 0, 0, 0}, {2, 2, 0, 1, 0, 1, 0, 2}, {3}};
  for (const auto& p : plans) {
    for (int i = 0; i < 8; ++i)
      plan[i] = p[i];
    k<<<1, 32>>>(out, plan, 8);
    cudaDeviceSynchronize();
    printf("%d %d %d\n", out[0], out[13], out[31]);
    alone<<<1, 32>>>(out, plan, 8);
    cudaDeviceSynchronize();
    printf("%d %d %d\n", out[0], out[13], out[31]);
  }
  return 0;
}
