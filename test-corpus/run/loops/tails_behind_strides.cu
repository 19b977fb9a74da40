// Kernels that walk an array in a loop over the grid and then take what is left over under a
// condition that fails for nearly all blocks: what lies behind the arrays is not to be touched.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

// Structures first, then the last few numbers.
__global__ void update(float* p, const float* g, int n, float rate) {
  const int n4 = n >> 2, tid = blockIdx.x * blockDim.x + threadIdx.x;
  const int stride = gridDim.x * blockDim.x;
  float4* p4 = reinterpret_cast<float4*>(p);
  const float4* g4 = reinterpret_cast<const float4*>(g);
  for (int i = tid; i < n4; i += stride) {
    float4 a = p4[i], b = g4[i];
    a.x -= rate * b.x, a.y -= rate * b.y, a.z -= rate * b.z, a.w -= rate * b.w;
    p4[i] = a;
  }
  const int tail = (n4 << 2) + tid;
  if (tail < n)
    p[tail] -= rate * g[tail];
}

// A range in the middle, and an else that all others take.
__global__ void mark(int* out, const int* in, int n, int from, int to) {
  const int tid = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = tid; i < n; i += gridDim.x * blockDim.x)
    out[i] = in[i] * 3;
  if (tid >= from && tid < to)
    out[tid] = -in[tid];
  else if (tid < n)
    out[tid] += 1;
}

// Two conditions, of which one is no range.
__global__ void pick(unsigned* out, const unsigned* in, unsigned n, unsigned last) {
  const unsigned tid = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned i = tid; i < n; i += gridDim.x * blockDim.x)
    out[i] = in[i] >> 3;
  if (tid < last && in[tid] % 5 == 2)
    out[tid] = in[last - 1 - tid];
}

template <class Number> static double sum(const std::vector<Number>& all) {
  double s = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    s += double(all[i]) * (1 + i % 7);
  return s;
}

int main() {
  for (const int n : {3, 1026, 5000, 70003}) {
    std::vector<float> p(n), g(n);
    std::vector<int> in(n), out(n);
    for (int i = 0; i < n; ++i)
      p[i] = float(i % 19), g[i] = float(i % 23) - 11, in[i] = i * 37 % 1001;
    float *dp, *dg;
    int *din, *dout;
    cudaMalloc(&dp, n * 4), cudaMalloc(&dg, n * 4), cudaMalloc(&din, n * 4), cudaMalloc(&dout, n * 4);
    cudaMemcpy(dp, p.data(), n * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(dg, g.data(), n * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(din, in.data(), n * 4, cudaMemcpyHostToDevice);
    update<<<24, 256>>>(dp, dg, n, 0.5f);
    cudaMemcpy(p.data(), dp, n * 4, cudaMemcpyDeviceToHost);
    mark<<<24, 256>>>(dout, din, n, n / 3, n / 3 + 300 < n ? n / 3 + 300 : n);
    cudaMemcpy(out.data(), dout, n * 4, cudaMemcpyDeviceToHost);
    std::printf("%d: %.1f %.0f", n, sum(p), sum(out));
    pick<<<24, 256>>>((unsigned*)dout, (unsigned*)din, n, n < 2500 ? n : 2500);
    cudaMemcpy(out.data(), dout, n * 4, cudaMemcpyDeviceToHost);
    std::printf(" %.0f %s\n", sum(out), cudaGetErrorString(cudaGetLastError()));
    cudaFree(dp), cudaFree(dg), cudaFree(din), cudaFree(dout);
  }
}
