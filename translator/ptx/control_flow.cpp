// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Labels and branches of an assembly statement (PTX ISA, 'Control Flow Instructions') as C++ loops
// and branches, so that later stages recognise loops that wait for other threads:
//
//   AGAIN: ld.acquire.gpu.u32 v, [%0]; setp.eq.u32 p, v, 0; @p bra AGAIN;
//   ->  do { v = ...; p = v == 0; } while (p);
//
// Jumps that such statements have no word for are refused.
#include "ptx/emitter.h"

namespace cu2cpp::ptx {

/// The label's place, or `to`; with an empty name that of the first label.
std::size_t Emitter::findLabel(const std::string& name, std::size_t from, std::size_t to) const {
  for (std::size_t k = from; k < to; ++k)
    if (const Instruction& i = block_.instructions[k];
        i.name == ":" && (name.empty() || i.words[0] == name))
      return k;
  return to;
}

unsigned Emitter::branchesTo(const std::string& name, std::size_t from, std::size_t to) const {
  unsigned count = 0;
  for (std::size_t k = from; k < to; ++k)
    if (const Instruction& i = block_.instructions[k]; i.name == "bra" && i.words[0] == name)
      ++count;
  return count;
}

/// Registers keep their values from one turn of a loop to the next.
void Emitter::declareRegisters() {
  for (const Register& r : block_.registers)
    if (declared_.insert(r.name).second)
      statements_.push_back(cppName(types_.at(r.name)) + " " + locals_.at(r.name) + "{};");
}

std::string Emitter::guardOf(const Instruction& instruction, bool negated) {
  if (!types_.count(instruction.guard)) {
    fail("'@" + instruction.guard + "'");
    return {};
  }
  Operand predicate;
  predicate.kind = Operand::Kind::Register;
  predicate.name = instruction.guard;
  predicate.negated = instruction.guardNegated != negated;
  return read(predicate, predicateType);
}

void Emitter::emitRange(std::size_t from, std::size_t to, const Loop& loop) {
  for (std::size_t k = from; k < to && why_.empty();) {
    const Instruction& i = block_.instructions[k];
    if (i.name == ":")
      k = emitLoop(k, to);
    else if (i.name == "bra")
      k = emitBranch(k, to, loop);
    else
      emit(block_.instructions[k++]);
  }
}

/// A label: the loop that jumps back to it, if there is one. Returns where to go on.
std::size_t Emitter::emitLoop(std::size_t label, std::size_t to) {
  const std::string& name = block_.instructions[label].words[0];
  std::size_t last = to;
  for (std::size_t k = label + 1; k < to; ++k)
    if (const Instruction& i = block_.instructions[k]; i.name == "bra" && i.words[0] == name)
      last = k;
  if (last == to) {
    // A loop's exit has its break behind it: nothing jumps here from anywhere else.
    return label + 1;
  }
  Loop inside;
  std::size_t next = last + 1;
  for (; next < to && block_.instructions[next].name == ":"; ++next)
    inside.exits.insert(block_.instructions[next].words[0]);
  next = last + 1;
  const Instruction& back = block_.instructions[last];
  const Instruction& before = block_.instructions[last - 1];
  std::string condition = "true";
  std::size_t end = last;
  if (!back.guard.empty()) {
    condition = guardOf(back, false);
  } else if (before.name == "bra" && !before.guard.empty() && inside.exits.count(before.words[0]) &&
             last - 1 > label) {
    condition = guardOf(before, true);
    --end;
  }
  if (condition == "true")
    inside.again = name;
  statements_.push_back(condition == "true" ? "while (true) {" : "do {");
  emitRange(label + 1, end, inside);
  statements_.push_back(condition == "true" ? "}" : "} while (" + condition + ");");
  return next;
}

/// A branch forwards. Returns where to go on.
std::size_t Emitter::emitBranch(std::size_t branch, std::size_t to, const Loop& loop) {
  const Instruction& i = block_.instructions[branch];
  const std::string& target = i.words[0];
  if (loop.exits.count(target) || (!loop.again.empty() && target == loop.again)) {
    const std::string jump = loop.exits.count(target) ? "break;" : "continue;";
    statements_.push_back(i.guard.empty() ? jump : "if (" + guardOf(i, false) + ") " + jump);
    return branch + 1;
  }
  const std::size_t end = findLabel(target, branch + 1, to);
  const std::size_t count = block_.instructions.size();
  if (end == to || i.guard.empty() || branchesTo(target, 0, count) != 1) {
    fail("the branch to '" + target + "'");
    return to;
  }
  // `@p bra ELSE; ... bra END; ELSE: ... END:`
  const Instruction& before = block_.instructions[end - 1];
  std::size_t join = to;
  if (before.name == "bra" && before.guard.empty() && end - 1 > branch &&
      branchesTo(before.words[0], 0, count) == 1)
    join = findLabel(before.words[0], end + 1, to);
  statements_.push_back("if (" + guardOf(i, true) + ") {");
  emitRange(branch + 1, join == to ? end : end - 1, loop);
  if (join != to) {
    statements_.push_back("} else {");
    emitRange(end + 1, join, loop);
  }
  statements_.push_back("}");
  return (join == to ? end : join) + 1;
}

} // namespace cu2cpp::ptx
