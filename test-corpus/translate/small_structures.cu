// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device functions that pass small structures of floats do so part by part, unless something else than a call names them.
struct Complex {
  float re, im;
  // CHECK: CU2CPP_BY_PARTS Complex operator*(Complex o) const {
  __device__ Complex operator*(Complex o) const {
    return {re * o.re - im * o.im, re * o.im + im * o.re};
  }
};

// CHECK: static inline CU2CPP_BY_PARTS float2 negated(float2 v);
__device__ float2 negated(float2 v);
// CHECK: static inline CU2CPP_BY_PARTS float2 negated(float2 v) {
__device__ float2 negated(float2 v) { return make_float2(-v.x, -v.y); }

// CHECK: static inline float2 same(float2 v) {
__device__ float2 same(float2 v) { return v; }

// CHECK: static inline int2 integers(int2 v) {
__device__ int2 integers(int2 v) { return make_int2(v.y, v.x); }

// FORM: all lanes
__global__ void all(Complex* c, float2* v, int2* i, int n) {
  // CHECK: const auto cuBlock = cu2cpp::thisWholeRow();
  for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x) {
    c[k] = c[k] * c[k];
    v[k] = negated(v[k]);
    i[k] = integers(i[k]);
  }
}

__global__ void byPointer(float2* v) {
  float2 (*f)(float2) = same;
  v[threadIdx.x] = f(v[threadIdx.x]);
}
