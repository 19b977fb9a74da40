// A kernel reads what its texture reference was bound to when it was launched, also if the program
// binds or unbinds it before the kernel has run. Newer compilers do the same with texture objects.
#include <cstdio>

constexpr int n = 1 << 16, rounds = 6;

#if CUDART_VERSION < 13000
texture<float, 1, cudaReadModeElementType> source;
__global__ void step(float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 64; ++k)
    sum += tex1Dfetch(source, (i + k * 37) % n);
  out[i] = sum / 64 + 1;
}
static void run(const float* from, float* to) {
  cudaBindTexture(nullptr, source, from, n * sizeof(float));
  step<<<n / 256, 256>>>(to);
}
static void finish() { cudaUnbindTexture(source); }
#else
__global__ void step(float* out, cudaTextureObject_t source) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 64; ++k)
    sum += tex1Dfetch<float>(source, (i + k * 37) % n);
  out[i] = sum / 64 + 1;
}
static void run(const float* from, float* to) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = const_cast<float*>(from);
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = n * sizeof(float);
  cudaTextureDesc settings{};
  settings.readMode = cudaReadModeElementType;
  cudaTextureObject_t source;
  cudaCreateTextureObject(&source, &resource, &settings, nullptr);
  step<<<n / 256, 256>>>(to, source);
}
static void finish() {}
#endif

int main() {
  static float host[n];
  for (int i = 0; i < n; ++i)
    host[i] = float(i % 8);
  float* buffers[rounds + 1];
  for (float*& buffer : buffers) {
    cudaMalloc(&buffer, n * sizeof(float));
    cudaMemset(buffer, 0, n * sizeof(float));
  }
  cudaMemcpy(buffers[0], host, sizeof host, cudaMemcpyHostToDevice);
  for (int round = 0; round < rounds; ++round)
    run(buffers[round], buffers[round + 1]);
  finish();
  for (int round = 0; round <= rounds; ++round) {
    cudaMemcpy(host, buffers[round], sizeof host, cudaMemcpyDeviceToHost);
    double sum = 0;
    for (const float value : host)
      sum += value;
    printf("round %d: %.1f %.6f %.6f\n", round, sum, host[0], host[n - 1]);
  }
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  return 0;
}
