// Variables that device functions change by reference within one step of a loop, and pointers that live longer than the
// region between two barriers in which they are made.
#include <cstdio>

struct Rates {
  float slow, fast;
};

__device__ __forceinline__ void update(float& p, float& m, float& v, float g, const Rates& r) {
  m = r.slow * m + (1.0f - r.slow) * g;
  v = r.fast * v + (1.0f - r.fast) * g * g;
  p -= 0.25f * (m / (v + 1.0f) + 0.125f * p);
}
__device__ void twice(float* x) { *x *= 2.0f; }

__global__ void step(float4* p4, float4* m4, float4* v4, const float4* g4, Rates r, int n) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    float4 p = p4[i], m = m4[i], v = v4[i];
    const float4 g = __ldg(&g4[i]);
    update(p.x, m.x, v.x, g.x, r);
    update(p.y, m.y, v.y, g.y, r);
    update(p.z, m.z, v.z, g.z, r);
    update(p.w, m.w, v.w, g.w, r);
    p4[i] = p;
    m4[i] = m;
    v4[i] = v;
  }
}

// The pointer stays behind the barrier, the variable that it leads to is not named there.
__global__ void kept(const float* in, float* out, int n) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  float mine = t < n ? in[t] : 0.0f;
  float* const place = &mine;
  s[t] = mine;
  __syncthreads();
  *place += s[63 - t];
  __syncthreads();
  twice(place);
  out[t] = *place;
}

// In the steps of a loop around barriers: what ends with a region, and what does not.
__global__ void around(const float* in, float* out, int n, int steps) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < steps; ++k) {
    float value = in[(t + k) % n];
    float* const place = &value;
    s[t] = value;
    __syncthreads();
    *place += s[(t + 1) & 63];
    __syncthreads();
    {
      float own = *place;
      twice(&own);
      sum += own;
    }
  }
  out[t] = sum;
}

// Votes between: the pointer leads to what another lane's value was added to.
__global__ void lanes(const float* in, float* out) {
  const int t = threadIdx.x;
  float value = in[t];
  float* const place = t % 2 ? &value : nullptr;
  const float other = __shfl_xor_sync(0xffffffffu, value, 1);
  if (place)
    *place += other;
  float last = value;
  twice(&last);
  out[t] = last + __shfl_xor_sync(0xffffffffu, last, 2);
}

int main() {
  const int n = 1000;
  float4 *p, *m, *v, *g;
  cudaMallocManaged(&p, n * sizeof(float4));
  cudaMallocManaged(&m, n * sizeof(float4));
  cudaMallocManaged(&v, n * sizeof(float4));
  cudaMallocManaged(&g, n * sizeof(float4));
  for (int i = 0; i < n; ++i) {
    p[i] = make_float4(i % 7, i % 5, i % 3, 1.0f);
    m[i] = make_float4(0.5f, i % 2, 0.25f, 0.0f);
    v[i] = make_float4(1.0f, 2.0f, i % 4, 0.5f);
    g[i] = make_float4(i % 9 * 0.5f, -1.0f, i % 6, 0.125f);
  }
  const Rates rates{0.5f, 0.75f};
  step<<<3, 128>>>(p, m, v, g, rates, n - 1);
  cudaDeviceSynchronize();
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += p[i].x + 2 * p[i].y + 3 * m[i].z + 4 * v[i].w + p[i].w;
  printf("step: %.3f %.4f %.4f\n", sum, p[17].x, p[n - 1].x);
  float *in, *out;
  cudaMallocManaged(&in, 64 * sizeof(float));
  cudaMallocManaged(&out, 64 * sizeof(float));
  for (int i = 0; i < 64; ++i)
    in[i] = i * 3 % 17;
  kept<<<1, 64>>>(in, out, 60);
  cudaDeviceSynchronize();
  for (int i : {0, 5, 63})
    printf("kept %d: %.1f\n", i, out[i]);
  around<<<1, 64>>>(in, out, 50, 4);
  cudaDeviceSynchronize();
  for (int i : {0, 5, 63})
    printf("around %d: %.1f\n", i, out[i]);
  lanes<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  for (int i : {0, 5, 63})
    printf("lanes %d: %.1f\n", i, out[i]);
  return 0;
}
