// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that threads leave by a condition which asks for what the branch sets, under the same name, another one or none: the
// condition is asked once. And elements of structures whose place changes while they are changed.
#include <cstdio>

__global__ void left(const unsigned* in, unsigned* out, int n, unsigned limit) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned x = in[i], steps = 90u;
  unsigned& other = steps;
  for (unsigned k = 0; k < limit; ++k) {
    if (other > 3u && (x >> 29) == 5u) {
      steps = 0u;
      break;
    }
    if ((x & 31u) == 7u && steps > 10u) {
      steps = k;
      break;
    }
    x = x * 1664525u + 1013904223u;
  }
  unsigned y = in[i], found = 1u;
  unsigned* const place = &found;
  for (unsigned k = 0; k < limit; ++k) {
    if (*place == 1u && (y >> 28) == 3u) {
      found = k + 2u;
      break;
    }
    y = y * 22695477u + 1u;
  }
  volatile unsigned seen = 4u;
  unsigned z = in[i], last = 77u;
  for (unsigned k = 0; k < limit; ++k) {
    if ((z >> 27) == seen) {
      last = k;
      break;
    }
    z = z * 69069u + 5u;
  }
  out[i] = steps + 100u * found + 10000u * last;
}

struct Pair {
  float a, b;
  __device__ Pair& operator+=(const Pair& other) {
    a += other.a;
    b -= other.b;
    return *this;
  }
};
__device__ void addNext(Pair& to, const float* from, int& k) {
  to.a += from[k];
  ++k;
}

__global__ void moved(const float* in, float* out) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  Pair sums[3];
  for (int i = 0; i < 3; ++i)
    sums[i] = Pair{float(i), float(t)};
  s[t] = in[t];
  __syncthreads();
  for (int k = 0; k < 3;) {
    sums[k] += Pair{s[(t + k) % 64], 1.0f};
    addNext(sums[k], in, k);
  }
  __syncthreads();
  s[t] = sums[0].a + 2.0f * sums[1].a + 4.0f * sums[2].a;
  __syncthreads();
  out[t] = s[63 - t] + sums[0].b + sums[2].b;
}

int main() {
  constexpr int n = 600;
  unsigned *in, *out;
  float *numbers, *sums;
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMallocManaged(&out, n * sizeof *out);
  cudaMallocManaged(&numbers, 64 * sizeof *numbers);
  cudaMallocManaged(&sums, 64 * sizeof *sums);
  unsigned x = 2463534242u;
  for (int i = 0; i < n; ++i) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    in[i] = x;
  }
  for (int i = 0; i < 64; ++i)
    numbers[i] = float(i * 5 % 16) * 0.5f;
  left<<<(n + 127) / 128, 128>>>(in, out, n, 60u);
  cudaDeviceSynchronize();
  unsigned long long sum = 0;
  for (int i = 0; i < n; ++i)
    sum += (unsigned long long)(out[i]) * (i % 9 + 1);
  printf("left: %u %u, sum %llu\n", out[0], out[n - 1], sum);
  moved<<<1, 64>>>(numbers, sums);
  cudaDeviceSynchronize();
  double all = 0.0;
  for (int i = 0; i < 64; ++i)
    all += sums[i] * (i % 5 + 1);
  printf("moved: %g %g, sum %.9g\n", sums[0], sums[63], all);
  cudaFree(in);
  cudaFree(out);
  cudaFree(numbers);
  cudaFree(sums);
  return 0;
}
