// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the C++ statements of one inline assembly statement: what its instructions read and write,
// in the C++ types that they work on. The instructions themselves are in instructions_*.cpp.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ptx/ptx_text.h"

namespace cu2cpp::ptx {

/// A type that an instruction works on.
struct Type {
  enum class Class { Predicate, Integer, Float, Half, Bfloat };
  Class kind = Class::Integer;
  unsigned bits = 32;
  bool isSigned = false;
  unsigned count = 1; ///< 2 for f16x2 and bf16x2

  bool isInteger() const { return kind == Class::Integer; }
  bool isFloat() const { return kind == Class::Float; }
  /// isNarrow() tells half and bfloat16, whose registers are plain bits.
  bool isNarrow() const { return kind == Class::Half || kind == Class::Bfloat; }
  bool operator==(const Type& o) const {
    return kind == o.kind && bits == o.bits && isSigned == o.isSigned && count == o.count;
  }
  Type asUnsigned() const {
    Type t = *this;
    t.isSigned = false;
    return t;
  }
  Type widened() const {
    Type t = *this;
    t.bits *= 2;
    return t;
  }
};
inline constexpr Type predicateType{Type::Class::Predicate, 1, false, 1};
inline constexpr Type unsignedType{Type::Class::Integer, 32, false, 1};
inline constexpr Type unsigned64Type{Type::Class::Integer, 64, false, 1};
inline constexpr Type floatType{Type::Class::Float, 32, true, 1};

/// typeNamed() is `u32`, `f16x2` ...
std::optional<Type> typeNamed(const std::string& word);
/// cppName() is `unsigned`, `float` ...
std::string cppName(const Type& type);

/// An operand of the asm statement: its C++ text, and what is known of its type.
struct BoundOperand {
  std::string text;
  std::optional<Type> type; ///< none for pointers and for types that depend on a template
  std::string pointee;      ///< of a pointer: the type that it points to
  bool pointeeConst = false;
  std::string castTo; ///< of an output that needs a cast (a pointer): its type
  Type registerType;  ///< by its constraint
  bool output = false;
  bool immediate = false; ///< constraint "n"
};

/// A variable, a parameter or a function of a module, in C++.
struct ModuleName {
  std::string text;
  std::string element; ///< type of a variable that is no array
};
using ModuleNames = std::map<std::string, ModuleName>;

class Emitter {
public:
  /// `taken` are names that the operands' texts use.
  Emitter(const Block& block, std::vector<BoundOperand> operands,
          const std::set<std::string>& taken, bool inKernel);

  /// emit() translates all instructions; false if one can't be, then why() names it.
  bool emit();
  const std::string& why() const { return why_; }
  const std::vector<std::string>& statements() const { return statements_; }

  // For the functions of a module, whose branches are jumps.

  /// beginFunction() gives the declarations of the registers that the block uses.
  std::vector<std::string> beginFunction(const ModuleNames& names);
  /// emitAlone() translates one instruction that is no branch; if it can't be, why() names it.
  std::vector<std::string> emitAlone(const Instruction& instruction);
  /// written() are the statements that store a value outside of any instruction.
  std::vector<std::string> written(const Operand& to, const Type& type, const std::string& value);

  // For the instructions.

  /// read() is an expression of type `want`; it can stand beside any operator.
  std::string read(const Operand& operand, const Type& want);
  /// write() stores the value of an expression of type `type`.
  void write(const Operand& operand, const Type& type, const std::string& expression);
  /// bits() is the constant value of an operand, if it is written in the text.
  std::optional<long long> constant(const Operand& operand) const;
  /// place() is the memory at an address as an lvalue of type `element`; pointer() its address.
  std::string place(const Operand& address, const std::string& element, bool forReading = false);
  std::string pointer(const Operand& address, const std::string& element);
  void say(const std::string& statement) { current_.push_back(statement); }
  void fail(const std::string& why);
  /// isFloat() tells whether an operand holds a float, whatever type the instruction names.
  bool isFloat(const Operand& operand) const;
  /// carry() is the carry flag: a local variable where the statement sets it before it reads it.
  std::string carry();
  /// unique() is a name for a variable that the statement has not got yet: `cuA`, `cuA2` ...
  std::string unique(const std::string& stem);
  bool inKernel() const { return inKernel_; }

private:
  /// Where a branch inside a loop leads that is a `break` or a `continue`.
  struct Loop {
    std::set<std::string> exits;
    std::string again;
  };

  void emit(const Instruction& instruction);
  // In control_flow.cpp: loops and branches for labels.
  void declareRegisters();
  void emitRange(std::size_t from, std::size_t to, const Loop& loop);
  std::size_t emitLoop(std::size_t label, std::size_t to);
  std::size_t emitBranch(std::size_t branch, std::size_t to, const Loop& loop);
  std::size_t findLabel(const std::string& name, std::size_t from, std::size_t to) const;
  unsigned branchesTo(const std::string& name, std::size_t from, std::size_t to) const;
  std::string guardOf(const Instruction& instruction, bool negated);
  std::string convert(const std::string& text, const Type& from, const Type& to) const;
  std::string localName(const std::string& name);
  bool carryIsLocal() const;
  /// withOperands() puts constants of the asm statement (constraint "n") into an address's offset.
  std::string withOperands(const std::string& offset);
  std::string address(const Operand& address, const std::string& element, bool asPointer,
                      bool forReading);

  const Block& block_;
  std::vector<BoundOperand> operands_;
  std::map<std::string, std::string> locals_; ///< register -> C++ name
  std::map<std::string, Type> types_;         ///< of registers
  ModuleNames moduleNames_;
  std::set<std::string> declared_; ///< registers with a C++ variable so far
  std::set<std::string> taken_;
  std::vector<std::string> statements_;
  std::vector<std::string> current_; ///< of the instruction being translated
  bool guarded_ = false;
  bool carryDeclared_ = false;
  const bool inKernel_;
  std::string why_;
};

/// primary() puts an expression into parentheses if an operator beside it could tear it apart.
std::string primary(const std::string& expression);

/// An instruction's translation; a table of them for each family.
using Translate = void (*)(Emitter&, const Instruction&);
using Table = std::map<std::string, Translate>;
const Table& arithmeticInstructions();
const Table& conversionInstructions();
const Table& matrixInstructions();
const Table& memoryInstructions();
const Table& threadInstructions();

} // namespace cu2cpp::ptx
