// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parameters of kernels: large structs, arrays in structs, enums, bools, vectors, pointers to pointers, classes with
// constructors, std::pair, packed and aligned types, constants; default values; many parameters.
#include <cstdio>
#include <utility>

enum Plain { Zero, One, Two = 20 };
enum class Scoped : unsigned char { A = 5, B };
struct Large {
  int values[1000];
};
struct alignas(32) Aligned {
  char c;
  double d;
};
#pragma pack(push, 1)
struct Packed {
  char c;
  int i;
  short s;
};
#pragma pack(pop)
struct Bits {
  unsigned low : 3, middle : 10;
  int high : 5;
};
class Handle {
  int* data_;
  int size_;

public:
  Handle(int* data, int size) : data_(data), size_(size) {}
  __host__ __device__ int size() const { return size_; }
  __device__ int& operator[](int i) const { return data_[i]; }
};
template <class T, int N> struct Vector {
  T v[N];
  __host__ __device__ T sum() const {
    T s = 0;
    for (T x : v)
      s += x;
    return s;
  }
};
union Either {
  float f;
  int i;
};

__global__ void large(Large l, int* out) {
  int sum = 0;
  for (int i = threadIdx.x; i < 1000; i += blockDim.x)
    sum += l.values[i];
  l.values[threadIdx.x] = sum;
  atomicAdd(out, l.values[threadIdx.x]);
}
__global__ void mixed(bool flag, char c, signed char sc, unsigned char uc, short s, unsigned short us, long l, long long ll,
                      float f, double d, Plain p, Scoped e, const int2 v, float3 w, Aligned a, Packed k, Bits b, Either u,
                      std::pair<int, float> pair, double* out) {
  double* o = out;
  *o++ = flag;
  *o++ = c + sc + uc;
  *o++ = s + us;
  *o++ = double(l + ll);
  *o++ = f + d;
  *o++ = p + int(e);
  *o++ = v.x * 10 + v.y + w.x + w.y + w.z;
  *o++ = a.c + a.d;
  *o++ = k.c + k.i + k.s + sizeof k * 1000;
  *o++ = b.low + b.middle * 10 + b.high * 10000;
  u.i += 1 << 23;
  *o++ = u.f;
  *o++ = pair.first + pair.second;
}
__global__ void rows(int** row, int n, const char* text, void* raw, int (*shape)[4]) {
  const int t = threadIdx.x;
  row[t % n][t] = t + text[t % 3] + shape[t % 2][t % 4];
  static_cast<short*>(raw)[t] = short(t);
}
__global__ void handle(Handle h, Vector<int, 5> v, Vector<double, 2> w) {
  if (int(threadIdx.x) < h.size())
    h[threadIdx.x] = v.sum() + int(w.sum()) + threadIdx.x;
}
__global__ void defaults(int* out, int a = 5, float b = 0.5f, int2 c = make_int2(1, 2)) {
  *out = a * 1000 + int(b * 10) * 100 + c.x * 10 + c.y;
}
__global__ void changed(int n, int* p, int3 v) {
  n += threadIdx.x;
  p += n;
  v.x *= n;
  *p = v.x + v.y;
}

int main() {
  int* out;
  double* d;
  cudaMallocManaged(&out, 256 * sizeof *out);
  cudaMallocManaged(&d, 16 * sizeof *d);
  Large l;
  for (int i = 0; i < 1000; ++i)
    l.values[i] = i;
  *out = 0;
  large<<<2, 64>>>(l, out);
  cudaDeviceSynchronize();
  printf("%d\n", *out);
  Bits b;
  b.low = 5;
  b.middle = 777;
  b.high = -3;
  Either u;
  u.f = 1.5f;
  mixed<<<1, 1>>>(true, 'a', -3, 250, -300, 65000, 1l << 40, -1ll, 0.25f, 1e10, Two, Scoped::B, {3, 4}, make_float3(1, 2, 3),
                  Aligned{7, 2.5}, Packed{1, 100000, -5}, b, u, {3, 0.5f}, d);
  cudaDeviceSynchronize();
  for (int i = 0; i < 12; ++i)
    printf("%.10g ", d[i]);
  printf("\n");
  int **row, (*shape)[4];
  char* text;
  short* raw;
  cudaMallocManaged(&row, 4 * sizeof *row);
  cudaMallocManaged(&shape, 2 * sizeof *shape);
  cudaMallocManaged(&text, 4);
  cudaMallocManaged(&raw, 64);
  for (int i = 0; i < 4; ++i) {
    cudaMallocManaged(&row[i], 64 * sizeof(int));
    text[i] = char('a' + i);
  }
  for (int i = 0; i < 8; ++i)
    shape[i / 4][i % 4] = i * 100;
  rows<<<1, 32>>>(row, 4, text, raw, shape);
  cudaDeviceSynchronize();
  printf("%d %d %d %d\n", row[0][0], row[1][5], row[3][31], raw[31]);
  handle<<<1, 32>>>(Handle(out, 20), {{1, 2, 3, 4, 5}}, Vector<double, 2>{{0.5, 1.5}});
  cudaDeviceSynchronize();
  printf("%d %d\n", out[0], out[19]);
  defaults<<<1, 1>>>(out);
  defaults<<<1, 1>>>(out + 1, 7);
  defaults<<<1, 1>>>(out + 2, 7, 0.25f);
  cudaDeviceSynchronize();
  printf("%d %d %d\n", out[0], out[1], out[2]);
  changed<<<1, 8>>>(2, out, make_int3(10, 1, 0));
  cudaDeviceSynchronize();
  printf("%d %d\n", out[2], out[9]);
  return 0;
}
