// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sobol' sequences in kernels and from the host: 32 and 64 bits, scrambled ones, several dimensions, offsets, distributions.
// FLAGS: -lcurand
// TOLERANCE: 2e-5
#include <cstdio>
#include <curand.h>
#include <curand_kernel.h>
#include <vector>

constexpr int dimensions = 8, threads = 64;

template <class State, class Vectors, class Word>
__global__ void bits(Vectors* vectors, Word* out, unsigned long long* sum) {
  const int d = blockIdx.x, t = threadIdx.x;
  State state;
  curand_init(vectors[d], t * 7, &state);
  unsigned long long mine = 0;
  for (int i = 0; i < 50; ++i) {
    const Word x = curand(&state);
    if (i == 0)
      out[d * threads + t] = x;
    mine = mine * 31 + x;
  }
  skipahead(1000, &state);
  mine = mine * 31 + curand(&state);
  atomicAdd(&sum[d], mine * (2 * t + 1));
}
template <class State, class Vectors, class Word>
__global__ void scrambled(Vectors* vectors, Word constant, unsigned long long* sum) {
  State state;
  curand_init(vectors[blockIdx.x], constant + blockIdx.x, threadIdx.x, &state);
  unsigned long long mine = 0;
  for (int i = 0; i < 20; ++i)
    mine = mine * 31 + curand(&state);
  atomicAdd(&sum[blockIdx.x], mine * (2 * threadIdx.x + 1));
}
template <class State, class Vectors> __global__ void numbers(Vectors* vectors, double* out) {
  State state;
  const int d = threadIdx.x;
  curand_init(vectors[d], 5 + d, &state);
  double* o = out + 6 * d;
  o[0] = curand_uniform(&state);
  o[1] = curand_uniform_double(&state);
  o[2] = curand_normal(&state);
  o[3] = curand_normal_double(&state);
  o[4] = curand_log_normal(&state, 0.5f, 0.25f);
  o[5] = curand_log_normal_double(&state, 0.5, 0.25);
}
template <class State, class Vectors> __global__ void pi(Vectors* vectors, unsigned* count, int n) {
  State x, y;
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * n;
  curand_init(vectors[0], first, &x);
  curand_init(vectors[1], first, &y);
  unsigned inside = 0;
  for (int i = 0; i < n; ++i) {
    const float a = curand_uniform(&x), b = curand_uniform(&y);
    inside += a * a + b * b <= 1.0f;
  }
  atomicAdd(count, inside);
}

template <class State, class Scrambled, class Vectors, class Word> void run(const char* name, Vectors* host) {
  Vectors* vectors;
  Word* out;
  unsigned long long* sum;
  double* d;
  unsigned* count;
  cudaMalloc(&vectors, dimensions * sizeof(Vectors));
  cudaMemcpy(vectors, host, dimensions * sizeof(Vectors), cudaMemcpyHostToDevice);
  cudaMallocManaged(&out, dimensions * threads * sizeof *out);
  cudaMallocManaged(&sum, dimensions * sizeof *sum);
  cudaMallocManaged(&d, dimensions * 6 * sizeof *d);
  cudaMallocManaged(&count, sizeof *count);
  cudaMemset(sum, 0, dimensions * sizeof *sum);
  bits<State><<<dimensions, threads>>>(vectors, out, sum);
  cudaDeviceSynchronize();
  for (int i = 0; i < dimensions; ++i)
    printf("%s %d %016llx %llx %llx\n", name, i, sum[i], (unsigned long long)out[i * threads + 1],
           (unsigned long long)out[i * threads + 63]);
  cudaMemset(sum, 0, dimensions * sizeof *sum);
  scrambled<Scrambled><<<dimensions, threads>>>(vectors, Word(0x12345678), sum);
  cudaDeviceSynchronize();
  printf("scrambled %016llx %016llx\n", sum[0], sum[7]);
  numbers<State><<<1, dimensions>>>(vectors, d);
  cudaDeviceSynchronize();
  for (int i = 0; i < dimensions; i += 3)
    for (int k = 0; k < 6; ++k)
      printf("%.7g%c", d[6 * i + k], k == 5 ? '\n' : ' ');
  *count = 0;
  pi<State><<<4, threads>>>(vectors, count, 40);
  cudaDeviceSynchronize();
  printf("inside %u of %d\n", *count, 4 * threads * 40);
}

int main() {
  curandDirectionVectors32_t* v32;
  curandDirectionVectors64_t* v64;
  printf("%d %d\n", curandGetDirectionVectors32(&v32, CURAND_DIRECTION_VECTORS_32_JOEKUO6),
         curandGetDirectionVectors64(&v64, CURAND_DIRECTION_VECTORS_64_JOEKUO6));
  unsigned long long hash = 0;
  for (int d = 0; d < 1000; ++d)
    for (int b = 0; b < 32; ++b)
      hash = hash * 31 + v32[d][b] + (v64[d][b] >> 20) + (v64[d][b + 32] >> 10);
  printf("vectors %016llx\n", hash);
  run<curandStateSobol32_t, curandStateScrambledSobol32_t, curandDirectionVectors32_t, unsigned>("32", v32);
  run<curandStateSobol64_t, curandStateScrambledSobol64_t, curandDirectionVectors64_t, unsigned long long>("64", v64);

  const int n = 3000;
  float* f;
  double* d;
  unsigned* u;
  unsigned long long* w;
  cudaMallocManaged(&f, n * sizeof *f);
  cudaMallocManaged(&d, n * sizeof *d);
  cudaMallocManaged(&u, n * sizeof *u);
  cudaMallocManaged(&w, n * sizeof *w);
  curandGenerator_t g;
  curandCreateGenerator(&g, CURAND_RNG_QUASI_SOBOL32);
  printf("%d\n", curandSetQuasiRandomGeneratorDimensions(g, 3));
  printf("%d %d\n", curandGenerateUniform(g, f, 1000), curandGenerateUniform(g, f, n));
  cudaDeviceSynchronize();
  for (int i = 0; i < n; i += 333)
    printf("%.7g ", f[i]);
  printf("\n");
  curandGenerate(g, u, n);
  curandGenerateNormal(g, f, n, 1.0f, 2.0f);
  curandGenerateUniformDouble(g, d, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; i += 501)
    printf("%08x %.6g %.10g\n", u[i], f[i], d[i]);
  curandDestroyGenerator(g);
  curandCreateGenerator(&g, CURAND_RNG_QUASI_SOBOL64);
  curandSetQuasiRandomGeneratorDimensions(g, 2);
  curandSetGeneratorOffset(g, 100);
  curandGenerateLongLong(g, w, n);
  curandGenerateUniformDouble(g, d, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; i += 601)
    printf("%016llx %.10g\n", w[i], d[i]);
  curandDestroyGenerator(g);
}
