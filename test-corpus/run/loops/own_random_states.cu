// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that draw random numbers from a state of their own in loops which they leave one by one:
// the state is a class, a structure by reference, or one by address in functions of functions. Some
// of the functions change more than the state, or the state is reached in another way.
#include <cstdio>

class Lcg {
public:
  __device__ explicit Lcg(unsigned seed) : state_(seed * 2654435761u + 12345u) {}
  __device__ unsigned next() {
    state_ = state_ * 1664525u + 1013904223u;
    return state_ >> 8;
  }
  __device__ float uniform() { return next() * (1.0f / 16777216.0f); }

private:
  unsigned state_;
};

struct Xor128 {
  unsigned x, y, z, w;
};
__device__ void seed(Xor128* r, unsigned s) {
  r->x = 123456789u + s;
  r->y = 362436069u ^ (s << 7);
  r->z = 521288629u - s;
  r->w = 88675123u;
}
__device__ unsigned draw(Xor128* r) {
  const unsigned t = r->x ^ (r->x << 11);
  r->x = r->y;
  r->y = r->z;
  r->z = r->w;
  r->w = r->w ^ (r->w >> 19) ^ t ^ (t >> 8);
  return r->w;
}
__device__ unsigned drawBelow(Xor128& r, unsigned limit) { return draw(&r) % limit; }
__device__ unsigned drawTwice(Xor128* r) { return draw(r) ^ (draw(r) >> 3); }

// Inside the circle: how many of a thread's points.
__global__ void circle(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Lcg random(i);
  int inside = 0;
  for (int k = i; k < n; k += gridDim.x * blockDim.x) {
    const float x = random.uniform(), y = random.uniform();
    if (x * x + y * y < 1.0f)
      ++inside;
  }
  out[i] = inside;
}

// A walk until the state says so, with the state by reference and by address.
__global__ void walk(unsigned* out, unsigned limit) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  Xor128 r;
  seed(&r, i);
  unsigned sum = 0, steps = 0;
  while (drawBelow(r, 64) != 0 && steps < limit) {
    sum = sum * 31 + (drawTwice(&r) & 1023u);
    ++steps;
  }
  out[2 * i] = sum;
  out[2 * i + 1] = r.w;
}

// The sums of a block: all threads meet behind the loop.
__global__ void sums(unsigned* out, int n) {
  __shared__ unsigned all[96];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 37 == 36)
    return;
  Xor128 r;
  seed(&r, i);
  Lcg other(i);
  unsigned mine = 0;
  for (int k = i; k < n; k += gridDim.x * blockDim.x)
    mine += drawBelow(r, 10) * (other.next() & 7u);
  all[threadIdx.x] = mine;
  __syncwarp(__activemask());
  out[i] = all[threadIdx.x] + r.x;
}

// --- what is no state of the thread's own, or not only

__device__ unsigned drawn[4];
struct Counting {
  unsigned s;
  __device__ unsigned next() {
    s = s * 747796405u + 2891336453u;
    atomicAdd(&drawn[s & 3u], 1u);
    return s >> 16;
  }
};
__global__ void counting(unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Counting r{unsigned(i)};
  unsigned sum = 0;
  for (int k = i; k < n; k += gridDim.x * blockDim.x)
    sum += r.next();
  out[i] = sum;
}

__device__ unsigned drawOther(Xor128* r, Xor128* other) {
  Xor128* chosen = (r->w & 1u) ? r : other;
  chosen->x += 77u;
  r = other;
  r->y ^= 5u;
  return draw(chosen);
}
__device__ unsigned viaOther(Xor128& r, Xor128& other) { return drawOther(&r, &other); }
__global__ void others(unsigned* out, Xor128* states, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Xor128 a = states[i];
  Xor128* mine = &states[i];
  Xor128* again = &a;
  unsigned sum = 0;
  for (int k = i; k < n; k += gridDim.x * blockDim.x) {
    sum += viaOther(a, *mine);
    sum = sum * 3 + drawTwice(again) + draw(mine);
  }
  out[i] = sum + a.x + states[i].w;
}

template <class Random> __device__ unsigned longest(Random& random, int n) {
  unsigned best = 0, length = 0;
  for (int k = 0; k < n; ++k) {
    if (random.next() & 64u) {
      ++length;
      if (length > best)
        best = length;
      continue;
    }
    length = 0;
  }
  return best;
}
__global__ void runs(unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Lcg random(i * 3 + 1);
  out[i] = longest(random, 20 + i % 50) * 1000 + (random.next() & 255u);
}

static unsigned hashOf(const unsigned* values, int n) {
  unsigned hash = 2166136261u;
  for (int i = 0; i < n; ++i)
    hash = (hash ^ values[i]) * 16777619u;
  return hash;
}

int main() {
  const int blocks = 5, threads = 96, all = blocks * threads;
  unsigned* out;
  Xor128* states;
  cudaMallocManaged(&out, 2 * all * sizeof(unsigned));
  cudaMallocManaged(&states, all * sizeof(Xor128));
  const auto show = [&](const char* name, int n) {
    cudaError_t error = cudaDeviceSynchronize();
    printf("%-10s %08x %u %u %s\n", name, hashOf(out, n), out[1], out[n - 1],
           cudaGetErrorString(error));
    for (int i = 0; i < 2 * all; ++i)
      out[i] = 0;
  };
  for (int i = 0; i < 2 * all; ++i)
    out[i] = 0;
  circle<<<blocks, threads>>>(reinterpret_cast<int*>(out), 20011);
  show("circle", all);
  walk<<<blocks, threads>>>(out, 300);
  show("walk", 2 * all);
  sums<<<blocks, threads>>>(out, 7001);
  show("sums", all);
  counting<<<blocks, threads>>>(out, 7001);
  show("counting", all);
  unsigned counts[4];
  cudaMemcpyFromSymbol(counts, drawn, sizeof counts);
  printf("%u %u %u %u\n", counts[0], counts[1], counts[2], counts[3]);
  for (int i = 0; i < all; ++i)
    states[i] = Xor128{unsigned(i), unsigned(i) * 7u, 99u, unsigned(i) ^ 1234567u};
  others<<<blocks, threads>>>(out, states, 5003);
  show("others", all);
  unsigned mixed = 0;
  for (int i = 0; i < all; ++i)
    mixed = mixed * 17 + (states[i].x ^ states[i].y ^ states[i].z ^ states[i].w);
  printf("%08x\n", mixed);
  runs<<<blocks, threads>>>(out);
  show("runs", all);
  cudaFree(out);
  cudaFree(states);
}
