// Loops that all threads take alike over what they keep in small arrays: the nearest of some centres, sums of a few
// columns, products of small matrices; and arrays at places of a thread's own.
#include <cstdio>

constexpr int F = 6, K = 11, N = 1000;

// The first of those that are equally near; what is updated is shared.
__global__ void nearest(const float* points, int n, const float* centres, int* which, int* sums, int* counts) {
  __shared__ float shared[K * F];
  __shared__ int sharedSums[K * F], sharedCounts[K];
  for (int i = threadIdx.x; i < K * F; i += blockDim.x) {
    shared[i] = centres[i];
    sharedSums[i] = 0;
  }
  if (threadIdx.x < K) sharedCounts[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float x[F];
    for (int f = 0; f < F; ++f) x[f] = points[f * n + i];
    int index = -1;
    float best = 1e30f;
    for (int c = 0; c < K; ++c) {
      float d = 0;
      for (int f = 0; f < F; ++f) {
        const float t = x[f] - shared[c * F + f];
        d += t * t;
      }
      if (d < best) {
        best = d;
        index = c;
      }
    }
    which[i] = index;
    atomicAdd(&sharedCounts[index], 1);
    for (int f = 0; f < F; ++f) atomicAdd(&sharedSums[index * F + f], int(x[f]));
  }
  __syncthreads();
  for (int k = threadIdx.x; k < K * F; k += blockDim.x) atomicAdd(&sums[k], sharedSums[k]);
  if (threadIdx.x < K) atomicAdd(&counts[threadIdx.x], sharedCounts[threadIdx.x]);
}

// By a function, in a loop over the grid.
__device__ int nearestOf(const float* centres, int count, const float (&p)[F], float& best) {
  int arg = 0;
  best = 1e30f;
  for (int k = 0; k < count; ++k) {
    float d = 0;
    for (int j = 0; j < F; ++j) d += (p[j] - centres[k * F + j]) * (p[j] - centres[k * F + j]);
    if (d < best) {
      best = d;
      arg = k;
    }
  }
  return arg;
}
__global__ void nearestInSteps(const float* points, int n, const float* centres, int count, int* which, int* near) {
  __shared__ int counts[K];
  if (threadIdx.x < K) counts[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float p[F], d;
    for (int j = 0; j < F; ++j) p[j] = points[j * n + i];
    const int k = nearestOf(centres, count, p, d);
    atomicAdd(&counts[k], int(d));
    which[i] = k;
  }
  __syncthreads();
  if (threadIdx.x < K) atomicAdd(&near[threadIdx.x], counts[threadIdx.x]);
}

// A short loop, behind which threads update what they share.
__global__ void nearestOfFew(const float* points, int n, const float* centres, int* which, int* counts) {
  __shared__ float shared[4 * F];
  __shared__ int sharedCounts[4];
  for (int i = threadIdx.x; i < 4 * F; i += blockDim.x) shared[i] = centres[i];
  if (threadIdx.x < 4) sharedCounts[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float x[F];
    for (int f = 0; f < F; ++f) x[f] = points[f * n + i];
    int index = 0;
    float best = 1e30f;
    for (int c = 0; c < 4; ++c) {
      float d = 0;
      for (int f = 0; f < F; ++f) d += (x[f] - shared[c * F + f]) * (x[f] - shared[c * F + f]);
      if (d < best) {
        best = d;
        index = c;
      }
    }
    which[i] = index;
    atomicAdd(&sharedCounts[index], int(best) % 5);
  }
  __syncthreads();
  if (threadIdx.x < 4) atomicAdd(&counts[threadIdx.x], sharedCounts[threadIdx.x]);
}

// Sums that the loop changes.
__global__ void layer(const float* in, int n, const float* weights, int inputs, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum[2][4] = {};
  for (int k = 0; k < inputs; ++k) {
    const float x = in[k * n + i];
    for (int a = 0; a < 2; ++a)
      for (int b = 0; b < 4; ++b) sum[a][b] += x * weights[(k * 2 + a) * 4 + b];
  }
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 4; ++b) out[(a * 4 + b) * n + i] = sum[a][b] > 0 ? sum[a][b] : 0;
}

// Places of a thread's own; a loop that threads leave; an array that a pointer reaches.
__device__ float first(const float* v) { return v[0]; }
__global__ void others(const float* in, int n, const float* weights, int count, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float own[4], last[4], pointed[4];
  for (int j = 0; j < 4; ++j) {
    own[j] = i < n ? in[j * n + i] : 0;
    last[j] = own[j] + 1;
    pointed[j] = own[j] * 2;
  }
  float sum = 0;
  for (int k = 0; k < count; ++k) sum += own[(threadIdx.x + k) % 4] * weights[k];
  for (int k = 0; k < count; ++k) {
    last[k % 4] += weights[k];
    if (last[1] > float(threadIdx.x % 7)) break;
  }
  for (int k = 0; k < count; ++k) sum += first(pointed) * weights[k] + pointed[1];
  if (i < n) out[i] = sum + last[0] + 10 * last[1] + 100 * last[2];
}

static long long sumOf(const int* v, int n) {
  long long s = 0;
  for (int i = 0; i < n; ++i) s = s * 31 % 1000003 + v[i];
  return s;
}
static double sumOf(const float* v, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) s += v[i] * double(i % 17 + 1);
  return s;
}

int main() {
  float *points, *centres, *weights, *out;
  int *which, *sums, *counts;
  cudaMallocManaged(&points, F * N * sizeof(float));
  cudaMallocManaged(&centres, K * F * sizeof(float));
  cudaMallocManaged(&weights, 256 * sizeof(float));
  cudaMallocManaged(&out, 8 * N * sizeof(float));
  cudaMallocManaged(&which, N * sizeof(int));
  cudaMallocManaged(&sums, K * F * sizeof(int));
  cudaMallocManaged(&counts, K * sizeof(int));
  for (int i = 0; i < F * N; ++i) points[i] = float(i * 7919 % 23);
  for (int i = 0; i < K * F; ++i) centres[i] = float(i * 31 % 19);
  for (int i = 0; i < 256; ++i) weights[i] = float(i * 13 % 9 - 4);
  for (int threads : {64, 96, 50}) {
    for (int i = 0; i < K * F; ++i) sums[i] = 0;
    for (int i = 0; i < K; ++i) counts[i] = 0;
    nearest<<<(N + threads - 1) / threads, threads>>>(points, N, centres, which, sums, counts);
    cudaDeviceSynchronize();
    printf("nearest %lld %lld %lld\n", sumOf(which, N), sumOf(sums, K * F), sumOf(counts, K));
    for (int i = 0; i < K; ++i) counts[i] = 0;
    nearestInSteps<<<3, threads>>>(points, N, centres, K, which, counts);
    cudaDeviceSynchronize();
    printf("in steps %lld %lld\n", sumOf(which, N), sumOf(counts, K));
    for (int i = 0; i < 4; ++i) counts[i] = 0;
    nearestOfFew<<<(N + threads - 1) / threads, threads>>>(points, N, centres, which, counts);
    cudaDeviceSynchronize();
    printf("of few %lld %lld\n", sumOf(which, N), sumOf(counts, 4));
    layer<<<(N + threads - 1) / threads, threads>>>(points, N, weights, 6, out);
    cudaDeviceSynchronize();
    printf("layer %.0f\n", sumOf(out, 8 * N));
    others<<<(N + threads - 1) / threads, threads>>>(points, N, weights, 20, out);
    cudaDeviceSynchronize();
    printf("others %.0f\n", sumOf(out, N));
  }
}
