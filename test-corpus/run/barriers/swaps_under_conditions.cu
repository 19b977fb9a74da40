// Exchanges under conditions: sorting networks in shared memory with keys and values, by reference
// and by element, and a small network of each thread.
#include <cstdio>

__device__ inline void exchange(int& a, int& b, bool rising) {
  if ((a > b) == rising) {
    int t = a;
    a = b;
    b = t;
  }
}

__device__ inline void exchangePairs(int& keyA, int& valueA, int& keyB, int& valueB, int rising) {
  int t;
  if ((keyA > keyB) == rising) {
    t = keyA;
    keyA = keyB;
    keyB = t;
    t = valueA;
    valueA = valueB;
    valueB = t;
  }
}

__global__ void sortKeys(int* keys) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = keys[blockIdx.x * 256 + t];
  s[t + 128] = keys[blockIdx.x * 256 + t + 128];
  for (int size = 2; size <= 256; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      int p = 2 * t - (t & (stride - 1));
      exchange(s[p], s[p + stride], (p & size) == 0);
    }
  __syncthreads();
  keys[blockIdx.x * 256 + t] = s[t];
  keys[blockIdx.x * 256 + t + 128] = s[t + 128];
}

__global__ void sortByPartner(int* keys, int n) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = t < n ? keys[t] : 1 << 30;
  for (int k = 2; k <= 256; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      __syncthreads();
      int p = t ^ j;
      if (p > t) {
        if ((t & k) == 0) {
          if (s[t] > s[p]) { int x = s[t]; s[t] = s[p]; s[p] = x; }
        } else {
          if (s[t] < s[p]) { int x = s[t]; s[t] = s[p]; s[p] = x; }
        }
      }
    }
  __syncthreads();
  if (t < n)
    keys[t] = s[t];
}

__global__ void sortPairs(int* keys, int* values) {
  __shared__ int k[128], v[128];
  int t = threadIdx.x;
  for (int i = t; i < 128; i += 64) {
    k[i] = keys[i];
    v[i] = values[i];
  }
  for (int size = 2; size <= 128; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      int p = 2 * t - (t & (stride - 1));
      exchangePairs(k[p], v[p], k[p + stride], v[p + stride], (p & size) == 0);
    }
  __syncthreads();
  for (int i = t; i < 128; i += 64) {
    keys[i] = k[i];
    values[i] = v[i];
  }
}

// Elements behind the end are not asked for.
__global__ void medians(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int w[5];
  for (int k = 0; k < 5; ++k)
    w[k] = i + k < n ? in[i + k] : 0;
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < 4 - a; ++b)
      if (b + 1 < 5 && w[b] > w[b + 1]) {
        int x = w[b];
        w[b] = w[b + 1];
        w[b + 1] = x;
      }
  out[i] = w[2];
}

// What a loop passes over, and counts.
__global__ void count(const int* in, int n, int* bins) {
  __shared__ int s[16];
  if (threadIdx.x < 16)
    s[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int v = in[i] % 37;
    if (v < 3 || v >= 30)
      continue;
    int b = v / 2;
    if (b == 7) {
      continue;
    }
    atomicAdd(&s[b], 1);
  }
  __syncthreads();
  if (threadIdx.x < 16)
    atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}

static unsigned hash(const int* a, int n) {
  unsigned h = 1;
  for (int i = 0; i < n; ++i)
    h = h * 31 + unsigned(a[i]);
  return h;
}

int main() {
  const int n = 1000;
  int *a, *b, *c;
  cudaMallocManaged(&a, 1024 * sizeof(int));
  cudaMallocManaged(&b, 1024 * sizeof(int));
  cudaMallocManaged(&c, 1024 * sizeof(int));
  const auto fill = [&] {
    for (int i = 0; i < 1024; ++i) {
      a[i] = int((i * 2654435761u) >> 12) % 5003;
      b[i] = i;
      c[i] = 0;
    }
  };
  fill();
  sortKeys<<<4, 128>>>(a);
  cudaDeviceSynchronize();
  printf("keys %u %d %d\n", hash(a, 1024), a[0], a[255]);
  fill();
  sortByPartner<<<1, 256>>>(a, 200);
  cudaDeviceSynchronize();
  printf("partners %u %d %d\n", hash(a, 1024), a[0], a[199]);
  fill();
  sortPairs<<<1, 64>>>(a, b);
  cudaDeviceSynchronize();
  printf("pairs %u %u\n", hash(a, 1024), hash(b, 1024));
  fill();
  medians<<<8, 128>>>(a, c, n);
  cudaDeviceSynchronize();
  printf("medians %u\n", hash(c, 1024));
  fill();
  count<<<3, 96>>>(a, n, c);
  cudaDeviceSynchronize();
  for (int i = 0; i < 16; ++i)
    printf("%d%c", c[i], i < 15 ? ' ' : '\n');
}
