// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuRAND in kernels: bits of every engine with subsequences and offsets are NVIDIA's; distributions.
// TOLERANCE: 2e-5
#include <cstdio>
#include <curand_kernel.h>

template <class State> __global__ void setUp(State* states, unsigned long long seed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(seed, i, i % 5, &states[i]);
}

template <class State> __global__ void bits(State* states, unsigned long long* sum, unsigned* first) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  State local = states[i];
  unsigned long long mine = 0;
  for (int k = 0; k < 100; ++k) {
    const unsigned x = curand(&local);
    if (k == 0)
      first[i] = x;
    mine = mine * 31 + x;
  }
  states[i] = local;
  atomicAdd(sum, mine * (2ull * i + 1));
}

template <class State> __global__ void numbers(State* states, double* out) {
  const int i = threadIdx.x;
  State local = states[i];
  double* o = out + 8 * i;
  o[0] = curand_uniform(&local);
  o[1] = curand_uniform_double(&local);
  o[2] = curand_normal(&local);
  o[3] = curand_normal(&local);
  o[4] = curand_normal_double(&local);
  o[5] = curand_log_normal(&local, 0.5f, 0.25f);
  o[6] = curand_poisson(&local, 6.5);
  const float2 pair = curand_normal2(&local);
  o[7] = pair.x + pair.y;
  skipahead(1000, &local);
  o[0] += curand_uniform(&local);
}

__global__ void inFours(curandStatePhilox4_32_10_t* states, float4* out) {
  const int i = threadIdx.x;
  const float4 u = curand_uniform4(&states[i]), n = curand_normal4(&states[i]);
  out[i] = make_float4(u.x + n.x, u.y + n.y, u.z + n.z, u.w + n.w);
}

// The guide's use: estimating pi, exactly the same points on every device.
__global__ void pointsInCircle(curandState* states, unsigned* count, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curandState local = states[i];
  unsigned inside = 0;
  for (int k = 0; k < n; ++k) {
    const float x = curand_uniform(&local), y = curand_uniform(&local);
    inside += x * x + y * y <= 1.0f;
  }
  atomicAdd(count, inside);
}

template <class State> static void run(const char* name) {
  const int threads = 256;
  State* states;
  unsigned long long* sum;
  unsigned* first;
  double* out;
  cudaMalloc(&states, threads * sizeof *states);
  cudaMallocManaged(&sum, sizeof *sum);
  cudaMallocManaged(&first, threads * sizeof *first);
  cudaMallocManaged(&out, 8 * 16 * sizeof *out);
  *sum = 0;
  setUp<<<4, 64>>>(states, 0x123456789abcdefull);
  bits<<<4, 64>>>(states, sum, first);
  numbers<<<1, 16>>>(states, out);
  cudaDeviceSynchronize();
  printf("%s %016llx %08x %08x %08x\n", name, *sum, first[0], first[1], first[255]);
  for (int i = 0; i < 16; i += 5)
    for (int k = 0; k < 8; ++k)
      printf("%.6g%c", out[8 * i + k], k == 7 ? '\n' : ' ');
}

int main() {
  run<curandStateXORWOW>("XORWOW");
  run<curandStatePhilox4_32_10_t>("Philox");
  run<curandStateMRG32k3a>("MRG32k3a");
  curandStatePhilox4_32_10_t* philox;
  float4* fours;
  cudaMallocManaged(&philox, 8 * sizeof *philox);
  cudaMallocManaged(&fours, 8 * sizeof *fours);
  setUp<<<1, 8>>>(philox, 7);
  inFours<<<1, 8>>>(philox, fours);
  cudaDeviceSynchronize();
  for (int i = 0; i < 8; i += 3)
    printf("%.6g %.6g %.6g %.6g\n", fours[i].x, fours[i].y, fours[i].z, fours[i].w);
  curandState* states;
  unsigned* count;
  cudaMalloc(&states, 512 * sizeof *states);
  cudaMallocManaged(&count, sizeof *count);
  *count = 0;
  setUp<<<8, 64>>>(states, 99);
  pointsInCircle<<<8, 64>>>(states, count, 1000);
  cudaDeviceSynchronize();
  printf("inside %u of %d\n", *count, 512 * 1000);
}
