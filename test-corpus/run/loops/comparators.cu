// Sorting networks whose comparators ask functions of the keys, have variables of their own, carry values along, or
// change what they ask: exchanges that may store in any case, and some that may not.
#include <cstdio>

__device__ bool precedes(unsigned ka, unsigned va, unsigned kb, unsigned vb) { return ka < kb || (ka == kb && va < vb); }
template <typename T> __device__ bool isLess(T a, T b) { return a < b; }
__device__ bool isLessByReference(const int& a, const int& b) { return a < b; }

__device__ void compareBoth(unsigned& ka, unsigned& va, unsigned& kb, unsigned& vb, bool up) {
  if (precedes(kb, vb, ka, va) == up) {
    unsigned t = ka;
    ka = kb;
    kb = t;
    t = va;
    va = vb;
    vb = t;
  }
}
__device__ void compareKeys(unsigned& ka, unsigned& va, unsigned& kb, unsigned& vb, unsigned up) {
  unsigned t;
  if ((ka > kb) == up) {
    t = ka; ka = kb; kb = t;
    t = va; va = vb; vb = t;
  }
}

__global__ void sortPairs(unsigned* keys, unsigned* values, int kind) {
  __shared__ unsigned k[256], v[256];
  const unsigned t = threadIdx.x, base = blockIdx.x * 256;
  for (unsigned i = t; i < 256; i += 128) k[i] = keys[base + i], v[i] = values[base + i];
  for (unsigned size = 2; size <= 256; size <<= 1) {
    const bool up = size < 256 ? (t & (size / 2)) == 0 : true;
    for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      const unsigned at = 2 * t - (t & (stride - 1));
      if (kind == 0)
        compareBoth(k[at], v[at], k[at + stride], v[at + stride], up);
      else
        compareKeys(k[at], v[at], k[at + stride], v[at + stride], up);
    }
  }
  __syncthreads();
  for (unsigned i = t; i < 256; i += 128) keys[base + i] = k[i], values[base + i] = v[i];
}

template <typename T> __global__ void sortLess(T* keys) {
  __shared__ T k[128];
  const int t = threadIdx.x;
  k[t] = keys[blockIdx.x * 128 + t];
  for (int size = 2; size <= 128; size <<= 1)
    for (int stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      const int other = t ^ stride;
      if (other > t)
        if (isLess(k[other], k[t]) == ((t & size) == 0)) {
          T keep = k[t];
          k[t] = k[other];
          k[other] = keep;
        }
    }
  __syncthreads();
  keys[blockIdx.x * 128 + t] = k[t];
}

// What is asked by reference, and only under a condition, tells nothing of who reads what.
__global__ void oddEven(int* keys, int rounds) {
  __shared__ int k[64];
  const int t = threadIdx.x;
  k[2 * t] = keys[2 * t];
  k[2 * t + 1] = keys[2 * t + 1];
  for (int r = 0; r < rounds; ++r) {
    __syncthreads();
    const int at = 2 * t + r % 2;
    if (at + 1 < 64 && isLessByReference(k[at + 1], k[at])) {
      int keep = k[at];
      k[at] = k[at + 1];
      k[at + 1] = keep;
    }
  }
  __syncthreads();
  keys[2 * t] = k[2 * t];
  keys[2 * t + 1] = k[2 * t + 1];
}

int main() {
  const int n = 1024;
  unsigned *keys, *values;
  int* whole;
  float* parts;
  cudaMallocManaged(&keys, n * sizeof(unsigned));
  cudaMallocManaged(&values, n * sizeof(unsigned));
  cudaMallocManaged(&whole, n * sizeof(int));
  cudaMallocManaged(&parts, n * sizeof(float));
  for (int kind = 0; kind < 2; ++kind) {
    for (int i = 0; i < n; ++i) keys[i] = i * 7919u % (kind == 0 ? 57u : 1021u), values[i] = i;
    sortPairs<<<n / 256, 128>>>(keys, values, kind);
    cudaDeviceSynchronize();
    unsigned long long sum = 0;
    bool sorted = true;
    for (int i = 0; i < n; ++i) {
      sum += (i % 89 + 1ull) * keys[i] + (i % 97 + 1ull) * values[i];
      sorted &= i % 256 == 0 || keys[i - 1] <= keys[i];
    }
    printf("pairs %d: %llu %d\n", kind, sum, sorted);
  }
  for (int i = 0; i < n; ++i) whole[i] = i * 523 % 1009 - 500, parts[i] = (i * 37 % 211) * 0.5f - 20;
  sortLess<<<n / 128, 128>>>(whole);
  sortLess<<<n / 128, 128>>>(parts);
  cudaDeviceSynchronize();
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += (i % 31 + 1.0) * whole[i] + (i % 29 + 1.0) * parts[i];
  printf("less: %.1f %d %d\n", sum, whole[0], whole[127]);
  for (int rounds : {1, 5, 64}) {
    for (int i = 0; i < 64; ++i) whole[i] = i * 23 % 67;
    oddEven<<<1, 32>>>(whole, rounds);
    cudaDeviceSynchronize();
    long long all = 0;
    for (int i = 0; i < 64; ++i) all = all * 5 % 1000003 + whole[i];
    printf("odd and even, %d rounds: %lld\n", rounds, all);
  }
}
