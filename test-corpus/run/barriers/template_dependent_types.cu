// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel templates with dependent types and sizes, class parameters and if constexpr around barriers; several instances.
#include <cstdio>

template <class T> struct Traits {
  using Wide = long long;
  static constexpr int rounds = 2;
  __device__ static Wide widen(T x) { return x; }
};
template <> struct Traits<float> {
  using Wide = double;
  static constexpr int rounds = 3;
  __device__ static Wide widen(float x) { return x * 1.5; }
};
struct Plus {
  template <class T> __device__ T operator()(T a, T b) const { return a + b; }
};
struct Larger {
  template <class T> __device__ T operator()(T a, T b) const { return a > b ? a : b; }
};

template <class T, int N, class Op, bool twice> __global__ void k(const T* in, typename Traits<T>::Wide* out, Op op) {
  using Wide = typename Traits<T>::Wide;
  constexpr int half = N / 2;
  __shared__ Wide s[N];
  const int t = threadIdx.x;
  Wide mine = Traits<T>::widen(in[t]);
  T history[Traits<T>::rounds + 1];
  T firsts[half > 4 ? 4 : half] = {in[0], in[t]};
  s[t] = mine;
  __syncthreads();
  for (int d = half; d > 0; d /= 2) {
    if (t < d)
      s[t] = op(s[t], s[t + d]);
    __syncthreads();
  }
  for (int r = 0; r < Traits<T>::rounds; ++r)
    history[r] = in[(t + r) % N];
  history[Traits<T>::rounds] = T(1);
  if constexpr (twice) {
    Wide all = s[0];
    __syncthreads();
    s[t] = all + mine;
    __syncthreads();
  }
  Wide sum = s[twice ? N - 1 - t : 0];
  for (T x : history)
    sum += x;
  out[t] = sum + mine + firsts[0] + firsts[1];
}

template <class T, int N, class Op, bool twice> double run() {
  T* in;
  typename Traits<T>::Wide* out;
  cudaMallocManaged(&in, N * sizeof(*in));
  cudaMallocManaged(&out, N * sizeof(*out));
  for (int i = 0; i < N; ++i)
    in[i] = T(i * 5 % 17 + 1);
  k<T, N, Op, twice><<<1, N>>>(in, out, Op());
  cudaDeviceSynchronize();
  double sum = 0;
  for (int i = 0; i < N; ++i)
    sum += double(out[i]) * (i + 1);
  cudaFree(in);
  cudaFree(out);
  return sum;
}

int main() {
  printf("%.1f\n", run<int, 64, Plus, false>());
  printf("%.1f\n", run<int, 32, Larger, true>());
  printf("%.1f\n", run<float, 128, Plus, true>());
  printf("%.1f\n", run<short, 8, Larger, false>());
  return 0;
}
