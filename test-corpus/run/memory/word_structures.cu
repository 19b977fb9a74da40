// Structures of narrow integers keep their parts when they are read and stored as words.
#include <cstdio>

struct Pixel {
  unsigned char r, g, b, a;
};
struct Sample {
  short left, right, low, high;
};
struct Pair {
  signed char first, second;
};

__device__ uchar4 table[64];

__device__ int brightness(const uchar4 p) { return p.x * 3 + p.y * 6 + p.z; }

__global__ void pixels(const uchar4* in, uchar4* out, unsigned char* grey, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  uchar4 p = in[i];
  p.w = p.x ^ 0x80;
  grey[i] = brightness(p) / 10 + in[n - 1 - i].y / 16;
  out[i] = i % 3 ? p : make_uchar4(p.z, p.y, p.x, 1);
  out[i].z += 2;
}

__global__ void tiles(const Pixel* in, Pixel* out, Sample* samples, Pair* pairs, int n) {
  __shared__ Pixel tile[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x] = in[i % n];
  __syncthreads();
  int red = 0, blue = 0;
  for (int k = -2; k <= 2; ++k) {
    const Pixel near = tile[(threadIdx.x + 64 + k) % 64];
    red += near.r;
    blue -= near.b;
  }
  if (i < n) {
    out[i] = {(unsigned char)(red / 5), tile[threadIdx.x].g, (unsigned char)(blue / 5), 0};
    Sample s = samples[i];
    s.low = s.left - s.right;
    s.high = -s.high;
    samples[i] = s;
    pairs[i] = Pair{pairs[i].second, (signed char)-pairs[i].first};
  }
  table[threadIdx.x] = make_uchar4(threadIdx.x, 1, 2, 3);
}

template <class Vector> __global__ void turned(const Vector* in, Vector* out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    Vector v = in[i];
    const auto x = v.x;
    v.x = v.y;
    v.y = x;
    out[i] = v;
  }
}

template <class Value> unsigned long long sum(const Value* values, int n) {
  const unsigned char* bytes = reinterpret_cast<const unsigned char*>(values);
  unsigned long long total = 0;
  for (unsigned i = 0; i < n * sizeof(Value); ++i)
    total = total * 31 + bytes[i];
  return total;
}

int main() {
  const int n = 1000;
  unsigned char *in, *out, *grey;
  cudaMallocManaged(&in, n * 8);
  cudaMallocManaged(&out, n * 8);
  cudaMallocManaged(&grey, n);
  for (int i = 0; i < n * 8; ++i)
    in[i] = (unsigned char)(i * 73 + i / 7);
  pixels<<<(n + 127) / 128, 128>>>((uchar4*)in, (uchar4*)out, grey, n);
  cudaDeviceSynchronize();
  printf("%llu %llu\n", sum((uchar4*)out, n), sum(grey, n));
  Sample* samples;
  Pair* pairs;
  cudaMallocManaged(&samples, n * sizeof(Sample));
  cudaMallocManaged(&pairs, n * sizeof(Pair));
  for (int i = 0; i < n; ++i) {
    samples[i] = {short(i * 77), short(-i * 33), 0, short(i * 1234)};
    pairs[i] = {(signed char)(i * 5), (signed char)(-i)};
  }
  tiles<<<(n + 63) / 64, 64>>>((Pixel*)in, (Pixel*)out, samples, pairs, n);
  cudaDeviceSynchronize();
  printf("%llu %llu %llu\n", sum((Pixel*)out, n), sum(samples, n), sum(pairs, n));
  uchar4 host[64];
  cudaMemcpyFromSymbol(host, table, sizeof host);
  printf("%llu\n", sum(host, 64));
  turned<<<1, 96>>>((uchar4*)in, (uchar4*)out, n);
  cudaDeviceSynchronize();
  printf("%llu\n", sum((uchar4*)out, n));
  turned<<<1, 96>>>((short2*)in, (short2*)out, n);
  cudaDeviceSynchronize();
  printf("%llu\n", sum((short2*)out, n));
  turned<<<1, 96>>>((int2*)in, (int2*)out, n);
  cudaDeviceSynchronize();
  printf("%llu\n", sum((int2*)out, n));
}
