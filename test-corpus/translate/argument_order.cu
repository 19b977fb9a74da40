// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In translations for compilers (as cu2cc makes them) host functions evaluate arguments from right to left where their order
// shows, as nvcc's host compiler does.
// ARGS: --line-directives
#include <cmath>
#include <cstdio>
#include <cstdlib>

static unsigned state = 1;
static unsigned next() { return state = state * 1664525u + 1013904223u; }
static float half(float x) { float y = x; y /= 2; return y; }
static int sum(int a, int b, int c) { return a + b * 2 + c * 3; }
struct Generator {
  unsigned at;
  float operator()() { return float(at += 7); }
};
struct Point {
  float x, y;
  Point(float a, float b) : x(a), y(b) {}
};

__device__ float2 inKernels(unsigned* s) {
  // CHECK: return make_float2(float(atomicAdd(s, 1u)), float(atomicAdd(s, 1u)));
  return make_float2(float(atomicAdd(s, 1u)), float(atomicAdd(s, 1u)));
}
__global__ void kernel(float2* out, unsigned* s) { *out = inKernels(s); }

int main() {
  // CHECK: float3 a = __extension__({ auto cuArgument2 = float(next()); auto cuArgument1 = float(rand()); make_float3(float(next()), cuArgument1, cuArgument2); });
  float3 a = make_float3(float(next()), float(rand()), float(next()));
  Generator generator{3};
  // CHECK: Point p = __extension__({ auto cuArgument1 = generator(); Point(generator(), cuArgument1); });
  Point p = Point(generator(), generator());
  // CHECK: Point braced{generator(), generator()};
  Point braced{generator(), generator()};
  auto draw = [&] { return int(next() >> 20); };
  // CHECK: int s = __extension__({ auto cuArgument1 = draw(); sum(draw(), 5, cuArgument1); });
  int s = sum(draw(), 5, draw());
  // What does not change anything may stay.
  // CHECK: s += sum(int(half(a.x)), int(sinf(a.y)), abs(s));
  s += sum(int(half(a.x)), int(sinf(a.y)), abs(s));
  // What others change is read in its turn.
  // CHECK: __extension__({ auto cuArgument1 = state; printf("%u %u\n", next(), cuArgument1); });
  printf("%u %u\n", next(), state);
  // CHECK: printf("%d %g %g %g\n", s, p.x, braced.y, a.z);
  printf("%d %g %g %g\n", s, p.x, braced.y, a.z);
}
