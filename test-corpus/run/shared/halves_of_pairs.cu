// Networks that sort in which threads find the lower element of their pair by `((t & ~(j - 1)) <<
// 1) | (t & (j - 1))` and the upper one by `lower | j`, and the direction by a bit of either.
#include <cstdio>

template <class T, int N> __global__ void sorted(const T* in, T* out) {
  __shared__ T key[N];
  for (int i = threadIdx.x; i < N; i += blockDim.x)
    key[i] = in[blockIdx.x * N + i];
  for (int k = 2; k <= N; k <<= 1)
    for (int j = k >> 1; j > 0; j >>= 1) {
      __syncthreads();
      int t = threadIdx.x;
      int lo = ((t & ~(j - 1)) << 1) | (t & (j - 1)), hi = lo | j;
      T a = key[lo], b = key[hi];
      bool up = (lo & k) == 0;
      if ((a > b) == up) {
        key[lo] = b;
        key[hi] = a;
      }
    }
  __syncthreads();
  for (int i = threadIdx.x; i < N; i += blockDim.x)
    out[blockIdx.x * N + i] = key[i];
}

// By a bit of the thread, with values beside the keys, in either direction.
template <class T, unsigned N> __global__ void withValues(const T* in, T* out, unsigned* order) {
  __shared__ T key[N];
  __shared__ unsigned value[N];
  const unsigned t = threadIdx.x;
  key[t] = in[t], key[t + N / 2] = in[t + N / 2];
  value[t] = t, value[t + N / 2] = t + N / 2;
  for (unsigned size = 2; size <= N; size *= 2)
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const unsigned pos = 2 * t - (t & (stride - 1));
      const bool falls = (t & (size / 2)) != 0;
      if ((key[pos] > key[pos + stride]) != falls) {
        T k = key[pos];
        key[pos] = key[pos + stride], key[pos + stride] = k;
        unsigned v = value[pos];
        value[pos] = value[pos + stride], value[pos + stride] = v;
      }
    }
  __syncthreads();
  out[t] = key[t], out[t + N / 2] = key[t + N / 2];
  order[t] = value[t], order[t + N / 2] = value[t + N / 2];
}

template <class T> void print(const char* name, const T* values, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += double(values[i]) * (1 + i % 13);
  printf("%s %.0f first %.0f last %.0f\n", name, sum, double(values[0]), double(values[count - 1]));
}

template <class T> void run() {
  T *in, *out;
  unsigned* order;
  cudaMallocManaged(&in, 2048 * sizeof(T));
  cudaMallocManaged(&out, 2048 * sizeof(T));
  cudaMallocManaged(&order, 2048 * sizeof(unsigned));
  for (int i = 0; i < 2048; ++i)
    in[i] = T((i * 1237 + 411) % 2048);
  sorted<T, 1024><<<2, 512>>>(in, out);
  cudaDeviceSynchronize();
  print("sorted", out, 2048);
  sorted<T, 64><<<8, 32>>>(in, out);
  cudaDeviceSynchronize();
  print("short", out, 512);
  withValues<T, 512><<<1, 256>>>(in, out, order);
  cudaDeviceSynchronize();
  print("keys", out, 512);
  print("order", order, 512);
}

int main() {
  run<unsigned long long>();
  run<int>();
  run<float>();
  run<short>();
  return 0;
}
