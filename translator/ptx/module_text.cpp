// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ptx/module_text.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <set>

namespace cu2cpp::ptx {
namespace {

bool isNameCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%';
}

/// Spaces in the place of comments; lines stay where they are.
std::string withoutComments(const std::string& text) {
  std::string out = text;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i] == '"') {
      i = std::min(out.find_first_of("\"\n", i + 1), out.size());
    } else if (out.compare(i, 2, "//") == 0) {
      for (; i < out.size() && out[i] != '\n'; ++i)
        out[i] = ' ';
    } else if (out.compare(i, 2, "/*") == 0) {
      const std::size_t end = std::min(out.find("*/", i + 2), out.size() - 2) + 2;
      for (; i < end; ++i)
        out[i] = out[i] == '\n' ? '\n' : ' ';
    }
  }
  return out;
}

/// What names mean from an opening brace to its closing one. Labels may be used before they stand.
struct Scope {
  std::map<std::string, Operand> names;
  std::map<std::string, std::string> labels;
  std::size_t outer = 0;
};

class ModuleReader {
public:
  explicit ModuleReader(const std::string& text) : text_(withoutComments(text)) {}

  ModuleText run() {
    scopes_.emplace_back();
    while (out_.error.empty() && !atEnd())
      directive();
    return std::move(out_);
  }

private:
  // The cursor.

  void fail(const std::string& why) {
    if (!out_.error.empty())
      return;
    out_.error = why;
    out_.line = lineAt(start_);
  }
  unsigned lineAt(std::size_t at) {
    for (; countedTo_ < std::min(at, text_.size()); ++countedTo_)
      line_ += text_[countedTo_] == '\n';
    return line_;
  }
  void skipSpace() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])))
      ++at_;
  }
  bool atEnd() {
    skipSpace();
    return at_ >= text_.size();
  }
  char peek() { return atEnd() ? '\0' : text_[at_]; }
  bool accept(char c) {
    if (peek() != c)
      return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c))
      fail("'" + std::string(1, c) + "' is missing before '" + rest() + "'");
  }
  std::string rest() {
    skipSpace();
    return text_.substr(at_, std::min<std::size_t>(20, text_.find('\n', at_) - at_));
  }
  std::string name() {
    skipSpace();
    std::string word;
    while (at_ < text_.size() && isNameCharacter(text_[at_]))
      word += text_[at_++];
    return word;
  }
  /// `.align` -> align; empty if there is no directive here.
  std::string dotWord() {
    if (peek() != '.')
      return {};
    ++at_;
    std::string word;
    while (at_ < text_.size() && (isNameCharacter(text_[at_]) || text_.compare(at_, 2, "::") == 0))
      word.append(text_, at_, text_[at_] == ':' ? 2 : 1), at_ += text_[at_] == ':' ? 2 : 1;
    return word;
  }
  unsigned long long number() {
    const std::string word = name();
    char* end = nullptr;
    const unsigned long long value = std::strtoull(word.c_str(), &end, 0);
    if (word.empty() || (*end && *end != 'U'))
      fail("a number is missing before '" + rest() + "'");
    return value;
  }
  void skipLine() { at_ = std::min(text_.find('\n', at_), text_.size()); }
  void skipStatement() { at_ = std::min(text_.find(';', at_), text_.size() - 1) + 1; }
  void skipBraces() {
    int depth = 0;
    do {
      depth += (peek() == '{') - (peek() == '}');
      ++at_;
    } while (depth > 0 && at_ < text_.size());
  }

  // The module.

  void directive() {
    start_ = at_;
    bool external = false;
    std::string word = dotWord();
    for (; word == "extern" || word == "visible" || word == "weak" || word == "common";
         word = dotWord())
      external |= word == "extern";
    if (word == "address_size") {
      if (number() != 64)
        fail("'.address_size 32': addresses here have 64 bits");
    } else if (word == "version" || word == "target" || word == "file" || word == "loc") {
      skipLine();
    } else if (word == "pragma") {
      skipStatement();
    } else if (word == "section") {
      skipLine();
      if (peek() == '{')
        skipBraces();
    } else if (word == "entry" || word == "func") {
      function(word == "entry");
    } else if (word == "global" || word == "const" || word == "shared" || word == "local") {
      for (ModuleVariable& v : variables(word)) {
        v.isExternal = external;
        declare(v.name, v.name);
        out_.variables.push_back(std::move(v));
      }
      expect(';');
    } else {
      fail("'" + (word.empty() ? rest() : "." + word) + "'");
    }
  }

  void declare(const std::string& name, const std::string& unique,
               Operand::Kind kind = Operand::Kind::Variable) {
    Operand o;
    o.kind = kind;
    o.name = unique;
    scopes_[scope_].names[name] = o;
  }

  /// Variables behind the word of their state space, up to the semicolon.
  std::vector<ModuleVariable> variables(const std::string& space) {
    std::vector<ModuleVariable> all;
    ModuleVariable pattern;
    pattern.space = space;
    typeOf(pattern);
    const unsigned long long vector = pattern.count;
    do {
      ModuleVariable v = pattern;
      v.name = name();
      if (v.name.empty())
        fail("a name is missing before '" + rest() + "'");
      if (space == "reg" && accept('<')) {
        v.count = number();
        expect('>');
        v.array = true;
      }
      while (accept('[')) {
        v.array = true;
        if (accept(']')) {
          v.unsized = true;
          continue;
        }
        v.count *= number();
        expect(']');
      }
      if (accept('=')) {
        initialiser(v.initial);
        if (v.unsized)
          v.count = std::max<unsigned long long>(v.initial.size(), 1);
        v.unsized = false;
      }
      v.array |= vector > 1;
      all.push_back(std::move(v));
    } while (out_.error.empty() && accept(','));
    return all;
  }

  /// `.align 4 .b8`, in any order, with what says nothing here.
  void typeOf(ModuleVariable& v) {
    bool pointer = false;
    while (out_.error.empty() && peek() == '.') {
      const std::string word = dotWord();
      if (word == "align") {
        const auto alignment = static_cast<unsigned>(number());
        if (!pointer) // else of what it points to
          v.alignment = alignment;
      } else if (word == "v2" || word == "v4" || word == "v8") {
        v.count = static_cast<unsigned long long>(word[1] - '0');
      } else if (word == "attribute") {
        const std::size_t end = std::min(text_.find(')', at_), text_.size());
        v.managed |= text_.substr(at_, end - at_).find(".managed") != std::string::npos;
        at_ = end;
        expect(')');
      } else if (word == "ptr") {
        pointer = true;
      } else if (!(pointer &&
                   (word == "global" || word == "const" || word == "shared" || word == "local"))) {
        if (!v.type.empty() || word.find("ref") != std::string::npos)
          return fail("'." + word + "'");
        v.type = word;
      }
    }
    static const std::set<std::string> types = {
        "b8",  "b16", "b32", "b64", "u8",  "u16",   "u32",  "u64",    "s8",  "s16",
        "s32", "s64", "f16", "f32", "f64", "f16x2", "bf16", "bf16x2", "pred"};
    if (!types.count(v.type))
      fail("the type '." + v.type + "'");
  }

  void initialiser(std::vector<Initial>& all) {
    if (accept('{')) {
      while (out_.error.empty() && peek() != '}') {
        initialiser(all);
        if (!accept(','))
          break;
      }
      return expect('}');
    }
    Initial one;
    const auto signedNumber = [&] {
      std::string digits;
      if (peek() == '-' || peek() == '+')
        digits = text_[at_++];
      skipSpace();
      while (at_ < text_.size() && (isNameCharacter(text_[at_]) || text_[at_] == '.'))
        digits += text_[at_++];
      return digits;
    };
    if (std::isdigit(static_cast<unsigned char>(peek())) || peek() == '-') {
      one.number = signedNumber();
      if (accept('(')) {
        one.mask = std::strtoull(one.number.c_str(), nullptr, 0);
        one.number.clear();
      }
    }
    if (one.number.empty()) {
      one.symbol = name();
      if (one.symbol == "generic" && accept('(')) {
        one.symbol = name();
        if (peek() == '+' || peek() == '-')
          one.number = signedNumber();
        expect(')');
      }
      if (peek() == '+' || peek() == '-')
        one.number = signedNumber();
      if (one.mask)
        expect(')');
      if (one.symbol.empty())
        fail("an initialiser is missing before '" + rest() + "'");
    }
    all.push_back(std::move(one));
  }

  // Functions.

  std::vector<ModuleVariable> parameters() {
    std::vector<ModuleVariable> all;
    expect('(');
    while (out_.error.empty() && peek() == '.') {
      ModuleVariable v;
      v.space = dotWord();
      typeOf(v);
      v.name = name();
      while (accept('[')) {
        v.array = true;
        v.count *= number();
        expect(']');
      }
      all.push_back(std::move(v));
      if (!accept(','))
        break;
    }
    expect(')');
    return all;
  }

  void function(bool entry) {
    ModuleFunction f;
    f.entry = entry;
    if (!entry && peek() == '(')
      f.results = parameters();
    f.name = name();
    if (peek() == '(')
      f.parameters = parameters();
    attributes(f);
    declare(f.name, f.name);
    f.defined = peek() == '{';
    if (f.defined)
      body(f);
    else
      expect(';');
    const auto same = std::find_if(out_.functions.begin(), out_.functions.end(),
                                   [&](const ModuleFunction& o) { return o.name == f.name; });
    if (same == out_.functions.end())
      out_.functions.push_back(std::move(f));
    else if (f.defined)
      *same = std::move(f);
  }

  /// What stands between a function's parameters and its body.
  void attributes(ModuleFunction& f) {
    const auto list = [&] {
      std::vector<std::string> all;
      do
        all.push_back(std::to_string(number()));
      while (accept(','));
      return all;
    };
    while (out_.error.empty() && peek() == '.') {
      const std::string word = dotWord();
      if (word == "maxntid" || word == "reqntid") {
        f.maximumThreads = 1;
        for (const std::string& size : list())
          f.maximumThreads *= std::strtoull(size.c_str(), nullptr, 10);
      } else if (word == "minnctapersm" || word == "maxnctapersm") {
        const unsigned long long blocks = number();
        f.minimumBlocks = word[1] == 'i' ? blocks : f.minimumBlocks;
      } else if (word == "reqnctapercluster") {
        f.clusterSize = list();
      } else if (word == "maxnreg" || word == "maxclusterrank") {
        number();
      } else if (word == "pragma") {
        skipStatement();
      } else if (word == "loc" || word == "file") {
        skipLine();
      } else if (word == "attribute" || word == "abi_preserve" || word == "abi_preserve_control") {
        at_ = std::min(text_.find(')', at_), text_.size());
        expect(')');
      } else if (word != "noreturn" && word != "explicitcluster" && word != "blocksareclusters") {
        fail("'." + word + "'");
      }
    }
  }

  void body(ModuleFunction& f) {
    const std::size_t outer = scope_;
    uniqueNames_.clear();
    branches_.clear();
    open();
    for (const auto* list : {&f.results, &f.parameters})
      for (const ModuleVariable& v : *list) {
        if (v.space == "reg") {
          f.block.registers.push_back({v.name, v.type});
          declare(v.name, v.name, Operand::Kind::Register);
        } else {
          declare(v.name, v.name);
        }
        uniqueNames_.insert(v.name);
      }
    expect('{');
    for (unsigned depth = 1; out_.error.empty() && depth > 0;) {
      if (atEnd()) {
        fail("'}' is missing");
      } else if (accept('{')) {
        open();
        ++depth;
      } else if (accept('}')) {
        scope_ = scopes_[scope_].outer;
        --depth;
      } else {
        start_ = at_;
        statement(f);
      }
    }
    resolveLabels(f);
    scope_ = outer;
  }

  void open() {
    scopes_.emplace_back();
    scopes_.back().outer = scope_;
    scope_ = scopes_.size() - 1;
  }

  std::string unique(const std::string& name) {
    std::string result = name;
    for (unsigned n = 2; !uniqueNames_.insert(result).second; ++n)
      result = name + "$" + std::to_string(n);
    return result;
  }

  std::optional<Operand> find(const std::string& name) const {
    for (std::size_t s = scope_;; s = scopes_[s].outer) {
      if (const auto found = scopes_[s].names.find(name); found != scopes_[s].names.end())
        return found->second;
      if (s == 0)
        break;
    }
    Operand o;
    if (name != "WARP_SZ")
      return std::nullopt;
    o.kind = Operand::Kind::Immediate;
    o.name = "32";
    return o;
  }

  void statement(ModuleFunction& f) {
    if (accept(';'))
      return;
    if (peek() == '.')
      return declarationIn(f);
    const std::size_t before = at_;
    const std::string word = name();
    if (!word.empty() && peek() == ':' && text_.compare(at_, 2, "::") != 0) {
      ++at_;
      skipSpace();
      for (const char* list : {".branchtargets", ".callprototype", ".calltargets"})
        if (text_.compare(at_, std::strlen(list), list) == 0)
          return labelledList(f, word);
      Instruction label;
      label.name = ":";
      label.words = {unique(word)};
      label.line = lineAt(start_);
      scopes_[scope_].labels[word] = label.words[0];
      f.block.instructions.push_back(std::move(label));
      return;
    }
    at_ = std::min(text_.find(';', before), text_.size());
    const unsigned line = lineAt(start_);
    Block block = parseStatement(text_.substr(before, at_ - before),
                                 [&](const std::string& name) { return find(name); });
    if (!accept(';'))
      block.error = "';' is missing";
    if (!block.error.empty() || block.instructions.size() != 1)
      return fail("'" + word + "' (" + (block.error.empty() ? "a statement" : block.error) + ")");
    block.instructions[0].line = line;
    if (block.instructions[0].name == "bra")
      branches_.push_back({f.block.instructions.size(), scope_});
    f.block.instructions.push_back(std::move(block.instructions[0]));
  }

  void declarationIn(ModuleFunction& f) {
    const std::string word = dotWord();
    if (word == "loc" || word == "file")
      return skipLine();
    if (word == "pragma")
      return skipStatement();
    if (word != "reg" && word != "shared" && word != "local" && word != "param")
      return fail("'." + word + "'");
    for (ModuleVariable& v : variables(word)) {
      if (word != "reg") {
        const std::string own = v.name;
        v.name = unique(own);
        declare(own, v.name);
        f.variables.push_back(std::move(v));
        continue;
      }
      for (unsigned long long i = 0; i < v.count && out_.error.empty(); ++i) {
        if (v.count > 1000000)
          fail("the range of registers '" + v.name + "'");
        const std::string own = v.name + (v.array ? std::to_string(i) : "");
        const std::string renamed = unique(own);
        f.block.registers.push_back({renamed, v.type});
        declare(own, renamed, Operand::Kind::Register);
      }
    }
    expect(';');
  }

  /// `table: .branchtargets A, B;` and `type: .callprototype (.param .b32 _) _ (.param .b64 _);`
  void labelledList(ModuleFunction& f, const std::string& label) {
    const std::string word = dotWord();
    declare(label, label);
    if (word == "branchtargets") {
      do
        f.branchTargets[label].push_back(name());
      while (accept(','));
      tables_[label] = scope_;
    } else if (word == "callprototype") {
      ModuleFunction& prototype = f.prototypes[label];
      if (peek() == '(')
        prototype.results = parameters();
      name();
      if (peek() == '(')
        prototype.parameters = parameters();
      attributes(prototype);
    } else {
      return fail("'." + word + "'");
    }
    expect(';');
  }

  std::string labelFrom(std::size_t scope, const std::string& name) {
    for (;; scope = scopes_[scope].outer) {
      if (const auto found = scopes_[scope].labels.find(name); found != scopes_[scope].labels.end())
        return found->second;
      if (scope == 0)
        break;
    }
    fail("the label '" + name + "'");
    return {};
  }

  void resolveLabels(ModuleFunction& f) {
    for (const auto& [index, scope] : branches_) {
      Instruction& branch = f.block.instructions[index];
      branch.words[0] = labelFrom(scope, branch.words[0]);
    }
    for (auto& [table, labels] : f.branchTargets)
      for (std::string& label : labels)
        label = labelFrom(tables_[table], label);
  }

  const std::string text_;
  std::size_t at_ = 0, start_ = 0, countedTo_ = 0;
  unsigned line_ = 1;
  std::vector<Scope> scopes_;
  std::size_t scope_ = 0;
  std::set<std::string> uniqueNames_; ///< of the function being read
  std::vector<std::pair<std::size_t, std::size_t>> branches_;
  std::map<std::string, std::size_t> tables_;
  ModuleText out_;
};

} // namespace

bool isModule(const std::string& text) {
  const std::string plain = withoutComments(text);
  const std::size_t start = plain.find_first_not_of(" \t\r\n");
  return start != std::string::npos && plain.compare(start, 8, ".version") == 0;
}

ModuleText readModule(const std::string& text) { return ModuleReader(text).run(); }

} // namespace cu2cpp::ptx
