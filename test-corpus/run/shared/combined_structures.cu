// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared arrays of structures whose elements are combined with each other, in ways that let compilers see an array for
// each part and in ways that do not.
#include <cstdio>

struct Stats {
  double sum;
  float low, high;
};
__host__ __device__ Stats joined(const Stats& a, const Stats& b) {
  Stats r;
  r.sum = a.sum + b.sum;
  r.low = fminf(a.low, b.low);
  r.high = fmaxf(a.high, b.high);
  return r;
}
__global__ void stats(const float* in, Stats* out, int n) {
  __shared__ Stats s[128];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 128 + t;
  const float v = i < n ? in[i] : 0.0f;
  s[t].sum = v;
  s[t].low = v;
  s[t].high = v;
  __syncthreads();
  for (int d = 64; d > 0; d >>= 1) {
    if (t < d)
      s[t] = joined(s[t], s[t + d]);
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

// A choice between elements, two dimensions, places that threadIdx names.
struct Place {
  float value;
  int index;
};
__global__ void largest(const float* in, Place* out, int n) {
  __shared__ Place best[2][64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  const Place mine = {i < n ? in[i] : -1.0f, i};
  best[0][threadIdx.x] = mine;
  best[1][threadIdx.x] = {-mine.value, i};
  __syncthreads();
  for (unsigned d = 32; d > 0; d /= 2) {
    if (threadIdx.x < d) {
      if (best[0][threadIdx.x + d].value > best[0][threadIdx.x].value)
        best[0][threadIdx.x] = best[0][threadIdx.x + d];
      best[1][threadIdx.x] = best[1][threadIdx.x + d].value > best[1][threadIdx.x].value ? best[1][threadIdx.x + d]
                                                                                         : best[1][threadIdx.x];
    }
    __syncthreads();
  }
  if (threadIdx.x < 2) out[blockIdx.x * 2 + threadIdx.x] = best[threadIdx.x][0];
}

// An element's place is told, a part's address is taken, all bytes are looked at.
__device__ const Place& further(const Place& a, const Place& b) { return a.value < b.value ? b : a; }
__global__ void byPlace(const float* in, int* out) {
  __shared__ Place s[32];
  __shared__ Place counts[32];
  const int t = threadIdx.x;
  s[t] = {in[t], t};
  counts[t].value = in[t];
  counts[t].index = 0;
  __syncthreads();
  if (t < 16) {
    const Place* at = &further(s[t], s[t + 16]);
    out[t] = int(at - s);
    s[t] = further(s[t], s[t + 16]);
    counts[t].value += counts[t + 16].value;
  }
  atomicAdd(&counts[t % 4].index, 1);
  __syncthreads();
  const int* words = reinterpret_cast<const int*>(counts);
  out[16 + t] = words[2 * t + 1] + int(counts[t].value) * 10 + int(sizeof(s) / 32);
}

// The place is another one behind the value; a function changes what it is given.
struct Pair {
  int a, b;
};
__device__ void addTo(Pair& to, const Pair& from) {
  to.a += from.a;
  to.b -= from.b;
}
__device__ Pair sum(Pair x, const Pair& y) { return Pair{x.a + y.a, x.b + y.b}; }
__global__ void moving(const int* in, int* out) {
  __shared__ Pair p[64];
  __shared__ Pair q[64];
  int t = threadIdx.x;
  p[t] = Pair{in[t], t};
  q[t] = Pair{t, in[t]};
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    Pair with = {0, 0};
    if (t >= d) with = p[t - d];
    __syncthreads();
    p[t] = sum(p[t], with);
    __syncthreads();
  }
  for (int d = 32; d > 0; d /= 2) {
    if (t < d) addTo(q[t], q[t + d]);
    __syncthreads();
  }
  out[2 * t] = p[t].a + p[63 - t].b;
  out[2 * t + 1] = q[t].a - q[t].b;
}

int main() {
  constexpr int n = 500;
  float* in;
  int *numbers, *out;
  Stats* partial;
  Place* places;
  cudaMallocManaged(&in, n * sizeof(float));
  cudaMallocManaged(&numbers, 64 * sizeof(int));
  cudaMallocManaged(&out, 128 * sizeof(int));
  cudaMallocManaged(&partial, 4 * sizeof(Stats));
  cudaMallocManaged(&places, 16 * sizeof(Place));
  for (int i = 0; i < n; ++i) in[i] = float(i * 37 % 501) / 4;
  for (int i = 0; i < 64; ++i) numbers[i] = i * 29 % 31;
  stats<<<4, 128>>>(in, partial, n);
  largest<<<8, 64>>>(in, places, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < 4; ++i) printf("%g %g %g\n", partial[i].sum, partial[i].low, partial[i].high);
  for (int i = 0; i < 16; ++i) printf("%g@%d ", places[i].value, places[i].index);
  byPlace<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  printf("\n");
  for (int i = 0; i < 48; ++i) printf("%d ", out[i]);
  moving<<<1, 64>>>(numbers, out);
  cudaDeviceSynchronize();
  printf("\n");
  for (int i = 0; i < 128; ++i) printf("%d ", out[i]);
  printf("\n");
  return 0;
}
