// Places in shared arrays that are moved on so that a GPU's memory banks do not meet: by macros, by statements of their own,
// by variables; and arrays of which one place is not moved on, or by another number.
#include <cstdio>

#define LOG_BANKS 5
#define OFFSET(n) ((n) >> LOG_BANKS)
#define PAD(i) ((i) + ((i) >> LOG_BANKS))

constexpr int threads = 128, items = 2 * threads;

__global__ void byMacro(const unsigned* in, unsigned* out, unsigned* sums, unsigned n) {
  extern __shared__ unsigned temp[];
  const unsigned t = threadIdx.x, base = blockIdx.x * items;
  temp[PAD(t)] = base + t < n ? in[base + t] : 0u;
  temp[PAD(t + threads)] = base + t + threads < n ? in[base + t + threads] : 0u;
  unsigned offset = 1;
  for (unsigned d = threads; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) {
      const unsigned ai = offset * (2 * t + 1) - 1, bi = offset * (2 * t + 2) - 1;
      temp[PAD(bi)] += temp[PAD(ai)];
    }
    offset <<= 1;
  }
  if (t == 0) {
    if (sums)
      sums[blockIdx.x] = temp[PAD(items - 1)];
    temp[PAD(items - 1)] = 0;
  }
  for (unsigned d = 1; d <= threads; d <<= 1) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      const unsigned ai = offset * (2 * t + 1) - 1, bi = offset * (2 * t + 2) - 1;
      const unsigned x = temp[PAD(ai)];
      temp[PAD(ai)] = temp[PAD(bi)];
      temp[PAD(bi)] += x;
    }
  }
  __syncthreads();
  if (base + t < n)
    out[base + t] = temp[PAD(t)];
  if (base + t + threads < n)
    out[base + t + threads] = temp[PAD(t + threads)];
}

template <class T> __global__ void byStatements(const T* in, T* out) {
  __shared__ T temp[items + items / 32];
  const int t = threadIdx.x;
  const int ai = t, bi = t + threads;
  const int moveA = OFFSET(ai), moveB = bi / 32;
  temp[ai + moveA] = in[blockIdx.x * items + ai];
  temp[bi + moveB] = in[blockIdx.x * items + bi];
  int offset = 1;
  for (int d = items >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) {
      int l = offset * (2 * t + 1) - 1;
      int r = offset * (2 * t + 2) - 1;
      l += OFFSET(l);
      r += OFFSET(r);
      temp[r] += temp[l];
    }
    offset *= 2;
  }
  __syncthreads();
  const int last = items - 1 + OFFSET(items - 1);
  if (t == 0)
    temp[last] += T(1);
  __syncthreads();
  out[blockIdx.x * items + ai] = temp[ai + OFFSET(ai)];
  out[blockIdx.x * items + bi] = temp[bi + OFFSET(bi)];
}

// Not all places are moved on alike: each reaches what it did.
__global__ void mixed(const int* in, int* out) {
  __shared__ int a[items], b[items], c[items], d[items], e[items];
  const int t = threadIdx.x;
  a[t + (t >> 5)] = in[t];
  b[t + (t >> 4)] = in[t] + 1;
  c[t + t / 32] = in[t] + 2;
  int place = t;
  d[place] = in[t];
  e[t + (t >> 5)] = 5 * in[t];
  if (t >= 96)
    d[t + 32] = d[t + 64] = 7 * t;
  __syncthreads();
  place += place >> 5;
  int other = t + 1;
  other += other >> 5;
  int x = a[t < 32 ? t : t < 63 ? t + 1 : 64];
  x += b[(t ^ 1) + ((t ^ 1) >> 4)];
  x += 3 * c[(t ^ 2) + (t ^ 2) / 32] + 10 * d[place];
  x += t < 127 ? e[other] : 0;
  out[t] = x;
}

// The same memory by its name in another function, and as two arrays.
__device__ unsigned firstOf(unsigned place) {
  extern __shared__ unsigned temp[];
  return temp[place + (place >> 5)];
}
__global__ void byFunction(const unsigned* in, unsigned* out) {
  extern __shared__ unsigned temp[];
  const unsigned t = threadIdx.x;
  temp[PAD(t)] = in[t];
  __syncthreads();
  out[t] = firstOf(t ^ 65) + 3 * temp[PAD(t ^ 3)];
}

// Lambdas: what they are given and what they copy stays what it was, whatever changes meanwhile.
__device__ int counted;
__global__ void byLambdas(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[threads];
  const unsigned t = threadIdx.x;
  unsigned pair[2] = {in[t], t}, step = t % 7;
  unsigned* const place = &step;
  auto store = [=](unsigned more) { out[t] = pair[0] + more * pair[1]; };
  auto twice = [&](unsigned by) {
    *place += 1;
    s[t ^ 1] += by * 2;
  };
  s[t] = t;
  pair[0] = 1000;
  store(3);
  __syncthreads();
  if (t == 0)
    counted = 1;
  twice(step);
  __syncthreads();
  out[t] += s[t] + 100 * step + pair[0];
}

int main() {
  const int blocks = 3, n = blocks * items - 37;
  unsigned *in, *out, *sums;
  cudaMallocManaged(&in, blocks * items * sizeof(unsigned));
  cudaMallocManaged(&out, blocks * items * sizeof(unsigned));
  cudaMallocManaged(&sums, blocks * sizeof(unsigned));
  for (int i = 0; i < blocks * items; ++i)
    in[i] = i * 7 % 23, out[i] = 0;
  byMacro<<<blocks, threads, (items + items / 32) * sizeof(unsigned)>>>(in, out, sums, n);
  cudaDeviceSynchronize();
  unsigned long long sum = 0;
  for (int i = 0; i < blocks * items; ++i)
    sum += out[i] * (i % 13 + 1ull);
  printf("macro: %llu %u %u %u\n", sum, sums[0], sums[1], sums[2]);
  byFunction<<<1, threads, (threads + threads / 32) * sizeof(unsigned)>>>(in, out);
  cudaDeviceSynchronize();
  sum = 0;
  for (int i = 0; i < threads; ++i)
    sum += out[i] * (i % 13 + 1ull);
  printf("function: %llu %u %u\n", sum, out[0], out[127]);
  byLambdas<<<1, threads>>>(in, out);
  cudaDeviceSynchronize();
  sum = 0;
  for (int i = 0; i < threads; ++i)
    sum += out[i] * (i % 13 + 1ull);
  printf("lambdas: %llu %u %u\n", sum, out[0], out[127]);
  float *f, *g;
  cudaMallocManaged(&f, blocks * items * sizeof(float));
  cudaMallocManaged(&g, blocks * items * sizeof(float));
  for (int i = 0; i < blocks * items; ++i)
    f[i] = i % 11 * 0.25f;
  byStatements<float><<<blocks, threads>>>(f, g);
  cudaDeviceSynchronize();
  double total = 0;
  for (int i = 0; i < blocks * items; ++i)
    total += g[i] * (i % 7 + 1);
  printf("statements: %.2f %.2f\n", total, g[items - 1]);
  int *k, *l;
  cudaMallocManaged(&k, threads * sizeof(int));
  cudaMallocManaged(&l, threads * sizeof(int));
  for (int i = 0; i < threads; ++i)
    k[i] = i * 3 % 19;
  mixed<<<1, threads>>>(k, l);
  cudaDeviceSynchronize();
  long long all = 0;
  for (int i = 0; i < threads; ++i)
    all += l[i] * (i % 5 + 1ll);
  printf("mixed: %lld %d %d\n", all, l[0], l[127]);
  return 0;
}
