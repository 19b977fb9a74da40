// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads leave loops of methods one by one: of objects that the kernel is given, that it makes, or
// that a template gets; by return, by break, and where values are set before.
#include <cstdio>

constexpr unsigned nobody = 1000000u;

// Objects that know a rule and a limit.
struct Walk {
  unsigned factor, limit;
  float bound;
  // Operators, and loops that a condition ends.
  __device__ unsigned operator()(unsigned x) const {
    unsigned n = 0;
    while (n < limit && (x >> 28) != 7u) {
      x = x * factor + 12345u;
      ++n;
    }
    return n;
  }
  // Returns from a loop; what follows is known before.
  __device__ unsigned firstAbove(unsigned x) const {
    for (unsigned n = 0; n < limit; ++n) {
      if (x > 4000000000u)
        return n;
      x = x * factor + 977u;
    }
    return limit;
  }
  // What follows is not.
  __device__ unsigned firstOrLast(unsigned x) const {
    for (unsigned n = 0; n < limit; ++n) {
      if ((x & 63u) == 5u) {
        const unsigned more = n * 2u + 1u;
        return more;
      } else if ((x & 255u) == 17u)
        return nobody + n;
      x = x * factor + 3u;
    }
    x ^= x >> 7;
    return x % 1009u + limit;
  }
  // Before the loop, in one, in a second one, and behind all.
  __device__ unsigned twice(unsigned x, unsigned extra) const {
    if (x < 1000u)
      return nobody * 2u;
    unsigned n = 0;
    do {
      if ((x >> 24) == 200u)
        return n;
      x = x * 22695477u + 1u;
      ++n;
    } while (n < limit / 2u);
    for (; n < limit; ++n)
      if ((x += extra * factor) < 200000000u)
        return nobody + n;
    return nobody * 3u + (x & 15u);
  }
  // Loops in loops stay.
  __device__ unsigned nested(unsigned x) const {
    for (unsigned i = 0; i < 4u; ++i)
      for (unsigned j = 0; j < 8u; ++j) {
        if ((x & 31u) == j)
          return i * 8u + j;
        x = x * factor + 1u;
      }
    return 99u;
  }
  // Numbers given by reference.
  __device__ void settle(unsigned x, unsigned& steps, unsigned& last) const {
    steps = 0u;
    while (true) {
      if (steps >= limit)
        return;
      if ((x >> 30) == 3u && (x & 1u)) {
        last = x;
        return;
      }
      x = x * factor + 7u;
      ++steps;
    }
  }
  // Halves are exact.
  __device__ float passes(float v) const {
    for (int i = 0; i < 40; ++i) {
      const float next = v * 1.5f + 0.25f;
      if (next > bound) {
        const float rest = bound - v;
        return rest + float(i) * 64.0f;
      }
      v = next;
    }
    return -1.0f;
  }
};

namespace rules {
struct Box {
  unsigned lowest, highest;
  __device__ static unsigned escapes(unsigned x, unsigned m) {
    unsigned n = 0;
    for (; n < m; ++n) {
      x = x * 1664525u + 1013904223u;
      if ((x >> 26) == 0u)
        break;
    }
    return n;
  }
  // A method that only calls another one.
  __device__ unsigned at(unsigned i) const { return escapes(lowest + i * 2654435761u, highest); }
};
__device__ unsigned run(unsigned x, const Box& box) {
  unsigned n = 0;
  while (n < box.highest) {
    if (x - box.lowest < 100000000u)
      return n;
    x = x * 1664525u + 1013904223u;
    ++n;
  }
  return n;
}
} // namespace rules

template <class Rule> __global__ void apply(const unsigned* in, unsigned* out, int n, Rule rule) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = rule(in[i]);
}

__global__ void methods(const unsigned* in, unsigned* out, int n, Walk walk) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned steps = 0, last = 5u;
  walk.settle(in[i], steps, last);
  out[i] = walk.firstAbove(in[i]) + 3u * walk.firstOrLast(in[i]);
  out[n + i] = walk.twice(in[i], unsigned(i)) ^ walk.nested(in[i]);
  out[2 * n + i] = steps + (last & 1023u);
}

// The result is a variable that the method is given, too.
__global__ void again(const unsigned* in, unsigned* out, int n, unsigned factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Walk walk{factor, 60u, 0.0f};
  unsigned v = in[i % n];
  for (int round = 0; round < 3; ++round) {
    v = walk.firstAbove(v);
    v = v * 88172645u + walk.twice(v * 2654435761u, v);
  }
  if (i < n)
    out[i] = v;
}

__global__ void halves(float* out, int n, Walk walk) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = walk.passes(float(i % 32) * 0.25f);
}

__global__ void boxes(const unsigned* in, unsigned* out, int n, rules::Box box) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = box.at(in[i]) * 1000u + rules::run(in[i], box);
}

// Values that are set where a loop is left.
__global__ void leaving(const unsigned* in, unsigned* out, int n, int limit) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned x = in[i], where = nobody;
  bool found = false;
  int k;
  for (k = 0; k < limit; ++k) {
    const unsigned high = x >> 25;
    if (high == 3u) {
      found = true;
      break;
    }
    if ((x & 127u) == 64u) {
      const unsigned mixed = x ^ (x >> 3);
      where = mixed % 977u;
      x = 0u; // the second condition asks for it: it stays one branch
      break;
    }
    if (x - 1u < 5000u)
      break;
    x = x * 69069u + 5u;
  }
  out[i] = found ? unsigned(k) : where + x % 7u;
}

int main() {
  const int n = 1000;
  static unsigned host[n];
  unsigned x = 2463534242u;
  for (unsigned& value : host) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    value = x;
  }
  unsigned *in, *out;
  float* numbers;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, 3 * sizeof host);
  cudaMalloc(&numbers, n * sizeof *numbers);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  static unsigned result[3 * n];
  const auto print = [&](const char* name, int count) {
    cudaMemcpy(result, out, count * sizeof *result, cudaMemcpyDeviceToHost);
    unsigned long long sum = 0;
    for (int i = 0; i < count; ++i)
      sum += (unsigned long long)(result[i]) * (i % 13 + 1);
    printf("%s: %u %u %u, sum %llu\n", name, result[0], result[count / 2], result[count - 1], sum);
  };
  const Walk walk{1103515245u, 60u, 900.0f};
  apply<<<3, 128>>>(in, out, n, walk);
  print("apply", n);
  methods<<<(n + 63) / 64, 64>>>(in, out, n, walk);
  print("methods", 3 * n);
  again<<<16, 64>>>(in, out, n, 134775813u);
  print("again", n);
  boxes<<<(n + 31) / 32, 32>>>(in, out, n, rules::Box{1000000000u, 50u});
  print("boxes", n);
  leaving<<<(n + 127) / 128, 128>>>(in, out, n, 70);
  print("leaving", n);
  halves<<<8, 128>>>(numbers, n, walk);
  static float sums[n];
  cudaMemcpy(sums, numbers, sizeof sums, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += sums[i] * (i % 7 + 1);
  printf("halves: %g %g, sum %.9g\n", sums[0], sums[31], sum);
  const bool good = cudaDeviceSynchronize() == cudaSuccess;
  cudaFree(in);
  cudaFree(out);
  cudaFree(numbers);
  return good ? 0 : 1;
}
