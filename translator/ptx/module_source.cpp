// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ptx/module_source.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <set>

#include "ptx/emitter.h"
#include "ptx/module_text.h"

namespace cu2cpp::ptx {
namespace {

Type bitsOf(const std::string& type) {
  const Type t = *typeNamed(type);
  return {Type::Class::Integer, t.kind == Type::Class::Predicate ? 8 : t.bits, false, 1};
}

unsigned long long sizeOf(const ModuleVariable& v) { return bitsOf(v.type).bits / 8 * v.count; }

unsigned alignmentOf(const ModuleVariable& v) {
  return std::max(v.alignment, bitsOf(v.type).bits / 8);
}

/// A parameter's type in C++: its bits, whatever instructions make of them.
std::string parameterType(const ModuleVariable& v) {
  return v.array ? "cu2cpp::ptx::Bytes<" + std::to_string(sizeOf(v)) + ", " +
                       std::to_string(alignmentOf(v)) + ">"
                 : cppName(bitsOf(v.type));
}

std::string returnType(const ModuleFunction& f) {
  return f.results.empty() ? "void" : parameterType(f.results[0]);
}

std::string join(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts)
    text += (text.empty() ? "" : ", ") + part;
  return text;
}

class SourceWriter {
public:
  explicit SourceWriter(ModuleText module) : module_(std::move(module)) {}

  ModuleSource run() {
    if (!module_.error.empty())
      return {"", module_.error, module_.line};
    nameAll();
    findSharedUsers();
    text_ = "#include <cu2cpp/device/ptx_module.h>\n\n";
    for (const ModuleVariable& v : module_.variables)
      variable(v);
    for (const ModuleFunction& f : module_.functions)
      if (!f.entry && f.defined)
        text_ += head(f) + ";\n";
    for (const ModuleFunction& f : module_.functions)
      if (f.defined)
        function(f);
    if (!error_.empty())
      return {"", error_, line_};
    return {text_, "", 0};
  }

private:
  void fail(const std::string& why, unsigned line) {
    if (error_.empty()) {
      error_ = why;
      line_ = line;
    }
  }

  // Names.

  std::string clean(const std::string& name) {
    std::string text;
    for (const char c : name)
      text += c == '$' || c == '%' ? '_' : c;
    while (!taken_.insert(text).second)
      text += '_';
    return text;
  }

  void nameAll() {
    for (const ModuleFunction& f : module_.functions)
      if (f.entry)
        symbols_[f.name] = clean(f.name);
    for (const ModuleVariable& v : module_.variables)
      symbols_[v.name] = clean(v.name);
    // Functions are not looked up by name: theirs may be another's, such as one of the C library.
    for (const ModuleFunction& f : module_.functions)
      if (!f.entry)
        symbols_[f.name] = clean(f.name.rfind("_Z", 0) == 0 ? f.name : f.name + "_");
  }

  template <class Visit> static void eachOperand(const Operand& o, Visit visit) {
    visit(o);
    for (const Operand& part : o.parts)
      eachOperand(part, visit);
  }
  template <class Visit> static void eachOperand(const ModuleFunction& f, Visit visit) {
    for (const Instruction& i : f.block.instructions)
      for (const Operand& o : i.operands)
        eachOperand(o, visit);
  }

  const ModuleFunction* functionNamed(const std::string& name) const {
    for (const ModuleFunction& f : module_.functions)
      if (f.name == name)
        return &f;
    return nullptr;
  }

  /// A module's shared variables are a kernel's own in C++: it passes them to what it calls.
  void findSharedUsers() {
    std::set<std::string> shared;
    for (const ModuleVariable& v : module_.variables)
      if (v.space == "shared")
        shared.insert(v.name);
    std::map<std::string, std::set<std::string>> calls;
    for (const ModuleFunction& f : module_.functions)
      eachOperand(f, [&, &name = f.name](const Operand& o) {
        if (o.kind != Operand::Kind::Variable)
          return;
        if (shared.count(o.name))
          sharedUses_[name].insert(o.name);
        if (functionNamed(o.name))
          calls[name].insert(o.name);
      });
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& [caller, callees] : calls)
        for (const std::string& callee : callees)
          for (const std::string& variable : sharedUses_[callee])
            changed |= sharedUses_[caller].insert(variable).second;
    }
  }

  // Variables.

  static std::string arraySize(const ModuleVariable& v) {
    return v.unsized ? "[]" : "[" + std::to_string(v.count) + "]";
  }
  static std::string declaration(const ModuleVariable& v, const std::string& name) {
    return (v.alignment ? "__align__(" + std::to_string(v.alignment) + ") " : std::string()) +
           cppName(bitsOf(v.type)) + " " + name + (v.array ? arraySize(v) : "");
  }

  void variable(const ModuleVariable& v) {
    if (v.space == "shared")
      return; // in each kernel
    if (v.isExternal)
      return fail("'" + v.name + "', which no module defines", 0);
    if (v.space == "local")
      return fail("'.local' outside of a function", 0);
    std::string values;
    for (const Initial& one : v.initial)
      values += (values.empty() ? "" : ", ") + initialValue(v, one);
    const char* const space = v.managed            ? "__managed__ "
                              : v.space == "const" ? "__constant__ "
                                                   : "__device__ ";
    text_ += "extern \"C\" {\n" + std::string(space) + declaration(v, symbols_[v.name]);
    if (!values.empty())
      text_ += v.array ? " = {" + values + "}" : " = " + values;
    text_ += ";\n}\n";
  }

  std::string initialValue(const ModuleVariable& v, const Initial& one) {
    const Type own = *typeNamed(v.type);
    const std::string type = cppName(bitsOf(v.type));
    if (one.symbol.empty()) {
      const std::string& n = one.number;
      const bool bits = n.size() > 2 && n[0] == '0' && std::strchr("fFdD", n[1]);
      if (bits)
        return "0x" + n.substr(2) + (n.size() > 10 ? "ull" : "u");
      if (own.isFloat() && own.bits == 64) {
        const double value = std::strtod(n.c_str(), nullptr);
        unsigned long long raw;
        std::memcpy(&raw, &value, sizeof raw);
        return std::to_string(raw) + "ull";
      }
      if (own.isFloat()) {
        const float value = std::strtof(n.c_str(), nullptr);
        unsigned raw;
        std::memcpy(&raw, &value, sizeof raw);
        return std::to_string(raw) + "u";
      }
      return "(" + type + ")" +
             (n[0] == '-' ? "(" + n + "ll)" : n + (n.back() == 'U' ? "ll" : "ull"));
    }
    const auto symbol = symbols_.find(one.symbol);
    if (symbol == symbols_.end()) {
      fail("'" + one.symbol + "', which no module defines", 0);
      return {};
    }
    std::string value = "(unsigned long long)&" + symbol->second;
    if (!one.number.empty())
      value = "(" + value + (one.number[0] == '-' ? " - " : " + ") +
              one.number.substr(one.number[0] == '-' || one.number[0] == '+') + ")";
    if (one.mask) {
      unsigned shift = 0;
      while (!(one.mask >> shift & 1))
        ++shift;
      value = "(" + value + " >> " + std::to_string(shift) + ")";
    }
    return type == "unsigned long long" ? value : "(" + type + ")(" + value + ")";
  }

  // Functions.

  /// Within a function, `scale_param_0` of `scale` is `param_0`.
  std::string localName(const ModuleFunction& f, const std::string& name) const {
    std::string text = name;
    if (name.rfind(f.name + "_", 0) == 0 && name.size() > f.name.size() + 1)
      text = name.substr(f.name.size() + 1);
    for (char& c : text)
      c = c == '$' || c == '%' ? '_' : c;
    if (std::isdigit(static_cast<unsigned char>(text[0])))
      text = "p" + text;
    while (taken_.count(text))
      text += '_';
    return text;
  }

  std::string head(const ModuleFunction& f) const {
    std::vector<std::string> parameters;
    for (const ModuleVariable& v : f.parameters)
      parameters.push_back(parameterType(v) + " " + localName(f, v.name) +
                           (v.space == "reg" ? "_" : ""));
    if (!f.entry)
      if (const auto uses = sharedUses_.find(f.name); uses != sharedUses_.end())
        for (const std::string& name : uses->second)
          parameters.push_back("unsigned char* " + symbols_.at(name));
    const std::string list = symbols_.at(f.name) + "(" + join(parameters) + ")";
    if (!f.entry)
      return "static __device__ " + returnType(f) + " " + list;
    std::string limits;
    if (f.maximumThreads)
      limits = "__launch_bounds__(" + std::to_string(f.maximumThreads) +
               (f.minimumBlocks ? ", " + std::to_string(f.minimumBlocks) : "") + ") ";
    if (!f.clusterSize.empty())
      limits += "__cluster_dims__(" + join(f.clusterSize) + ") ";
    return "extern \"C\" __global__ void " + limits + list;
  }

  void function(const ModuleFunction& f) {
    function_ = &f;
    if (f.results.size() > 1)
      return fail("'" + f.name + "', which gives several results", 0);
    text_ += "\n" + head(f) + " {\n";
    ModuleNames names;
    std::set<std::string> taken = taken_;
    for (const auto& [name, cpp] : symbols_)
      names[name] = {cpp, ""};
    for (const ModuleVariable& v : module_.variables)
      if (!v.array && v.space != "shared")
        names[v.name].element = cppName(bitsOf(v.type));
    const auto addLocal = [&](const ModuleVariable& v) {
      if (v.space == "reg")
        return;
      const std::string name = localName(f, v.name);
      taken.insert(name);
      // An array's name is its address; one of bytes that is passed has them as a member.
      names[v.name] = {name, v.array && v.space != "param" ? ""
                             : v.array                     ? parameterType(v)
                                                           : cppName(bitsOf(v.type))};
    };
    for (const auto* list : {&f.results, &f.parameters, &f.variables})
      for (const ModuleVariable& v : *list)
        addLocal(v);
    for (const ModuleVariable& v : f.parameters)
      if (v.space == "reg")
        taken.insert(localName(f, v.name) + "_");
    if (f.entry)
      if (const auto uses = sharedUses_.find(f.name); uses != sharedUses_.end())
        for (const ModuleVariable& v : module_.variables)
          if (uses->second.count(v.name))
            say(sharedDeclaration(v, symbols_[v.name]));
    for (const auto* list : {&f.results, &f.variables})
      for (const ModuleVariable& v : *list)
        if (v.space == "shared") {
          names[v.name].element.clear();
          say(sharedDeclaration(v, names[v.name].text));
        } else if (v.space == "param") {
          say(parameterType(v) + " " + names[v.name].text + "{};");
        } else if (v.space == "local") {
          say(declaration(v, names[v.name].text) + ";");
        }
    Emitter emitter(f.block, {}, taken, true);
    for (const std::string& statement : emitter.beginFunction(names))
      say(statement);
    for (const ModuleVariable& v : f.parameters)
      if (v.space == "reg")
        write(emitter, registerOf(v), bitsOf(v.type), localName(f, v.name) + "_");
    jumpedTo_.clear();
    for (const Instruction& i : f.block.instructions)
      if (i.name == "bra")
        jumpedTo_.insert(i.words[0]);
    for (const auto& [table, labels] : f.branchTargets)
      jumpedTo_.insert(labels.begin(), labels.end());
    for (const Instruction& i : f.block.instructions) {
      instruction(emitter, names, i);
      if (!error_.empty())
        return;
    }
    if (f.block.instructions.empty() || f.block.instructions.back().name == ":")
      say(";");
    text_ += "}\n";
  }

  static std::string sharedDeclaration(const ModuleVariable& v, const std::string& name) {
    const std::string size = v.unsized ? "" : std::to_string(sizeOf(v));
    return std::string(v.unsized ? "extern " : "") + "__shared__ __align__(" +
           std::to_string(alignmentOf(v)) + ") unsigned char " + name + "[" + size + "];";
  }

  void say(const std::string& statement) { text_ += "  " + statement + "\n"; }

  static std::string labelName(const std::string& label) {
    std::string text = "L_";
    for (const char c : label)
      text += c == '$' ? '_' : c;
    return text;
  }

  static Operand registerOf(const ModuleVariable& v) {
    Operand o;
    o.kind = Operand::Kind::Register;
    o.name = v.name;
    return o;
  }

  /// write() stores a value where nothing else is being translated.
  void write(Emitter& emitter, const Operand& to, const Type& type, const std::string& value) {
    for (const std::string& statement : emitter.written(to, type, value))
      say(statement);
  }

  void instruction(Emitter& emitter, const ModuleNames& names, const Instruction& i) {
    if (i.name == ":") {
      if (jumpedTo_.count(i.words[0]))
        text_ += labelName(i.words[0]) + ":;\n";
      return;
    }
    std::string guard;
    if (!i.guard.empty()) {
      Operand predicate;
      predicate.kind = Operand::Kind::Register;
      predicate.name = i.guard;
      predicate.negated = i.guardNegated;
      guard = "if (" + emitter.read(predicate, predicateType) + ") ";
    }
    if (i.name == "bra")
      return say(guard + "goto " + labelName(i.words[0]) + ";");
    if (i.name == "brx")
      return branchByIndex(emitter, guard, i);
    if (i.name == "call")
      return call(emitter, names, guard, i);
    if (i.name == "ret" || (i.name == "exit" && function_->entry)) {
      const auto& results = function_->results;
      return say(guard + "return" +
                 (results.empty() ? ""
                  : results[0].space == "reg"
                      ? " " + emitter.read(registerOf(results[0]), bitsOf(results[0].type))
                      : " " + names.at(results[0].name).text) +
                 ";");
    }
    if (i.name == "exit")
      return fail("'exit' in a function", i.line);
    if (hasShortAddress(i))
      return fail("'" + i.spelled() + "' (an address of 32 bits)", i.line);
    const std::vector<std::string> statements = emitter.emitAlone(i);
    if (!emitter.why().empty())
      return fail(emitter.why(), i.line);
    // Jumps do not cross the values that an instruction keeps.
    if (statements.size() > 1)
      say("{");
    for (const std::string& statement : statements)
      say(statement);
    if (statements.size() > 1)
      say("}");
  }

  /// Whether memory other than shared memory is named by a register of 32 bits.
  bool hasShortAddress(const Instruction& i) const {
    const bool shared = std::any_of(i.words.begin(), i.words.end(), [](const std::string& word) {
      return word.rfind("shared", 0) == 0;
    });
    if (shared || (i.name != "ld" && i.name != "st" && i.name != "atom" && i.name != "red"))
      return false;
    for (const Operand& o : i.operands)
      if (o.kind == Operand::Kind::Address && o.parts[0].kind == Operand::Kind::Register)
        for (const Register& r : function_->block.registers)
          if (r.name == o.parts[0].name && typeNamed(r.type) && typeNamed(r.type)->bits != 64)
            return true;
    return false;
  }

  void branchByIndex(Emitter& emitter, const std::string& guard, const Instruction& i) {
    const auto table = i.operands.size() == 2 ? function_->branchTargets.find(i.operands[1].name)
                                              : function_->branchTargets.end();
    if (table == function_->branchTargets.end())
      return fail("'" + i.spelled() + "' (its operands)", i.line);
    say(guard + "switch (" + emitter.read(i.operands[0], unsignedType) + ") {");
    for (std::size_t k = 0; k < table->second.size(); ++k)
      say("case " + std::to_string(k) + ": goto " + labelName(table->second[k]) + ";");
    say("default: __builtin_unreachable();");
    say("}");
  }

  /// call.uni (result), function, (arguments), prototype;
  void call(Emitter& emitter, const ModuleNames& names, const std::string& guard,
            const Instruction& i) {
    std::size_t k = 0;
    std::vector<Operand> results, arguments;
    if (k < i.operands.size() && i.operands[k].kind == Operand::Kind::Vector)
      results = i.operands[k++].parts;
    if (k >= i.operands.size())
      return fail("'call' (its operands)", i.line);
    const Operand& target = i.operands[k++];
    if (k < i.operands.size() && i.operands[k].kind == Operand::Kind::Vector)
      arguments = i.operands[k++].parts;
    const ModuleFunction* callee = nullptr;
    std::string text;
    if (target.kind == Operand::Kind::Variable) {
      callee = functionNamed(target.name);
    } else if (k < i.operands.size()) {
      const auto prototype = function_->prototypes.find(i.operands[k].name);
      callee = prototype == function_->prototypes.end() ? nullptr : &prototype->second;
    }
    if (!callee || callee->entry)
      return fail("'call' (what it calls)", i.line);
    if (callee->parameters.size() != arguments.size() || callee->results.size() != results.size())
      return fail("'call' (the number of its arguments)", i.line);
    std::vector<std::string> values, types;
    for (std::size_t a = 0; a < arguments.size(); ++a) {
      const ModuleVariable& parameter = callee->parameters[a];
      types.push_back(parameterType(parameter));
      const bool variable = arguments[a].kind == Operand::Kind::Variable;
      if (variable && names.at(arguments[a].name).element != types.back())
        return fail("'call' (the types of its arguments)", i.line);
      values.push_back(variable ? names.at(arguments[a].name).text
                                : emitter.read(arguments[a], bitsOf(parameter.type)));
    }
    if (target.kind != Operand::Kind::Variable) {
      text = "((" + returnType(*callee) + " (*)(" + join(types) + "))" +
             emitter.read(target, unsigned64Type) + ")";
    } else if (callee->defined) {
      text = symbols_.at(callee->name);
      if (const auto uses = sharedUses_.find(callee->name); uses != sharedUses_.end())
        for (const std::string& name : uses->second)
          values.push_back(symbols_.at(name));
    } else {
      static const std::set<std::string> system = {"vprintf", "malloc", "free", "__assertfail"};
      if (!system.count(callee->name))
        return fail("unresolved external function '" + callee->name + "'", i.line);
      text = "cu2cpp::ptx::" + callee->name;
      if (callee->name == "malloc")
        text = "(unsigned long long)malloc";
      if (callee->name == "free") {
        text = "free";
        values[0] = "(void*)" + values[0];
      }
    }
    text += "(" + join(values) + ")";
    if (results.empty())
      return say(guard + text + ";");
    if (!guard.empty())
      say(guard + "{");
    const ModuleVariable& result = callee->results[0];
    if (results[0].kind == Operand::Kind::Variable) {
      if (names.at(results[0].name).element != parameterType(result))
        return fail("'call' (the type of its result)", i.line);
      say(names.at(results[0].name).text + " = " + text + ";");
    } else {
      write(emitter, results[0], bitsOf(result.type), text);
    }
    if (!guard.empty())
      say("}");
  }

  const ModuleText module_;
  const ModuleFunction* function_ = nullptr;
  std::map<std::string, std::string> symbols_;
  std::set<std::string> taken_ = {"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize",
                                  "cu2cpp",    "main",     "malloc",   "free"};
  std::map<std::string, std::set<std::string>> sharedUses_;
  std::set<std::string> jumpedTo_;
  std::string text_, error_;
  unsigned line_ = 0;
};

} // namespace

ModuleSource moduleSource(const std::string& text) { return SourceWriter(readModule(text)).run(); }

} // namespace cu2cpp::ptx
