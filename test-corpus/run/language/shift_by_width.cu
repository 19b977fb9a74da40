// A shift by as many bits as a value has moves all of them out, where code that packs bits relies
// on it: `x << (32 - n)`, masks `(1 << n) - 1`, also 64 bits wide, signed, compound, in templates,
// between barriers. Rotations give the same either way.
#include <cstdio>

__device__ unsigned lowBits(unsigned n) { return (1u << n) - 1; }
__host__ __device__ unsigned upper(unsigned x, int n) { return x >> (32 - n); }
template <class T> __device__ T rest(T x, int n) { return x << (int(sizeof(T)) * 8 - n); }

__global__ void scalar(const int* counts, unsigned* out, unsigned long long* wide) {
  const int n = counts[threadIdx.x];
  const unsigned x = 0xdeadbeefu + threadIdx.x;
  unsigned* mine = out + threadIdx.x * 8;
  mine[0] = x << 32 - n;
  mine[1] = upper(x, n);
  mine[2] = unsigned(int(x) >> (32 - n));
  mine[3] = lowBits(n);
  mine[4] = x << n | x >> (32 - n);
  mine[5] = x;
  mine[5] <<= 32 - n;
  mine[6] = rest(x, n);
  mine[7] = unsigned((1 << n) - 1);
  const unsigned long long y = 0x123456789abcdef0ull + threadIdx.x;
  wide[threadIdx.x * 3] = y >> (64 - 2 * n);
  wide[threadIdx.x * 3 + 1] = (1ull << 2 * n) - 1;
  wide[threadIdx.x * 3 + 2] = rest(y, 2 * n);
}

// Words of different lengths, packed into one row of bits by the whole block.
__global__ void pack(const unsigned* words, const int* lengths, unsigned* out) {
  __shared__ unsigned start[33], row[40];
  const int t = threadIdx.x;
  row[t] = 0;
  if (t < 8)
    row[32 + t] = 0;
  if (t == 0) {
    start[0] = 0;
    for (int i = 0; i < 32; ++i)
      start[i + 1] = start[i] + lengths[i];
  }
  __syncthreads();
  const unsigned word = words[t] & ((1u << lengths[t]) - 1), at = start[t] / 32,
                 bit = start[t] % 32;
  const unsigned aligned = word << (32 - lengths[t]);
  __syncthreads();
  atomicOr(&row[at], aligned >> bit);
  atomicOr(&row[at + 1], aligned << (32 - bit));
  __syncthreads();
  out[t] = row[t];
}

int main() {
  int *counts, *lengths;
  unsigned *out, *words;
  unsigned long long* wide;
  cudaMallocManaged(&counts, 33 * sizeof(int));
  cudaMallocManaged(&out, 33 * 8 * sizeof(unsigned));
  cudaMallocManaged(&wide, 33 * 3 * sizeof(unsigned long long));
  cudaMallocManaged(&lengths, 32 * sizeof(int));
  cudaMallocManaged(&words, 32 * sizeof(unsigned));
  for (int i = 0; i <= 32; ++i)
    counts[i] = i;
  scalar<<<1, 33>>>(counts, out, wide);
  cudaDeviceSynchronize();
  for (int i = 0; i <= 32; ++i) {
    printf("%2d:", i);
    for (int k = 0; k < 8; ++k)
      printf(" %08x", out[i * 8 + k]);
    printf(" %016llx %016llx %016llx\n", wide[i * 3], wide[i * 3 + 1], wide[i * 3 + 2]);
  }
  for (int i = 0; i < 32; ++i) {
    words[i] = 0x9e3779b9u * (i + 1);
    lengths[i] = i % 3 == 0 ? 32 : i % 7 + 1;
  }
  pack<<<1, 32>>>(words, lengths, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; ++i)
    printf("%08x%c", out[i], i % 8 == 7 ? '\n' : ' ');
  return 0;
}
