// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuRAND's host API: the numbers of each generator in NVIDIA's order, in device and host memory, over several calls.
// FLAGS: -lcurand
// TOLERANCE: 2e-5
#include <cstdio>
#include <curand.h>
#include <vector>

static void check(curandStatus_t status) {
  if (status != CURAND_STATUS_SUCCESS)
    printf("status %d\n", int(status));
}

static void run(const char* name, curandRngType_t type) {
  const int n = 10000;
  curandGenerator_t g;
  check(curandCreateGenerator(&g, type));
  check(curandSetPseudoRandomGeneratorSeed(g, 1234ULL));
  unsigned* bits;
  float* f;
  double* d;
  cudaMalloc(&bits, n * sizeof *bits);
  cudaMalloc(&f, n * sizeof *f);
  cudaMalloc(&d, n * sizeof *d);
  std::vector<unsigned> hb(n);
  std::vector<float> hf(n);
  std::vector<double> hd(n);

  check(curandGenerate(g, bits, n));
  cudaMemcpy(hb.data(), bits, n * sizeof *bits, cudaMemcpyDeviceToHost);
  unsigned long long sum = 0;
  for (int i = 0; i < n; ++i)
    sum = sum * 31 + hb[i];
  printf("%s bits %016llx\n", name, sum);

  check(curandGenerateUniform(g, f, n));
  cudaMemcpy(hf.data(), f, n * sizeof *f, cudaMemcpyDeviceToHost);
  printf("uniform %.9g %.9g %.9g\n", hf[0], hf[1], hf[n - 1]);
  check(curandGenerateNormal(g, f, n, 1.0f, 2.0f));
  cudaMemcpy(hf.data(), f, n * sizeof *f, cudaMemcpyDeviceToHost);
  double mean = 0;
  for (float x : hf)
    mean += x;
  printf("normal %.6g %.6g %.6g mean %.4f\n", hf[0], hf[1], hf[n - 1], mean / n);
  check(curandGenerateUniformDouble(g, d, n));
  cudaMemcpy(hd.data(), d, n * sizeof *d, cudaMemcpyDeviceToHost);
  printf("double %.12g %.12g\n", hd[0], hd[n - 1]);
  check(curandDestroyGenerator(g));
  check(curandCreateGenerator(&g, type));
  check(curandSetPseudoRandomGeneratorSeed(g, 77ULL));
  check(curandGenerateNormalDouble(g, d, n, 0.0, 1.0));
  cudaMemcpy(hd.data(), d, n * sizeof *d, cudaMemcpyDeviceToHost);
  printf("normal double %.10g %.10g\n", hd[0], hd[n - 1]);
  check(curandGenerateLogNormal(g, f, n, 0.5f, 0.25f));
  cudaMemcpy(hf.data(), f, n * sizeof *f, cudaMemcpyDeviceToHost);
  printf("log normal %.6g %.6g\n", hf[0], hf[n - 1]);
  check(curandDestroyGenerator(g));

  check(curandCreateGeneratorHost(&g, type));
  check(curandSetPseudoRandomGeneratorSeed(g, 5ULL));
  check(curandSetGeneratorOffset(g, 3));
  check(curandGenerateUniform(g, hf.data(), 8));
  printf("host %.9g %.9g\n", hf[0], hf[7]);
  check(curandDestroyGenerator(g));
}

int main() {
  run("default", CURAND_RNG_PSEUDO_DEFAULT);
  run("XORWOW", CURAND_RNG_PSEUDO_XORWOW);
  run("Philox", CURAND_RNG_PSEUDO_PHILOX4_32_10);
  run("MRG32k3a", CURAND_RNG_PSEUDO_MRG32K3A);
  curandGenerator_t g;
  check(curandCreateGeneratorHost(&g, CURAND_RNG_QUASI_SOBOL32));
  float points[8];
  check(curandGenerateUniform(g, points, 8));
  for (float p : points)
    printf("%g ", p);
  printf("\n");
  check(curandDestroyGenerator(g));
}
