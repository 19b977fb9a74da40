// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules of PTX as CUDA C++.
#include "ptx/module_source.h"

#include <gtest/gtest.h>

#include "ptx/module_text.h"

using namespace cu2cpp::ptx;

namespace {

const std::string start = ".version 8.0\n.target sm_70\n.address_size 64\n";

/// The translated module behind its first line, in one line; "refused at line: why" if it isn't.
std::string cpp(const std::string& module) {
  const ModuleSource source = moduleSource(start + module);
  if (!source.error.empty())
    return "refused at " + std::to_string(source.line) + ": " + source.error;
  std::string text = source.text.substr(source.text.find("\n\n") + 2), line;
  for (const char c : text)
    if (c != '\n' && c != ' ')
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  return line;
}

/// The statements of a kernel of two parameters and some registers.
std::string statements(const std::string& body) {
  const std::string text =
      cpp(".entry k(.param .u64 k_param_0, .param .f32 k_param_1) {\n"
          ".reg .b32 %r<4>; .reg .f32 %f<4>; .reg .b64 %rd<4>; .reg .pred %p<3>;\n" +
          body + "\n}");
  const std::size_t open = text.find("{ ");
  std::string rest = open == std::string::npos ? text : text.substr(open + 2);
  while (rest.find("{}; ") != std::string::npos)
    rest = rest.substr(rest.find("{}; ") + 4);
  return rest;
}

TEST(PtxModule, IsToldFromOtherText) {
  EXPECT_TRUE(isModule("// \"made\" by hand\n/* and\nmore */ .version 8.0\n"));
  EXPECT_FALSE(isModule("/* .version 8.0 */ int x;"));
}
TEST(PtxModule, KernelsKeepTheirNames) {
  EXPECT_EQ(cpp(".visible .entry _Z1kPf(.param .u64 .ptr .global .align 4 _Z1kPf_param_0)\n"
                ".maxntid 128, 2, 1\n.minnctapersm 3\n{ ret; }"),
            "extern \"C\" __global__ void __launch_bounds__(256, 3) "
            "_Z1kPf(unsigned long long param_0) { return; } ");
}
TEST(PtxModule, ParametersAreBits) {
  EXPECT_EQ(statements("ld.param.u64 %rd1, [k_param_0];"), "rd1 = param_0; } ");
  EXPECT_EQ(statements("ld.param.f32 %f1, [k_param_1];"),
            "f1 = cu2cpp::ptx::at<float>(&param_1); } ");
}
TEST(PtxModule, NegativeNumbersAreBits) {
  EXPECT_EQ(statements("and.b64 %rd1, %rd2, -4294967296;"),
            "rd1 = rd2 & 18446744069414584320ull; } ");
  EXPECT_EQ(statements("mov.s64 %rd1, -9223372036854775808;"),
            "rd1 = -9223372036854775807ll - 1; } ");
  EXPECT_EQ(statements("{ .reg .b16 %h; mov.u16 %h, -1; }"), "h = 65535; } ");
  EXPECT_EQ(statements("mov.u32 %r1, -1;"), "r1 = unsigned(-1); } ");
}
TEST(PtxModule, BranchesAreJumps) {
  EXPECT_EQ(statements("$A: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 9; @!%p1 bra $B; "
                       "bra.uni $A; $B: @%p1 ret;"),
            "L__A:; r1 = r1 + 1; p1 = r1 < 9; if (!p1) goto L__B; goto L__A; L__B:; "
            "if (p1) return; } ");
}
TEST(PtxModule, LabelsOfScopesAreTheirOwn) {
  EXPECT_EQ(statements("{ W: @%p1 bra W; } { W: @%p1 bra W; }"),
            "L_W:; if (p1) goto L_W; L_W_2:; if (p1) goto L_W_2; } ");
}
TEST(PtxModule, RegistersOfScopesAreTheirOwn) {
  EXPECT_EQ(statements("{ .reg .b32 t; mov.u32 t, 1; } { .reg .f32 t; mov.f32 t, 0f3F800000; }"),
            "t = 1; t_2 = __int_as_float(0x3F800000); } ");
}
TEST(PtxModule, Variables) {
  EXPECT_EQ(cpp(".visible .global .align 4 .u32 n = 5;"),
            "extern \"C\" { __device__ __align__(4) unsigned n = (unsigned)5ull; } ");
  EXPECT_EQ(cpp(".const .f32 $c[2] = {1.0, 0f40000000};"),
            "extern \"C\" { __constant__ unsigned _c[2] = {1065353216u, 0x40000000u}; } ");
  EXPECT_EQ(cpp(".global .b8 x; .global .u64 p = generic(x)+4;"),
            "extern \"C\" { __device__ unsigned char x; } extern \"C\" { __device__ "
            "unsigned long long p = ((unsigned long long)&x + 4); } ");
}
TEST(PtxModule, CallsPassSharedVariablesOfTheModule) {
  const std::string text = cpp(".shared .align 4 .b8 s[8];\n"
                               ".func f() { .reg .u32 %r; ld.shared.u32 %r, [s]; ret; }\n"
                               ".entry k() { call f; ret; }");
  EXPECT_NE(text.find("static __device__ void f_(unsigned char* s) {"), std::string::npos) << text;
  EXPECT_NE(text.find("__shared__ __align__(4) unsigned char s[8]; f_(s); return;"),
            std::string::npos)
      << text;
}
TEST(PtxModule, RefusalsNameTheLine) {
  EXPECT_EQ(cpp(".entry k() {\n\tnosuch.u32 1;\n}"), "refused at 5: 'nosuch.u32'");
  EXPECT_EQ(cpp(".entry k() {\nmov.u32 %r1, 1;\n}"),
            "refused at 5: 'mov.u32' (Unknown symbol '%r1')");
  EXPECT_EQ(cpp(".extern .func g;\n.entry k() { call g; }"),
            "refused at 5: unresolved external function 'g'");
  EXPECT_EQ(statements("ld.global.u32 %r1, [%r2];"),
            "refused at 6: 'ld.global.u32' (an address of 32 bits)");
}

} // namespace
