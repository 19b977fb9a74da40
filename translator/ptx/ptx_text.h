// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of one inline assembly statement as instructions with operands. Knows PTX's grammar
// (PTX ISA, 'Syntax'), not its instructions.
//
//   "{ .reg .pred p; setp.ne.b32 p, %1, 0; @p mov.u32 %0, %%laneid; }"
//     ->  registers: p (pred);  instructions: setp.ne.b32 p, operand 1, 0
//                                             mov.u32 operand 0, %laneid   guarded by p
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cu2cpp::ptx {

struct Operand {
  enum class Kind {
    Bound,     ///< `%0`: an operand of the asm statement
    Special,   ///< `%laneid`
    Register,  ///< a register that the text declares
    Immediate, ///< a number
    Address,   ///< `[base + offset]`; the base is parts[0]
    Vector,    ///< `{a, b}`
    Pair,      ///< `a|b`: a result and a predicate
    Sink,      ///< `_`
    Variable,  ///< of a module: a variable, a parameter or a function, with its offset
  };
  Kind kind = Kind::Sink;
  unsigned index = 0;         ///< of Bound
  std::string name;           ///< of Special (no percent sign), Register, Immediate, Variable
  std::string part;           ///< `b0`, `h1` behind an operand of a video instruction
  bool negated = false;       ///< `!p`
  std::string offset;         ///< of Address and Variable: `+16`, empty for none
  std::vector<Operand> parts; ///< of Address, Vector (and lists in parentheses) and Pair
};

struct Instruction {
  std::string guard; ///< register of `@p`; empty for none
  bool guardNegated = false;
  std::string name;               ///< `shfl`; of a label `:`
  std::vector<std::string> words; ///< `sync`, `bfly`, `b32`; of a label and of `bra` its name
  std::vector<Operand> operands;
  unsigned line = 0; ///< in the text, from 1

  bool has(const std::string& word) const;
  /// spelled() is `shfl.sync.bfly.b32`.
  std::string spelled() const;
};

struct Register {
  std::string name;
  std::string type; ///< `pred`, `u32`
};

struct Block {
  std::vector<Register> registers;
  std::vector<Instruction> instructions;
  std::string error; ///< what stands in the way; then the rest counts for nothing
};

/// parsePtx() reads the template string of an asm statement. `hasOperands` says that the statement
/// has a colon, which makes `%` an escape.
Block parsePtx(const std::string& text, bool hasOperands);

/// What a name stands for where the text is one statement of a module: a register, a variable or a
/// number; nothing for a name that the module has not declared.
using Names = std::function<std::optional<Operand>(const std::string& name)>;

/// parseStatement() reads one instruction of a module.
Block parseStatement(const std::string& text, const Names& names);

} // namespace cu2cpp::ptx
