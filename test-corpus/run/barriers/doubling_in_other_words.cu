// Scans by doubling offsets in halves of one array, by pointers that are swapped, and in other words; with near misses.
#include <cstdio>

template <class T, class Index> __global__ void halves(const T* in, T* out, int n) {
  __shared__ T temp[2 * 256 + 8];
  const Index t = threadIdx.x, size = blockDim.x;
  Index to = 0, from = 1;
  temp[t] = in[blockIdx.x * size + t];
  __syncthreads();
  for (Index d = 1; d < n; d *= 2) {
    to = 1 - to;
    from = 1 - to;
    if (t >= d)
      temp[to * size + t] = temp[from * size + t] + temp[from * size + t - d];
    else
      temp[to * size + t] = temp[from * size + t];
    __syncthreads();
  }
  out[blockIdx.x * size + t] = temp[to * size + t] - temp[from * size + t];
}

template <class T> __global__ void swapped(const T* in, T* out, int n) {
  __shared__ T a[256], b[256];
  T *from = a, *to = b;
  const int t = threadIdx.x;
  from[t] = in[blockIdx.x * blockDim.x + t];
  to[t] = 0;
  __syncthreads();
  for (int d = 1; d < n; d <<= 1) {
    to[t] = t >= d ? from[t] + from[t - d] : from[t];
    __syncthreads();
    T* const old = from;
    from = to;
    to = old;
  }
  out[blockIdx.x * blockDim.x + t] = from[t] * 2 + to[t];
}

template <class T> __global__ void summed(const T* in, T* out, int n, int shift) {
  __shared__ T s[2][264];
  const int t = threadIdx.x;
  int now = 0;
  s[0][t + shift] = in[blockIdx.x * blockDim.x + t];
  s[1][t + shift] = 3;
  __syncthreads();
  for (int d = 1; d < n; d <<= 1) {
    T v = s[now][t + shift];
    if (t >= d)
      v += s[now][shift + (t - d)];
    s[now ^ 1][shift + t] = v;
    now ^= 1;
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + t] = s[now][t + shift];
}

template <class T> __global__ void copied(const T* in, T* out, T* last, int n) {
  __shared__ T s[2][256];
  const int t = threadIdx.x;
  int now = 0;
  T mine = s[0][t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int d = 1; d < n; d <<= 1) {
    s[1 - now][t] = s[now][t];
    if (t >= d)
      s[1 - now][t] = s[now][t - d] + s[1 - now][t];
    __syncthreads();
    now = 1 - now;
  }
  // A value of the thread that goes on: not the same.
  for (int d = 1; d < n; d <<= 1) {
    T v = s[now][t];
    if (t >= d + 1)
      v += s[now][t - d];
    s[1 - now][t] = v;
    mine = v;
    __syncthreads();
    now = 1 - now;
  }
  out[blockIdx.x * blockDim.x + t] = s[now][t];
  last[blockIdx.x * blockDim.x + t] = mine;
}

template <class T> void print(const char* name, const T* out) {
  cudaDeviceSynchronize();
  double sum = 0;
  for (int i = 0; i < 512; ++i)
    sum += double(out[i]) * (i % 23 + 1);
  printf("%s: %.12g %.9g %.9g\n", name, sum, double(out[1]), double(out[190]));
}

template <class T> void all(const char* name) {
  T *in, *out, *last;
  cudaMallocManaged(&in, 512 * sizeof(T));
  cudaMallocManaged(&out, 512 * sizeof(T));
  cudaMallocManaged(&last, 512 * sizeof(T));
  for (int threads : {256, 192, 100, 32})
    for (int n : {threads, 16, 2}) {
      for (int i = 0; i < 512; ++i) {
        in[i] = T(i * 37 % 11) - T(i % 3) / T(8);
        out[i] = last[i] = 0;
      }
      printf("%s %d %d\n", name, threads, n);
      halves<T, int><<<2, threads>>>(in, out, n);
      print("halves", out);
      halves<T, unsigned><<<2, threads>>>(in, out, n);
      print("unsigned", out);
      swapped<<<2, threads>>>(in, out, n);
      print("swapped", out);
      summed<<<2, threads>>>(in, out, n, threads % 7);
      print("summed", out);
      copied<<<2, threads>>>(in, out, last, n);
      print("copied", out);
      print("last", last);
    }
}

int main() {
  all<float>("float");
  all<int>("int");
  all<double>("double");
  all<short>("short");
}
