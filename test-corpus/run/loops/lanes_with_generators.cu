// Loops that threads leave one by one, with a constant generator object of private members, short
// arrays of one step and short loops that are left early; and such as must stay loops of a thread.
#include <cstdio>

#include <cuda_runtime.h>

class Generator {
public:
  __device__ Generator(unsigned seed, unsigned stream)
      : key_(make_uint2(seed, 77u)), stream_(stream) {}
  __device__ uint4 operator()(unsigned index) const {
    uint4 c = make_uint4(index, 0u, stream_, 1u);
    uint2 key = key_;
#pragma unroll
    for (int r = 0; r < 6; ++r) {
      c = round(c, key);
      key.x += 0x9E3779B9u;
      key.y += 0xBB67AE85u;
    }
    return c;
  }
  __device__ unsigned one(unsigned index) const { return (*this)(index).x; }

private:
  __device__ static uint4 round(uint4 c, uint2 k) {
    const unsigned hi = __umulhi(0xD2511F53u, c.x), lo = 0xD2511F53u * c.x;
    const unsigned hi2 = __umulhi(0xCD9E8D57u, c.z), lo2 = 0xCD9E8D57u * c.z;
    return make_uint4(hi2 ^ c.y ^ k.x, lo2, hi ^ c.w ^ k.y, lo);
  }
  uint2 key_;
  unsigned stream_;
};

__device__ float2 pair(unsigned a, unsigned b) {
  float s, c;
  sincosf((a >> 8) * (6.25f / 16777216.0f), &s, &c);
  const float radius = sqrtf(1.0f - (b >> 8) * (1.0f / 16777216.0f));
  return make_float2(radius * c, radius * s);
}

// Alive paths, steps taken, and sums, by blocks.
__global__ void walks(int paths, unsigned seed, float barrier, int* steps, int* alive) {
  __shared__ int s_alive[64];
  const int path = blockIdx.x * blockDim.x + threadIdx.x;
  int here = 0;
  if (path < paths) {
    const Generator random(seed, (unsigned)path);
    float x = 0;
    int taken = 0;
    bool out = false;
    for (int step = 0; step < 64 && !out; step += 4) {
      const uint4 bits = random(step / 4);
      const float2 a = pair(bits.x, bits.y), b = pair(bits.z, bits.w);
      const float z[4] = {a.x, a.y, b.x, b.y};
      for (int k = 0; k < 4; ++k) {
        x += 0.02f + z[k];
        ++taken;
        if (x <= barrier) {
          out = true;
          break;
        }
      }
    }
    steps[path] = taken;
    here = out ? 0 : 1;
  }
  s_alive[threadIdx.x] = here;
  __syncthreads();
  for (int s = 32; s > 0; s /= 2) {
    if (threadIdx.x < s)
      s_alive[threadIdx.x] += s_alive[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    alive[blockIdx.x] = s_alive[0];
}

// A loop inside whose length is not known, a place that only running tells, an object that changes.
struct Counting {
  unsigned state, calls;
  __device__ Counting(unsigned s) : state(s * 2654435761u + 1), calls(0) {}
  __device__ unsigned operator()() {
    ++calls;
    return state = state * 1664525u + 1013904223u;
  }
};
__global__ void others(int paths, int inner, int* steps) {
  const int path = blockIdx.x * blockDim.x + threadIdx.x;
  if (path >= paths)
    return;
  const Generator random(3, path);
  Counting counting(path);
  unsigned sum = 0;
  for (int step = 0; step < 50 && sum % 64 != 5; ++step) {
    const uint4 bits = random(step);
    const unsigned z[4] = {bits.x, bits.y, bits.z, bits.w};
    for (int k = 0; k < inner; ++k)
      if (z[(k + sum) % 4] % 8 == 3)
        break;
      else
        sum += z[k % 4] >> 28;
    sum += counting() >> 30;
  }
  steps[path] += sum + 1000 * counting.calls;
}
__device__ int made = 0;
struct Noting {
  int first;
  __device__ Noting(int f) : first(f) { atomicAdd(&made, 1); }
  __device__ int operator()(int x) const { return first * x + 1; }
};
__global__ void notes(int paths, int* steps) {
  const int path = blockIdx.x * blockDim.x + threadIdx.x;
  if (path >= paths)
    return;
  const Noting noting(path);
  float x = 0.5f;
  int n = 0;
  while (n < 40 && x < 30) {
    x = x * 1.25f + noting(n) * 0.125f + x / 8;
    n += 1 + n / 4;
  }
  steps[path] += n;
}

int main() {
  const int paths = 1000;
  int *steps, *alive;
  cudaMallocManaged(&steps, paths * sizeof(int));
  cudaMallocManaged(&alive, 16 * sizeof(int));
  for (const float barrier : {-1.0f, -4.0f, 5.0f}) {
    walks<<<16, 64>>>(paths, 11, barrier, steps, alive);
    cudaDeviceSynchronize();
    long total = 0, left = 0;
    for (int i = 0; i < paths; ++i)
      total += steps[i];
    for (int b = 0; b < 16; ++b)
      left += alive[b];
    printf("walks: %ld steps, %ld alive, %d %d\n", total, left, steps[0], steps[paths - 1]);
  }
  for (const int inner : {0, 3, 20}) {
    others<<<16, 64>>>(paths, inner, steps);
    cudaDeviceSynchronize();
    long total = 0;
    for (int i = 0; i < paths; ++i)
      total += steps[i];
    printf("others: %ld %d\n", total, steps[77]);
  }
  notes<<<16, 64>>>(paths, steps);
  cudaDeviceSynchronize();
  int count = 0;
  cudaMemcpyFromSymbol(&count, made, sizeof(int));
  printf("notes: %d %d, made %d\n", steps[1], steps[paths - 1], count);
}
