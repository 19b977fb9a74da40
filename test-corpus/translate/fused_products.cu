// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of half numbers are fused with the sums they go into; those that something else uses, that a branch parts from
// their sum, that are rounded by name, or that the host computes stay as they are written.
#include <cuda_fp16.h>

#define SCALED(x) ((x) * scale)
#define STEP (s - t)

__global__ void sums(__half* p, int n) {
  __half a = p[0], b = p[1], c = p[2], s = p[3], t = p[4], scale = p[5];
  c = s + a * b;
  // CHECK: c = __hfma(a, b, s);
  c = (a + b) * STEP - (s - t);
  // CHECK: c = __hfma(a + b, STEP, -(s - t));
  c = p[n] - __hmul(p[n + 1], b);
  // CHECK: c = __hfma(__hneg(p[n + 1]), b, p[n]);
  p[n++] += a * b;
  // CHECK: p[n++] += cu2cpp::product(a, b);
  s -= a * b;
  // CHECK: s = __hfma(-a, b, s);
  c = a * b /* first */ + s;
  // CHECK: c = cu2cpp::product(a, b) /* first */ + s;
  c = __hadd(s, // the sum
             __hmul(a, 0.5f));
  // CHECK: c = __hadd(s, // the sum
  // CHECK: cu2cpp::Product<__half>(a, 0.5f));
  const __half held = a * b;
  // CHECK: const auto held = cu2cpp::product(a, b);
  p[6] = c + held;
  // CHECK: p[6] = c + held;

  const __half used = a * c;
  // CHECK: const __half used = a * c;
  p[7] = c + used;
  p[8] = used;
  const __half parted = a * s;
  // CHECK: const __half parted = a * s;
  if (n > 5)
    p[9] = parted + c;
  const __half doubled = a * t;
  // CHECK: const __half doubled = a * t;
  p[10] = doubled + doubled;
  p[11] = __hadd_rn(a * b, c) + __hmul_rn(a, c);
  // CHECK: p[11] = __hadd_rn(a * b, c) + __hmul_rn(a, c);
  p[12] = SCALED(a) + c;
  // CHECK: p[12] = SCALED(a) + c;
  p[13] = __half(float(a) * float(b) + float(c));
  // CHECK: p[13] = __half(float(a) * float(b) + float(c));
}

template <class T> __global__ void generic(T* p) { p[0] = p[1] * p[2] + p[3]; }
// CHECK: { p[0] = cu2cpp::product(p[1], p[2]) + p[3]; }

template <class T> __global__ void ofFloats(T* p) { p[0] = p[1] * p[2] + p[3]; }
// CHECK: { p[0] = p[1] * p[2] + p[3]; }

__half onTheHost(__half a, __half b, __half c) { return a * b + c; }
// CHECK: __half onTheHost(__half a, __half b, __half c) { return a * b + c; }

void launch(__half2* h, float* f) {
  generic<<<1, 1>>>(h);
  generic<<<1, 1>>>(f);
  ofFloats<<<1, 1>>>(f);
}
