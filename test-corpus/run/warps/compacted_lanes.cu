// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes that store where a vote says so, behind each other: a compaction. Which lanes do no
// processor foresees.
#include <cstdio>

struct Hit {
  float value;
  int id;
};

template <int perThread>
__global__ void select(const float* in, int n, Hit* out, int* counts, float low, float high) {
  const int lane = threadIdx.x % 32;
  const unsigned below = (1u << lane) - 1u;
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  unsigned votes[perThread];
  float values[perThread];
  int total = 0;
  for (int k = 0; k < perThread; ++k) {
    const int i = (warp * perThread + k) * 32 + lane;
    values[k] = i < n ? in[i] : 0.f;
    votes[k] = __ballot_sync(~0u, i < n && values[k] >= low && values[k] < high);
    total += __popc(votes[k]);
  }
  int place = warp * perThread * 32;
  for (int k = 0; k < perThread; ++k) {
    if (votes[k] >> lane & 1u)
      out[place + __popc(votes[k] & below)] = Hit{values[k], (warp * perThread + k) * 32 + lane};
    place += __popc(votes[k]);
  }
  if (lane == 0)
    counts[warp] = total;
}

// Bytes, doubles and a pointer's target that is only there for those that store.
__global__ void kinds(const int* flags, const int* const* from, char* small, double* large, int* seen) {
  __shared__ int kept[64];
  const int lane = threadIdx.x % 32;
  const unsigned vote = __ballot_sync(~0u, flags[threadIdx.x] != 0);
  kept[threadIdx.x] = flags[63 - threadIdx.x];
  __syncthreads();
  const int at = (threadIdx.x * 37 + 11) % 64;
  if (vote >> lane & 1)
    small[at] = char(lane + 1);
  if ((kept[at] & 6) == 2)
    large[at] = 0.25 * lane;
  if (flags[threadIdx.x] & 4)
    seen[at] = *from[threadIdx.x];
}

int main() {
  constexpr int n = 2000, perThread = 4, warps = 16;
  float* in;
  Hit* out;
  int* counts;
  cudaMallocManaged(&in, n * sizeof(float));
  cudaMallocManaged(&out, warps * perThread * 32 * sizeof(Hit));
  cudaMallocManaged(&counts, warps * sizeof(int));
  unsigned state = 7;
  for (int i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    in[i] = float(state >> 8) / 16777216.f;
  }
  for (const float low : {0.25f, 0.f, 2.f}) {
    for (int i = 0; i < warps * perThread * 32; ++i)
      out[i] = {-1, -1};
    select<perThread><<<2, 256>>>(in, n, out, counts, low, low + 0.4f);
    cudaDeviceSynchronize();
    double values = 0, ids = 0;
    int untouched = 0, total = 0;
    for (int i = 0; i < warps * perThread * 32; ++i) {
      values += out[i].id < 0 ? 0 : out[i].value * (i % 7);
      ids += out[i].id < 0 ? 0 : double(out[i].id) * (i % 5);
      untouched += out[i].id < 0;
    }
    for (int w = 0; w < warps; ++w)
      total += counts[w];
    printf("%.6g %.6g %d %d\n", values, ids, untouched, total);
  }
  int *flags, *seen, *target;
  const int** from;
  char* small;
  double* large;
  cudaMallocManaged(&flags, 64 * sizeof(int));
  cudaMallocManaged(&seen, 64 * sizeof(int));
  cudaMallocManaged(&target, sizeof(int));
  cudaMallocManaged(&from, 64 * sizeof(int*));
  cudaMallocManaged(&small, 64);
  cudaMallocManaged(&large, 64 * sizeof(double));
  *target = 99;
  for (int i = 0; i < 64; ++i) {
    flags[i] = i * 29 % 13 % 8;
    from[i] = flags[i] & 4 ? target : nullptr;
    seen[i] = small[i] = -1;
    large[i] = -1;
  }
  kinds<<<1, 64>>>(flags, from, small, large, seen);
  cudaDeviceSynchronize();
  for (int i = 0; i < 64; ++i)
    printf("%d %g %d%s", small[i], large[i], seen[i], i % 8 == 7 ? "\n" : ", ");
}
