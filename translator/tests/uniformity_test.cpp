// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which local variables have one value for all threads of a block.
#include "snippet.h"

#include <gtest/gtest.h>

using namespace cu2cpp::test;

namespace {

/// Whether `v` is uniform in a kernel with this body.
bool uniform(const std::string& body) {
  return Snippet("struct P { int x; int* q; };"
                 "__device__ int global; __constant__ int table[4]; __device__ void change(int&); "
                 "__device__ int read(const int&);"
                 "__global__ void k(int* p, int n, P s, float x) { " +
                 body + " }")
      .isUniform("k", "v");
}

TEST(Uniform, Constant) { EXPECT_TRUE(uniform("int v = 3;")); }
TEST(Uniform, Parameter) { EXPECT_TRUE(uniform("int v = n * 2 + s.x;")); }
TEST(Uniform, BlockIndexAndSizes) {
  EXPECT_TRUE(uniform("unsigned v = blockIdx.x * blockDim.x + gridDim.y;"));
}
TEST(Uniform, ThreadIndex) { EXPECT_FALSE(uniform("int v = threadIdx.x;")); }
TEST(Uniform, ThroughAnother) { EXPECT_FALSE(uniform("int a = threadIdx.y; int v = a * n;")); }
TEST(Uniform, MemoryAtUniformPlace) {
  EXPECT_TRUE(uniform("int v = p[blockIdx.x] + table[1] + global + s.q[n];"));
}
TEST(Uniform, MemoryAtThreadsPlace) { EXPECT_FALSE(uniform("int v = p[threadIdx.x];")); }
TEST(Uniform, Volatile) { EXPECT_FALSE(uniform("int v = *(volatile int*)p;")); }
TEST(Uniform, Call) { EXPECT_FALSE(uniform("int v = read(n);")); }
TEST(Uniform, Conditional) { EXPECT_FALSE(uniform("int v = threadIdx.x ? 1 : 2;")); }
TEST(Uniform, ChangedForAll) { EXPECT_TRUE(uniform("int v = 1; v += n; if (n > 2) v = 7; ++v;")); }
TEST(Uniform, ChangedByThreadsValue) { EXPECT_FALSE(uniform("int v = 1; v += threadIdx.x;")); }
TEST(Uniform, ChangedUnderThreadsCondition) {
  EXPECT_FALSE(uniform("int v = 1; if (threadIdx.x == 0) v = 2;"));
}
TEST(Uniform, ChangedInElse) {
  EXPECT_FALSE(uniform("int v = 1; if (threadIdx.x == 0) {} else { v = 2; }"));
}
TEST(Uniform, ChangedBehindAnd) { EXPECT_FALSE(uniform("int v = 1; threadIdx.x && (v = 2);")); }
TEST(Uniform, ChangedInConditional) {
  EXPECT_FALSE(uniform("int v = 1; threadIdx.x ? v = 2 : v = 3;"));
}
TEST(Uniform, ChangedInSwitch) {
  EXPECT_FALSE(uniform("int v = 1; switch (threadIdx.x) { case 1: v = 2; }"));
}
TEST(Uniform, ChangedInThreadsLoop) {
  EXPECT_FALSE(uniform("int v = 1; for (int i = 0; i < threadIdx.x; ++i) v = 2;"));
  EXPECT_FALSE(uniform("int v = 1; do { v = 2 + v; } while (v < threadIdx.x);"));
}
TEST(Uniform, UniformLoop) {
  EXPECT_TRUE(uniform("int v = 1; for (int i = 0; i < n; ++i) v += i;"));
}
TEST(Uniform, LoopVariable) { EXPECT_TRUE(uniform("for (int v = 0; v < n; ++v) {}")); }
TEST(Uniform, StridedLoopVariable) {
  EXPECT_FALSE(uniform("for (int v = threadIdx.x; v < n; v += 4) {}"));
}
TEST(Uniform, BehindDivergentBreak) {
  EXPECT_FALSE(uniform("int v; for (v = 0; v < n; ++v) if (p[threadIdx.x] == v) break;"));
}
TEST(Uniform, BehindDivergentContinue) {
  EXPECT_FALSE(
      uniform("int v = 0; for (int i = 0; i < n; ++i) { if (threadIdx.x == i) continue; ++v; }"));
}
TEST(Uniform, UniformBreak) {
  EXPECT_TRUE(uniform("int v = 0; for (int i = 0; i < n; ++i) { if (i == p[0]) break; ++v; }"));
}
TEST(Uniform, BreakOfInnerSwitchIsNotOfTheLoop) {
  EXPECT_TRUE(uniform(
      "int v = 0; for (int i = 0; i < n; ++i) { switch (threadIdx.x) { case 1: break; } ++v; }"));
}
TEST(Uniform, DivergentReturnDoesNotCount) {
  // Threads that have returned take no part in what follows.
  EXPECT_TRUE(uniform("int v = 0; if (threadIdx.x > n) return; v = 1;"));
}
TEST(Uniform, AddressTaken) { EXPECT_FALSE(uniform("int v = 1; int* q = &v;")); }
TEST(Uniform, PassedByReference) { EXPECT_FALSE(uniform("int v = 1; change(v);")); }
TEST(Uniform, PassedByConstReference) { EXPECT_TRUE(uniform("int v = 1; read(v);")); }
TEST(Uniform, ReferenceBound) { EXPECT_FALSE(uniform("int v = 1; int& r = v;")); }
TEST(Uniform, CapturedByReference) {
  EXPECT_FALSE(uniform("int v = 1; auto f = [&] { v = threadIdx.x; }; f();"));
}
TEST(Uniform, CapturedByValue) {
  EXPECT_TRUE(uniform("int v = 1; auto f = [=] { return v; }; f();"));
}
TEST(Uniform, SideEffectIsNoValue) { EXPECT_FALSE(uniform("int a = 1; int v = a++;")); }
/// A shape with an operator that asks and one that sets, and a function that takes one.
bool uniformOfShape(const std::string& body) {
  return Snippet("struct Shape { int d[2]; __device__ int operator[](int i) const { return d[i]; }"
                 " __device__ int& operator()(int i) { return d[i]; } };"
                 "__device__ int sizeOf(const Shape& s) { return s[0] * s[1]; }"
                 "__device__ const int* first(const Shape& s) { return s.d; }"
                 "__device__ Shape operator+(const Shape& a, int n) { return {{a[0] + n, a[1]}}; }"
                 "__global__ void k(Shape s, int n) { " +
                 body + " }")
      .isUniform("k", "v");
}
TEST(Uniform, OperatorThatComputes) { EXPECT_TRUE(uniformOfShape("int v = s[n];")); }
TEST(Uniform, OperatorOfThreadsValue) { EXPECT_FALSE(uniformOfShape("int v = s[threadIdx.x];")); }
TEST(Uniform, OperatorThatMayChange) { EXPECT_FALSE(uniformOfShape("int v = s(0);")); }
TEST(Uniform, OperatorOfNobodysObject) { EXPECT_TRUE(uniformOfShape("Shape v = s + 1;")); }
TEST(Uniform, ConstObjectPassedOn) {
  EXPECT_TRUE(uniformOfShape("const Shape v{{n, 2}}; int w = sizeOf(v);"));
  EXPECT_TRUE(uniformOfShape("const Shape o{{n, 2}}; int v = sizeOf(o);"));
  EXPECT_FALSE(uniformOfShape("const Shape o{{int(threadIdx.x), 2}}; int v = sizeOf(o);"));
  EXPECT_FALSE(uniformOfShape("const Shape v{{n, 2}}; const int* p = first(v);"));
}
TEST(Uniform, InTemplates) {
  const std::string code = "template <class T, int N> __global__ void k(T* p) {"
                           " T v = p[N]; T w = p[threadIdx.x]; T x = v; x += T(2); if (w) x = 1; "
                           "int y = N * 2 + sizeof(T); }";
  const Snippet s(code);
  EXPECT_TRUE(s.isUniform("k", "v"));
  EXPECT_FALSE(s.isUniform("k", "w"));
  EXPECT_FALSE(s.isUniform("k", "x"));
  EXPECT_TRUE(s.isUniform("k", "y"));
}
TEST(Uniform, ModifiedParameter) {
  const Snippet s("__global__ void k(int a, int b) { a -= 2; b += threadIdx.x; }");
  EXPECT_TRUE(s.isUniform("k", "a"));
  EXPECT_FALSE(s.isUniform("k", "b"));
}

} // namespace
