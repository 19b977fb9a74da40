// Threads that read elements behind their own, wait, and change their own: levels of a lattice in
// shared memory, with bounds that move; and what looks like it.
#include <cstdio>

__device__ int mixed(int a, int b) { return max(3 * a - b, b >> 1) % 10007; }

// Each thread reads its own element and one behind it: no thread before it has changed either.
template <int SIZE, int THREADS, int STEP> __global__ void lattice(const int* in, int* out) {
  __shared__ int v[SIZE + 8], s[SIZE + 8];
  for (int i = threadIdx.x; i < SIZE + 8; i += THREADS) {
    v[i] = in[i];
    s[i] = in[i] / 3;
  }
  for (int level = SIZE - 1; level >= SIZE / 3; level -= STEP) {
    for (int base = 0; base <= level; base += THREADS) {
      int i = base + threadIdx.x;
      int next = 0, own = 0;
      __syncthreads();
      if (i <= level) {
        next = mixed(v[i], v[i + STEP]);
        own = s[i] + 1;
      }
      __syncthreads();
      if (i <= level) {
        v[i] = max(next, own);
        s[i] = own;
      }
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < SIZE; i += THREADS)
    out[blockIdx.x * SIZE + i] = v[i] + s[i];
}

// Threads read on both sides, ask for something else behind the barrier, or change what is not
// theirs.
__global__ void others(const int* in, int* out, int low, int high, int side) {
  __shared__ int v[128], w[128];
  const int t = threadIdx.x;
  v[t] = in[blockIdx.x * 128 + t];
  w[t] = t;
  int next = 0;
  for (int round = 0; round < 5; ++round) {
    __syncthreads();
    if (t >= low && t < high)
      next = mixed(v[t] + v[t + 1], v[t - 1]);
    __syncthreads();
    if (t >= low && t < high)
      v[t] = next;
    __syncthreads();
    if (t < high)
      next = mixed(v[t], v[t + 1]);
    __syncthreads();
    if (t >= low)
      v[t] = next + 1;
    __syncthreads();
    if (t >= low && t < high)
      next = mixed(v[t], v[t + side]); // side may be less than 0
    __syncthreads();
    if (t >= low && t < high)
      v[t] = next;
    __syncthreads();
    if (t >= low && t < high)
      next = mixed(v[t], v[t + 1]);
    __syncthreads();
    if (t >= low && t < high)
      v[t + 1] = next; // not its own element
  }
  __syncthreads();
  out[blockIdx.x * 128 + t] = v[t] + w[t];
}

static void report(const int* out, int n) {
  cudaDeviceSynchronize();
  long long sum = 0;
  for (int i = 0; i < n; ++i)
    sum += out[i] * (1LL + i % 17);
  printf("%lld\n", sum);
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 1024 * sizeof(int));
  cudaMallocManaged(&out, 1024 * sizeof(int));
  for (int i = 0; i < 1024; ++i)
    in[i] = i * 37 % 1009;
  lattice<300, 64, 1><<<3, 64>>>(in, out);
  report(out, 900);
  lattice<77, 128, 3><<<2, 128>>>(in, out);
  report(out, 154);
  others<<<4, 128>>>(in, out, 3, 117, -2);
  report(out, 512);
  others<<<4, 128>>>(in, out, 40, 96, 5);
  report(out, 512);
}
