// Scans by doubling offsets in one array in shared memory, which threads read before a barrier and
// add to behind it: threads in front add 0 (-0 becomes 0), nothing, or store what they have read.
#include <cstdio>

template <class T> __global__ void zeros(const T* in, T* out, int n) {
  __shared__ T s[1024];
  const int t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int d = 1; d < n; d *= 2) {
    T v = t >= d ? s[t - d] : T(0);
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + t] = s[t];
}
template <class T> __global__ void nothing(const T* in, T* out, unsigned n, unsigned first) {
  __shared__ T s[1024];
  s[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  for (unsigned d = first; d < n; d <<= 1) {
    T v;
    if (threadIdx.x >= d)
      v = s[threadIdx.x - d];
    __syncthreads();
    if (threadIdx.x >= d)
      s[threadIdx.x] += v;
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x];
}
template <class T> __global__ void sums(const T* in, T* out, int n, int times) {
  __shared__ T s[1024];
  const int t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int d = 1; d < n; d *= times) {
    T v = s[t];
    if (t >= d)
      v += s[t - d];
    __syncthreads();
    s[t] = v;
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + t] = t ? s[t - 1] : T(0);
}
template <class T> void show(const char* name, int threads, int n) {
  T *in, *out;
  cudaMallocManaged(&in, 2048 * sizeof(T));
  cudaMallocManaged(&out, 2048 * sizeof(T));
  for (int i = 0; i < 2048; ++i)
    in[i] = i % 64 < 5 ? T(-0.0) : T(1 + i * 37 % 101) / T(7);
  for (int form = 0; form < 5; ++form) {
    if (form == 0)
      zeros<<<2, threads>>>(in, out, n);
    else if (form < 3)
      nothing<<<2, threads>>>(in, out, n, form == 1 ? 1 : 4);
    else
      sums<<<2, threads>>>(in, out, n, form - 1);
    cudaDeviceSynchronize();
    double sum = 0;
    int negative = 0;
    for (int i = 0; i < 2 * threads; ++i) {
      sum += double(out[i]) * (1 + i % 8);
      negative += 1 / (double(out[i]) == 0 ? double(out[i]) : 1.0) < 0;
    }
    printf("%s %d %d %d: %.9g %.9g %d\n", name, threads, n, form, sum, double(out[2 * threads - 1]),
           negative);
  }
}

int main() {
  for (const int threads : {32, 96, 100, 256, 512})
    for (const int n : {2, 16, 64, 256, 512})
      if (n <= threads || n == 2) {
        show<int>("int", threads, n);
        show<float>("float", threads, n);
        show<double>("double", threads, n);
        show<unsigned char>("bytes", threads, n);
      }
}
