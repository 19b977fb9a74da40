// Loops in which each thread takes four numbers of a row at a time: rows that end within a
// structure's worth of a block, other uses of the counter, and blocks that meet behind the loop.
#include <cstdio>
#include <vector>

__global__ void sums(const float* x, const float* w, float* out, int n) {
  __shared__ float parts[128];
  const float* row = x + size_t(blockIdx.x) * n;
  float sum = 0;
  for (int i = threadIdx.x * 4; i < n; i += blockDim.x * 4) {
    float4 a = *reinterpret_cast<const float4*>(row + i),
           b = *reinterpret_cast<const float4*>(w + i);
    sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
  }
  parts[threadIdx.x] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = parts[0];
}

template <int Threads> __global__ void scaled(const float* x, float* y, float f, int n) {
  const int first = (blockIdx.x * Threads + threadIdx.x) * 4;
  for (int i = 4 * threadIdx.x; i < n; i += 4 * Threads) {
    float4 v = reinterpret_cast<const float4*>(x)[i / 4];
    v.x *= f;
    v.y += float(i);
    v.z -= x[i + 1];
    reinterpret_cast<float4*>(y)[i >> 2] = v;
  }
  if (first < 0)
    y[0] = 0;
}

__global__ void pairs(const unsigned* in, unsigned* out, int n) {
  unsigned hash = threadIdx.x;
  for (int i = (blockIdx.x * blockDim.x + threadIdx.x) * 2; i < n - 1;
       i += gridDim.x * blockDim.x * 2) {
    const uint2 v = *reinterpret_cast<const uint2*>(in + i);
    hash = hash * 31 + (v.x ^ v.y * 3u);
    for (int k = 0; k < 3; ++k)
      hash += v.x >> k;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = hash;
}

struct Four {
  float a, b, c, d;
};
// Places that are no multiples of a structure, from a number that is not whole.
__global__ void quarters(const float* x, float* out, int n) {
  const float first = threadIdx.x * 0.25f;
  float sum = 0;
  for (int i = first * 4; i < n - 3; i += 32 * 4) {
    const Four v = *reinterpret_cast<const Four*>(x + i);
    sum += v.a + 2 * v.b + 3 * v.c + 4 * v.d;
  }
  out[threadIdx.x] = sum;
}

template <class T> unsigned hashOf(const T* device, int n) {
  std::vector<T> back(n);
  cudaMemcpy(back.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost);
  unsigned hash = 5;
  for (int i = 0; i < n; ++i)
    hash = hash * 31 + unsigned(int(back[i]));
  return hash;
}

int main() {
  const int rows = 5, most = 2048;
  std::vector<float> numbers(rows * most);
  std::vector<unsigned> words(most);
  for (int i = 0; i < rows * most; ++i)
    numbers[i] = float(i * 37 % 11 - 5);
  for (int i = 0; i < most; ++i)
    words[i] = i * 2654435761u;
  float *x, *y, *s;
  unsigned *in, *out;
  cudaMalloc(&x, rows * most * sizeof(float));
  cudaMalloc(&y, most * sizeof(float));
  cudaMalloc(&s, rows * sizeof(float));
  cudaMalloc(&in, most * sizeof(unsigned));
  cudaMalloc(&out, 512 * sizeof(unsigned));
  cudaMemcpy(x, numbers.data(), rows * most * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(in, words.data(), most * sizeof(unsigned), cudaMemcpyHostToDevice);
  for (const int n : {0, 4, 100, 512, 1000, most}) {
    sums<<<rows, 128>>>(x, x, s, n);
    std::printf("%d: %u", n, hashOf(s, rows));
    cudaMemset(y, 0, most * sizeof(float));
    scaled<96><<<1, 96>>>(x, y, 3, n - 4);
    std::printf(" %u", hashOf(y, most));
    pairs<<<3, 64>>>(in, out, n);
    std::printf(" %u", hashOf(out, 192));
    quarters<<<1, 128>>>(x, y, n);
    std::printf(" %u\n", hashOf(y, 128));
  }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
