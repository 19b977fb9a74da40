// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ptx/emitter.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace cu2cpp::ptx {
namespace {

/// A special register: its value in C++. Those that name threads and blocks use the built-in
/// variables, which later stages give a meaning.
struct Special {
  const char* text;
  Type type;
};
const std::map<std::string, Special>& specialRegisters() {
  static const std::map<std::string, Special> table = {
      {"tid.x", {"threadIdx.x", unsignedType}},
      {"tid.y", {"threadIdx.y", unsignedType}},
      {"tid.z", {"threadIdx.z", unsignedType}},
      {"ntid.x", {"blockDim.x", unsignedType}},
      {"ntid.y", {"blockDim.y", unsignedType}},
      {"ntid.z", {"blockDim.z", unsignedType}},
      {"ctaid.x", {"blockIdx.x", unsignedType}},
      {"ctaid.y", {"blockIdx.y", unsignedType}},
      {"ctaid.z", {"blockIdx.z", unsignedType}},
      {"nctaid.x", {"gridDim.x", unsignedType}},
      {"nctaid.y", {"gridDim.y", unsignedType}},
      {"nctaid.z", {"gridDim.z", unsignedType}},
      {"laneid", {"cu2cpp::ptx::laneid(threadIdx, blockDim)", unsignedType}},
      {"warpid", {"cu2cpp::ptx::warpid(threadIdx, blockDim)", unsignedType}},
      {"nwarpid", {"cu2cpp::ptx::nwarpid(blockDim)", unsignedType}},
      {"lanemask_eq", {"cu2cpp::ptx::lanemask_eq(threadIdx, blockDim)", unsignedType}},
      {"lanemask_lt", {"cu2cpp::ptx::lanemask_lt(threadIdx, blockDim)", unsignedType}},
      {"lanemask_le", {"cu2cpp::ptx::lanemask_le(threadIdx, blockDim)", unsignedType}},
      {"lanemask_gt", {"cu2cpp::ptx::lanemask_gt(threadIdx, blockDim)", unsignedType}},
      {"lanemask_ge", {"cu2cpp::ptx::lanemask_ge(threadIdx, blockDim)", unsignedType}},
      {"smid", {"cu2cpp::ptx::smid()", unsignedType}},
      {"nsmid", {"cu2cpp::ptx::nsmid()", unsignedType}},
      {"clock", {"unsigned(clock64())", unsignedType}},
      {"clock_hi", {"unsigned(clock64() >> 32)", unsignedType}},
      {"clock64", {"(unsigned long long)clock64()", unsigned64Type}},
      {"globaltimer", {"cu2cpp::ptx::globaltimer()", unsigned64Type}},
      {"globaltimer_lo", {"unsigned(cu2cpp::ptx::globaltimer())", unsignedType}},
      {"globaltimer_hi", {"unsigned(cu2cpp::ptx::globaltimer() >> 32)", unsignedType}},
      {"dynamic_smem_size", {"cu2cpp::ptx::dynamic_smem_size()", unsignedType}},
      {"clusterid.x", {"__clusterIdx().x", unsignedType}},
      {"clusterid.y", {"__clusterIdx().y", unsignedType}},
      {"clusterid.z", {"__clusterIdx().z", unsignedType}},
      {"nclusterid.x", {"__clusterGridDimInClusters().x", unsignedType}},
      {"nclusterid.y", {"__clusterGridDimInClusters().y", unsignedType}},
      {"nclusterid.z", {"__clusterGridDimInClusters().z", unsignedType}},
      {"cluster_ctaid.x", {"__clusterRelativeBlockIdx().x", unsignedType}},
      {"cluster_ctaid.y", {"__clusterRelativeBlockIdx().y", unsignedType}},
      {"cluster_ctaid.z", {"__clusterRelativeBlockIdx().z", unsignedType}},
      {"cluster_nctaid.x", {"__clusterDim().x", unsignedType}},
      {"cluster_nctaid.y", {"__clusterDim().y", unsignedType}},
      {"cluster_nctaid.z", {"__clusterDim().z", unsignedType}},
      {"cluster_ctarank", {"__clusterRelativeBlockRank()", unsignedType}},
      {"cluster_nctarank", {"__clusterSizeInBlocks()", unsignedType}},
  };
  return table;
}

bool isKeyword(const std::string& name) {
  static const std::set<std::string> words = {
      "and",  "or",    "xor",   "not",    "int",   "float",  "double", "char", "short", "long",
      "bool", "do",    "if",    "for",    "while", "else",   "const",  "auto", "new",   "delete",
      "this", "union", "class", "struct", "case",  "switch", "return", "goto", "try",   "catch"};
  return words.count(name) != 0;
}

/// The value of a floating-point literal of PTX: `0f3F800000`, `0d...` or decimal.
std::string floatLiteral(const std::string& text, const Type& type) {
  const bool negative = text[0] == '-';
  const std::string digits = text.substr(negative);
  const std::string sign = negative ? "-" : "";
  const auto hexadecimal = [&] { return digits.substr(2); };
  if (digits.size() == 10 && (digits[1] == 'f' || digits[1] == 'F'))
    return sign + "__int_as_float(0x" + hexadecimal() + ")";
  if (digits.size() == 18 && (digits[1] == 'd' || digits[1] == 'D'))
    return (type.bits == 32 ? sign + "float(" : sign) + "__longlong_as_double(0x" + hexadecimal() +
           ")" + (type.bits == 32 ? ")" : "");
  const bool fraction = digits.find_first_of(".eE") != std::string::npos;
  return text + (fraction ? "" : ".0") + (type.bits == 32 ? "f" : "");
}

std::string integerLiteral(const std::string& text, const Type& type) {
  std::string digits = text;
  if (!digits.empty() && (digits.back() == 'U' || digits.back() == 'u'))
    digits.pop_back();
  // A leading 0 means octal and 0b binary in both languages.
  const bool negative = digits[0] == '-';
  const unsigned long long value = std::strtoull(digits.c_str() + negative, nullptr, 0);
  if (negative && type.isSigned)
    return type.bits == 64 && value >> 63 ? "(-9223372036854775807ll - 1)" : digits;
  if (negative && type.bits == 32)
    return cppName(type) + "(" + digits + ")";
  if (negative) // the names of the other types have two words
    return std::to_string((0 - value) << (64 - type.bits) >> (64 - type.bits)) +
           (type.bits == 64 ? "ull" : "");
  if (type.bits == 64)
    return digits + (type.isSigned ? "ll" : "ull");
  return value > 0x7fffffffull ? digits + "u" : digits;
}

} // namespace

std::optional<Type> typeNamed(const std::string& word) {
  static const std::map<std::string, Type> table = [] {
    std::map<std::string, Type> t;
    for (const unsigned bits : {8u, 16u, 32u, 64u}) {
      const std::string size = std::to_string(bits);
      t["b" + size] = t["u" + size] = {Type::Class::Integer, bits, false, 1};
      t["s" + size] = {Type::Class::Integer, bits, true, 1};
    }
    t["f32"] = floatType;
    t["f64"] = {Type::Class::Float, 64, true, 1};
    t["f16"] = {Type::Class::Half, 16, true, 1};
    t["f16x2"] = {Type::Class::Half, 32, true, 2};
    t["bf16"] = {Type::Class::Bfloat, 16, true, 1};
    t["bf16x2"] = {Type::Class::Bfloat, 32, true, 2};
    t["pred"] = predicateType;
    return t;
  }();
  const auto found = table.find(word);
  if (found == table.end())
    return std::nullopt;
  return found->second;
}

std::string cppName(const Type& type) {
  if (type.kind == Type::Class::Predicate)
    return "bool";
  if (type.isFloat())
    return type.bits == 64 ? "double" : "float";
  if (type.isNarrow())
    return std::string(type.kind == Type::Class::Half ? "__half" : "__nv_bfloat16") +
           (type.count == 2 ? "2" : "");
  switch (type.bits) {
  case 8:
    return type.isSigned ? "signed char" : "unsigned char";
  case 16:
    return type.isSigned ? "short" : "unsigned short";
  case 32:
    return type.isSigned ? "int" : "unsigned";
  default:
    return type.isSigned ? "long long" : "unsigned long long";
  }
}

std::string primary(const std::string& expression) {
  int depth = 0;
  for (std::size_t i = 0; i < expression.size(); ++i) {
    const char c = expression[i];
    if (c == '(' || c == '[')
      ++depth;
    else if (c == ')' || c == ']')
      --depth;
    else if (depth == 0 && !std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '.' &&
             c != ':' && !(c == '-' && expression.compare(i, 2, "->") == 0) &&
             !(c == '>' && i > 0 && expression[i - 1] == '-') && !(c == '*' && i == 0))
      return "(" + expression + ")";
    // `(T)x` and `(a)(b)` are casts to a reader.
    if (c == ')' && depth == 0 && expression[0] == '(' && i + 1 < expression.size())
      return "(" + expression + ")";
  }
  return expression;
}

/// bare() drops parentheses around a whole expression.
static std::string bare(const std::string& expression) {
  if (expression.empty() || expression.front() != '(' || expression.back() != ')')
    return expression;
  int depth = 0;
  for (std::size_t i = 0; i + 1 < expression.size(); ++i) {
    depth += (expression[i] == '(') - (expression[i] == ')');
    if (depth == 0)
      return expression;
  }
  return expression.substr(1, expression.size() - 2);
}

Emitter::Emitter(const Block& block, std::vector<BoundOperand> operands,
                 const std::set<std::string>& taken, bool inKernel)
    : block_(block), operands_(std::move(operands)), taken_(taken), inKernel_(inKernel) {
  for (const Register& r : block.registers) {
    const std::optional<Type> type = typeNamed(r.type);
    if (!type) {
      fail("register type '" + r.type + "'");
      continue;
    }
    // Registers of halves are plain bits.
    types_[r.name] = type->isNarrow() ? Type{Type::Class::Integer, type->bits, false, 1} : *type;
    locals_[r.name] = localName(r.name);
  }
}

std::string Emitter::localName(const std::string& name) {
  std::string clean;
  for (const char c : name)
    if (c != '%')
      clean += c == '$' ? '_' : c;
  while (taken_.count(clean) || isKeyword(clean) ||
         std::isdigit(static_cast<unsigned char>(clean[0])))
    clean = std::isdigit(static_cast<unsigned char>(clean[0])) ? "r" + clean : clean + "_";
  taken_.insert(clean);
  return clean;
}

void Emitter::fail(const std::string& why) {
  if (why_.empty())
    why_ = why;
}

bool Emitter::emit() {
  if (!block_.error.empty())
    fail(block_.error);
  if (findLabel("", 0, block_.instructions.size()) < block_.instructions.size())
    declareRegisters();
  emitRange(0, block_.instructions.size(), {});
  return why_.empty();
}

std::vector<std::string> Emitter::beginFunction(const ModuleNames& names) {
  moduleNames_ = names;
  std::set<std::string> used;
  const auto visit = [&](const auto& self, const Operand& o) -> void {
    if (o.kind == Operand::Kind::Register)
      used.insert(o.name);
    for (const Operand& part : o.parts)
      self(self, part);
  };
  bool carries = false;
  for (const Instruction& i : block_.instructions) {
    used.insert(i.guard);
    carries |= i.has("cc") || i.name == "addc" || i.name == "subc" || i.name == "madc";
    for (const Operand& o : i.operands)
      visit(visit, o);
  }
  std::vector<std::string> declarations;
  for (const Register& r : block_.registers)
    if (declared_.insert(r.name).second && used.count(r.name) && types_.count(r.name))
      declarations.push_back(cppName(types_.at(r.name)) + " " + locals_.at(r.name) + "{};");
  if (carries) {
    carryDeclared_ = true;
    locals_["%carry"] = localName("carry");
    declarations.push_back("bool " + locals_["%carry"] + "{};");
  }
  return declarations;
}

std::vector<std::string> Emitter::emitAlone(const Instruction& instruction) {
  statements_.clear();
  emit(instruction);
  return std::move(statements_);
}

std::vector<std::string> Emitter::written(const Operand& to, const Type& type,
                                          const std::string& value) {
  current_.clear();
  guarded_ = false;
  write(to, type, value);
  return std::move(current_);
}

void Emitter::emit(const Instruction& instruction) {
  guarded_ = !instruction.guard.empty();
  current_.clear();
  std::string guard;
  if (guarded_)
    guard = guardOf(instruction, false);
  if (!why_.empty())
    return;
  Translate translate = nullptr;
  for (const Table* table : {&arithmeticInstructions(), &conversionInstructions(),
                             &matrixInstructions(), &memoryInstructions(), &threadInstructions()})
    if (const auto found = table->find(instruction.name); found != table->end())
      translate = found->second;
  if (!translate)
    return fail("'" + instruction.spelled() + "'");
  translate(*this, instruction);
  if (!why_.empty()) {
    // Whatever stood in the way, the instruction is what the user searches for.
    if (why_.find(instruction.spelled()) == std::string::npos)
      why_ = "'" + instruction.spelled() + "' (" + why_ + ")";
    return;
  }
  if (!guarded_) {
    statements_.insert(statements_.end(), current_.begin(), current_.end());
  } else if (current_.size() == 1) {
    statements_.push_back("if (" + guard + ") " + current_[0]);
  } else if (!current_.empty()) {
    std::string all;
    for (const std::string& statement : current_)
      all += " " + statement;
    statements_.push_back("if (" + guard + ") {" + all + " }");
  }
}

std::string Emitter::unique(const std::string& stem) {
  std::string name = stem;
  for (unsigned n = 2; !taken_.insert(name).second; ++n)
    name = stem + std::to_string(n);
  return name;
}

std::string Emitter::convert(const std::string& text, const Type& from, const Type& to) const {
  if (from == to)
    return text;
  const auto cast = [&](const std::string& inner) {
    const std::string name = cppName(to);
    return name.find(' ') == std::string::npos ? name + "(" + inner + ")"
                                               : "(" + name + ")" + primary(inner);
  };
  if (to.isNarrow()) {
    const Type raw{Type::Class::Integer, to.bits, false, 1};
    const bool half = to.kind == Type::Class::Half;
    if (from.isInteger() && to.count == 1)
      return std::string(half ? "__ushort_as_half(" : "__ushort_as_bfloat16(") +
             convert(text, from, raw) + ")";
    if (from.isInteger())
      return std::string(half ? "cu2cpp::ptx::asHalf2(" : "cu2cpp::ptx::asBfloat162(") +
             convert(text, from, raw) + ")";
  }
  if (from.isNarrow() && to.isInteger()) {
    const Type raw{Type::Class::Integer, from.bits, false, 1};
    const bool half = from.kind == Type::Class::Half;
    const std::string function = from.count == 2 ? "cu2cpp::ptx::bits"
                                 : half          ? "__half_as_ushort"
                                                 : "__bfloat16_as_ushort";
    return convert(function + "(" + text + ")", raw, to);
  }
  if (from.isFloat() && to.isInteger()) {
    if (from.bits == 32)
      return to.isSigned && to.bits == 32
                 ? "__float_as_int(" + text + ")"
                 : convert("__float_as_uint(" + text + ")", unsignedType, to);
    return convert("__double_as_longlong(" + text + ")", Type{Type::Class::Integer, 64, true, 1},
                   to);
  }
  if (from.isInteger() && to.isFloat()) {
    if (to.bits == 32)
      return (from.isSigned ? "__int_as_float(" : "__uint_as_float(") +
             (from.bits == 32 ? text : convert(text, from, unsignedType)) + ")";
    return "__longlong_as_double(" + convert(text, from, Type{Type::Class::Integer, 64, true, 1}) +
           ")";
  }
  if (to.kind == Type::Class::Predicate)
    return primary(text) + " != 0";
  return cast(text);
}

std::string Emitter::read(const Operand& operand, const Type& want) {
  switch (operand.kind) {
  case Operand::Kind::Bound: {
    if (operand.index >= operands_.size()) {
      fail("operand %" + std::to_string(operand.index));
      return {};
    }
    const BoundOperand& bound = operands_[operand.index];
    if (bound.type && bound.type->isInteger() && want.isInteger()) {
      // A plain number is of any integer type.
      const bool number =
          !bound.text.empty() && bound.text.find_first_not_of("0123456789") == std::string::npos;
      if (*bound.type == want || (number && want.bits <= 32))
        return primary(bound.text);
      return primary(convert(bound.text, *bound.type, want));
    }
    if (bound.type)
      return primary(convert(bound.text, *bound.type, want));
    if (bound.immediate && want.isInteger())
      return primary(bound.text);
    // A pointer, or a type that only instances of a template know.
    const std::string plain = "(" + cppName(bound.registerType) + ")" + primary(bound.text);
    return primary(convert(plain, bound.registerType, want));
  }
  case Operand::Kind::Register: {
    const Type& type = types_.at(operand.name);
    const std::string& name = locals_.at(operand.name);
    if (declared_.insert(operand.name).second)
      statements_.push_back(cppName(type) + " " + name + "{};");
    if (operand.negated)
      return "!" + name;
    return primary(convert(name, type, want));
  }
  case Operand::Kind::Immediate:
    if (want.isFloat())
      return primary(floatLiteral(operand.name, want));
    if (operand.name.size() >= 10 && (operand.name[1] == 'f' || operand.name[1] == 'F'))
      return convert(floatLiteral(operand.name, floatType), floatType, want);
    if (want.isNarrow())
      return convert(integerLiteral(operand.name, unsignedType),
                     Type{Type::Class::Integer, want.bits, false, 1}, want);
    return primary(integerLiteral(operand.name, want));
  case Operand::Kind::Variable: {
    const ModuleName& variable = moduleNames_.at(operand.name);
    const std::string address = (variable.element.empty() ? "" : "&") + variable.text;
    return primary(
        convert("(unsigned long long)" + address + operand.offset, unsigned64Type, want));
  }
  case Operand::Kind::Special: {
    const auto found = specialRegisters().find(operand.name);
    if (found == specialRegisters().end()) {
      fail("%" + operand.name);
      return {};
    }
    return primary(convert(found->second.text, found->second.type, want));
  }
  default:
    fail("its operands");
    return {};
  }
}

void Emitter::write(const Operand& operand, const Type& type, const std::string& whole) {
  const std::string expression = bare(whole);
  if (operand.kind == Operand::Kind::Sink)
    return;
  if (operand.kind == Operand::Kind::Register) {
    const Type& own = types_.at(operand.name);
    const std::string& name = locals_.at(operand.name);
    const bool implicit = own.isInteger() && type.isInteger();
    const std::string value = implicit ? expression : convert(expression, type, own);
    if (declared_.count(operand.name))
      return say(name + " = " + value + ";");
    declared_.insert(operand.name);
    if (!guarded_)
      return say(cppName(own) + " " + name + " = " + value + ";");
    statements_.push_back(cppName(own) + " " + name + "{};");
    return say(name + " = " + value + ";");
  }
  if (operand.kind == Operand::Kind::Special)
    return fail("Unknown symbol '%" + operand.name + "'");
  if (operand.kind != Operand::Kind::Bound || operand.index >= operands_.size())
    return fail("its operands");
  const BoundOperand& bound = operands_[operand.index];
  if (!bound.output)
    return fail("an input operand as its result");
  const Type own = bound.type ? *bound.type : bound.registerType;
  std::string value =
      own.isInteger() && type.isInteger() ? expression : convert(expression, type, own);
  if (!bound.castTo.empty())
    value = "(" + bound.castTo + ")" + primary(value);
  say(bound.text + " = " + value + ";");
}

std::optional<long long> Emitter::constant(const Operand& operand) const {
  std::string text;
  if (operand.kind == Operand::Kind::Immediate)
    text = operand.name;
  else if (operand.kind == Operand::Kind::Bound && operand.index < operands_.size() &&
           operands_[operand.index].immediate)
    text = operands_[operand.index].text;
  if (text.empty())
    return std::nullopt;
  char* end = nullptr;
  const long long value = std::strtoll(text.c_str(), &end, 0);
  if (*end && std::string(end).find_first_not_of("uUlL") != std::string::npos)
    return std::nullopt;
  return value;
}

bool Emitter::isFloat(const Operand& operand) const {
  if (operand.kind == Operand::Kind::Register)
    return types_.at(operand.name) == floatType;
  return operand.kind == Operand::Kind::Bound && operand.index < operands_.size() &&
         operands_[operand.index].registerType == floatType;
}

std::string Emitter::withOperands(const std::string& offset) {
  std::string out;
  for (std::size_t i = 0; i < offset.size(); ++i) {
    if (offset[i] != '%') {
      out += offset[i];
      continue;
    }
    std::size_t end = i + 1;
    while (end < offset.size() && std::isdigit(static_cast<unsigned char>(offset[end])))
      ++end;
    const auto index = static_cast<unsigned>(std::atoi(offset.substr(i + 1, end - i - 1).c_str()));
    if (end == i + 1 || index >= operands_.size() || !operands_[index].immediate) {
      fail("its address");
      return {};
    }
    out += primary(operands_[index].text);
    i = end - 1;
  }
  return out;
}

std::string Emitter::address(const Operand& address, const std::string& element, bool asPointer,
                             bool forReading) {
  if (address.kind != Operand::Kind::Address) {
    fail("its operands");
    return {};
  }
  const Operand& base = address.parts[0];
  std::string text;
  if (base.kind == Operand::Kind::Bound && base.index < operands_.size()) {
    const BoundOperand& bound = operands_[base.index];
    if (bound.pointee == element && address.offset.empty() && (forReading || !bound.pointeeConst))
      return asPointer ? bound.text : "*" + primary(bound.text);
    text = bound.text;
    // An address of 32 bits lies in shared memory, whatever the expression's type is.
    if (bound.registerType.bits == 32 && !(bound.type && *bound.type == unsignedType))
      text = "unsigned(" + text + ")";
  } else if (base.kind == Operand::Kind::Variable) {
    const ModuleName& variable = moduleNames_.at(base.name);
    const bool atStart = address.offset.empty() || address.offset == "+0";
    if (atStart && variable.element == element)
      return (asPointer ? "&" : "") + variable.text;
    text = (variable.element.empty() ? "" : "&") + variable.text;
  } else if (base.kind == Operand::Kind::Register) {
    text = read(base, types_.at(base.name).asUnsigned());
  } else {
    fail("its address");
    return {};
  }
  std::string offset = withOperands(address.offset);
  if (!offset.empty() && offset[0] == '+')
    offset.erase(0, 1);
  const std::string place =
      "cu2cpp::ptx::at<" + element + ">(" + text + (offset.empty() ? "" : ", " + offset) + ")";
  return asPointer ? "&" + place : place;
}

std::string Emitter::place(const Operand& operand, const std::string& element, bool forReading) {
  return address(operand, element, false, forReading);
}
std::string Emitter::pointer(const Operand& operand, const std::string& element) {
  return address(operand, element, true, false);
}

bool Emitter::carryIsLocal() const {
  bool set = false, last = false;
  for (const Instruction& i : block_.instructions) {
    const bool reads = i.name == "addc" || i.name == "subc" || i.name == "madc";
    if (reads && !set)
      return false;
    if (i.has("cc"))
      set = last = true;
    else if (reads)
      last = false;
  }
  // A flag that is set and not read here is for the next statement.
  return !last;
}

std::string Emitter::carry() {
  if (!carryDeclared_ && !carryIsLocal())
    return "cu2cpp::ptx::carryFlag()";
  if (!carryDeclared_) {
    carryDeclared_ = true;
    locals_["%carry"] = localName("carry");
    statements_.push_back("bool " + locals_["%carry"] + " = false;");
  }
  return locals_["%carry"];
}

} // namespace cu2cpp::ptx
