// Scans by doubling offsets between two arrays in shared memory: of integers and of floats, whose
// sums depend on their order, with blocks of several sizes, a start at another offset, with both
// arrays used behind the loop, and -0 kept.
#include <cstdio>

template <class T> __global__ void rows(const T* in, T* out, T* older, int n) {
  __shared__ T sums[2][1024];
  const int t = threadIdx.x;
  int to = 0, from = 1;
  sums[to][t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    to = 1 - to;
    from = 1 - to;
    if (t >= offset)
      sums[to][t] = sums[from][t] + sums[from][t - offset];
    else
      sums[to][t] = sums[from][t];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + t] = sums[to][t];
  older[blockIdx.x * blockDim.x + t] = sums[from][t];
}

// Not by powers of two, and with the branches the other way round.
__global__ void steps(const float* in, float* out, unsigned first, unsigned times) {
  __shared__ float sums[2][256];
  const unsigned t = threadIdx.x;
  int from = 0;
  sums[0][t] = in[t];
  sums[1][t] = 0;
  __syncthreads();
  for (unsigned offset = first; offset < 256; offset *= times) {
    if (t < offset) {
      sums[1 - from][t] = sums[from][t];
    } else {
      sums[1 - from][t] = sums[from][t - offset] + sums[from][t];
    }
    __syncthreads();
    from = 1 - from;
  }
  out[t] = sums[from][t];
}

template <class T> void show(const char* name, int threads, int n) {
  T *in, *out, *older;
  cudaMallocManaged(&in, 2048 * sizeof(T));
  cudaMallocManaged(&out, 2048 * sizeof(T));
  cudaMallocManaged(&older, 2048 * sizeof(T));
  for (int i = 0; i < 2048; ++i)
    in[i] = i % 64 < 5 ? T(-0.0) : T(1 + i * 37 % 101) / T(7);
  rows<<<2, threads>>>(in, out, older, n);
  cudaDeviceSynchronize();
  double sum = 0, sumOlder = 0;
  for (int i = 0; i < 2 * threads; ++i) {
    sum += double(out[i]) * (1 + i % 13);
    sumOlder += double(older[i]) * (1 + i % 11);
  }
  printf("%s %d %d: %.12g %.12g %.9g %.9g\n", name, threads, n, sum, sumOlder, double(out[0]),
         double(out[2 * threads - 1]));
  if (threads == 512)
    steps<<<1, 256>>>(reinterpret_cast<float*>(in), reinterpret_cast<float*>(out), 1,
                      n > 256 ? 3 : 2);
  cudaDeviceSynchronize();
  if (threads == 512)
    printf("  %.9g %.9g\n", double(reinterpret_cast<float*>(out)[255]),
           double(reinterpret_cast<float*>(out)[77]));
}

int main() {
  for (const int threads : {32, 96, 100, 256, 384, 512, 1024})
    for (const int n : {2, 8, 16, 64, 128, 256, 1024})
      if (n <= threads || n == 2) {
        show<int>("int", threads, n);
        show<float>("float", threads, n);
        show<double>("double", threads, n);
        show<unsigned char>("bytes", threads, n);
      }
}
