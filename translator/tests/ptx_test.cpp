// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX as C++: one instruction a line, with operands named after their numbers.
#include "ptx/emitter.h"

#include <gtest/gtest.h>

using namespace cu2cpp::ptx;

namespace {

/// What becomes of a text whose %0 is an unsigned result `r` and whose %1 ... are inputs `a` ... of
/// the given type; "refused: why" if it isn't translated.
std::string cpp(const std::string& text, const std::string& type = "u32") {
  const Block block = parsePtx(text, true);
  std::vector<BoundOperand> operands(6);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    operands[i].text = std::string(1, i == 0 ? 'r' : char('a' + i - 1));
    operands[i].type = operands[i].registerType = *typeNamed(type);
    operands[i].output = i == 0;
  }
  Emitter emitter(block, operands, {"r", "a", "b", "c", "d", "e"}, false);
  if (!emitter.emit())
    return "refused: " + emitter.why();
  std::string all;
  for (const std::string& statement : emitter.statements())
    all += (all.empty() ? "" : " ") + statement;
  return all;
}

TEST(Ptx, Integers) {
  EXPECT_EQ(cpp("add.u32 %0, %1, %2;"), "r = a + b;");
  EXPECT_EQ(cpp("add.s32 %0, %1, %2;", "s32"), "r = unsigned(a) + unsigned(b);");
  EXPECT_EQ(cpp("mul.hi.u32 %0, %1, %2;"), "r = __umulhi(a, b);");
  EXPECT_EQ(cpp("mad.lo.u32 %0, %1, 3, %2;"), "r = a * 3 + b;");
  EXPECT_EQ(cpp("shl.b32 %0, %1, 4;"), "r = a << 4;");
  EXPECT_EQ(cpp("shl.b32 %0, %1, %2;"), "r = cu2cpp::ptx::shl<unsigned>(a, b);");
  EXPECT_EQ(cpp("lop3.b32 %0, %1, %2, %3, 0xE8;"), "r = (a & b) | (a & c) | (b & c);");
  EXPECT_EQ(cpp("lop3.b32 %0, %1, %2, %3, 0x1b;"), "r = cu2cpp::ptx::lop3<0x1b>(a, b, c);");
}
TEST(Ptx, MasksExtensionsAndProductsOf24Bits) {
  EXPECT_EQ(cpp("bmsk.clamp.b32 %0, %1, %2;"), "r = cu2cpp::ptx::bmsk<true>(a, b);");
  EXPECT_EQ(cpp("szext.wrap.s32 %0, %1, %2;", "s32"),
            "r = cu2cpp::ptx::szext<false, int>(a, unsigned(b));");
  EXPECT_EQ(cpp("mul24.hi.u32 %0, %1, %2;"), "r = cu2cpp::ptx::mul24_hi(a, b);");
  EXPECT_EQ(cpp("mad24.lo.u32 %0, %1, %2, %3;"), "r = unsigned(__umul24(a, b)) + c;");
}
TEST(Ptx, MatricesGoToMemoryAndAreTransposed) {
  EXPECT_EQ(cpp("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;"),
            "unsigned cuD[1]; cu2cpp::ptx::movmatrix(cuD, a); r = cuD[0];");
  EXPECT_NE(cpp("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%1], {%2, %3};")
                .find("const unsigned cuA[] = {b, c}; cu2cpp::ptx::stmatrix<2, true>("),
            std::string::npos);
  EXPECT_EQ(cpp("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%1], {%2, %3};"),
            "refused: 'stmatrix.sync.aligned.m8n8.x4.shared.b16'");
}
TEST(Ptx, ReductionsAtBarriers) {
  EXPECT_EQ(cpp("{ .reg .pred p; setp.gt.u32 p, %1, 9; bar.red.popc.u32 %0, 3, p; }"),
            "bool p = a > 9; r = __syncthreads_count(p);");
  EXPECT_EQ(cpp("{ .reg .pred p; setp.gt.u32 p, %1, 9; bar.red.popc.u32 %0, 3, 64, p; }"),
            "refused: 'bar.red.popc.u32' (its operands)");
}
TEST(Ptx, FloatsOfARoundingMode) {
  EXPECT_EQ(cpp("add.f32 %0, %1, %2;", "f32"), "r = a + b;");
  EXPECT_EQ(cpp("add.rz.f32 %0, %1, %2;", "f32"), "r = __fadd_rz(a, b);");
  EXPECT_EQ(cpp("fma.rn.f32 %0, %1, 0f40000000, %2;", "f32"),
            "r = __fmaf_rn(a, __int_as_float(0x40000000), b);");
}
TEST(Ptx, RegistersHoldBits) {
  EXPECT_EQ(cpp("add.f32 %0, %1, %2;"),
            "r = __float_as_uint(__uint_as_float(a) + __uint_as_float(b));");
}
TEST(Ptx, OwnRegistersAndPredicates) {
  EXPECT_EQ(cpp("{ .reg .pred p; setp.ne.u32 p, %1, 0; selp.u32 %0, 1, 2, p; }"),
            "bool p = a != 0; r = p ? 1 : 2;");
  EXPECT_EQ(cpp(".reg .pred p; setp.lt.u32 p, %1, %2; @!p add.u32 %0, %1, 1;"),
            "bool p = a < b; if (!p) r = a + 1;");
  EXPECT_EQ(cpp(".reg .u32 a; mov.u32 a, %1; mov.u32 %0, a;"), "unsigned a_ = a; r = a_;");
}
TEST(Ptx, Carries) {
  EXPECT_EQ(cpp(".reg .u32 t; add.cc.u32 t, %1, %2; addc.u32 %0, t, 0;"),
            "bool carry = false; unsigned t = cu2cpp::ptx::add_cc<unsigned>(a, b, carry); "
            "r = cu2cpp::ptx::addc<unsigned>(t, 0, carry);");
  EXPECT_EQ(cpp("addc.u32 %0, %1, %2;"),
            "r = cu2cpp::ptx::addc<unsigned>(a, b, cu2cpp::ptx::carryFlag());");
}
TEST(Ptx, Collectives) {
  EXPECT_EQ(cpp("shfl.sync.bfly.b32 %0, %1, 4, 0x1f, 0xffffffff;"),
            "r = __shfl_xor_sync(0xffffffffu, a, 4);");
  EXPECT_EQ(cpp("shfl.sync.down.b32 %0, %1, 4, 0x181f, %2;"), "r = __shfl_down_sync(b, a, 4, 8);");
  EXPECT_EQ(cpp("bar.sync 0;"), "__syncthreads();");
  EXPECT_EQ(cpp("bar.sync 1, 64;"), "__barrier_sync_count(1, 64);");
}
TEST(Ptx, Memory) {
  EXPECT_EQ(cpp("ld.global.u32 %0, [%1+8];", "u64"), "r = cu2cpp::ptx::at<unsigned>(a, 8);");
  EXPECT_EQ(cpp("red.global.add.u32 [%1], 1;", "u64"),
            "atomicAdd(&cu2cpp::ptx::at<unsigned>(a), 1);");
  EXPECT_EQ(cpp("membar.gl;"), "__threadfence();");
}
TEST(Ptx, RefusedByName) {
  for (const char* text :
       {"tcgen05.fence::before_thread_sync;", "cp.async.bulk.shared.global [%0], [%1], 16, [%2];",
        "wgmma.fence.sync.aligned;"}) {
    const std::string all = text, name = all.substr(0, all.find_first_of(" ;"));
    EXPECT_EQ(cpp(all), "refused: '" + name + "'");
  }
  EXPECT_EQ(cpp("add.frob.u32 %0, %1, %2;"), "refused: 'add.frob.u32' (.frob)");
  EXPECT_EQ(cpp("mov.u32 %0, %%envreg3;"), "refused: 'mov.u32' (%envreg3)");
}
TEST(Ptx, LabelsAndBranches) {
  EXPECT_EQ(cpp("L1: bra L1;"), "while (true) { }");
  EXPECT_EQ(cpp("{ .reg .pred p; WAIT_%=: setp.eq.u32 p, %1, 0; @p bra.uni WAIT_%=; }"),
            "bool p{}; do { p = a == 0; } while (p);");
  EXPECT_EQ(cpp("{ .reg .pred p; setp.eq.u32 p, %1, 0; @p bra SKIP; mov.u32 %0, %2; SKIP: }"),
            "bool p{}; p = a == 0; if (!p) { r = b; }");
  EXPECT_EQ(cpp("{ .reg .pred p; L: setp.eq.u32 p, %1, 0; @p bra D; bra L; D: }"),
            "bool p{}; do { p = a == 0; } while (!p);");
  EXPECT_EQ(cpp("{ .reg .pred p; L: setp.eq.u32 p, %1, 0; @p bra D; mov.u32 %0, %2; bra L; D: }"),
            "bool p{}; while (true) { p = a == 0; if (p) break; r = b; }");
  EXPECT_EQ(cpp("{ .reg .pred p; setp.eq.u32 p, %1, 0; @!p bra E; mov.u32 %0, 1; bra.uni D; "
                "E: mov.u32 %0, 2; D: }"),
            "bool p{}; p = a == 0; if (p) { r = 1; } else { r = 2; }");
  EXPECT_EQ(cpp("{ .reg .pred p; @p bra M; L: mov.u32 %0, 1; M: @p bra L; }"),
            "refused: the branch to 'L'");
  EXPECT_EQ(cpp("bra AWAY;"), "refused: the branch to 'AWAY'");
}
TEST(Ptx, CommentsCountForNothing) {
  EXPECT_EQ(cpp("// first\n mov.u32 %0, %1; /* last */"), "r = a;");
}

} // namespace
