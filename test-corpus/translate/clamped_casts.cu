// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions to integers that may not hold the value are clamped as on a GPU; those that are seen to fit, of the host and
// in macros stay as they are written.
#define WHOLE(x) ((int)(x))

__device__ void takesOne(unsigned) {}

__global__ void casts(const float* in, int* out, unsigned char* bytes, int n) {
  const float x = in[threadIdx.x];
  out[0] = (int)x;
  // CHECK: out[0] = (int)cu2cpp::clamped(x);
  out[1] = int(x * 16);
  // CHECK: out[1] = int(cu2cpp::clamped(x * 16));
  bytes[0] = static_cast<unsigned char>(x * 255.0f + 0.5f);
  // CHECK: bytes[0] = static_cast<unsigned char>(cu2cpp::clamped(x * 255.0f + 0.5f));
  int rounded = (x + 0.5f);
  // CHECK: int rounded = cu2cpp::clamped(x + 0.5f);
  takesOne(x);
  // CHECK: takesOne(static_cast<unsigned int>(cu2cpp::clamped(x)));
  out[2] = (int)fminf(fmaxf(x, 0.0f), 255.0f) + rounded;
  // CHECK: out[2] = (int)fminf(fmaxf(x, 0.0f), 255.0f) + rounded;
  out[3] = (int)(n * 0.25f) + (int)2.5f + (int)(__saturatef(x) * 7.0f) + WHOLE(x);
  // CHECK: out[3] = (int)(n * 0.25f) + (int)2.5f + (int)(__saturatef(x) * 7.0f) + WHOLE(x);
  bytes[1] = (unsigned char)(int)sqrtf((float)n * n);
  // CHECK: bytes[1] = (unsigned char)(int)cu2cpp::clamped(sqrtf((float)n * n));
  out[5] += x * 2;
  // CHECK: cu2cpp::clampedTo(out[5]) += x * 2;
  (out[6]) /= 0.5;
  // CHECK: cu2cpp::clampedTo(out[6]) /= 0.5;
  out[7] -= n;
  // CHECK: out[7] -= n;
  out[4] = x != 0 && (bool)x;
  // CHECK: out[4] = x != 0 && (bool)x;
}

template <class T> __global__ void ofAnyType(const T* in, int* out, T* same) {
  out[0] = (int)in[0];
  // CHECK: out[0] = (int)cu2cpp::clamped(in[0]);
  same[0] = T(in[0]);
  // CHECK: same[0] = T(in[0]);
  same[1] = 0.5f * out[1];
  // CHECK: same[1] = 0.5f * out[1];
  T half = 1.5f * out[2];
  // CHECK: T half = 1.5f * out[2];
  same[2] = half;
}
template __global__ void ofAnyType(const float*, int*, float*);
template __global__ void ofAnyType(const int*, int*, int*);

// A constant expression stays one.
constexpr __host__ __device__ int whole(float x) { return (int)x; }
// CHECK: whole(float x) { return (int)cu2cpp::clamped(x); }
static_assert(whole(2.5f) == 2, "");

int onTheHost(float x) { return (int)x; }
// CHECK: int onTheHost(float x) { return (int)x; }
