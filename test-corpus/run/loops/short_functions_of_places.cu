// Functions, methods and lambdas of one return that say where something lies, ask whether it lies
// inside or load it mean the same where they are written out: arguments of other types and with
// operators, names that the kernel has, too, private members, namespaces, macros that change, and
// results of another type than the expression's.
#include <cstdio>
#include <vector>

constexpr int width = 37;

struct Grid {
  int nx, ny;
  __host__ __device__ unsigned pitch() const { return nx + 1; }
  __host__ __device__ size_t at(int x, int y) const { return (size_t)y * pitch() + x; }
  __device__ bool inside(int x, int y) const { return x >= 0 && x < nx && y >= 0 && y < ny; }
};

class Hidden {
public:
  __host__ __device__ explicit Hidden(int n) : n_(n) {}
  __device__ int at(int x, int y) const { return y * n_ + x; }
  static constexpr int shift = 3;
  __device__ int shifted(int x) const { return x + shift; }

private:
  int n_;
};

namespace inner {
constexpr int width = 5;
__device__ int at(int x, int y) { return y * width + x; }
} // namespace inner

__device__ int at(int x, int y) { return y * width + x; }
__device__ int narrow(unsigned char x) { return x; }
__device__ short low(int x) { return x * 3; }
__device__ int sum(int a, int b) { return a - b; }
__device__ float value(const float* from, int place) { return from[place]; }
#define SCALE 2
__device__ int scaled(int x) { return x * SCALE; }
#undef SCALE
#define SCALE 5

__global__ void places(const float* __restrict__ in, int* out, Grid g, Hidden h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= g.nx || y >= g.ny)
    return;
  const int width = 11; // not the one of at()
  const unsigned u = x;
  int* o = out + (size_t)(y * g.nx + x) * 12;
  auto load = [&](int px, int py) { return g.inside(px, py) ? in[g.at(px, py)] : -1.0f; };
  auto twice = [=](int px) { return px * 2 + y; };
  int moved = x;
  auto current = [&]() { return moved + 1; };
  auto first = [moved]() { return moved + 1; };
  o[0] = (int)load(x - 1, y + 1);
  o[1] = (int)in[g.at(x, y)] + width;
  o[2] = at(x, y) + inner::at(x, y) + h.at(x + 1, y - 1) + h.shifted(x);
  o[3] = narrow(x * 100) + low(x * 10000);
  o[4] = sum(x + 1, y - 2) * 2 - sum(x, x - y);
  o[5] = scaled(x + 1) + SCALE;
  o[6] = (int)value(in + x, y) + (int)value(in, at(y, 0));
  moved += 10;
  o[7] = current() * 100 + first();
  o[8] = twice(x + 1);
  o[9] = g.inside(u - 1, y - 1) + 2 * g.inside(x + 1, y + 1);
  int count = x;
  o[10] = sum(count++, 3) + sum(y, 1);
  o[10] += count;
  for (int g = 0; g < 2; ++g) // hides the grid
    o[11] = sum(g, y) + (int)load(x, y);
}

int main() {
  const Grid g{45, 6};
  const size_t n = (size_t)(g.nx + 1) * (g.ny + 1) + 64;
  std::vector<float> h(n);
  for (size_t i = 0; i < n; ++i)
    h[i] = float(i * 7 % 101);
  float* in;
  int* out;
  const size_t results = (size_t)g.nx * g.ny * 12;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, results * sizeof(int));
  cudaMemcpy(in, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  places<<<dim3(2, g.ny), 32>>>(in, out, g, Hidden(9));
  std::vector<int> r(results);
  cudaMemcpy(r.data(), out, results * sizeof(int), cudaMemcpyDeviceToHost);
  for (int k = 0; k < 12; ++k) {
    long long sum = 0;
    for (size_t i = k; i < results; i += 12)
      sum = sum * 31 % 1000000007 + r[i];
    printf("%d: %lld\n", k, sum);
  }
  cudaFree(in);
  cudaFree(out);
}
