// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which execution form each shape of kernel gets, and how its body divides into regions.
#include "snippet.h"

#include <gtest/gtest.h>

using namespace cu2cpp::test;

namespace {

std::string kernel(const std::string& body, const std::string& parameters = "int* p, int n") {
  return "__global__ void k(" + parameters + ") { __shared__ int s[64]; int t = threadIdx.x; " +
         body + " }";
}
std::string regionsOf(const std::string& body) { return Snippet(kernel(body)).regions("k"); }
std::string storageOf(const std::string& body, const std::string& variable) {
  return Snippet(kernel(body)).storage("k", variable);
}

TEST(Form, LoopWithoutCollective) { EXPECT_EQ(formOf(kernel("p[t] = n;")), "loop"); }
TEST(Form, SplitAtTopLevel) {
  EXPECT_EQ(formOf(kernel("s[t] = n; __syncthreads(); p[t] = s[63 - t];")), "split");
}
TEST(Form, SplitInUniformLoop) {
  EXPECT_EQ(formOf(kernel("for (int i = 0; i < n; ++i) { s[t] += i; __syncthreads(); }")), "split");
}
TEST(Form, SplitInUniformBranch) {
  EXPECT_EQ(formOf(kernel("if (n > 3) { __syncthreads(); }")), "split");
}
TEST(Form, SplitUnderBlockIndex) {
  EXPECT_EQ(formOf(kernel("if (blockIdx.x) { __syncthreads(); }")), "split");
}
TEST(Form, SplitUnderThreadCondition) {
  EXPECT_EQ(formOf(kernel("if (t < n) { __syncthreads(); }")), "split");
}
TEST(Form, SplitInThreadLoop) {
  EXPECT_EQ(formOf(kernel("for (int i = t; i < n; i += 64) { __syncthreads(); }")), "split");
}
TEST(Form, SplitInThreadWhile) {
  EXPECT_EQ(formOf(kernel("while (p[t]) { __syncthreads(); }")), "split");
}
TEST(Form, SplitForUniformVariableChangedByThread) {
  EXPECT_EQ(formOf(kernel("int m = n; if (t == 3) m = 0; if (m) __syncthreads();")), "split");
}
TEST(Form, SplitForLoopVariableChangedByThread) {
  EXPECT_EQ(formOf(kernel("for (int i = 0; i < n; ++i) { if (t == i) ++i; __syncthreads(); }")),
            "split");
}
TEST(Form, SplitForDivergentBreakAroundBarrier) {
  EXPECT_EQ(formOf(kernel("for (int i = 0; i < n; ++i) { if (t == i) break; __syncthreads(); }")),
            "split");
}
TEST(Form, SplitForDivergentContinueAroundBarrier) {
  EXPECT_EQ(
      formOf(kernel("for (int i = 0; i < n; ++i) { if (t == i) continue; __syncthreads(); }")),
      "split");
}
TEST(Form, SplitForConditionOnVolatile) {
  EXPECT_EQ(formOf(kernel("volatile int* v = s; if (*v) __syncthreads();")), "split");
}
TEST(Form, FibersForWaitingUntilTimeHasPassed) {
  EXPECT_EQ(formOf(kernel("long long c = clock64(); while (clock64() - c < n);")), "fibers");
  EXPECT_EQ(formOf("__device__ void pause(long long n) { long long c = clock64(), d = 0; "
                   "while (d < n) { long long now = clock64(); d = now - c; } } "
                   "__global__ void k(int n) { pause(n); }"),
            "fibers");
}
TEST(Form, LoopForMeasuringTime) {
  EXPECT_EQ(formOf(kernel("long long c = clock64(); p[t] *= n; p[t] += int(clock64() - c);")),
            "loop");
}
TEST(Form, FibersForThreadsThatPollMemory) {
  EXPECT_EQ(formOf(kernel("volatile int* v = p; while (*v == 0);")), "fibers");
  EXPECT_EQ(formOf("__global__ void k(int* p) { __shared__ volatile int f; if (threadIdx.x < 32) "
                   "f = 1; else while (f == 0); __syncthreads(); }"),
            "fibers");
}
TEST(Form, SplitForOneThreadThatPollsBeforeABarrier) {
  EXPECT_EQ(formOf(kernel("volatile int* v = p; if (t == 0) while (*v == 0); __syncthreads(); ")),
            "split");
}
TEST(Form, LoopForCountedReadsOfVolatileMemory) {
  EXPECT_EQ(formOf("__global__ void k(int* p, int n) { volatile int* v = p; int i = 0, s = 0; "
                   "while (i < n) { s += v[i]; i += 32; } p[0] = s; }"),
            "loop");
}
TEST(Form, LoopForCompareAndSwapLoop) {
  EXPECT_EQ(formOf(kernel("int old = *p, seen; do { seen = old; "
                          "old = atomicCAS(p, seen, seen + 1); } while (seen != old);")),
            "loop");
}
TEST(Form, FibersForResultOfCall) {
  EXPECT_EQ(formOf("__device__ int f(); __global__ void k() { if (f()) __syncthreads(); }"),
            "fibers");
}
TEST(Form, FibersForGoto) {
  EXPECT_EQ(formOf(kernel("again: __syncthreads(); if (--n) goto again;")), "fibers");
}
TEST(Form, SplitWithThreadReturn) {
  EXPECT_EQ(formOf(kernel("if (t >= n) return; s[t] = 1; __syncthreads(); p[t] = s[0];")), "split");
}
TEST(Form, SplitInTemplate) {
  const Snippet s(
      "template <class T, int N> __global__ void k(T* p) { __shared__ T s[N]; s[threadIdx.x] = *p; "
      "for (int i = 0; i < N; ++i) { __syncthreads(); } *p = s[0]; }"
      "void f(int* p) { k<int, 4><<<1, 4>>>(p); }");
  EXPECT_EQ(s.form("k"), "split");
}
TEST(Form, SplitForWarpFunctions) {
  EXPECT_EQ(formOf(kernel("p[t] = __shfl_sync(0xffffffffu, n, 0);")), "split");
  EXPECT_EQ(formOf(kernel("if (t < n) p[t] += __shfl_down_sync(0xffffffffu, p[t], 1);")), "split");
  EXPECT_EQ(formOf(kernel("while (__any_sync(~0u, p[t] > 0)) p[t] -= 2;")), "split");
  EXPECT_EQ(formOf(kernel("p[t] = t < n && __all_sync(~0u, p[t]);")), "split");
}
TEST(Form, SplitForDeviceFunctionThatWaits) {
  const std::string sum =
      "template <class T> __device__ T sum(T v) { for (int d = 16; d; d /= 2) v += "
      "__shfl_xor_sync(~0u, v, d); return v; }"
      "__device__ int total(int v) { __shared__ int s; if (!threadIdx.x) s = 0; __syncthreads(); "
      "atomicAdd(&s, v); __syncthreads(); return s; }";
  EXPECT_EQ(formOf(sum + kernel("p[t] = sum(p[t]);")), "split");
  EXPECT_EQ(formOf(sum + kernel("int v = p[t]; v = total(v); p[t] = v;")), "split");
  // Only some threads of the block call: they go on together.
  EXPECT_EQ(formOf(sum + kernel("if (t < n) p[t] = total(t);")), "split");
}
TEST(Form, FibersForRecursionThatWaits) {
  EXPECT_EQ(formOf("__device__ void down(int n) { __syncthreads(); if (n) down(n - 1); }" +
                   kernel("down(n);")),
            "fibers");
}
TEST(Form, FibersForNamedBarrier) {
  const Snippet s(kernel("__barrier_sync_count(1, 32);"));
  EXPECT_EQ(s.form("k"), "fibers");
  EXPECT_NE(s.reason("k").find("__barrier_sync_count"), std::string::npos) << s.reason("k");
}
TEST(Form, ReasonNamesLine) {
  EXPECT_NE(Snippet("__global__ void k(int n) {\n\nif (threadIdx.x < n)\n__syncthreads(); else "
                    "__syncthreads(); }")
                .reason("k")
                .find("line 3"),
            std::string::npos);
}
TEST(Form, ForcedFibers) {
  const Snippet s(kernel("__syncthreads();"));
  EXPECT_EQ(s.form("k", "fibers"), "fibers");
  EXPECT_EQ(s.form("k", "split"), "split");
  const Snippet plain(kernel("p[t] = 1;"));
  EXPECT_EQ(plain.form("k", "fibers"), "loop");
  EXPECT_EQ(plain.form("k", "fibers-all"), "fibers");
}
TEST(Form, SplitAsksForALoopThatIsNotLegal) {
  // --form=split must not split what cannot be split.
  EXPECT_EQ(Snippet(kernel("again: __syncthreads(); if (--n) goto again;")).form("k", "split"),
            "fibers");
}

TEST(Regions, TopLevel) {
  EXPECT_EQ(regionsOf("s[t] = 1; __syncthreads(); p[t] = s[0];"), "shared region barrier region");
}
TEST(Regions, Loop) {
  EXPECT_EQ(regionsOf("for (int i = 0; i < n; ++i) { s[t] = 1; __syncthreads(); p[t] += s[0]; }"),
            "shared region loop(region barrier region)");
}
TEST(Regions, Branches) {
  EXPECT_EQ(regionsOf("if (n) { __syncthreads(); p[t] = 1; } else p[t] = 2;"),
            "shared region branch(barrier region) else(region)");
}
TEST(Regions, DivergentFlowStaysInOneRegion) {
  EXPECT_EQ(regionsOf("if (t) p[t] = 1; for (int i = 0; i < t; ++i) p[t] += i; __syncthreads();"),
            "shared region barrier");
}
TEST(Regions, ObstacleIsNamed) {
  EXPECT_EQ(regionsOf("switch (t) { case 1: __syncthreads(); }").substr(0, 10), "obstacle: ");
}
TEST(Regions, UniformSwitch) {
  EXPECT_EQ(
      regionsOf("switch (n) { case 1: p[t] = 1; __syncthreads(); break; default: p[t] = 2; }"),
      "shared region switch(label region barrier statement label region)");
}
TEST(Regions, Warps) {
  EXPECT_EQ(
      regionsOf(
          "int v = p[t]; v += __shfl_sync(~0u, v, 1); s[t] = v; __syncthreads(); p[t] = s[0];"),
      "shared warps(region call region) barrier region");
}
TEST(Regions, MaskedBranch) {
  EXPECT_EQ(regionsOf("int v = p[t]; if (t < n) v += __shfl_sync(~0u, v, 1); p[t] = v;"),
            "shared warps(region branch(call region) region)");
}

TEST(Storage, IndexIsRecomputed) {
  const std::string body = "int i = blockIdx.x * 64 + t; s[t] = i; __syncthreads(); p[i] = s[0];";
  EXPECT_EQ(storageOf(body, "i"), "recomputed");
}
TEST(Storage, LoadedValueIsKept) {
  EXPECT_EQ(storageOf("int v = p[t]; s[t] = v; __syncthreads(); p[t] = v + s[0];", "v"),
            "per thread");
}
TEST(Storage, ChangedValueIsKept) {
  EXPECT_EQ(storageOf("int v = t; __syncthreads(); v += s[0]; __syncthreads(); p[t] = v;", "v"),
            "per thread");
}
TEST(Storage, ValueOfReferenceToMemoryIsNotReadAgain) {
  // Kept for each thread, or not split at all: reading r anew would see what the barrier let others
  // store.
  const std::string body =
      "int& r = s[0]; int v = r + t; __syncthreads(); s[t] = 1; __syncthreads(); p[t] = v;";
  const std::string storage = storageOf(body, "v");
  EXPECT_TRUE(storage == "per thread" || storage == "obstacle") << storage;
}
TEST(Storage, UniformValueIsTheBlocks) {
  EXPECT_EQ(storageOf("int m = n * 2; s[t] = m; __syncthreads(); p[t] = m;", "m"), "block");
}
TEST(Storage, LoopVariableIsTheBlocks) {
  EXPECT_EQ(storageOf("for (int i = 0; i < n; ++i) { s[t] = i; __syncthreads(); p[t] = i; }", "i"),
            "block");
}
TEST(Storage, ValueAssignedFirstEverywhereIsFresh) {
  EXPECT_EQ(storageOf("int v; v = p[t]; s[t] = v; __syncthreads(); v = s[0]; p[t] = v;", "v"),
            "fresh");
}
TEST(Storage, ArrayFilledBeforeItIsReadIsFresh) {
  const std::string fills = "for (int i = 0; i < 4; ++i) v[i] = p[i + t];";
  const auto storage = [](const std::string& first) {
    return storageOf("int v[4] = {}; for (int k = 0; k < n; ++k) { s[t] = k; __syncthreads(); " +
                         first +
                         " for (int i = 0; i < 4; ++i) p[t] += v[i] * s[i]; "
                         "__syncthreads(); }",
                     "v");
  };
  EXPECT_EQ(storage(fills), "fresh");
  EXPECT_EQ(storage("for (int i = 0; i < 4; i++) { int w = p[i]; v[i] = w; }"), "fresh");
  EXPECT_EQ(storage("for (int i = 0; i < 3; ++i) v[i] = p[i];"), "per thread");
  EXPECT_EQ(storage("for (int i = 1; i < 4; ++i) v[i] = p[i];"), "per thread");
  EXPECT_EQ(storage("for (int i = 0; i < 4; ++i) v[i] += p[i];"), "per thread");
  EXPECT_EQ(storage("for (int i = 0; i < 4; ++i) v[i] = v[3 - i];"), "per thread");
  EXPECT_EQ(storage("for (int i = 0; i < 4; ++i) if (p[i]) v[i] = p[i];"), "per thread");
  EXPECT_EQ(storage("for (int i = 0; i < 4; ++i) { if (p[i]) break; v[i] = p[i]; }"), "per thread");
  EXPECT_EQ(storage("for (int i = 0; i < 4; ++i) { v[i] = p[i]; ++i; }"), "per thread");
  EXPECT_EQ(storage("if (p[0]) " + fills), "per thread");
  EXPECT_EQ(storage(fills + " int* q = v; p[t] = *q;"), "per thread");
  EXPECT_EQ(storage("for (int i = 0; i < 4; i += 2) *(int2*)&v[i] = *(int2*)&p[i];"), "fresh");
  EXPECT_EQ(storage("for (int i = 0; i < 4; i += 2) v[i] = p[i];"), "per thread");
}
TEST(Storage, ArrayWhoseElementsAreAllNamedIsFresh) {
  const auto storage = [](const std::string& first) {
    return storageOf("int v[4] = {}; for (int k = 0; k < n; ++k) { s[t] = k; __syncthreads(); " +
                         first +
                         " for (int i = 0; i < 4; ++i) p[t] += v[i] * s[i]; "
                         "__syncthreads(); }",
                     "v");
  };
  EXPECT_EQ(storage("*(int4*)&v[0] = *(int4*)&p[t];"), "fresh");
  EXPECT_EQ(storage("reinterpret_cast<int4*>(&(v[0]))[0] = make_int4(1, 2, 3, t);"), "fresh");
  EXPECT_EQ(storage("*(int4*)v = *(int4*)&p[t]; *(int4*)&p[t] = *(int4*)v;"), "fresh");
  EXPECT_EQ(storage("*(int2*)&v[0] = *(int2*)&p[t]; v[2] = t; v[3] = v[2];"), "per thread");
  EXPECT_EQ(storage("*(int2*)&v[0] = *(int2*)&p[t]; v[2] = t; v[3] = 1;"), "fresh");
  EXPECT_EQ(storage("*(int2*)&v[0] = *(int2*)&p[t]; v[2] = t;"), "per thread");
  EXPECT_EQ(storage("*(int2*)&v[0] = *(int2*)&p[t]; if (t) *(int2*)&v[2] = *(int2*)&p[t];"),
            "per thread");
  EXPECT_EQ(storage("*(int2*)&v[t] = *(int2*)&p[t]; *(int2*)&v[2] = *(int2*)&p[t];"), "per thread");
  EXPECT_EQ(storage("int4* q = (int4*)&v[0]; *q = *(int4*)&p[t];"), "per thread");
  EXPECT_EQ(storage("for (int i = 0; i < t; ++i) *(int4*)&v[0] = *(int4*)&p[i];"), "per thread");
}
TEST(Storage, ValueReadOnSomePathIsKept) {
  EXPECT_EQ(storageOf("int v = 1; s[t] = v; __syncthreads(); if (p[t]) v = s[0]; p[t] = v;", "v"),
            "per thread");
  EXPECT_EQ(
      storageOf(
          "int v = 1; s[t] = v; __syncthreads(); for (int i = 0; i < p[t]; ++i) v = i; p[t] = v;",
          "v"),
      "per thread");
}
TEST(Storage, ValueInsideOneLoopOverWarpsIsKeptPerLane) {
  EXPECT_EQ(storageOf("int v = p[t]; v += __shfl_sync(~0u, v, 1); p[t] = v;", "v"), "per lane");
}
TEST(Storage, CounterOfSeveralLoopsIsTheBlocks) {
  EXPECT_EQ(storageOf("int i, j; for (i = 0; i < 3; ++i) p[i] = 0; for (i = 0; i < n; ++i) { "
                      "__syncthreads(); for (j = 0; "
                      "j < t; ++j) s[t] += j; }",
                      "i"),
            "block");
  EXPECT_EQ(storageOf("int i, j; for (i = 0; i < n; ++i) { __syncthreads(); for (j = 0; j < t; "
                      "++j) s[t] += j; }",
                      "j"),
            "fresh");
}
TEST(Storage, UniformValueChangedInBranchThatOnlyAssigns) {
  EXPECT_EQ(storageOf("int m = 1; if (n) m = 2; s[t] = m; __syncthreads(); p[t] = m;", "m"),
            "block");
}
TEST(Storage, UniformValueChangedInNestedIfIsKept) {
  EXPECT_EQ(
      storageOf("int m = 1; if (n) { m = 2; p[t] = 0; } s[t] = m; __syncthreads(); p[t] = m;", "m"),
      "per thread");
}
TEST(Storage, ValueFromOneThatIsKeptIsKept) {
  const std::string body =
      "int m = 1; if (n) { m = 2; p[t] = 0; } int w = m + 1; s[t] = m; __syncthreads(); "
      "p[t] = m + w;";
  EXPECT_EQ(storageOf(body, "w"), "per thread");
}
TEST(Storage, LocalOfOneRegion) {
  EXPECT_EQ(storageOf("int v = p[t]; s[t] = v; __syncthreads(); p[t] = s[0];", "v"), "region");
}
TEST(Storage, LocalWhoseAddressIsStoredIsKept) {
  EXPECT_EQ(storageOf("int* q; int v = p[t]; q = &v; __syncthreads(); p[t] = *q;", "v"),
            "per thread");
}

TEST(Storage, RestatedWhereEachRegionFollowsOneAssignment) {
  EXPECT_EQ(storageOf("int x = n + t; s[x] = 1; __syncthreads(); x = n - t; p[x] = s[t];", "x"),
            "fresh");
  EXPECT_EQ(storageOf("int x = n + t; s[x] = 1; __syncthreads(); p[x] = 2; x = n - t; "
                      "__syncthreads(); p[x] = s[t];",
                      "x"),
            "restated");
}
TEST(Storage, PerThreadWhereAnAssignmentNeedsTheOldValue) {
  EXPECT_EQ(storageOf("int x = n + t; s[x] = 1; __syncthreads(); x = x + 1; __syncthreads(); "
                      "p[x] = s[t];",
                      "x"),
            "per thread");
}
TEST(Storage, PerThreadWhereSomeThreadsAssign) {
  EXPECT_EQ(storageOf("int x = n + t; s[x] = 1; __syncthreads(); if (t > 3) x = 1; "
                      "__syncthreads(); p[x] = s[t];",
                      "x"),
            "per thread");
}

} // namespace
