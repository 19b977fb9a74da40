// A bitonic sort of keys and values in shared memory whose comparator gets pointers to elements,
// and one whose pointers are moved.
#include <cstdio>

typedef unsigned int uint;
#define CHUNK 512

__device__ static inline void comparator(uint* keyA, uint* valA, uint* keyB, uint* valB,
                                         uint ascending) {
  uint t;
  if ((*keyA > *keyB) == ascending) {
    t = *keyA;
    *keyA = *keyB;
    *keyB = t;
    t = *valA;
    *valA = *valB;
    *valB = t;
  }
}

// Moves its pointers: they are no elements' names.
__device__ static inline void swapRows(int* a, int* b, int rows) {
  int t;
  if (*a > *b) {
    for (int i = 0; i < rows; ++i) {
      t = *a;
      *a = *b;
      *b = t;
      a += CHUNK;
      b += CHUNK;
    }
  }
}

__global__ void sortChunks(uint* keys, uint* values) {
  __shared__ uint key[CHUNK];
  __shared__ uint value[CHUNK];
  const uint base = blockIdx.x * CHUNK + threadIdx.x;
  key[threadIdx.x] = keys[base];
  value[threadIdx.x] = values[base];
  key[threadIdx.x + CHUNK / 2] = keys[base + CHUNK / 2];
  value[threadIdx.x + CHUNK / 2] = values[base + CHUNK / 2];
  uint size, stride;
  for (size = 2; size <= CHUNK; size <<= 1) {
    uint comparison = blockIdx.x * (CHUNK / 2) + threadIdx.x;
    uint ascending = (comparison & (size / 2)) == 0;
    for (stride = size / 2; stride > 0; stride >>= 1) {
      uint at = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      __syncthreads();
      comparator(&key[at], &value[at], &key[at + stride], &value[at + stride], ascending);
    }
  }
  __syncthreads();
  keys[base] = key[threadIdx.x];
  values[base] = value[threadIdx.x];
  keys[base + CHUNK / 2] = key[threadIdx.x + CHUNK / 2];
  values[base + CHUNK / 2] = value[threadIdx.x + CHUNK / 2];
}

__global__ void oddEven(int* pairs) {
  __shared__ int rows[2 * CHUNK];
  for (int i = threadIdx.x; i < 2 * CHUNK; i += blockDim.x)
    rows[i] = pairs[i];
  for (int step = 0; step < CHUNK; ++step) {
    const int at = 2 * threadIdx.x + (step & 1);
    __syncthreads();
    if (at + 1 < CHUNK)
      swapRows(&rows[at], &rows[at + 1], 2);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 2 * CHUNK; i += blockDim.x)
    pairs[i] = rows[i];
}

int main() {
  const int n = 4 * CHUNK;
  uint *keys, *values;
  int* pairs;
  cudaMallocManaged(&keys, n * sizeof(uint));
  cudaMallocManaged(&values, n * sizeof(uint));
  cudaMallocManaged(&pairs, 2 * CHUNK * sizeof(int));
  for (int i = 0; i < n; ++i) {
    keys[i] = uint(i) * 2654435769u ^ 0x5bd1e995u;
    values[i] = i;
  }
  for (int i = 0; i < CHUNK; ++i) {
    pairs[i] = i * 37 % 101;
    pairs[CHUNK + i] = i;
  }
  sortChunks<<<4, CHUNK / 2>>>(keys, values);
  oddEven<<<1, CHUNK / 2>>>(pairs);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  unsigned long long sum = 0, orders = 0;
  for (int i = 0; i < n; ++i) {
    sum += (unsigned long long)(keys[i] >> 8) * (i % 31) + values[i] * 3ull * (i % 17);
    orders += i % CHUNK != 0 && keys[i - 1] <= keys[i];
  }
  printf("%llu %llu %u %u\n", sum, orders, keys[5], values[700]);
  for (int i = 0; i < CHUNK; i += 50)
    printf("%d ", pairs[i]);
  long long places = 0;
  for (int i = 0; i < CHUNK; ++i)
    places += (long long)(pairs[CHUNK + i] * 37 % 101 == pairs[i]);
  printf("\n%lld\n", places);
}
