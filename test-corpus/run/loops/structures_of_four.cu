// Structures of four words that threads load and store as a whole, and compute with by their parts.
#include <cstdio>
#include <vector>

__global__ void lengths(const float4* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float4 v = in[i];
    out[i] = v.x * v.x + v.y * v.y - v.z * v.w;
  }
}

__global__ void scaled(const float4* in, const float* by, float4* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float4 v = in[i];
    const float f = by[i];
    out[i] = make_float4(v.x * f, v.y + f, v.z * f, v.w - f);
  }
}

// In another order, one part twice, and one that is the same for all.
__global__ void mixed(const int4* in, int4* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const int4 v = in[i];
    out[i] = make_int4(v.w * 3, v.x, v.w + v.y, 7);
  }
}

__global__ void twoParts(const uint4* in, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i].y ^ in[i].w * 5u;
}

__global__ void inPlace(float4* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float4 v = a[i];
  const float t = v.x;
  v.x = v.z - t;
  v.z = t * 2 + v.y;
  a[i] = v;
}

template <class T> unsigned hashOf(const T* device, int n) {
  std::vector<T> back(n);
  cudaMemcpy(back.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost);
  unsigned hash = 5;
  const unsigned* const words = reinterpret_cast<const unsigned*>(back.data());
  for (unsigned i = 0; i < n * sizeof(T) / 4; ++i)
    hash = hash * 31 + words[i];
  return hash;
}

int main() {
  const int most = 1037;
  std::vector<float> numbers(4 * most);
  std::vector<int> words(4 * most);
  for (int i = 0; i < 4 * most; ++i) {
    numbers[i] = float(i * 37 % 101 - 50);
    words[i] = i * 77 % 1009 - 500;
  }
  float4 *a, *b;
  int4 *c, *d;
  float* s;
  unsigned* u;
  cudaMalloc(&a, most * sizeof(float4));
  cudaMalloc(&b, most * sizeof(float4));
  cudaMalloc(&c, most * sizeof(int4));
  cudaMalloc(&d, most * sizeof(int4));
  cudaMalloc(&s, most * sizeof(float));
  cudaMalloc(&u, most * sizeof(unsigned));
  for (const int n : {1, 7, 8, 31, 256, 1000, most}) {
    cudaMemcpy(a, numbers.data(), most * sizeof(float4), cudaMemcpyHostToDevice);
    cudaMemcpy(c, words.data(), most * sizeof(int4), cudaMemcpyHostToDevice);
    cudaMemset(b, 0, most * sizeof(float4));
    cudaMemset(d, 0, most * sizeof(int4));
    cudaMemset(s, 0, most * sizeof(float));
    cudaMemset(u, 0, most * sizeof(unsigned));
    const int blocks = (n + 255) / 256;
    lengths<<<blocks, 256>>>(a, s, n);
    std::printf("%d: %u", n, hashOf(s, most));
    scaled<<<blocks, 256>>>(a, s, b, n);
    std::printf(" %u", hashOf(b, most));
    mixed<<<blocks, 256>>>(c, d, n);
    std::printf(" %u", hashOf(d, most));
    twoParts<<<blocks, 256>>>(reinterpret_cast<const uint4*>(d), u, n);
    std::printf(" %u", hashOf(u, most));
    inPlace<<<blocks, 256>>>(a, n);
    std::printf(" %u\n", hashOf(a, most));
  }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
