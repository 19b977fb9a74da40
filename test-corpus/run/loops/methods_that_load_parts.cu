// Const methods that change what they get by reference, functions that get addresses of a structure's parts, and what
// looks like them: methods that change a part of their own object, or their object in spite of all.
#include <cstdio>

constexpr int T = 64, N = 640;

struct Sum {
  float x, y;
};

struct Pull {
  float bias, scale;
  __device__ float weigh(float d) const { return d * scale; }
  __device__ void add(Sum& sum, const float4& a, const float4& b) const {
    const float d = b.x - a.x;
    sum.x += d * b.w + bias;
    sum.y += weigh(d);
  }
  // `part` may be one of its own.
  __device__ void addTwice(float& part) const {
    part += bias;
    part += bias;
  }
  __device__ void grow(Sum& sum) const {
    const_cast<Pull*>(this)->bias += 1;
    sum.x += bias;
  }
};

// The object is a parameter, which nothing changes.
__global__ void pull(const float4* in, float* out, int n, Pull pull) {
  __shared__ float4 tile[T];
  const int i = blockIdx.x * T + threadIdx.x;
  const float4 me = in[i];
  Sum sum = {0, 0};
  for (int t = 0; t < n; t += T) {
    tile[threadIdx.x] = in[t + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j) pull.add(sum, me, tile[j]);
    __syncthreads();
  }
  out[i] = sum.x + 3 * sum.y;
}

// It is each thread's, or lies in shared memory and changes from step to step.
__global__ void pullByOwn(const float4* in, float* out, int n) {
  __shared__ Pull shared;
  const int i = blockIdx.x * T + threadIdx.x;
  const float4 me = in[i];
  Pull own = {me.y, 2};
  Sum sum = {0, 0};
  for (int t = 0; t < n; t += T) {
    if (threadIdx.x == 0) shared = Pull{float(t / T), 1};
    __syncthreads();
    for (int j = 0; j < 8; ++j) {
      own.add(sum, me, in[t + j]);
      shared.add(sum, me, in[t + j]);
      own.bias += 1;
    }
    __syncthreads();
  }
  out[i] = sum.x + sum.y;
}

// What a method changes is a part of its object, or all of it.
__global__ void changeOwn(const float4* in, float* out, int n) {
  __shared__ float4 tile[T];
  const int i = blockIdx.x * T + threadIdx.x;
  Pull a = {float(i % 3), 1}, b = {float(i % 5), 1}, c = {float(i % 7), 1};
  Sum sum = {0, 0};
  float& part = b.bias;
  for (int t = 0; t < 4; ++t) {
    tile[threadIdx.x] = in[t * T + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 2; ++j) {
      a.addTwice(a.bias);
      b.addTwice(part);
      c.grow(sum);
      sum.y += tile[j].x;
    }
    __syncthreads();
  }
  out[i] = a.bias + b.bias + c.bias + sum.x + sum.y + n;
}

__device__ void step(float* p, float g, float* m, float rate) {
  *m = *m * 2 + g;
  *p -= rate * *m;
}
__device__ void both(float* a, float* b) {
  *a += 1;
  *b *= 2;
}

// Parts of structures by their addresses, in a loop over the grid; two may be the same.
__global__ void steps(float4* p, const float4* g, float4* m, int n, float rate) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float4 pp = p[i], mm = m[i];
    const float4 gg = g[i];
    step(&pp.x, gg.x, &mm.x, rate);
    step(&pp.y, gg.y, &mm.y, rate);
    step(&pp.z, gg.z, &mm.z, rate);
    step(&pp.w, gg.w, &mm.w, rate);
    both(&pp.x, &pp.x);
    both(&pp.z, &mm.z);
    p[i] = pp;
    m[i] = mm;
  }
}

static double sumOf(const float* v, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) s += v[i] * double(i % 17 + 1);
  return s;
}

int main() {
  float4 *in, *p, *m;
  float* out;
  cudaMallocManaged(&in, N * sizeof(float4));
  cudaMallocManaged(&p, N * sizeof(float4));
  cudaMallocManaged(&m, N * sizeof(float4));
  cudaMallocManaged(&out, N * sizeof(float));
  for (int i = 0; i < N; ++i) {
    in[i] = make_float4(float(i * 31 % 13), float(i % 4), float(i * 7 % 5), float(i % 3));
    p[i] = make_float4(float(i % 9), float(i % 8), float(i % 7), float(i % 6));
    m[i] = make_float4(float(i % 2), float(i % 3), float(i % 4), float(i % 5));
  }
  pull<<<N / T, T>>>(in, out, N, Pull{1, 2});
  cudaDeviceSynchronize();
  printf("pull %.0f\n", sumOf(out, N));
  pullByOwn<<<N / T, T>>>(in, out, N);
  cudaDeviceSynchronize();
  printf("by own %.0f\n", sumOf(out, N));
  changeOwn<<<N / T, T>>>(in, out, N);
  cudaDeviceSynchronize();
  printf("change own %.0f\n", sumOf(out, N));
  for (int k = 0; k < 3; ++k) steps<<<2, 96>>>(p, in, m, N - 5, 2);
  cudaDeviceSynchronize();
  printf("steps %.0f %.0f\n", sumOf(&p[0].x, 4 * N), sumOf(&m[0].x, 4 * N));
}
