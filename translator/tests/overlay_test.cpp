// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text that the parser sees: as long as the original, with nvcc's dialect in clang's words.
#include "parse/dialect_overlay.h"

#include <gtest/gtest.h>

using cu2cpp::Overlay;
using cu2cpp::overlayDialect;

namespace {

/// A text with each occurrence of __CUDA_ARCH__ numbered: which of them read as device code.
std::string archPlaces(const std::string& code) {
  const Overlay overlay = overlayDialect(code);
  std::string out;
  for (std::size_t at = code.find("__CUDA_ARCH__"); at != std::string::npos;
       at = code.find("__CUDA_ARCH__", at + 1))
    out += overlay.text.compare(at, 13, "CU2CPP_ARCH__") == 0 ? 'd' : 'h';
  return out;
}

TEST(Overlay, PlainCodeIsUnchanged) {
  const std::string code = "// __CUDA_ARCH__ <<<{}>>>\nint a[] = {1, 2}; const char* s = \"extern "
                           "__shared__ int x[];\";\n"
                           "template <class T> struct S {}; S<S<S<int>>> x; int y = 1 << 2 >> 1;\n";
  EXPECT_EQ(overlayDialect(code).text, code);
}
TEST(Overlay, KeepsEveryOffset) {
  const std::string code =
      "__global__ void k() { extern __shared__ float data[]; data[0] = __CUDA_ARCH__; }\n"
      "void f() { k<<<{1, 2}, dim3{3}>>>(); k << < 1, 2 >> > (); }\n";
  const Overlay overlay = overlayDialect(code);
  ASSERT_EQ(overlay.text.size(), code.size());
  EXPECT_NE(overlay.text, code);
  EXPECT_EQ(overlay.text.find("void f()"), code.find("void f()"));
}
TEST(Overlay, BracesInConfigurations) {
  const std::string text = overlayDialect("void f() { k<<<{1, 2}, dim3{3}>>>(S{4}); }").text;
  EXPECT_NE(text.find("(1, 2)"), std::string::npos) << text;
  EXPECT_NE(text.find("S{4}"), std::string::npos) << text;
}
TEST(Overlay, BracketsWithSpaces) {
  const std::string text = overlayDialect("void f() { k<< <1, 2>> >(p); }").text;
  EXPECT_NE(text.find("<<<"), std::string::npos) << text;
  EXPECT_NE(text.find(">>>"), std::string::npos) << text;
}
TEST(Overlay, OperandsWithoutAComma) {
  EXPECT_EQ(
      overlayDialect("void f() { asm(\"x\" \"y\" ::\"r\"(g(a) + (b)) \"l\"(p) : \"memory\"); }")
          .text,
      "void f() { asm(\"x\" \"y\" ::\"r\"(g(a) + (b)),\"l\"(p) : \"memory\"); }");
  const std::string other = "void f() { h((a) \"s\"); asm(\"x\" : \"=r\"(a) : \"r\"(b)); }";
  EXPECT_EQ(overlayDialect(other).text, other);
}
TEST(Overlay, DynamicSharedInsideFunctionsOnly) {
  const std::string inside = "__global__ void k() { extern __shared__ int s[]; }";
  EXPECT_NE(overlayDialect(inside).text, inside);
  const std::string outside = "extern __shared__ int s[];";
  EXPECT_EQ(overlayDialect(outside).text, outside);
}
TEST(Overlay, ArchInDeviceBodiesOnly) {
  EXPECT_EQ(
      archPlaces("__device__ int f() { return __CUDA_ARCH__; } int g() { return __CUDA_ARCH__; }"),
      "dh");
  EXPECT_EQ(archPlaces("__global__ void k() {\n#if __CUDA_ARCH__ >= 700\n#endif\n}\n"), "d");
  EXPECT_EQ(archPlaces("void f() {\n#ifdef __CUDA_ARCH__\n#endif\n}\n"), "h");
}
TEST(Overlay, ArchComparedAtNamespaceScope) {
  EXPECT_EQ(archPlaces("#if __CUDA_ARCH__ >= 600\n#endif\n#ifdef __CUDA_ARCH__\n#endif\n"
                       "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 600\n#endif\n"),
            "dhhh");
}
TEST(Overlay, ArchAfterDeviceBody) {
  EXPECT_EQ(
      archPlaces(
          "struct S { __device__ void f() { { } __CUDA_ARCH__; } void g() { __CUDA_ARCH__; } };"),
      "dh");
}
TEST(Overlay, ReportsTwoSidedBodies) {
  const std::string code =
      "__host__ __device__ int f() { return 1; }\n"
      "__host__ __device__ int g() {\n#ifdef __CUDA_ARCH__\nreturn 1;\n#endif\n}\n";
  const Overlay overlay = overlayDialect(code);
  ASSERT_EQ(overlay.twoSided.size(), 1u);
  EXPECT_EQ(overlay.twoSided[0].begin, code.find('{', code.find("int g")));
}
TEST(Overlay, LaunchesInKernels) {
  using cu2cpp::wrapLaunches;
  EXPECT_EQ(
      wrapLaunches("__global__ void k() { if (x) n::t<A<int>><<<1, f(2)>>>(p, g(1)); }"),
      "__global__ void k() { if (x) CU2_BEGIN_ n::t<A<int>><<<1, f(2)>>>(p, g(1)) CU2_END_; }");
  // Elsewhere clang takes them as they are.
  for (const char* code : {"void h() { k<<<1, 2>>>(); }", "__device__ void d() { k<<<1, 2>>>(); }",
                           "__global__ void k() { x = 1 << 3; }"})
    EXPECT_EQ(wrapLaunches(code), code);
}
TEST(Overlay, MacrosThatTouchStrings) {
  using cu2cpp::separateSuffixes;
  EXPECT_EQ(separateSuffixes("extern \"C\"__global__ void k();\nprintf(\"%\"PRIu64\"__\", n);"),
            "extern \"C\" __global__ void k();\nprintf(\"%\" PRIu64\"__\", n);");
  // Suffixes of the user's own and of the library, and the insides of strings.
  for (const char* code : {"auto a = \"x\"_km + \"y\"s;", "f(\"__global__\", \"PRI\");",
                           "auto s = R\"(a \"__host__ b)\";"})
    EXPECT_EQ(separateSuffixes(code), code);
}

} // namespace
