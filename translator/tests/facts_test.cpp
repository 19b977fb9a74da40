// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the analyses find out about functions: built-ins, parameters, shared variables, collectives,
// launches.
#include "snippet.h"

#include <gtest/gtest.h>

using namespace cu2cpp::test;

namespace {

TEST(Parse, ErrorsAreClangs) {
  const Snippet s("__global__ void k() { undeclared = 1; }");
  EXPECT_FALSE(s.parsed());
  EXPECT_NE(s.messages().find("snippet.cu:1:23: error: use of undeclared identifier 'undeclared'"),
            std::string::npos)
      << s.messages();
}
TEST(Parse, HostCallsFromDeviceTemplates) {
  EXPECT_TRUE(
      Snippet("#include <vector>\n template <class T> __host__ __device__ void f(T x) { x.size(); }"
              "void g() { f(std::vector<int>()); }")
          .parsed());
}

TEST(Builtins, OfOwnBody) {
  const Snippet s(
      "__device__ int f() { return gridDim.x + threadIdx.y; } __device__ int g() { return f(); }"
      "__global__ void k(int* p) { *p = blockIdx.x * blockDim.x + g(); }");
  EXPECT_EQ(s.builtins("f"), "threadIdx gridDim");
  EXPECT_EQ(s.builtins("g"), "");
  EXPECT_EQ(s.builtins("k"), "blockIdx blockDim");
}
TEST(Builtins, NamesOfTheUsersAreNone) {
  EXPECT_EQ(Snippet("struct S { int threadIdx; }; __global__ void k(S s) { s.threadIdx = 1; }")
                .builtins("k"),
            "");
}
TEST(Builtins, PublishedForCallees) {
  const Snippet s(
      "__device__ int f() { return threadIdx.x; } __global__ void k(int* p) { *p = f(); }"
      "__global__ void own(int* p) { *p = threadIdx.x; }");
  EXPECT_TRUE(s.publishesThread("k"));
  EXPECT_FALSE(s.publishesThread("own"));
}

TEST(ModifiedParameters, EachWay) {
  const Snippet s(
      "struct P { int x; void set(); int get() const; }; __device__ void change(int&); __device__ "
      "void read(const int&);"
      "__global__ void k(int a, int b, int c, int* d, int e, P f, P g, int h, int* i, int j) {"
      " a = 1; ++b; int* p = &c; d += 2; e *= 2; f.x = 1; g.get(); read(h); *i = 1; change(j); }");
  EXPECT_EQ(s.modifiedParameters("k"), "a b c d e f j");
}
TEST(ModifiedParameters, ElementsOfArraysInStructures) {
  const Snippet s("struct Q { int row[2][3]; int* out; }; struct P { int row[4]; Q q; };"
                  "__global__ void k(P a, P b, P c, P d, P e, P f, P g) {"
                  " a.row[1] = 1; b.q.row[1][2] += 1; (c.row)[0]++; d.q.out[d.row[0]] = e.row[1];"
                  " 2[f.row] = 1; int* p = &g.row[1]; }");
  EXPECT_EQ(s.modifiedParameters("k"), "a b c f g");
}
TEST(ModifiedParameters, OfTemplates) {
  // An operator of T could take b by reference.
  EXPECT_EQ(Snippet("template <class T> __global__ void k(T a, T b, T* c) { a += b; *c = 1; }")
                .modifiedParameters("k"),
            "a b");
  EXPECT_EQ(Snippet("template <class T> __global__ void k(int a, T* c) { c[a] = 1; }")
                .modifiedParameters("k"),
            "");
}

TEST(Shared, Movable) {
  const Snippet s("__global__ void k() { __shared__ int a[4]; { __shared__ float b; } extern "
                  "__shared__ char c[]; }");
  EXPECT_EQ(s.shared("k", "a"), "movable");
  EXPECT_EQ(s.shared("k", "b"), "movable");
  EXPECT_EQ(s.shared("k", "c"), "dynamic");
}
TEST(Shared, MovesWithItsConstants) {
  EXPECT_EQ(
      Snippet("__global__ void k() { constexpr int n = 4; using T = float; __shared__ T a[n]; }")
          .shared("k", "a"),
      "movable");
}
TEST(Shared, OfDeviceFunctionsStays) {
  EXPECT_EQ(Snippet("__device__ int f() { __shared__ int a; return a; }").shared("f", "a"),
            "in place");
}

TEST(Collectives, Own) {
  EXPECT_EQ(Snippet("__global__ void k() { __syncthreads(); }").reached("k"),
            "block __syncthreads");
  EXPECT_EQ(Snippet("__global__ void k() { __syncwarp(); }").reached("k"), "warp __syncwarp");
  EXPECT_EQ(Snippet("__global__ void k() { __threadfence(); }").reached("k"), "");
}
TEST(Collectives, InMacro) {
  EXPECT_EQ(Snippet("#define S __syncthreads()\n__global__ void k() { S; }").reached("k"),
            "block __syncthreads");
}
TEST(Collectives, ThroughCalls) {
  const Snippet s("__device__ void a() { __syncthreads(); } __device__ void b() { a(); } "
                  "__global__ void k() { b(); }");
  EXPECT_EQ(s.reached("k").substr(0, 6), "block ");
}
TEST(Collectives, ThroughRecursion) {
  const Snippet s("__device__ void a(int n); __device__ void b(int n) { a(n); }"
                  "__device__ void a(int n) { if (n) b(n - 1); else __syncthreads(); } __global__ "
                  "void k() { b(3); }");
  EXPECT_EQ(s.reached("k").substr(0, 6), "block ");
}
TEST(Collectives, ThroughTemplatesAndFunctors) {
  const Snippet s("struct Waits { __device__ void operator()() { __syncthreads(); } };"
                  "struct Quick { __device__ void operator()() {} };"
                  "template <class F> __device__ void run(F f) { f(); }"
                  "__global__ void k() { run(Waits()); } __global__ void q() { run(Quick()); }");
  EXPECT_EQ(s.reached("k").substr(0, 6), "block ");
}
TEST(Collectives, ThroughLambda) {
  EXPECT_NE(Snippet("__global__ void k() { auto f = [] { __syncthreads(); }; f(); }").reached("k"),
            "");
}
TEST(Collectives, ThroughVirtualCalls) {
  const Snippet s("struct B { __device__ virtual void f() {} }; struct D : B { __device__ void f() "
                  "override { __syncthreads(); } };"
                  "__global__ void k(B* b) { b->f(); }");
  EXPECT_EQ(s.reached("k").substr(0, 6), "block ");
}
TEST(Collectives, ThroughFunctionPointers) {
  const Snippet s(
      "__device__ void waits() { __syncthreads(); } __device__ void (*table[1])() = {waits};"
      "__global__ void k() { table[0](); }");
  EXPECT_EQ(s.reached("k").substr(0, 6), "block ");
}
TEST(Collectives, HostCodeReachesNone) {
  EXPECT_EQ(Snippet("__global__ void k() { __syncthreads(); } void host() { k<<<1, 1>>>(); }")
                .reached("k"),
            "block __syncthreads");
}

TEST(Launches, EachIsFound) {
  const Snippet s("__global__ void k(int*); template <int N> __global__ void t(int* p) { *p = N; "
                  "}\n#define RUN(p) k<<<1, 1>>>(p)\n"
                  "void f(int* p) { k<<<1, 2>>>(p); t<3><<<dim3(1, 2), 3, 4>>>(p); RUN(p); auto g "
                  "= k; g<<<1, 1>>>(p); }");
  EXPECT_EQ(s.launches(), 4u);
  EXPECT_EQ(s.kernelAddresses(), 1u);
  EXPECT_TRUE(s.isKernel("t"));
}

} // namespace
