// Loops that all threads take alike run by rows of threads where they call functions of headers
// that give two numbers back by address (sincosf, sincos, modff), also to variables that live on.
#include <cstdio>

#include <cuda_runtime.h>

struct Generator {
  unsigned state;
  __device__ explicit Generator(unsigned seed) : state(seed * 2654435761u + 1u) {}
  __device__ unsigned next() {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
  }
  __device__ float uniform() { return ((next() >> 8) + 0.5f) * (1.0f / 16777216.0f); }
};

__global__ void paths(float* out, int steps) {
  __shared__ float sums[64];
  const int t = threadIdx.x;
  Generator random(blockIdx.x * blockDim.x + t);
  float sum = 0.0f;
  for (int i = 0; i < steps; i += 2) {
    const float radius = sqrtf(-2.0f * logf(random.uniform()));
    float sine, cosine;
    sincosf(6.2831853f * random.uniform(), &sine, &cosine);
    sum += fmaxf(radius * sine, 0.0f) + fmaxf(radius * cosine, 0.0f);
  }
  sums[t] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s)
      sums[t] += sums[t + s];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = sums[0];
}

// The last step's numbers are asked for behind the loop, and a step asks for the one before.
__global__ void turns(double* out, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double sine = 0.25 * i, cosine = 0.5, sum = 0.0;
  float whole = 0.0f;
  for (int k = 0; k < steps; ++k) {
    const double angle = sine + cosine * 0.125;
    sincos(angle, &sine, &cosine);
    const float part = modff(static_cast<float>(8.0 * sine + k), &whole);
    sum += sine * cosine + 0.5 * part + whole;
  }
  out[i] = sum + 2.0 * sine - cosine + whole;
}

int main() {
  const int blocks = 5, threads = 64, n = blocks * threads;
  float* sums;
  double* angles;
  cudaMallocManaged(&sums, blocks * sizeof(float));
  cudaMallocManaged(&angles, n * sizeof(double));
  paths<<<blocks, threads>>>(sums, 64);
  turns<<<blocks, threads>>>(angles, 12);
  cudaDeviceSynchronize();
  double all = 0.0;
  for (int i = 0; i < n; ++i)
    all += angles[i] * (i % 7 + 1);
  for (int b = 0; b < blocks; ++b)
    printf("%.1f ", sums[b]);
  printf("\n%.4f %.6f\n", all, angles[77]);
  return 0;
}
