// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves and conversions of values (PTX ISA, 'Data Movement and Conversion Instructions': mov, cvt,
// cvta, isspacep).
#include "ptx/emitter.h"

namespace cu2cpp::ptx {
namespace {

/// mov, with packing: `mov.b64 %0, {lo, hi}` and `mov.b64 {lo, hi}, %0`.
void move(Emitter& e, const Instruction& i) {
  const auto type = i.words.size() == 1 ? typeNamed(i.words[0]) : std::nullopt;
  if (!type || i.operands.size() != 2)
    return e.fail("its operands");
  const Operand &to = i.operands[0], &from = i.operands[1];
  const auto partType = [&](const Operand& vector) {
    return Type{Type::Class::Integer, type->bits / static_cast<unsigned>(vector.parts.size()),
                false, 1};
  };
  const std::string whole = cppName(type->asUnsigned());
  const auto cast = [](const std::string& name, const std::string& text) {
    return name.find(' ') == std::string::npos ? name + "(" + text + ")"
                                               : "(" + name + ")" + primary(text);
  };
  if (from.kind == Operand::Kind::Vector) {
    const Type part = partType(from);
    std::string value;
    for (std::size_t k = 0; k < from.parts.size(); ++k) {
      const std::string wide = cast(whole, e.read(from.parts[k], part));
      value += k == 0 ? wide : " | " + wide + " << " + std::to_string(k * part.bits);
    }
    return e.write(to, type->asUnsigned(), value);
  }
  if (to.kind == Operand::Kind::Vector) {
    const Type part = partType(to);
    const std::string value = e.read(from, type->asUnsigned());
    for (std::size_t k = 0; k < to.parts.size(); ++k)
      e.write(to.parts[k], part,
              cast(cppName(part), k == 0 ? value : value + " >> " + std::to_string(k * part.bits)));
    return;
  }
  e.write(to, *type, e.read(from, *type));
}

/// The rounding letters of CUDA's conversion functions.
std::string roundingTo(const Instruction& i, const char* standard) {
  static const std::map<std::string, const char*> modes = {
      {"rn", "rn"},  {"rz", "rz"},  {"rm", "rd"},  {"rp", "ru"},
      {"rni", "rn"}, {"rzi", "rz"}, {"rmi", "rd"}, {"rpi", "ru"}};
  for (const std::string& word : i.words)
    if (const auto found = modes.find(word); found != modes.end())
      return found->second;
  return standard;
}

std::string integerLetters(const Type& t) {
  return t.bits == 64 ? (t.isSigned ? "ll" : "ull") : (t.isSigned ? "int" : "uint");
}
std::string floatLetters(const Type& t) {
  return t.kind == Type::Class::Half     ? "half"
         : t.kind == Type::Class::Bfloat ? "bfloat16"
         : t.bits == 64                  ? "double"
                                         : "float";
}
Type atLeast32(Type t) {
  t.bits = t.bits < 32 ? 32 : t.bits;
  return t;
}

/// cvt of one floating-point type into another.
std::string betweenFloats(Emitter& e, const Instruction& i, const Type& to, const Type& from,
                          const std::string& value) {
  if (to == from) {
    for (const auto& [word, name] :
         {std::pair{"rni", "rint"}, {"rzi", "trunc"}, {"rmi", "floor"}, {"rpi", "ceil"}})
      if (i.has(word))
        return (to.isNarrow() ? std::string("h") + name
                              : name + std::string(to.bits == 32 ? "f" : "")) +
               "(" + value + ")";
    return value;
  }
  if (to.isFloat() && from.isFloat())
    return to.bits == 64 ? "double(" + value + ")"
                         : "__double2float_" + roundingTo(i, "rn") + "(" + value + ")";
  if (from.isNarrow() && to.isFloat()) {
    const std::string single = "__" + floatLetters(from) + "2float(" + value + ")";
    return to.bits == 64 ? "double(" + single + ")" : single;
  }
  if (to.isNarrow() && from.isFloat()) {
    if (from.bits == 64)
      return "__double2" + floatLetters(to) + "(" + value + ")";
    const std::string converted =
        "__float2" + floatLetters(to) + "_" + roundingTo(i, "rn") + "(" + value + ")";
    return i.has("relu") ? "__hmax(" + converted + ", " + cppName(to) + "(0.0f))" : converted;
  }
  e.fail("its types");
  return {};
}

/// cvt between two fp8 numbers in 16 bits and two of f32, f16 or bf16; false if it is another one.
bool convertPairs(Emitter& e, const Instruction& i, const std::string& toWord,
                  const std::string& fromWord) {
  const auto kindOf = [](const std::string& word) {
    return word == "e4m3x2" ? "__NV_E4M3" : word == "e5m2x2" ? "__NV_E5M2" : "";
  };
  const std::string to = kindOf(toWord), from = kindOf(fromWord);
  if (to.empty() == from.empty())
    return false;
  const Type pair{Type::Class::Integer, 16, false, 1};
  const std::string relu = i.has("relu") ? "true" : "false";
  if (to.empty()) {
    if (toWord == "f16x2" && i.operands.size() == 2)
      e.write(i.operands[0], *typeNamed(toWord),
              "cu2cpp::ptx::fromFp8(" + e.read(i.operands[1], pair) + ", " + from + ", " + relu +
                  ")");
    else
      e.fail("its types");
    return true;
  }
  const auto type = typeNamed(fromWord);
  if (fromWord == "f32" && i.operands.size() == 3)
    e.write(i.operands[0], pair,
            "cu2cpp::ptx::toFp8(" + e.read(i.operands[2], *type) + ", " +
                e.read(i.operands[1], *type) + ", " + to + ", " + relu + ")");
  else if ((fromWord == "f16x2" || fromWord == "bf16x2") && i.operands.size() == 2)
    e.write(i.operands[0], pair,
            "cu2cpp::ptx::toFp8(" + e.read(i.operands[1], *type) + ", " + to + ", " + relu + ")");
  else
    e.fail("its types");
  return true;
}

void convert(Emitter& e, const Instruction& i) { // cvt
  if (i.words.size() < 2 || i.operands.size() < 2)
    return e.fail("its operands");
  const std::string& toWord = i.words[i.words.size() - 2];
  const auto from = typeNamed(i.words.back()), to = typeNamed(toWord);
  for (std::size_t w = 0; w + 2 < i.words.size(); ++w)
    if (roundingTo({{}, false, "", {i.words[w]}, {}}, "").empty() && i.words[w] != "ftz" &&
        i.words[w] != "sat" && i.words[w] != "rna" && i.words[w] != "relu" &&
        i.words[w] != "satfinite")
      return e.fail("." + i.words[w]);
  if (convertPairs(e, i, toWord, i.words.back()))
    return;
  if (from && toWord == "tf32")
    return e.write(i.operands[0], unsignedType,
                   "cu2cpp::ptx::tf32(" + e.read(i.operands[1], floatType) + ")");
  if (!from || !to || i.has("satfinite"))
    return e.fail("its types");
  if (to->count == 2) { // cvt.rn.f16x2.f32 d, upper, lower
    if (!from->isFloat() || i.operands.size() != 3 || roundingTo(i, "rn") != "rn" || i.has("relu"))
      return e.fail("its operands");
    return e.write(i.operands[0], *to,
                   std::string("__floats2") +
                       (to->kind == Type::Class::Half ? "half2" : "bfloat162") + "_rn(" +
                       e.read(i.operands[2], *from) + ", " + e.read(i.operands[1], *from) + ")");
  }
  const auto flushed = [&](const std::string& text, const Type& type) {
    return i.has("ftz") && type.isFloat() && type.bits == 32 ? "cu2cpp::ptx::flushed(" + text + ")"
                                                             : text;
  };
  if (from->isInteger() && to->isInteger()) {
    // A register may be wider than the type that is read from it.
    const std::string value = e.read(i.operands[1], *from);
    if (i.has("sat"))
      return e.write(i.operands[0], *to,
                     "cu2cpp::ptx::saturated<" + cppName(*to) + ">(" + value + ")");
    const std::string name = cppName(*to);
    return e.write(i.operands[0], *to,
                   name.find(' ') == std::string::npos ? name + "(" + value + ")"
                                                       : "(" + name + ")" + value);
  }
  if (to->isInteger()) {
    const std::string call = "__" + floatLetters(*from) + "2" + integerLetters(atLeast32(*to)) +
                             "_" + roundingTo(i, "rz") + "(" +
                             flushed(e.read(i.operands[1], *from), *from) + ")";
    return e.write(i.operands[0], *to,
                   to->bits < 32 ? "cu2cpp::ptx::saturated<" + cppName(*to) + ">(" + call + ")"
                                 : call);
  }
  if (from->isInteger()) {
    const std::string value = e.read(i.operands[1], *from);
    std::string call = "__" + integerLetters(atLeast32(*from)) + "2" + floatLetters(*to) + "_" +
                       roundingTo(i, "rn") + "(" + value + ")";
    // Every int is a double: there is no other rounding of it.
    if (to->isFloat() && to->bits == 64 && from->bits < 64)
      call = "double(" + value + ")";
    return e.write(i.operands[0], *to,
                   i.has("sat") && to->isFloat() ? "__saturatef(" + call + ")" : call);
  }
  std::string value = betweenFloats(e, i, *to, *from, flushed(e.read(i.operands[1], *from), *from));
  if (i.has("sat"))
    value = to->isFloat() && to->bits == 32 ? "__saturatef(" + value + ")" : value;
  e.write(i.operands[0], *to, flushed(value, *to));
}

/// cvta: all addresses are generic here.
void convertAddress(Emitter& e, const Instruction& i) {
  const auto type = i.words.empty() ? std::nullopt : typeNamed(i.words.back());
  if (!type || i.operands.size() != 2)
    return e.fail("its operands");
  if (!i.has("to") && type->bits == 64) {
    // Of shared memory, 32 bits may have been kept.
    return e.write(i.operands[0], *type,
                   "cu2cpp::ptx::generic(" + e.read(i.operands[1], *type) + ")");
  }
  e.write(i.operands[0], *type, e.read(i.operands[1], *type));
}

void testSpace(Emitter& e, const Instruction& i) { // isspacep.shared
  if (i.operands.size() != 2 || i.words.empty())
    return e.fail("its operands");
  const std::string space = i.words[0];
  const char* function = space == "global"                             ? "__isGlobal"
                         : space == "local"                            ? "__isLocal"
                         : space == "shared" || space == "shared::cta" ? "__isShared"
                         : space == "shared::cluster"                  ? "__isClusterShared"
                         : space == "const"                            ? "__isConstant"
                                                                       : nullptr;
  if (!function)
    return e.fail("." + space);
  e.write(i.operands[0], predicateType,
          std::string(function) + "((const void*)" + e.read(i.operands[1], unsigned64Type) +
              ") != 0");
}

} // namespace

const Table& conversionInstructions() {
  static const Table table = {
      {"mov", move}, {"cvt", convert}, {"cvta", convertAddress}, {"isspacep", testSpace}};
  return table;
}

} // namespace cu2cpp::ptx
