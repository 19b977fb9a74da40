// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of matrices by tiles, in templates that are given one type or several, with guards that
// hold for whole rows of a block, and loads through methods of class templates.
#include <cstdio>
#include <vector>

template <class T>
struct View {
  T* data;
  int rows, columns;
  __device__ T get(int r, int c) const {
    return (r < rows && c < columns) ? data[r * columns + c] : T(0);
  }
  __device__ T getOr(int r, int c, T other) const {
    return r < rows && c < columns ? data[r * columns + c] : other;
  }
  __device__ bool holds(int r, int c) const { return r < rows && c < columns; }
};

// Loads another way: methods of a specialization, and one that is specialized itself.
template <class T>
struct Wrapped {
  T* data;
  int count;
  __device__ T at(int i) const { return i < count ? data[i] : T(1); }
};
template <>
struct Wrapped<short> {
  short* data;
  int count;
  __device__ short at(int i) const { return i < count ? short(data[i] + 1) : short(2); }
};
template <>
__device__ double Wrapped<double>::at(int i) const {
  return i < count ? data[i] * 2 : -1.0;
}

// One type, given by name: double-buffered.
template <typename T, int TS>
__global__ void product(View<const T> a, View<const T> b, View<T> c, T scale) {
  __shared__ T as[2][TS * TS];
  __shared__ T bs[2][TS * TS];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TS + ty, column = blockIdx.x * TS + tx;
  const int tiles = (a.columns + TS - 1) / TS;
  as[0][ty * TS + tx] = a.get(row, tx);
  bs[0][ty * TS + tx] = b.get(ty, column);
  __syncthreads();
  T sum = T(0);
  for (int t = 0; t < tiles; ++t) {
    const int current = t & 1;
    if (t + 1 < tiles) {
      as[current ^ 1][ty * TS + tx] = a.get(row, (t + 1) * TS + tx);
      bs[current ^ 1][ty * TS + tx] = b.get((t + 1) * TS + ty, column);
    }
    for (int k = 0; k < TS; ++k)
      sum += as[current][ty * TS + k] * bs[current][k * TS + tx];
    __syncthreads();
  }
  if (c.holds(row, column))
    c.data[row * c.columns + column] = scale * sum;
}

// One type, deduced; guards that are asked the other way round, of unsigned places.
template <class T>
__global__ void productDeduced(const T* a, const T* b, T* c, unsigned m, unsigned n, unsigned k) {
  __shared__ T as[16][16];
  __shared__ T bs[16][16];
  const unsigned tx = threadIdx.x, ty = threadIdx.y;
  const unsigned row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
  T sum = 0;
  for (unsigned from = 0; from < k; from += 16) {
    as[ty][tx] = (row >= m || from + tx >= k) ? T(0) : a[row * k + from + tx];
    bs[ty][tx] = (from + ty >= k || column >= n) ? T(0) : b[(from + ty) * n + column];
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      sum += as[ty][i] * bs[i][tx];
    __syncthreads();
  }
  if (row < m && column < n)
    c[row * n + column] = sum;
}

// Two types; those outside load something else than nothing. Rows that fall from thread to thread.
template <class T, class Sum = int>
__global__ void turned(View<const T> in, View<T> out, T other) {
  __shared__ T tile[16][17];
  const int x = blockIdx.x * 16 + threadIdx.x;
  const int y = in.rows - 1 - int(blockIdx.y * 16 + threadIdx.y);
  tile[threadIdx.y][threadIdx.x] =
      (y >= 0 && x < in.columns) ? in.getOr(y, x, other) : T(other + 1);
  __syncthreads();
  Sum sum = Sum(tile[threadIdx.y][threadIdx.x]) + Sum(tile[threadIdx.x][threadIdx.y]);
  const int row = blockIdx.y * 16 + threadIdx.y;
  if (row < out.rows && x < out.columns)
    out.data[row * out.columns + x] = T(sum);
}

// What a name means is declared behind the kernel, where only the instance finds it.
struct Weight {
  int value;
};
__device__ int weigh(long value) { return int(value) * 2; }
struct Light : Weight {
  __device__ operator long() const { return value; }
};
template <class T>
__global__ void weighed(const T* in, T* out, Light light, int n) {
  __shared__ T s[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  s[threadIdx.x] = i < n ? in[i] : T(3);
  __syncthreads();
  const View<T> view{s, 1, 64};
  if (i < n)
    out[i] = T(weigh(view) + weigh(light)) + s[63 - threadIdx.x];
}
template <class T>
__device__ int weigh(const View<T>& view) {
  return view.columns;
}

// Names of kernels that several have.
template <class T>
__global__ void fill(T* out, int n) {
  __shared__ T s[32];
  s[threadIdx.x] = T(threadIdx.x * 2);
  __syncthreads();
  if (int(threadIdx.x) < n)
    out[threadIdx.x] = s[31 - threadIdx.x];
}
__global__ void fill(float* out, int n) {
  if (int(threadIdx.x) < n)
    out[threadIdx.x] = 0.5f;
}

template <class T>
__global__ void wrapped(Wrapped<short> a, Wrapped<double> b, Wrapped<float> c, T* out, int n) {
  __shared__ T s[32];
  const int i = blockIdx.x * 32 + threadIdx.x;
  s[threadIdx.x] = T(a.at(i) + b.at(i) + c.at(i));
  __syncthreads();
  if (i < n)
    out[i] = s[31 - threadIdx.x];
}

template <class T>
struct Device {
  T* data;
  size_t count;
  explicit Device(const std::vector<T>& from) : count(from.size()) {
    cudaMalloc((void**)&data, count * sizeof(T));
    cudaMemcpy(data, from.data(), count * sizeof(T), cudaMemcpyHostToDevice);
  }
  std::vector<T> get() const {
    std::vector<T> to(count);
    cudaMemcpy(to.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost);
    return to;
  }
  ~Device() { cudaFree(data); }
};
template <class T>
std::vector<T> numbers(int count, int by) {
  std::vector<T> out(count);
  for (int i = 0; i < count; ++i)
    out[i] = T((i * by + i / 7) % 13 - 5);
  return out;
}
template <class T>
void print(const char* name, const std::vector<T>& values) {
  double sum = 0;
  for (size_t i = 0; i < values.size(); ++i)
    sum += double(values[i]) * (1 + i % 11);
  std::printf("%s %zu: %.0f, first %.1f, last %.1f\n", name, values.size(), sum,
              double(values.front()), double(values.back()));
}

static void products(int m, int n, int k) {
  const Device<float> a(numbers<float>(m * k, 3)), b(numbers<float>(k * n, 5));
  const Device<float> c(std::vector<float>(m * n, -1.0f));
  const dim3 block(16, 16), grid((n + 15) / 16, (m + 15) / 16);
  product<float, 16><<<grid, block>>>({a.data, m, k}, {b.data, k, n}, {c.data, m, n}, 0.5f);
  print("product", c.get());
  const dim3 small(8, 8), more((n + 7) / 8, (m + 7) / 8);
  product<float, 8><<<more, small>>>({a.data, m, k}, {b.data, k, n}, {c.data, m, n}, 2.0f);
  print("of small tiles", c.get());
  const Device<unsigned> ua(numbers<unsigned>(m * k, 7)), ub(numbers<unsigned>(k * n, 2));
  const Device<unsigned> uc(std::vector<unsigned>(m * n, 9u));
  productDeduced<<<grid, block>>>(ua.data, ub.data, uc.data, m, n, k);
  print("deduced", uc.get());
  const Device<float> out(std::vector<float>(m * k, -2.0f));
  const Device<int> ia(numbers<int>(m * k, 11)), iout(std::vector<int>(m * k, -3));
  const dim3 of((k + 15) / 16, (m + 15) / 16);
  turned<float><<<of, block>>>({a.data, m, k}, {out.data, m, k}, 4.0f);
  print("turned", out.get());
  turned<int><<<of, block>>>({ia.data, m, k}, {iout.data, m, k}, 6);
  print("turned numbers", iout.get());
}

int main() {
  products(16, 16, 16);
  products(64, 48, 80);
  products(65, 47, 33);
  products(5, 70, 3);
  products(1, 1, 1);
  products(100, 7, 129);

  const Device<int> in(numbers<int>(100, 3)), out(std::vector<int>(100, -1));
  Light light;
  light.value = 5;
  weighed<<<2, 64>>>(in.data, out.data, light, 100);
  print("weighed", out.get());
  const Device<int> filled(std::vector<int>(32, -1));
  const Device<float> halves(std::vector<float>(32, -1.0f));
  fill<int><<<1, 32>>>(filled.data, 20);
  print("filled", filled.get());
  fill<<<1, 32>>>(halves.data, 20);
  print("halves", halves.get());
  const Device<short> shorts(numbers<short>(50, 3));
  const Device<double> doubles(numbers<double>(50, 4));
  const Device<float> floats(numbers<float>(50, 5));
  const Device<double> sums(std::vector<double>(60, -1.0));
  wrapped<<<2, 32>>>({shorts.data, 50}, {doubles.data, 45}, {floats.data, 40}, sums.data, 60);
  print("wrapped", sums.get());
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
