// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers: integers, floating point, bits, comparisons, carry chains and SIMD video instructions
// (PTX ISA, 'Integer Arithmetic' to 'Logic and Shift Instructions', 'Video Instructions').
#include "ptx/emitter.h"

namespace cu2cpp::ptx {
namespace {

/// The type that the last word names; most instructions end in it.
std::optional<Type> typeOf(Emitter& e, const Instruction& i) {
  const auto type = i.words.empty() ? std::nullopt : typeNamed(i.words.back());
  if (!type)
    e.fail("its type");
  return type;
}

bool hasOperands(Emitter& e, const Instruction& i, std::size_t count) {
  if (i.operands.size() == count)
    return true;
  e.fail("its operands");
  return false;
}

/// Words that change what an instruction does, beyond those of `known`, are refused.
bool onlyWords(Emitter& e, const Instruction& i, std::initializer_list<const char*> known) {
  for (std::size_t w = 0; w + 1 < i.words.size(); ++w) {
    bool found = false;
    for (const char* word : known)
      found |= i.words[w] == word;
    if (!found) {
      e.fail("." + i.words[w]);
      return false;
    }
  }
  return true;
}

std::string rounding(const Instruction& i) {
  for (const char* mode : {"rn", "rz", "rm", "rp"})
    if (i.has(mode))
      return mode == std::string("rm") ? "rd" : mode == std::string("rp") ? "ru" : mode;
  return "";
}

/// A floating-point operand; `.ftz` takes numbers below the normal range for zero.
std::string readFloat(Emitter& e, const Instruction& i, const Operand& o, const Type& type) {
  const std::string text = e.read(o, type);
  return i.has("ftz") && type.isFloat() ? "cu2cpp::ptx::flushed(" + text + ")" : text;
}
void writeFloat(Emitter& e, const Instruction& i, const Operand& o, const Type& type,
                std::string value) {
  if (i.has("sat") && type.bits == 32)
    value = "__saturatef(" + value + ")";
  if (i.has("ftz") && type.isFloat())
    value = "cu2cpp::ptx::flushed(" + value + ")";
  e.write(o, type, value);
}

/// a op b, in unsigned arithmetic, where overflow has a meaning; in one expression for `add`,
/// `sub`, in the rounding that is asked for.
void addOrSubtract(Emitter& e, const Instruction& i) {
  const auto type = typeOf(e, i);
  if (!type || !hasOperands(e, i, 3) ||
      !onlyWords(e, i, {"cc", "rn", "rz", "rm", "rp", "ftz", "sat"}))
    return;
  const bool adds = i.name == "add";
  if (i.has("cc")) {
    const Type t = type->asUnsigned();
    const std::string a = e.read(i.operands[1], t), b = e.read(i.operands[2], t);
    return e.write(i.operands[0], t,
                   "cu2cpp::ptx::" + i.name + "_cc<" + cppName(t) + ">(" + a + ", " + b + ", " +
                       e.carry() + ")");
  }
  if (type->isInteger() && i.has("sat"))
    return e.write(i.operands[0], *type,
                   "cu2cpp::ptx::" + i.name + "_sat(" + e.read(i.operands[1], *type) + ", " +
                       e.read(i.operands[2], *type) + ")");
  const Type t = type->isInteger() ? type->asUnsigned() : *type;
  const std::string a = readFloat(e, i, i.operands[1], t), b = readFloat(e, i, i.operands[2], t);
  if (t.isNarrow())
    return e.write(i.operands[0], t,
                   std::string(adds ? "__hadd" : "__hsub") + (t.count == 2 ? "2" : "") +
                       (i.has("sat") ? "_sat(" : "(") + a + ", " + b + ")");
  const std::string mode = rounding(i);
  if (t.isFloat() && !mode.empty())
    return writeFloat(e, i, i.operands[0], t,
                      std::string(t.bits == 64 ? "__d" : "__f") + (adds ? "add_" : "sub_") + mode +
                          "(" + a + ", " + b + ")");
  writeFloat(e, i, i.operands[0], t, a + (adds ? " + " : " - ") + b);
}

void carryChain(Emitter& e, const Instruction& i) { // addc, subc
  const auto type = typeOf(e, i);
  if (!type || !hasOperands(e, i, 3))
    return;
  const Type t = type->asUnsigned();
  const std::string a = e.read(i.operands[1], t), b = e.read(i.operands[2], t);
  e.write(i.operands[0], t,
          "cu2cpp::ptx::" + i.name + (i.has("cc") ? "_cc<" : "<") + cppName(t) + ">(" + a + ", " +
              b + ", " + e.carry() + ")");
}

/// The upper half of a product.
std::string highProduct(const Type& t, const std::string& a, const std::string& b) {
  if (t.bits == 16)
    return std::string(t.isSigned ? "int" : "unsigned") + "(" + a + ") * " + b + " >> 16";
  return std::string(t.isSigned ? "__mul" : "__umul") + (t.bits == 64 ? "64hi(" : "hi(") + a +
         ", " + b + ")";
}
std::string wideProduct(const Type& t, const std::string& a, const std::string& b) {
  const std::string wide = cppName(t.widened());
  return (wide.find(' ') == std::string::npos ? wide + "(" + a + ")" : "(" + wide + ")" + a) +
         " * " + b;
}

void multiply(Emitter& e, const Instruction& i) {
  const auto type = typeOf(e, i);
  if (!type || !hasOperands(e, i, 3) ||
      !onlyWords(e, i, {"lo", "hi", "wide", "rn", "rz", "rm", "rp", "ftz", "sat"}))
    return;
  Type t = *type;
  if (!t.isInteger()) {
    const std::string a = readFloat(e, i, i.operands[1], t), b = readFloat(e, i, i.operands[2], t);
    if (t.isNarrow())
      return e.write(i.operands[0], t,
                     std::string("__hmul") + (t.count == 2 ? "2" : "") +
                         (i.has("sat") ? "_sat(" : "(") + a + ", " + b + ")");
    const std::string mode = rounding(i);
    return writeFloat(e, i, i.operands[0], t,
                      mode.empty() ? a + " * " + b
                                   : std::string(t.bits == 64 ? "__dmul_" : "__fmul_") + mode +
                                         "(" + a + ", " + b + ")");
  }
  if (i.has("lo"))
    t = t.asUnsigned();
  const std::string a = e.read(i.operands[1], t), b = e.read(i.operands[2], t);
  if (i.has("wide"))
    return e.write(i.operands[0], t.widened(), wideProduct(t, a, b));
  if (i.has("hi"))
    return e.write(i.operands[0], t, highProduct(t, a, b));
  e.write(i.operands[0], t, (t.bits == 16 ? "1u * " : "") + a + " * " + b);
}

void multiplyAdd(Emitter& e, const Instruction& i) { // mad, madc
  const auto type = typeOf(e, i);
  if (!type || !hasOperands(e, i, 4) ||
      !onlyWords(e, i, {"lo", "hi", "wide", "cc", "rn", "rz", "rm", "rp", "ftz", "sat"}))
    return;
  Type t = *type;
  if (t.isFloat()) {
    const std::string a = readFloat(e, i, i.operands[1], t), b = readFloat(e, i, i.operands[2], t),
                      c = readFloat(e, i, i.operands[3], t);
    const std::string mode = rounding(i);
    return writeFloat(e, i, i.operands[0], t,
                      std::string(t.bits == 64 ? "__fma_" : "__fmaf_") +
                          (mode.empty() ? "rn" : mode) + "(" + a + ", " + b + ", " + c + ")");
  }
  if (!t.isInteger() || i.has("sat"))
    return e.fail("its type");
  const Type sum = i.has("wide") ? t.widened().asUnsigned() : t.asUnsigned();
  if (i.has("lo"))
    t = t.asUnsigned();
  const std::string a = e.read(i.operands[1], t), b = e.read(i.operands[2], t);
  const std::string product = i.has("wide") ? wideProduct(t, a, b)
                              : i.has("hi") ? highProduct(t, a, b)
                                            : (t.bits == 16 ? "1u * " : "") + a + " * " + b;
  const std::string c = e.read(i.operands[3], sum);
  if (i.name == "mad" && !i.has("cc"))
    return e.write(i.operands[0], sum, product + " + " + c);
  const std::string function = std::string(i.name == "madc" ? "addc" : "add") +
                               (i.has("cc") ? "_cc<" : "<") + cppName(sum) + ">(";
  e.write(i.operands[0], sum,
          "cu2cpp::ptx::" + function + product + ", " + c + ", " + e.carry() + ")");
}

void fusedMultiplyAdd(Emitter& e, const Instruction& i) {
  const auto type = typeOf(e, i);
  if (!type || !hasOperands(e, i, 4) ||
      !onlyWords(e, i, {"rn", "rz", "rm", "rp", "ftz", "sat", "relu"}))
    return;
  if (!type->isNarrow())
    return multiplyAdd(e, i);
  std::string arguments;
  for (int k = 1; k < 4; ++k)
    arguments += (k > 1 ? ", " : "") + e.read(i.operands[k], *type);
  e.write(i.operands[0], *type,
          std::string("__hfma") + (type->count == 2 ? "2" : "") +
              (i.has("sat")    ? "_sat("
               : i.has("relu") ? "_relu("
                               : "(") +
              arguments + ")");
}

void multiply24(Emitter& e, const Instruction& i) { // mul24, mad24
  const auto type = typeOf(e, i);
  const bool adds = i.name == "mad24";
  if (!type || !hasOperands(e, i, adds ? 4 : 3) || !onlyWords(e, i, {"lo", "hi"}))
    return;
  const std::string product = std::string(i.has("hi")      ? "cu2cpp::ptx::mul24_hi("
                                          : type->isSigned ? "__mul24("
                                                           : "__umul24(") +
                              e.read(i.operands[1], *type) + ", " + e.read(i.operands[2], *type) +
                              ")";
  e.write(i.operands[0], *type,
          adds ? "unsigned(" + product + ") + " + e.read(i.operands[3], type->asUnsigned())
               : product);
}

void divide(Emitter& e, const Instruction& i) {
  const auto type = typeOf(e, i);
  if (!type || !hasOperands(e, i, 3) ||
      !onlyWords(e, i, {"rn", "rz", "rm", "rp", "ftz", "approx", "full"}))
    return;
  const std::string a = readFloat(e, i, i.operands[1], *type),
                    b = readFloat(e, i, i.operands[2], *type);
  const std::string mode = rounding(i);
  if (type->isFloat() && !mode.empty())
    return writeFloat(e, i, i.operands[0], *type,
                      std::string(type->bits == 64 ? "__ddiv_" : "__fdiv_") + mode + "(" + a +
                          ", " + b + ")");
  if (i.has("approx"))
    return writeFloat(e, i, i.operands[0], *type, "__fdividef(" + a + ", " + b + ")");
  writeFloat(e, i, i.operands[0], *type, a + " / " + b);
}

void remainder(Emitter& e, const Instruction& i) {
  const auto type = typeOf(e, i);
  if (type && hasOperands(e, i, 3) && onlyWords(e, i, {}))
    e.write(i.operands[0], *type,
            e.read(i.operands[1], *type) + " % " + e.read(i.operands[2], *type));
}

void minMax(Emitter& e, const Instruction& i) {
  const auto type = typeOf(e, i);
  if (!type || !hasOperands(e, i, 3) || !onlyWords(e, i, {"ftz", "NaN"}))
    return;
  const std::string a = readFloat(e, i, i.operands[1], *type),
                    b = readFloat(e, i, i.operands[2], *type);
  std::string function = i.name;
  if (type->isNarrow())
    function = "__h" + i.name + (type->count == 2 ? "2" : "") + (i.has("NaN") ? "_nan" : "");
  else if (type->isFloat())
    function = i.has("NaN") ? "cu2cpp::ptx::" + i.name + "_NaN"
                            : "f" + i.name + (type->bits == 32 ? "f" : "");
  const bool narrow = type->isInteger() && type->bits < 32; // CUDA has functions from 32 bits on
  writeFloat(e, i, i.operands[0], *type,
             narrow ? function + "(int(" + a + "), int(" + b + "))"
                    : function + "(" + a + ", " + b + ")");
}

void absolute(Emitter& e, const Instruction& i) {
  const auto type = typeOf(e, i);
  if (!type || !hasOperands(e, i, 2) || !onlyWords(e, i, {"ftz"}))
    return;
  const std::string a = readFloat(e, i, i.operands[1], *type);
  if (type->isNarrow())
    return e.write(i.operands[0], *type,
                   std::string("__habs") + (type->count == 2 ? "2(" : "(") + a + ")");
  if (type->isFloat())
    return writeFloat(e, i, i.operands[0], *type,
                      std::string(type->bits == 64 ? "fabs(" : "fabsf(") + a + ")");
  e.write(i.operands[0], *type, (type->bits == 64 ? "llabs(" : "abs(") + a + ")");
}

void negate(Emitter& e, const Instruction& i) {
  const auto type = typeOf(e, i);
  if (!type || !hasOperands(e, i, 2) || !onlyWords(e, i, {"ftz"}))
    return;
  if (type->isInteger())
    return e.write(i.operands[0], *type, "0u - " + e.read(i.operands[1], type->asUnsigned()));
  const std::string a = readFloat(e, i, i.operands[1], *type);
  if (type->isNarrow())
    return e.write(i.operands[0], *type,
                   std::string("__hneg") + (type->count == 2 ? "2(" : "(") + a + ")");
  writeFloat(e, i, i.operands[0], *type, "-" + a);
}

/// One-argument functions of floating point.
void function(Emitter& e, const Instruction& i) {
  const auto type = typeOf(e, i);
  if (!type || !hasOperands(e, i, 2) || !onlyWords(e, i, {"approx", "ftz", "rn", "rz", "rm", "rp"}))
    return;
  const std::string a = readFloat(e, i, i.operands[1], *type);
  if (type->isNarrow()) {
    const std::string base = i.name == "ex2"    ? "exp2"
                             : i.name == "tanh" ? "tanh"
                             : i.name == "lg2"  ? "log2"
                             : i.name == "rcp"  ? "rcp"
                             : i.name == "sqrt" ? "sqrt"
                                                : "rsqrt";
    return e.write(i.operands[0], *type, (type->count == 2 ? "h2" : "h") + base + "(" + a + ")");
  }
  const bool isDouble = type->bits == 64;
  const std::string mode = rounding(i);
  std::string value;
  if (i.name == "rcp")
    value = mode.empty() ? (isDouble ? "1.0 / " : "1.0f / ") + a
                         : (isDouble ? "__drcp_" : "__frcp_") + mode + "(" + a + ")";
  else if (i.name == "sqrt")
    value = mode.empty() ? "sqrtf(" + a + ")"
                         : (isDouble ? "__dsqrt_" : "__fsqrt_") + mode + "(" + a + ")";
  else if (i.name == "rsqrt")
    value = (isDouble ? "rsqrt(" : "rsqrtf(") + a + ")";
  else
    value = std::string(i.name == "ex2"   ? "exp2f("
                        : i.name == "lg2" ? "__log2f("
                        : i.name == "sin" ? "__sinf("
                        : i.name == "cos" ? "__cosf("
                                          : "tanhf(") +
            a + ")";
  writeFloat(e, i, i.operands[0], *type, value);
}

void logic(Emitter& e, const Instruction& i) { // and, or, xor
  const auto type = typeOf(e, i);
  if (!type || !hasOperands(e, i, 3))
    return;
  const bool predicate = type->kind == Type::Class::Predicate;
  const char* op = i.name == "and"  ? (predicate ? " && " : " & ")
                   : i.name == "or" ? (predicate ? " || " : " | ")
                                    : (predicate ? " != " : " ^ ");
  e.write(i.operands[0], *type, e.read(i.operands[1], *type) + op + e.read(i.operands[2], *type));
}

void invert(Emitter& e, const Instruction& i) { // not, cnot
  const auto type = typeOf(e, i);
  if (!type || !hasOperands(e, i, 2))
    return;
  const std::string a = e.read(i.operands[1], *type);
  e.write(i.operands[0], *type,
          i.name == "cnot"                       ? a + " == 0 ? 1 : 0"
          : type->kind == Type::Class::Predicate ? "!" + a
                                                 : "~" + a);
}

void shift(Emitter& e, const Instruction& i) { // shl, shr
  const auto type = typeOf(e, i);
  if (!type || !hasOperands(e, i, 3))
    return;
  const Type t = i.name == "shl" ? type->asUnsigned() : *type;
  const std::string a = e.read(i.operands[1], t);
  // Distances beyond the width shift everything out, as they don't in C++.
  if (const auto by = e.constant(i.operands[2]); by && *by >= 0 && *by < int(t.bits))
    return e.write(i.operands[0], t, a + (i.name == "shl" ? " << " : " >> ") + std::to_string(*by));
  e.write(i.operands[0], t,
          "cu2cpp::ptx::" + i.name + "<" + cppName(t) + ">(" + a + ", " +
              e.read(i.operands[2], unsignedType) + ")");
}

void funnelShift(Emitter& e, const Instruction& i) { // shf.l.wrap.b32 d, lo, hi, by
  if (!hasOperands(e, i, 4))
    return;
  const std::string function =
      std::string("__funnelshift_") + (i.has("l") ? "l" : "r") + (i.has("clamp") ? "c(" : "(");
  e.write(i.operands[0], unsignedType,
          function + e.read(i.operands[1], unsignedType) + ", " +
              e.read(i.operands[2], unsignedType) + ", " + e.read(i.operands[3], unsignedType) +
              ")");
}

/// lop3's table of truth as an expression, where it is a usual one.
void lop3(Emitter& e, const Instruction& i) {
  if (!hasOperands(e, i, 5) || i.words != std::vector<std::string>{"b32"})
    return e.fail("its operands");
  const std::string a = e.read(i.operands[1], unsignedType),
                    b = e.read(i.operands[2], unsignedType),
                    c = e.read(i.operands[3], unsignedType);
  const auto table = e.constant(i.operands[4]);
  std::string value;
  switch (table ? *table & 0xff : 0) {
  case 0x96:
    value = a + " ^ " + b + " ^ " + c;
    break;
  case 0xfe:
    value = a + " | " + b + " | " + c;
    break;
  case 0x80:
    value = a + " & " + b + " & " + c;
    break;
  case 0xea:
    value = "(" + a + " & " + b + ") | " + c;
    break;
  case 0xf8:
    value = a + " | (" + b + " & " + c + ")";
    break;
  case 0x6a:
    value = "(" + a + " & " + b + ") ^ " + c;
    break;
  case 0x78:
    value = a + " ^ (" + b + " & " + c + ")";
    break;
  case 0xca:
    value = "(" + a + " & " + b + ") | (~" + a + " & " + c + ")";
    break;
  case 0xe8:
    value = "(" + a + " & " + b + ") | (" + a + " & " + c + ") | (" + b + " & " + c + ")";
    break;
  default:
    value = "cu2cpp::ptx::lop3<" + e.read(i.operands[4], unsignedType) + ">(" + a + ", " + b +
            ", " + c + ")";
  }
  e.write(i.operands[0], unsignedType, value);
}

void countBits(Emitter& e, const Instruction& i) { // popc, clz, brev
  const auto type = typeOf(e, i);
  if (!type || !hasOperands(e, i, 2))
    return;
  const std::string suffix = type->bits == 64 ? "ll(" : "(";
  const std::string call = "__" + i.name + suffix + e.read(i.operands[1], *type) + ")";
  e.write(i.operands[0], i.name == "brev" ? *type : unsignedType, call);
}

void bitField(Emitter& e, const Instruction& i) { // bfe, bfi
  const auto type = typeOf(e, i);
  const bool inserts = i.name == "bfi";
  if (!type || !hasOperands(e, i, inserts ? 5 : 4))
    return;
  std::string call = "cu2cpp::ptx::" + i.name + "<" + cppName(*type) + ">(";
  std::size_t k = 1;
  for (; k < (inserts ? 3u : 2u); ++k)
    call += e.read(i.operands[k], *type) + ", ";
  call +=
      e.read(i.operands[k], unsignedType) + ", " + e.read(i.operands[k + 1], unsignedType) + ")";
  e.write(i.operands[0], *type, call);
}

void maskOrExtend(Emitter& e, const Instruction& i) { // bmsk, szext
  const auto type = typeOf(e, i);
  if (!type || !hasOperands(e, i, 3) || !onlyWords(e, i, {"clamp", "wrap"}))
    return;
  e.write(i.operands[0], *type,
          "cu2cpp::ptx::" + i.name + (i.has("clamp") ? "<true" : "<false") +
              (i.name == "szext" ? ", " + cppName(*type) : std::string()) + ">(" +
              e.read(i.operands[1], *type) + ", " + e.read(i.operands[2], unsignedType) + ")");
}

void findBit(Emitter& e, const Instruction& i) { // bfind
  const auto type = typeOf(e, i);
  if (type && hasOperands(e, i, 2))
    e.write(i.operands[0], unsignedType,
            std::string("cu2cpp::ptx::bfind") + (i.has("shiftamt") ? "_shiftamt<" : "<") +
                cppName(*type) + ">(" + e.read(i.operands[1], *type) + ")");
}

void permute(Emitter& e, const Instruction& i) { // prmt
  if (!hasOperands(e, i, 4))
    return;
  const bool plain = i.words.size() == 1;
  e.write(i.operands[0], unsignedType,
          "cu2cpp::ptx::prmt" + (plain ? "" : "_" + i.words.back()) + "(" +
              e.read(i.operands[1], unsignedType) + ", " + e.read(i.operands[2], unsignedType) +
              ", " + e.read(i.operands[3], unsignedType) + ")");
}

void absoluteDifference(Emitter& e, const Instruction& i) { // sad
  const auto type = typeOf(e, i);
  if (!type || !hasOperands(e, i, 4) || type->bits != 32)
    return e.fail("its type");
  e.write(i.operands[0], unsignedType,
          std::string(type->isSigned ? "__sad(" : "__usad(") + e.read(i.operands[1], *type) + ", " +
              e.read(i.operands[2], *type) + ", " + e.read(i.operands[3], unsignedType) + ")");
}

void nthSetBit(Emitter& e, const Instruction& i) { // fns
  if (hasOperands(e, i, 4))
    e.write(i.operands[0], unsignedType,
            "__fns(" + e.read(i.operands[1], unsignedType) + ", " +
                e.read(i.operands[2], unsignedType) + ", " +
                e.read(i.operands[3], Type{Type::Class::Integer, 32, true, 1}) + ")");
}

/// dp4a.u32.u32, dp2a.lo.s32.u32: sums of products of bytes.
void dotProduct(Emitter& e, const Instruction& i) {
  if (!hasOperands(e, i, 4) || i.words.size() < 2)
    return e.fail("its operands");
  const auto a = typeNamed(i.words[i.words.size() - 2]), b = typeNamed(i.words.back());
  if (!a || !b)
    return e.fail("its type");
  Type sum = unsignedType;
  sum.isSigned = a->isSigned || b->isSigned;
  std::string function = "cu2cpp::ptx::" + i.name +
                         (i.has("hi")   ? "_hi"
                          : i.has("lo") ? "_lo"
                                        : "");
  function +=
      std::string(a->isSigned ? "<int, " : "<unsigned, ") + (b->isSigned ? "int>(" : "unsigned>(");
  e.write(i.operands[0], sum,
          function + e.read(i.operands[1], unsignedType) + ", " +
              e.read(i.operands[2], unsignedType) + ", " + e.read(i.operands[3], sum) + ")");
}

/// A comparison's C++ expression; floating-point comparisons with `u` hold for NaNs too.
std::string compare(Emitter& e, const std::string& how, const Type& type, const std::string& a,
                    const std::string& b) {
  static const std::map<std::string, const char*> operators = {
      {"eq", "=="}, {"ne", "!="}, {"lt", "<"},  {"le", "<="}, {"gt", ">"},
      {"ge", ">="}, {"lo", "<"},  {"ls", "<="}, {"hi", ">"},  {"hs", ">="}};
  static const std::map<std::string, const char*> opposites = {
      {"equ", "ne"}, {"ltu", ">="}, {"leu", ">"}, {"gtu", "<="}, {"geu", "<"}};
  const auto ordered = "(" + a + " < " + b + " || " + a + " > " + b + ")";
  if (!type.isInteger()) {
    if (how == "ne")
      return ordered;
    if (how == "neu")
      return a + " != " + b;
    if (how == "equ")
      return "!" + ordered;
    if (how == "num" || how == "nan")
      return std::string(how == "num" ? "" : "!") + "(" + a + " == " + a + " && " + b + " == " + b +
             ")";
    if (const auto opposite = opposites.find(how); opposite != opposites.end())
      return "!(" + a + " " + opposite->second + " " + b + ")";
  }
  const auto found = operators.find(how);
  if (found == operators.end()) {
    e.fail("." + how);
    return {};
  }
  return a + " " + found->second + " " + b;
}

void setPredicate(Emitter& e, const Instruction& i) { // setp
  const auto type = typeOf(e, i);
  if (!type || i.operands.size() < 3 || type->count == 2)
    return e.fail("its operands");
  const std::string a = readFloat(e, i, i.operands[1], *type),
                    b = readFloat(e, i, i.operands[2], *type);
  const std::string held = compare(e, i.words[0], *type, a, b);
  const auto result = [&](const std::string& value) {
    if (i.operands.size() < 4 || i.words.size() < 3)
      return value;
    const std::string c = e.read(i.operands[3], predicateType);
    return "(" + value + ")" +
           (i.words[1] == "and"  ? " && "
            : i.words[1] == "or" ? " || "
                                 : " != ") +
           c;
  };
  if (i.operands[0].kind != Operand::Kind::Pair)
    return e.write(i.operands[0], predicateType, result(held));
  e.write(i.operands[0].parts[0], predicateType, result(held));
  e.write(i.operands[0].parts[1], predicateType, result("!(" + held + ")"));
}

void setValue(Emitter& e, const Instruction& i) { // set.gt.u32.f32
  if (!hasOperands(e, i, 3) || i.words.size() < 3)
    return e.fail("its operands");
  const auto to = typeNamed(i.words[i.words.size() - 2]), type = typeOf(e, i);
  if (!to || !type || type->count == 2)
    return e.fail("its type");
  const std::string held = compare(e, i.words[0], *type, readFloat(e, i, i.operands[1], *type),
                                   readFloat(e, i, i.operands[2], *type));
  e.write(i.operands[0], *to, held + (to->isFloat() ? " ? 1.0f : 0.0f" : " ? 0xffffffffu : 0u"));
}

void select(Emitter& e, const Instruction& i) { // selp
  const auto type = typeOf(e, i);
  if (type && hasOperands(e, i, 4))
    e.write(i.operands[0], *type,
            e.read(i.operands[3], predicateType) + " ? " + e.read(i.operands[1], *type) + " : " +
                e.read(i.operands[2], *type));
}

void selectBySign(Emitter& e, const Instruction& i) { // slct.u32.s32: c >= 0 ? a : b
  if (!hasOperands(e, i, 4) || i.words.size() < 2)
    return e.fail("its operands");
  const auto type = typeNamed(i.words[i.words.size() - 2]), sign = typeOf(e, i);
  if (!type || !sign)
    return e.fail("its type");
  e.write(i.operands[0], *type,
          readFloat(e, i, i.operands[3], *sign) + " >= 0 ? " + e.read(i.operands[1], *type) +
              " : " + e.read(i.operands[2], *type));
}

void testNumber(Emitter& e, const Instruction& i) { // testp.nan.f32
  const auto type = typeOf(e, i);
  if (type && hasOperands(e, i, 2))
    e.write(i.operands[0], predicateType,
            "cu2cpp::ptx::testp_" + i.words[0] + "(" + e.read(i.operands[1], *type) + ")");
}

void copySign(Emitter& e, const Instruction& i) { // the sign of a, the rest of b
  const auto type = typeOf(e, i);
  if (type && hasOperands(e, i, 3))
    e.write(i.operands[0], *type,
            std::string(type->bits == 64 ? "copysign(" : "copysignf(") +
                e.read(i.operands[2], *type) + ", " + e.read(i.operands[1], *type) + ")");
}

/// vadd.s32.u32.s32.sat.add d, a.b0, b, c  and  vadd4.u32.u32.u32.add d, a, b, c
void video(Emitter& e, const Instruction& i) {
  std::vector<Type> types;
  std::string second;
  bool saturates = false, wraps = false;
  for (const std::string& word : i.words) {
    if (const auto type = typeNamed(word))
      types.push_back(*type);
    else if (word == "sat")
      saturates = true;
    else if (word == "wrap" || word == "clamp")
      wraps = word == "wrap";
    else if (word == "add" || word == "min" || word == "max")
      second = word;
    else
      return e.fail("." + word);
  }
  const bool packed = i.name.back() == '2' || i.name.back() == '4';
  if (types.size() != 3 || i.operands.size() < 3 || i.operands.size() > 4)
    return e.fail("its operands");
  std::string value = "cu2cpp::ptx::" + i.name + (wraps ? "_wrap<" : "<") + cppName(types[0]) +
                      ", " + cppName(types[1]) + ", " + cppName(types[2]) + ">(";
  for (int k = 1; k < 3; ++k) {
    const Operand& o = i.operands[k];
    std::string text = e.read(o, packed ? unsignedType : types[k]);
    if (!o.part.empty()) {
      if (packed)
        return e.fail("." + o.part);
      text = "cu2cpp::ptx::part_" + o.part.substr(0, 1) + "<" + cppName(types[k]) + ">(" +
             e.read(o, unsignedType) + ", " + o.part.substr(1) + ")";
    }
    value += (k > 1 ? ", " : "") + text;
  }
  value += saturates ? ", true)" : ")";
  if (!second.empty() && i.operands.size() == 4 && packed && second == "add")
    value = std::string("cu2cpp::ptx::sumOf") + (i.name.back() == '4' ? "Bytes<" : "Halves<") +
            cppName(types[0]) + ">(" + value + ") + " + e.read(i.operands[3], types[0]);
  else if (!second.empty() && i.operands.size() == 4 && !packed)
    value = second == "add" ? value + " + " + e.read(i.operands[3], types[0].asUnsigned())
                            : second + "(" + value + ", " + e.read(i.operands[3], types[0]) + ")";
  else if (!second.empty())
    return e.fail("." + second);
  else if (i.operands.size() == 4 && !packed)
    return e.fail("its operands");
  e.write(i.operands[0], packed ? unsignedType : types[0], value);
}

} // namespace

const Table& arithmeticInstructions() {
  static const Table table = [] {
    Table t = {{"add", addOrSubtract},
               {"sub", addOrSubtract},
               {"addc", carryChain},
               {"subc", carryChain},
               {"mul", multiply},
               {"mad", multiplyAdd},
               {"madc", multiplyAdd},
               {"fma", fusedMultiplyAdd},
               {"mul24", multiply24},
               {"mad24", multiply24},
               {"div", divide},
               {"rem", remainder},
               {"min", minMax},
               {"max", minMax},
               {"abs", absolute},
               {"neg", negate},
               {"ex2", function},
               {"lg2", function},
               {"rcp", function},
               {"sqrt", function},
               {"rsqrt", function},
               {"sin", function},
               {"cos", function},
               {"tanh", function},
               {"and", logic},
               {"or", logic},
               {"xor", logic},
               {"not", invert},
               {"cnot", invert},
               {"shl", shift},
               {"shr", shift},
               {"shf", funnelShift},
               {"lop3", lop3},
               {"popc", countBits},
               {"clz", countBits},
               {"brev", countBits},
               {"bfe", bitField},
               {"bfi", bitField},
               {"bfind", findBit},
               {"prmt", permute},
               {"sad", absoluteDifference},
               {"fns", nthSetBit},
               {"bmsk", maskOrExtend},
               {"szext", maskOrExtend},
               {"dp4a", dotProduct},
               {"dp2a", dotProduct},
               {"setp", setPredicate},
               {"set", setValue},
               {"selp", select},
               {"slct", selectBySign},
               {"testp", testNumber},
               {"copysign", copySign}};
    for (const char* name : {"vadd", "vsub", "vabsdiff", "vmin", "vmax"})
      for (const char* width : {"", "2", "4"})
        t[std::string(name) + width] = video;
    t["vshl"] = t["vshr"] = t["vavrg2"] = t["vavrg4"] = video;
    return t;
  }();
  return table;
}

} // namespace cu2cpp::ptx
