// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ptx/ptx_text.h"

#include <algorithm>
#include <cctype>

namespace cu2cpp::ptx {
namespace {

bool isNameCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$';
}

/// A cursor over the text; the first error stops everything.
class Reader {
public:
  Reader(const std::string& text, bool hasOperands, Block& out, const Names* names = nullptr)
      : text_(text), hasOperands_(hasOperands), names_(names), out_(out) {}

  void run() {
    while (out_.error.empty() && !atEnd())
      statement();
  }

private:
  void fail(const std::string& why) {
    if (out_.error.empty())
      out_.error = why;
  }

  void skipSpace() {
    while (at_ < text_.size()) {
      if (std::isspace(static_cast<unsigned char>(text_[at_]))) {
        ++at_;
      } else if (text_.compare(at_, 2, "//") == 0) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (text_.compare(at_, 2, "/*") == 0) {
        const std::size_t end = text_.find("*/", at_ + 2);
        at_ = end == std::string::npos ? text_.size() : end + 2;
      } else {
        return;
      }
    }
  }
  bool atEnd() {
    skipSpace();
    return at_ >= text_.size();
  }
  bool accept(char c) {
    if (atEnd() || text_[at_] != c)
      return false;
    ++at_;
    return true;
  }
  char peek() { return atEnd() ? '\0' : text_[at_]; }

  /// A name with dots, colons and digits: `shfl.sync.bfly.b32`, `L2::128B`. The compiler's `%=`,
  /// which tells the labels of different statements apart, is left out.
  std::string dotted() {
    skipSpace();
    std::string word;
    while (at_ < text_.size()) {
      if (hasOperands_ && text_.compare(at_, 2, "%=") == 0) {
        at_ += 2;
        continue;
      }
      if (!isNameCharacter(text_[at_]) && text_[at_] != '.' && text_.compare(at_, 2, "::") != 0)
        break;
      const std::size_t n = text_[at_] == ':' ? 2 : 1;
      word += text_.substr(at_, n);
      at_ += n;
    }
    return word;
  }
  std::string name() {
    skipSpace();
    // A register's own name may begin with a percent sign, which is escaped beside operands.
    std::string word;
    if (at_ < text_.size() && text_[at_] == '%') {
      at_ += text_.compare(at_, 2, "%%") == 0 ? 2 : 1;
      word = "%";
    }
    while (at_ < text_.size() && isNameCharacter(text_[at_]))
      word += text_[at_++];
    return word;
  }

  void statement() {
    if (accept('{') || accept('}') || accept(';'))
      return;
    if (peek() == '.')
      return declaration();
    Instruction instruction;
    if (accept('@')) {
      instruction.guardNegated = accept('!');
      instruction.guard = name();
      if (const auto known = named(instruction.guard))
        instruction.guard = known->name;
      if (instruction.guard.empty() || instruction.guard == "%")
        return fail("a guard that is not a register of its own");
    }
    const std::string words = dotted();
    if (words.empty())
      return fail("'" + text_.substr(at_, 20) + "'");
    if (accept(':')) {
      instruction.name = ":";
      instruction.words = {words};
      out_.instructions.push_back(std::move(instruction));
      return;
    }
    split(words, instruction);
    if (instruction.name == "bra")
      instruction.words = {dotted()};
    while (out_.error.empty() && peek() != ';' && peek() != '}' && !atEnd()) {
      instruction.operands.push_back(operand());
      if (!accept(','))
        break;
    }
    if (out_.error.empty() && !accept(';') && peek() != '}' && !atEnd())
      return fail("'" + text_.substr(at_, 20) + "' behind '" + words + "'");
    out_.instructions.push_back(std::move(instruction));
  }

  static void split(const std::string& words, Instruction& instruction) {
    std::size_t from = 0;
    bool first = true;
    while (from <= words.size()) {
      const std::size_t dot = std::min(words.find('.', from), words.size());
      (first ? instruction.name : instruction.words.emplace_back()) =
          words.substr(from, dot - from);
      first = false;
      from = dot + 1;
    }
  }

  /// `.reg .u32 a, b<4>;`
  void declaration() {
    const std::string words = dotted();
    if (words != ".reg" && words.rfind(".reg.", 0) != 0)
      return fail("'" + words + "'");
    std::string type = words == ".reg" ? dotted() : words.substr(4);
    if (type.size() < 2 || type[0] != '.' || type.find('.', 1) != std::string::npos)
      return fail("register type '" + type + "'");
    type.erase(0, 1);
    do {
      const std::string base = name();
      if (base.empty())
        return fail("a declaration without a name");
      if (!accept('<')) {
        out_.registers.push_back({base, type});
        continue;
      }
      const unsigned count = static_cast<unsigned>(std::atoi(name().c_str()));
      if (!accept('>') || count > 256)
        return fail("the range of registers '" + base + "<>'");
      for (unsigned i = 0; i < count; ++i)
        out_.registers.push_back({base + std::to_string(i), type});
    } while (accept(','));
    accept(';');
  }

  Operand operand() {
    Operand first = simple();
    if (!accept('|'))
      return first;
    Operand pair;
    pair.kind = Operand::Kind::Pair;
    pair.parts = {first, simple()};
    return pair;
  }

  Operand simple() {
    Operand o;
    // Arguments and results of a call stand in parentheses.
    if (const bool list = names_ && peek() == '('; accept('{') || (list && accept('('))) {
      o.kind = Operand::Kind::Vector;
      if (list && accept(')'))
        return o;
      do
        o.parts.push_back(simple());
      while (out_.error.empty() && accept(','));
      if (!accept(list ? ')' : '}'))
        fail("a vector without its closing brace");
      return o;
    }
    if (accept('[')) {
      o.kind = Operand::Kind::Address;
      o.parts.push_back(simple());
      o.offset = std::move(o.parts[0].offset);
      while (peek() == '+' || peek() == '-') {
        o.offset += text_[at_++];
        o.offset += accept('-') ? "-" + name() : name(); // a number, `%2` or a register
      }
      if (!accept(']'))
        fail("an address without its closing bracket");
      return o;
    }
    o.negated = accept('!');
    const char c = peek();
    // `%0` is an operand, `%%clock` a register, and so is `%clock`, which nvcc takes as well.
    const bool numbered = at_ + 1 < text_.size() && std::isdigit((unsigned char)text_[at_ + 1]);
    if (c == '%' && hasOperands_ && numbered) {
      ++at_;
      std::string digits;
      while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])))
        digits += text_[at_++];
      o.kind = Operand::Kind::Bound;
      o.index = static_cast<unsigned>(std::atoi(digits.c_str()));
    } else if (std::isdigit(static_cast<unsigned char>(c)) || c == '-' || c == '+') {
      o.kind = Operand::Kind::Immediate;
      if (c == '-' || c == '+')
        o.name = std::string(c == '-' ? 1 : 0, text_[at_++]);
      while (at_ < text_.size() && (isNameCharacter(text_[at_]) || text_[at_] == '.'))
        o.name += text_[at_++];
      return o;
    } else {
      o.name = name();
      o.kind = o.name == "_" ? Operand::Kind::Sink : Operand::Kind::Register;
      if (o.name.empty() || o.name == "%")
        fail("'" + text_.substr(at_, 12) + "'");
      if (const auto known = named(o.name); known && o.kind == Operand::Kind::Register) {
        const bool negated = o.negated;
        o = *known;
        o.negated = negated;
        while (o.kind == Operand::Kind::Variable && (peek() == '+' || peek() == '-')) {
          o.offset += text_[at_++];
          o.offset += accept('-') ? "-" + name() : name();
        }
        return withPart(o);
      }
      if (o.name[0] == '%' && !declared(o.name)) {
        o.kind = Operand::Kind::Special;
        o.name.erase(0, 1);
        if (at_ + 1 < text_.size() && text_[at_] == '.') {
          o.name += text_[at_++];
          while (at_ < text_.size() && isNameCharacter(text_[at_]))
            o.name += text_[at_++];
        }
        return o;
      }
      if (o.kind == Operand::Kind::Register && !declared(o.name))
        fail(names_                ? "Unknown symbol '" + o.name + "'"
             : o.name == "WARP_SZ" ? "WARP_SZ"
                                   : "'" + o.name + "', which the statement doesn't declare");
    }
    return withPart(o);
  }

  Operand withPart(Operand o) {
    if (at_ < text_.size() && text_[at_] == '.') {
      ++at_;
      o.part = name();
    }
    return o;
  }

  std::optional<Operand> named(const std::string& name) const {
    return names_ ? (*names_)(name) : std::nullopt;
  }

  bool declared(const std::string& name) const {
    return std::any_of(out_.registers.begin(), out_.registers.end(),
                       [&](const Register& r) { return r.name == name; });
  }

  const std::string& text_;
  const bool hasOperands_;
  const Names* const names_;
  Block& out_;
  std::size_t at_ = 0;
};

} // namespace

bool Instruction::has(const std::string& word) const {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string Instruction::spelled() const {
  std::string text = name;
  for (const std::string& word : words)
    text += "." + word;
  return text;
}

Block parsePtx(const std::string& text, bool hasOperands) {
  Block block;
  Reader(text, hasOperands, block).run();
  return block;
}

Block parseStatement(const std::string& text, const Names& names) {
  Block block;
  Reader(text, false, block, &names).run();
  return block;
}

} // namespace cu2cpp::ptx
