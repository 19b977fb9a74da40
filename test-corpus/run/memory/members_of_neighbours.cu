// Members of neighbours' structures: of 8 words, of 5, of doubles, of words of two kinds, with
// members left out, stored back in part, and of structures that an index names.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int threads = 96;

struct Particle {
  float x, y, z, mass, vx, vy, vz, charge;
};
struct Five {
  int a, b, c, d, e;
};
struct Body {
  double x, y, z, m, vx, vy, vz;
};
struct Mixed {
  float value;
  int count;
  float weight;
  unsigned flags;
  double far;
};

__global__ void drift(const Particle* p, float* x, float* y, float* z, float* energy, float dt, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n)
    return;
  const Particle q = p[i];
  const float vz = q.vz - 10 * dt;
  x[i] = q.x + q.vx * dt;
  y[i] = q.y + q.vy * dt;
  z[i] = q.z + vz * dt;
  energy[i] = 0.5f * q.mass * (q.vx * q.vx + q.vy * q.vy + vz * vz);
}
__global__ void push(Particle* p, float dt, size_t n) {
  for (size_t i = blockIdx.x * (size_t)threads + threadIdx.x; i < n; i += (size_t)gridDim.x * threads) {
    Particle q = p[i];
    q.x += q.vx * dt;
    q.y += q.vy * dt;
    if (q.x > 4)
      q.vx = -q.vx;
    p[i] = q;
  }
}
__global__ void fives(const Five* p, int* out, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i < n)
    out[i] = p[i].a * 2 + p[i].b * 3 + p[i].c + p[i].e * 5;
}
__global__ void bodies(const Body* p, const int* which, double* out, int n) {
  const unsigned i = blockIdx.x * threads + threadIdx.x;
  if (i < n) {
    const Body a = p[i], b = p[which[i]];
    out[i] = (a.x - b.x) * a.vx + (a.y - b.y) * a.vy + (a.z - b.z) * b.vz + a.m * b.m;
  }
}
__global__ void mixed(const Mixed* p, float* out, int n, int begin) {
  const int i = begin + blockIdx.x * threads + threadIdx.x;
  if (i < n)
    out[i] = p[i].value * p[i].weight + p[i].count - (p[i].flags & 3) + float(p[i].far);
}

template <class T> T* array(int n) {
  T* out;
  cudaMallocManaged(&out, n * sizeof(T));
  return out;
}
template <class T> void print(const char* name, const T* y, int n) {
  cudaDeviceSynchronize();
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += double(y[i]) * (i % 7 + 1);
  printf("%s %.10g\n", name, sum);
}

int main() {
  const int n = 2011, blocks = (n + threads - 1) / threads;
  Particle* p = array<Particle>(n);
  Five* f = array<Five>(n);
  Body* b = array<Body>(n);
  Mixed* m = array<Mixed>(n);
  int* which = array<int>(n);
  for (int i = 0; i < n; ++i) {
    p[i] = {i % 5 * 1.f, i % 7 * 2.f, i % 3 * 1.f, 1.f + i % 2, i % 11 * 0.5f, 1.f - i % 4,
            i % 13 * 0.25f, 9.f};
    f[i] = {i, i % 17, -i, 1000, i % 19};
    b[i] = {i * 0.5, i % 23 * 1., i % 29 * 2., 1. + i % 3, i % 31 * 0.25, 1. - i % 6, i % 37 * 1.};
    m[i] = {i * 0.25f, i % 41, i % 43 * 0.5f, unsigned(i), i % 47 * 2.};
    which[i] = (i * 577 + 31) % n;
  }
  float *x = array<float>(n), *y = array<float>(n), *z = array<float>(n), *e = array<float>(n);
  drift<<<blocks, threads>>>(p, x, y, z, e, 0.125f, n);
  print("x", x, n);
  print("y", y, n);
  print("z", z, n);
  print("energy", e, n);
  push<<<3, threads>>>(p, 0.5f, n);
  print("pushed", &p->x, n * 8);
  int* out = array<int>(n);
  fives<<<blocks, threads>>>(f, out, n);
  print("fives", out, n);
  double* d = array<double>(n);
  bodies<<<blocks, threads>>>(b, which, d, n);
  print("bodies", d, n);
  for (int i = 0; i < n; ++i)
    x[i] = 0;
  mixed<<<blocks, threads>>>(m, x, n, 3);
  print("mixed", x, n);
  return 0;
}
