// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that lanes leave one by one run for all of them where they compute with numbers that the kernel is given in
// objects, arrays and private members among them, or that lie in constant memory.
class Generator {
public:
  __host__ __device__ Generator(unsigned long long seed) : low_((unsigned)seed), high_((unsigned)(seed >> 32)) {}
  __device__ unsigned operator()(unsigned i) const { return (i * 2654435761u ^ low_) * 2246822519u + high_; }

private:
  unsigned low_, high_;
};
struct Polynomial {
  float c[4];
  __device__ float operator()(float x) const { return c[0] + x * (c[1] + x * (c[2] + x * c[3])); }
};
__constant__ Polynomial fixed;
struct Row {
  float* c;
  __device__ float operator()(float x) const { return c[0] + x * (c[1] + x * c[2]); }
};

__global__ void given(Generator random, Polynomial p, int n, float* out) {
  float sum = 0;
  // CHECK: cu2cpp::lanesWhereEvenPastExits(cuWarp, cuLanes1, [&](const cu2cpp::Lane cuThisThread) { auto& i = cuEach_i[cuThisThread]; return i < n; })
  for (int i = threadIdx.x; i < n; i += 100)
    sum += p(random(i) * 0.5f) + p.c[3] * fixed.c[1] + fixed(2.0f);
  out[threadIdx.x] = sum;
}
// Near miss: what a pointer points to may be anywhere, and a thread walks along it.
__global__ void pointed(Generator random, Row p, int count, float* out) {
  float sum = 0;
  // CHECK: for (int i = threadIdx.x; i < count; i += 100)
  for (int i = threadIdx.x; i < count; i += 100)
    sum += p(random(i) * 0.5f);
  out[threadIdx.x] = sum;
}
void launch(float* out) {
  given<<<4, 128>>>(7, Polynomial{{1, 2, 3, 4}}, 1000, out);
  pointed<<<4, 128>>>(7, Row{out}, 1000, out);
}
