// Steps that fewer threads take from one to the next, with values that each thread changes for
// itself in all steps but asks for in those that it takes only; and what only looks like it.
#include <cstdio>

constexpr int threads = 64;

__global__ void tree(const int* in, int* out, int strike) {
  __shared__ float value[2][threads], first[2];
  const int j = threadIdx.x;
  float spot = in[blockIdx.x * threads + j];
  int cur = 0;
  value[cur][j] = fmaxf(strike - spot, 0.0f);
  __syncthreads();
  for (int step = threads - 2; step >= 0; --step) {
    spot += 3;
    if (j <= step) {
      const float v = fmaxf(value[cur][j + 1] + value[cur][j] - 5.0f, strike - spot);
      value[cur ^ 1][j] = v > 4096 ? v - 4096 : v;
      if (step == 1)
        first[j] = v;
    }
    cur ^= 1;
    __syncthreads();
  }
  if (j == 0)
    out[blockIdx.x] = int(value[cur][0]) * 7 + int(first[1] - first[0]);
}
__global__ void ghosts(const int* in, int* out, int width, int steps) {
  __shared__ int v[threads + 1], next[threads + 1];
  const int tx = threadIdx.x, i = blockIdx.x * 48 + tx;
  v[tx] = i < width ? in[i] : 0;
  unsigned s = i * 17u, own = tx;
  __syncthreads();
  for (int k = 1; k <= steps; ++k) {
    s = s * 5 + k;
    own += s >> 3;
    const bool inside = tx < threads - k && i <= width - 1 - k;
    if (inside) { next[tx] = ((v[tx] * 3 + v[tx + 1]) ^ int(s >> 7) ^ int(own)) & 0xffff; }
    __syncthreads();
    if (inside)
      v[tx] = next[tx];
    __syncthreads();
  }
  if (tx < 48 && i < width)
    out[i] = v[tx];
}
// Bounds that each step loads, that rise or that wrap around, and a value that is asked for behind.
__global__ void misses(const int* in, int* out, const int* bounds, int n) {
  __shared__ int v[threads + 1];
  const int t = threadIdx.x;
  int a = in[t], b = a, c = a, d = a;
  for (int k = 0; k < n; ++k) {
    a = a * 3 % 1009 + 1;
    const int bound = bounds[k];
    if (t < bound && t < n - k) { v[t] = a; }
    __syncthreads();
    b = b * 5 % 1009 + v[t] % 2;
    if (t < 2 + k && t < 60) { v[t] += b; }
    __syncthreads();
    c = c * 7 % 1009 + k;
    if (threadIdx.x < 40u - k) { v[t] ^= c; }
    __syncthreads();
    d = d * 11 % 1009 + 3;
    if (t < n - k) { v[t] += d; }
    __syncthreads();
  }
  out[t] = v[t] * 3 + d;
}

int main() {
  int *in, *out, *bounds;
  cudaMallocManaged(&in, 1088 * sizeof(int));
  out = in + 512, bounds = out + 512;
  for (int i = 0; i < 512; ++i)
    in[i] = (i * 37 + i / 7) % 101;
  for (int k = 0; k < threads; ++k)
    bounds[k] = k == 0 ? threads : k * 23 % threads;
  const auto show = [&](const char* what, int count) {
    cudaDeviceSynchronize();
    unsigned sum = 0;
    for (int i = 0; i < count; ++i)
      sum = sum * 31 + unsigned(out[i]);
    printf("%s %u\n", what, sum);
  };
  tree<<<8, threads>>>(in, out, 400), show("tree", 8);
  for (int steps : {1, 7, 16})
    ghosts<<<7, threads>>>(in, out, 300, steps), show("ghosts", 300);
  misses<<<1, threads>>>(in, out, bounds, threads), show("misses", threads);
}
