// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops by the grid compute with objects that the kernel is given, whatever these let others see of themselves: with
// private members, arrays, structures in structures and bases, in constant memory, by reference and in methods that
// return in the middle; an object that threads change is each thread's own.
#include <cstdio>
#include <cstdlib>

class Mixer {
public:
  __host__ __device__ explicit Mixer(unsigned long long seed)
      : low_((unsigned)seed), high_((unsigned)(seed >> 32)) {}
  __device__ uint4 operator()(unsigned long long counter, unsigned stream) const {
    uint4 c = make_uint4((unsigned)counter, (unsigned)(counter >> 32), stream, 0u);
    unsigned a = low_, b = high_;
    for (int round = 0; round < 7; ++round) {
      c = once(c, a, b);
      a += 0x9E3779B9u;
      b += 0xBB67AE85u;
    }
    return c;
  }

private:
  __device__ static uint4 once(uint4 c, unsigned a, unsigned b) {
    const unsigned high = __umulhi(0xD2511F53u, c.x), low = 0xD2511F53u * c.z;
    return make_uint4(high ^ c.y ^ a, low, c.w ^ b ^ c.x, high * 3u);
  }
  unsigned low_, high_;
};

struct Scale {
  int by[2][2];
};
struct Weights : Scale {
  int w[4];
  struct {
    short first, second;
  } shift;
  __device__ int operator()(const uint4& v) const {
    if (v.x % 5u == 0u)
      return w[0];
    int sum = 0;
    for (int k = 0; k < 2; ++k)
      sum += w[k] * by[k][1 - k];
    if (v.y & 1u)
      return sum + shift.first;
    return sum - shift.second + int(v.z & 15u) * w[3];
  }
};
__constant__ Weights fixed;
__constant__ int table[4];

__device__ int weigh(const Weights& f, uint4 v) { return f(v) * f.w[2]; }

// What `next` changes is a thread's own.
class Counter {
  unsigned state_[2];

public:
  __host__ __device__ Counter(unsigned a, unsigned b) {
    state_[0] = a;
    state_[1] = b;
  }
  __device__ unsigned next() {
    state_[0] = state_[0] * 1664525u + 1013904223u;
    state_[1] ^= state_[0] >> 7;
    return state_[0] ^ state_[1];
  }
};

template <class Random, class Function>
__global__ void by_value(Random random, Function f, unsigned long long n, unsigned stream, int* out) {
  const unsigned long long t = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (unsigned long long i = t; i < n; i += (unsigned long long)gridDim.x * blockDim.x) {
    const uint4 v = random(i, stream);
    sum += f(v) ^ weigh(f, v);
    sum += f.w[1] * f.by[1][0] - f.shift.second;
  }
  out[t] = sum;
}

__global__ void in_constants(Mixer random, int n, int* out) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  int i = t;
  while (i < n) {
    const uint4 v = random(i, 3u);
    sum += weigh(fixed, v) + table[1] * int(v.x & 7u) - fixed.w[0] + fixed.by[0][1];
    for (int k = 0; k < 4; ++k)
      sum ^= table[k] + int(v.y & 3u);
    if (sum > 100000)
      sum -= 100000;
    i += blockDim.x * gridDim.x;
  }
  out[t] = sum;
}

__global__ void changed(Counter counter, Weights f, int n, int* out) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  f.w[2] += t;
  int sum = 0;
  for (int i = t; i < n; i += blockDim.x * gridDim.x) {
    const unsigned r = counter.next();
    sum += f(make_uint4(r, r >> 3, r >> 5, r >> 9)) + f.w[2];
    f.w[3] ^= sum & 1;
  }
  out[t] = sum;
}

int main() {
  const int threads = 128, n = 1000;
  Weights weights;
  weights.by[0][0] = 2, weights.by[0][1] = 3, weights.by[1][0] = 5, weights.by[1][1] = 7;
  for (int k = 0; k < 4; ++k)
    weights.w[k] = k * k + 1;
  weights.shift.first = 4, weights.shift.second = 9;
  const int numbers[4] = {3, 1, 4, 1};
  cudaMemcpyToSymbol(fixed, &weights, sizeof weights);
  cudaMemcpyToSymbol(table, numbers, sizeof numbers);
  int* out;
  cudaMallocManaged(&out, 3 * threads * sizeof(int));
  by_value<<<2, 64>>>(Mixer(0x1234567890abcdefull), weights, n, 7u, out);
  in_constants<<<4, 32>>>(Mixer(99), n, out + threads);
  changed<<<2, 64>>>(Counter(5, 6), weights, n, out + 2 * threads);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 1;
  for (int i = 0; i < 3 * threads; ++i)
    printf("%d%c", out[i], i % 16 == 15 ? '\n' : ' ');
  return 0;
}
