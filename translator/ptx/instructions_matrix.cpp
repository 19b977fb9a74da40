// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix instructions of a warp: mma.sync, ldmatrix, stmatrix and movmatrix (PTX ISA, 'Warp Level
// Matrix Instructions'). Registers go through arrays, since a function of the whole warp fills
// them:
//
//   mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {..}, {..}, {..}, {..}
//     ->  float cuD[4]; const unsigned cuA[] = {..}, cuB[] = {..}; const float cuC[] = {..};
//         cu2cpp::ptx::mma<16, 8, cu2cpp::ptx::matrix::f16, ...>(cuD, cuA, cuB, cuC); ...
#include <set>

#include "ptx/emitter.h"

namespace cu2cpp::ptx {
namespace {

inline constexpr Type signedType{Type::Class::Integer, 32, true, 1};

std::vector<Operand> registersOf(const Operand& operand) {
  return operand.kind == Operand::Kind::Vector ? operand.parts : std::vector<Operand>{operand};
}

std::string listOf(Emitter& e, const Operand& operand, const Type& type) {
  std::string list;
  for (const Operand& part : registersOf(operand))
    list += (list.empty() ? "" : ", ") + e.read(part, type);
  return "{" + list + "}";
}

void multiply(Emitter& e, const Instruction& i) { // mma
  const std::size_t words = i.words.size();
  if (i.operands.size() != 4 || words < 8 || i.words[0] != "sync")
    return e.fail("'" + i.spelled() + "'");
  static const std::set<std::string> shapes = {
      "m8n8k4.f64",    "m16n8k8.f16",   "m16n8k16.f16", "m16n8k8.bf16",  "m16n8k16.bf16",
      "m16n8k4.tf32",  "m16n8k8.tf32",  "m8n8k16.s8",   "m16n8k16.s8",   "m16n8k32.s8",
      "m8n8k16.u8",    "m16n8k16.u8",   "m16n8k32.u8",  "m8n8k32.s4",    "m16n8k32.s4",
      "m16n8k4.f64",   "m16n8k8.f64",   "m16n8k16.f64", "m16n8k16.e4m3", "m16n8k32.e4m3",
      "m16n8k16.e5m2", "m16n8k32.e5m2", "m16n8k64.s4",  "m8n8k32.u4",    "m16n8k32.u4",
      "m16n8k64.u4"};
  const std::string shape = i.words[2], a = i.words[words - 3], b = i.words[words - 2],
                    sum = i.words[words - 1];
  if (!shapes.count(shape + "." + a) || sum != i.words[words - 4] || !i.has("row") || !i.has("col"))
    return e.fail("'" + i.spelled() + "'");
  // f16 sums lie in pairs in registers of bits.
  const Type held = sum == "f32"   ? floatType
                    : sum == "f64" ? *typeNamed("f64")
                    : sum == "s32" ? signedType
                                   : unsignedType;
  const Type factor = a == "f64" ? *typeNamed("f64") : unsignedType;
  const auto results = registersOf(i.operands[0]);
  const std::string result = cppName(held), word = cppName(factor);
  const std::size_t n = shape.find('n'), k = shape.find('k');
  const std::string d = e.unique("cuD"), x = e.unique("cuA"), y = e.unique("cuB"),
                    z = e.unique("cuC");
  e.say(result + " " + d + "[" + std::to_string(results.size()) + "];");
  e.say("const " + word + " " + x + "[] = " + listOf(e, i.operands[1], factor) + ";");
  e.say("const " + word + " " + y + "[] = " + listOf(e, i.operands[2], factor) + ";");
  e.say("const " + result + " " + z + "[] = " + listOf(e, i.operands[3], held) + ";");
  e.say("cu2cpp::ptx::mma<" + shape.substr(1, n - 1) + ", " + shape.substr(k + 1) +
        ", cu2cpp::ptx::matrix::" + a + ", cu2cpp::ptx::matrix::" + b + ">(" + d + ", " + x + ", " +
        y + ", " + z + (i.has("satfinite") ? ", true" : "") + ");");
  for (std::size_t r = 0; r < results.size(); ++r)
    e.write(results[r], held, d + "[" + std::to_string(r) + "]");
}

void load(Emitter& e, const Instruction& i) { // ldmatrix
  const auto results = i.operands.empty() ? std::vector<Operand>() : registersOf(i.operands[0]);
  const std::string count = i.has("x4") ? "4" : i.has("x2") ? "2" : "1";
  if (i.operands.size() != 2 || !i.has("m8n8") || !i.has("b16") ||
      std::to_string(results.size()) != count)
    return e.fail("'" + i.spelled() + "'");
  const std::string d = e.unique("cuD");
  e.say("unsigned " + d + "[" + count + "];");
  e.say("cu2cpp::ptx::ldmatrix<" + count + (i.has("trans") ? ", true>" : ", false>") + "(" + d +
        ", " + e.pointer(i.operands[1], "const char") + ");");
  for (std::size_t r = 0; r < results.size(); ++r)
    e.write(results[r], unsignedType, d + "[" + std::to_string(r) + "]");
}

void store(Emitter& e, const Instruction& i) { // stmatrix
  const auto values = i.operands.size() == 2 ? registersOf(i.operands[1]) : std::vector<Operand>();
  const std::string count = i.has("x4") ? "4" : i.has("x2") ? "2" : "1";
  if (std::to_string(values.size()) != count || !i.has("m8n8") || !i.has("b16"))
    return e.fail("'" + i.spelled() + "'");
  const std::string from = e.unique("cuA");
  e.say("const unsigned " + from + "[] = " + listOf(e, i.operands[1], unsignedType) + ";");
  e.say("cu2cpp::ptx::stmatrix<" + count + (i.has("trans") ? ", true>" : ", false>") + "(" +
        e.pointer(i.operands[0], "char") + ", " + from + ");");
}

void move(Emitter& e, const Instruction& i) { // movmatrix
  if (i.operands.size() != 2 || !i.has("m8n8") || !i.has("trans") || !i.has("b16"))
    return e.fail("'" + i.spelled() + "'");
  const std::string d = e.unique("cuD"); // written when all lanes have come
  e.say("unsigned " + d + "[1];");
  e.say("cu2cpp::ptx::movmatrix(" + d + ", " + e.read(i.operands[1], unsignedType) + ");");
  e.write(i.operands[0], unsignedType, d + "[0]");
}

} // namespace

const Table& matrixInstructions() {
  static const Table table = {
      {"mma", multiply}, {"ldmatrix", load}, {"stmatrix", store}, {"movmatrix", move}};
  return table;
}

} // namespace cu2cpp::ptx
