// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structures that threads keep through loops, shuffles and barriers: accumulators of a warp's and a
// block's reduction, vector types, values that functions take, give back or change by reference,
// assignments under conditions, copies, names that are taken already, and structures that cannot be
// parted (with an array, with a pointer to one of them, in a union).
#include <cstdio>

struct Moments {
  int count;
  float mean, m2;
};
struct Best {
  int value, index;
};
struct Three {
  int all[3];
};
union Either {
  int whole;
  short halves[2];
};

__device__ Moments merged(Moments a, const Moments& b) {
  Moments out;
  out.count = a.count + b.count;
  out.mean = a.mean + b.mean;
  out.m2 = a.m2 + b.m2 + 0.25f * a.count * b.count;
  return out;
}

__device__ Moments ofWarp(Moments val) {
  for (int offset = 16; offset > 0; offset /= 2) {
    Moments other;
    other.count = __shfl_down_sync(~0u, val.count, offset);
    other.mean = __shfl_down_sync(~0u, val.mean, offset);
    other.m2 = __shfl_down_sync(~0u, val.m2, offset);
    val = merged(val, other);
  }
  return val;
}

__device__ Moments ofBlock(Moments val) {
  __shared__ Moments shared[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  val = ofWarp(val);
  if (lane == 0)
    shared[warp] = val;
  __syncthreads();
  val = threadIdx.x < blockDim.x / 32 ? shared[lane] : Moments{0, 0.0f, 0.0f};
  if (warp == 0)
    val = ofWarp(val);
  return val;
}

__global__ void moments(const int* in, Moments* out, int n) {
  Moments mine = {0, 0.0f, 0.0f};
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float x = static_cast<float>(in[i]);
    ++mine.count;
    mine.mean += x;
    mine.m2 += x * x;
  }
  mine = ofBlock(mine);
  if (threadIdx.x == 0)
    out[blockIdx.x] = mine;
}

__device__ void keepBetter(Best& best, int value, int index) {
  if (value > best.value || (value == best.value && index < best.index)) {
    best.value = value;
    best.index = index;
  }
}

template <unsigned blockSize> __global__ void argmax(const int* in, Best* out, int n) {
  __shared__ Best all[blockSize];
  const unsigned tid = threadIdx.x;
  Best best{-1000000, -1}, byReference = best;
  Best last;
  for (int i = tid; i < n; i += blockSize) {
    const Best candidate = {in[blockIdx.x * n + i], i};
    if (candidate.value > best.value)
      best = candidate;
    else if (candidate.value == best.value && candidate.index < best.index)
      best.index = candidate.index;
    keepBetter(byReference, candidate.value, candidate.index);
    last = best;
  }
  if (best.value != byReference.value || best.index != byReference.index)
    best = Best{-7, -7};
  all[tid] = best;
  __syncthreads();
  for (unsigned s = blockSize / 2; s > 0; s /= 2) {
    if (tid < s && (all[tid + s].value > all[tid].value ||
                    (all[tid + s].value == all[tid].value && all[tid + s].index < all[tid].index)))
      all[tid] = all[tid + s];
    __syncthreads();
  }
  if (tid == 0)
    out[blockIdx.x] = all[0];
  if (tid == blockSize - 1)
    out[gridDim.x + blockIdx.x] = last;
}

__global__ void vectors(const float4* in, float4* out, int n) {
  const int tid = threadIdx.x;
  float sum_x = 100.0f; // the name that a part would have
  float4 sum = make_float4(0, 0, 0, 0), most = in[tid];
  int2 where = make_int2(tid, 0);
  for (int i = tid; i < n; i += blockDim.x) {
    const float4 v = in[i];
    sum.x += v.x;
    sum.y -= v.y;
    sum.z = v.z;
    (sum).w += v.w * v.x;
    if (v.x > most.x) {
      most = v;
      where.x = i;
      where.y++;
    }
    sum_x += 1;
  }
  float4 swapped = sum;
  swapped.x = sum.w;
  swapped.w = sum.x;
  for (int mask = 1; mask < 32; mask *= 2) {
    float4 got;
    got.x = __shfl_xor_sync(~0u, swapped.x, mask);
    got.y = __shfl_xor_sync(~0u, swapped.y, mask);
    got.z = __shfl_xor_sync(~0u, swapped.z, mask);
    got.w = __shfl_xor_sync(~0u, swapped.w, mask);
    if (tid & mask)
      continue;
    swapped.x += got.x, swapped.y += got.y;
    swapped.z = got.z > swapped.z ? got.z : swapped.z;
    swapped.w -= got.w;
  }
  out[3 * tid] = swapped;
  out[3 * tid + 1] = most;
  out[3 * tid + 2] = make_float4(where.x, where.y, sum_x, sum.z);
}

__global__ void whole(const int* in, int* out) {
  __shared__ int sums[64];
  const int tid = threadIdx.x;
  Three three = {{tid, in[tid], 1}};
  Either either;
  Best pointed = {in[tid], tid};
  Best* pointer = &pointed;
  either.whole = 0x10001 * tid;
  for (int round = 0; round < 3; ++round) {
    three.all[round] += round;
    pointer->value += three.all[round];
    pointed.index ^= round + 1;
    either.halves[round & 1] += 3;
    sums[tid] = pointed.value + either.whole;
    __syncthreads();
    pointed.value += sums[63 - tid] % 1000;
    __syncthreads();
  }
  out[tid] = pointed.value * 31 + pointed.index + either.whole + three.all[2];
}

template <class Word> unsigned hash(const Word* values, int count) {
  const unsigned* words = reinterpret_cast<const unsigned*>(values);
  unsigned h = 2166136261u;
  for (int i = 0; i < int(count * sizeof(Word) / sizeof(unsigned)); ++i)
    h = (h ^ words[i]) * 16777619u;
  return h;
}

int main() {
  constexpr int n = 4000;
  int *in, *out;
  Moments* sums;
  Best* bests;
  float4 *fours, *results;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, 64 * sizeof(int));
  cudaMallocManaged(&sums, 8 * sizeof(Moments));
  cudaMallocManaged(&bests, 16 * sizeof(Best));
  cudaMallocManaged(&fours, 300 * sizeof(float4));
  cudaMallocManaged(&results, 96 * sizeof(float4));
  for (int i = 0; i < n; ++i)
    in[i] = i * 7919 % 211 - 40;
  for (int i = 0; i < 300; ++i)
    fours[i] = make_float4(in[i], in[i + 1], in[i + 2], in[i + 3]);
  moments<<<5, 96>>>(in, sums, n - 3);
  cudaDeviceSynchronize();
  for (int i = 0; i < 5; ++i)
    std::printf("moments %d %g %g\n", sums[i].count, sums[i].mean, sums[i].m2);
  argmax<128><<<4, 128>>>(in, bests, 950);
  cudaDeviceSynchronize();
  for (int i = 0; i < 8; ++i)
    std::printf("best %d at %d\n", bests[i].value, bests[i].index);
  vectors<<<1, 32>>>(fours, results, 300);
  cudaDeviceSynchronize();
  std::printf("vectors %08x\n", hash(results, 96));
  whole<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  std::printf("whole %08x\n", hash(out, 64));
  return cudaGetLastError();
}
