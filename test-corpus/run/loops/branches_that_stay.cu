// Loops that do nothing but what a branch does that asks for the same in each step; and near misses, which ask for something
// else from step to step, or do something beside it.
#include <cstdio>
#include <vector>

__global__ void same(const float* in, float* out, int n, int steps, int least) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool inside = i >= least && i < n;
  for (int s = 0; s < steps; ++s) {
    if (inside) {
      const float half = in[s * n + i] * 0.5f;
      out[s * n + i] = half + s;
    }
  }
}

__global__ void byCounter(const float* in, float* out, int n, int steps, int least) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int s = 0; s < steps; ++s)
    if (i >= least + s && i < n) out[s * n + i] = in[s * n + i] + s;
}

__global__ void byStep(const float* in, float* out, int n, int steps, int least) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int s = 0; s < steps; ++s) {
    const bool inside = i >= least * s && i < n;
    if (inside) out[s * n + i] = in[s * n + i] - s;
  }
}

__global__ void byData(const float* in, float* out, int n, int steps, int) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int s = 0; s < steps; ++s)
    if (i < n && in[i] > 4.0f) out[s * n + i] = in[s * n + i] * s;
}

__global__ void moving(const float* in, float* out, int n, int steps, int least) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int s = 0; s < steps; ++s)
    if (i < n) {
      out[s * n + i] = in[s * n + i] + 1.0f;
      i += least;
    }
}

int main() {
  const int n = 300, steps = 4;
  std::vector<float> h(n * steps);
  for (int i = 0; i < n * steps; ++i) h[i] = float(i * 37 % 64) * 0.25f;
  float *in, *out;
  cudaMalloc(&in, n * steps * sizeof(float));
  cudaMalloc(&out, n * steps * sizeof(float));
  cudaMemcpy(in, h.data(), n * steps * sizeof(float), cudaMemcpyHostToDevice);
  void (*const kernels[])(const float*, float*, int, int, int) = {same, byCounter, byStep, byData};
  for (int k = 0; k < 5; ++k)
    for (const int least : {0, 7, 400}) {
      cudaMemset(out, 0, n * steps * sizeof(float));
      // (One thread for each place of the last, so that no two store to one.)
      if (k == 4)
        moving<<<(n + 63) / 64, 64>>>(in, out, n, least == 7 ? 1 : steps, least);
      else
        kernels[k]<<<(n + 63) / 64, 64>>>(in, out, n, steps, least);
      cudaMemcpy(h.data(), out, n * steps * sizeof(float), cudaMemcpyDeviceToHost);
      double sum = 0;
      for (int i = 0; i < n * steps; ++i) sum += h[i] * (i % 89 + 1);
      printf("%d from %d: %.3f\n", k, least, sum);
    }
  cudaFree(in);
  cudaFree(out);
}
