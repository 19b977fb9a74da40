// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// curand_poisson() draws NVIDIA's numbers for small, medium and large means, from pseudo-random and
// quasi-random generators.
// FLAGS: -lcurand
#include <cstdio>
#include <curand.h>
#include <curand_kernel.h>

constexpr int threads = 32;
constexpr int means = 7;
__constant__ double mean[means] = {0.5, 10.25, 63.5, 64, 100.5, 400, 5000};

template <class State> __global__ void draw(unsigned* out) {
  State state;
  for (int m = 0; m < means; ++m) {
    curand_init(2024ull, threadIdx.x, 0ull, &state);
    out[m * threads + threadIdx.x] = curand_poisson(&state, mean[m]);
  }
}

__global__ void drawFour(unsigned* out) {
  curandStatePhilox4_32_10_t state;
  for (int m = 0; m < means; ++m) {
    curand_init(7ull, threadIdx.x, 0ull, &state);
    const uint4 four = curand_poisson4(&state, mean[m]);
    out[m * threads + threadIdx.x] = four.x + four.y + four.z + four.w;
  }
}

template <class State, class Vectors> __global__ void drawSobol(Vectors* vectors, unsigned* out) {
  State state;
  for (int m = 0; m < means; ++m) {
    curand_init(vectors[1], 100 + 37 * threadIdx.x, &state);
    out[m * threads + threadIdx.x] = curand_poisson(&state, mean[m]);
  }
}

void show(const char* name, const unsigned* out) {
  cudaDeviceSynchronize();
  for (int m = 0; m < means; ++m) {
    printf("%s %d:", name, m);
    for (int i = 0; i < threads; ++i)
      printf(" %u", out[m * threads + i]);
    printf("\n");
  }
}

int main() {
  unsigned* out;
  cudaMallocManaged(&out, means * threads * sizeof *out);
  draw<curandStateXORWOW_t><<<1, threads>>>(out);
  show("xorwow", out);
  draw<curandStatePhilox4_32_10_t><<<1, threads>>>(out);
  show("philox", out);
  draw<curandStateMRG32k3a_t><<<1, threads>>>(out);
  show("mrg32k3a", out);
  drawFour<<<1, threads>>>(out);
  show("four of philox", out);

  curandDirectionVectors32_t *host32, *vectors32;
  curandDirectionVectors64_t *host64, *vectors64;
  curandGetDirectionVectors32(&host32, CURAND_DIRECTION_VECTORS_32_JOEKUO6);
  curandGetDirectionVectors64(&host64, CURAND_DIRECTION_VECTORS_64_JOEKUO6);
  cudaMalloc(&vectors32, 2 * sizeof *vectors32);
  cudaMalloc(&vectors64, 2 * sizeof *vectors64);
  cudaMemcpy(vectors32, host32, 2 * sizeof *vectors32, cudaMemcpyHostToDevice);
  cudaMemcpy(vectors64, host64, 2 * sizeof *vectors64, cudaMemcpyHostToDevice);
  drawSobol<curandStateSobol32_t><<<1, threads>>>(vectors32, out);
  show("sobol32", out);
  drawSobol<curandStateSobol64_t><<<1, threads>>>(vectors64, out);
  show("sobol64", out);
}
