// Loops over a thread's few items, each of which is one of a long row that the block loads and stores, with items that
// live through barriers: sums on the way, items that follow from those before, guards, steps backwards, several rows at
// once, items of structures, loops that are left, places that two steps share.
#include <cstdio>
#include <cstring>

constexpr int kThreads = 256, kItems = 4, kRow = kThreads * kItems, kRows = 5;

__global__ void centred(const int* in, int* out, int* sums) {
  __shared__ int total;
  const int* row = in + blockIdx.x * kRow;
  int* to = out + blockIdx.x * kRow;
  int v[kItems], sum = 0;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kItems; ++k) {
    const int i = k * kThreads + threadIdx.x;
    v[k] = row[i] + sum;
    to[i] = v[k] * 3;
    sum += v[k] & 1023;
  }
  atomicAdd(&total, sum);
  __syncthreads();
  const int mean = total / kRow;
  for (int k = 0; k < kItems; ++k) {
    const int i = k * kThreads + threadIdx.x;
    v[k] -= mean;
    to[i] += v[k];
  }
  __syncthreads();
  for (int k = kItems - 1; k >= 0; --k) to[k * kThreads + threadIdx.x] ^= v[k] + (k > 0 ? v[k - 1] : 17);
  if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

// Items that are float4, and a last row that is not full.
__global__ void vectors(const float4* in, float4* out, int n) {
  __shared__ float part[kThreads];
  float4 v[3];
  float sum = 0;
  for (int k = 0; k < 3; ++k) {
    const int i = k * kThreads + threadIdx.x;
    if (i < n) {
      v[k] = in[i];
      out[i] = make_float4(v[k].w, v[k].z, v[k].y, v[k].x);
    } else {
      v[k] = make_float4(1, 2, 3, 4);
    }
    sum += v[k].x - v[k].w;
  }
  part[threadIdx.x] = sum;
  __syncthreads();
  const float other = part[kThreads - 1 - threadIdx.x];
  for (int k = 0; k < 3; ++k) {
    const int i = k * kThreads + threadIdx.x;
    if (i >= n) break;
    out[i].x += v[k].y * 2 + other;
  }
}

// What a thread stores in one step it loads in the next; and a row is the block's own row of a neighbour.
__global__ void handedOn(int* all, int n) {
  __shared__ int seen[kThreads];
  int v[kItems];
  for (int k = 0; k < kItems; ++k) {
    const int i = k * kThreads + threadIdx.x;
    v[k] = all[i] + (k > 0 ? all[i - kThreads] : 0);
    all[i] = v[k];
  }
  seen[threadIdx.x] = v[kItems - 1];
  __syncthreads();
  for (int k = 0; k < kItems; ++k) {
    const int i = (kItems - 1 - k) * kThreads + threadIdx.x;
    all[i] = v[k] + seen[(threadIdx.x + k) % kThreads];
    if (all[i] % 7 == 3 && i < n) all[i] = -k;
  }
}

static void show(const char* name, const int* p, int n) {
  unsigned h = 2166136261u;
  for (int i = 0; i < n; ++i) h = (h ^ unsigned(p[i])) * 16777619u;
  std::printf("%s %08x %d %d %d\n", name, h, p[0], p[n / 3], p[n - 1]);
}

int main() {
  int *in, *out, *sums;
  const int n = kRow * kRows;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  cudaMallocManaged(&sums, kRows * sizeof(int));
  unsigned s = 7;
  for (int i = 0; i < n; ++i) {
    s = s * 1664525u + 1013904223u;
    in[i] = int(s >> 20);
    out[i] = -1;
  }
  centred<<<kRows, kThreads>>>(in, out, sums);
  cudaDeviceSynchronize();
  show("centred", out, n);
  show("sums", sums, kRows);
  float4 *a, *b;
  cudaMallocManaged(&a, 3 * kThreads * sizeof(float4));
  cudaMallocManaged(&b, 3 * kThreads * sizeof(float4));
  for (int i = 0; i < 3 * kThreads; ++i) {
    a[i] = make_float4(float(in[i] % 100), float(i), float(in[i + 9] % 50), 1.0f);
    b[i] = make_float4(0, 0, 0, 0);
  }
  for (const int count : {3 * kThreads, 3 * kThreads - 100, kThreads + 1}) {
    vectors<<<1, kThreads>>>(a, b, count);
    cudaDeviceSynchronize();
    show("vectors", reinterpret_cast<const int*>(b), 12 * kThreads);
  }
  handedOn<<<1, kThreads>>>(in, kRow - 30);
  cudaDeviceSynchronize();
  show("handedOn", in, kRow);
  return 0;
}
