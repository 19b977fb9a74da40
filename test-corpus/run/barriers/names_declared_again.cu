// Variables that share their name with others of inner or neighbouring scopes keep apart, each with its own value.
#include <cstdio>

// Blelloch's scan: ai and bi name other places inside its loops than at the head and the end.
__global__ void scan(const int* in, int* out, int n) {
  extern __shared__ int temp[];
  const int tid = threadIdx.x;
  int offset = 1;
  int ai = tid, bi = tid + n / 2;
  int padA = ai >> 5, padB = bi >> 5;
  temp[ai + padA] = in[blockIdx.x * n + ai];
  temp[bi + padB] = in[blockIdx.x * n + bi];
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (tid < d) {
      int ai = offset * (2 * tid + 1) - 1;
      int bi = offset * (2 * tid + 2) - 1;
      ai += ai >> 5;
      bi += bi >> 5;
      temp[bi] += temp[ai];
    }
    offset *= 2;
  }
  if (tid == 0)
    temp[n - 1 + ((n - 1) >> 5)] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (tid < d) {
      int ai = offset * (2 * tid + 1) - 1;
      int bi = offset * (2 * tid + 2) - 1;
      ai += ai >> 5;
      bi += bi >> 5;
      int t = temp[ai];
      temp[ai] = temp[bi];
      temp[bi] += t;
    }
  }
  __syncthreads();
  out[blockIdx.x * n + ai] = temp[ai + padA];
  out[blockIdx.x * n + bi] = temp[bi + padB];
}

// What depends on the outer variable is named where the inner one hides it.
__global__ void hidden(const int* in, int* out, int n) {
  __shared__ int s[64];
  int i = threadIdx.x;
  int next = (i + 1) % 64, twice = 2 * next;
  int sum = 0;
  s[i] = in[i];
  __syncthreads();
  for (int k = 0; k < n; ++k) {
    int i = (next + k) % 64;
    sum += s[i] * twice;
    __syncthreads();
    {
      int next = i + 1;
      s[next % 64] = s[next % 64] + k;
      int twice = next + 5;
      sum += twice;
    }
    __syncthreads();
    s[i] += next;
    __syncthreads();
  }
  out[blockIdx.x * 64 + i] = sum + s[next];
}

// Neighbouring scopes, loops over the name of a place, and a condition's variable.
__global__ void neighbours(const int* in, int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  {
    const int x = 63 - t;
    s[x] = in[t];
    __syncthreads();
    out[blockIdx.x * 64 + x] = s[t];
    __syncthreads();
  }
  {
    int x = t ^ 1;
    s[t] += x;
    __syncthreads();
    for (int x = 0; x < 3; ++x) {
      const int y = (t + x) % 64;
      const int old = s[y];
      __syncthreads();
      s[y] = old * 2 + x;
      __syncthreads();
    }
    const int y = x * 3 % 64;
    __syncthreads();
    out[blockIdx.x * 64 + t] += s[y] + x;
  }
  for (int t = 0; t < 2; ++t) {
    __syncthreads();
    const int u = threadIdx.x;
    if (const int x = s[(u + t) % 64] & 1)
      out[blockIdx.x * 64 + u] += x * 1000;
  }
}

// Sums of a warp between which names come again.
__global__ void warps(const int* in, int* out) {
  const int lane = threadIdx.x % 32, value = in[threadIdx.x];
  int sum = value;
  for (int offset = 16; offset > 0; offset /= 2)
    sum += __shfl_down_sync(~0u, sum, offset);
  {
    const int lane = 31 - threadIdx.x % 32;
    const int other = __shfl_sync(~0u, value, lane);
    sum += other * lane;
    __syncwarp();
    sum += __shfl_xor_sync(~0u, other + lane, 1);
  }
  sum += __shfl_sync(~0u, sum, lane / 2) * lane;
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}

static void show(const char* name, const int* values, int count) {
  unsigned weighted = 0;
  for (int i = 0; i < count; ++i)
    weighted = weighted * 31 + values[i];
  std::printf("%s %u: %d %d %d\n", name, weighted, values[0], values[1], values[count - 1]);
}

int main() {
  const int n = 256;
  int *in, *out;
  cudaMallocManaged(&in, 2 * n * sizeof(int));
  cudaMallocManaged(&out, 2 * n * sizeof(int));
  for (int i = 0; i < 2 * n; ++i)
    in[i] = i * 37 % 101 - 40;
  scan<<<2, n / 2, (n + n / 32) * sizeof(int)>>>(in, out, n);
  cudaDeviceSynchronize();
  show("scan", out, 2 * n);
  hidden<<<1, 64>>>(in, out, 9);
  cudaDeviceSynchronize();
  show("hidden", out, 64);
  neighbours<<<2, 64>>>(in, out);
  cudaDeviceSynchronize();
  show("neighbours", out, 128);
  warps<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  show("warps", out, 64);
}
