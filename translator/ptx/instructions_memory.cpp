// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory: loads and stores with cache and ordering qualifiers, atomics, fences, asynchronous copies
// (PTX ISA, 'Data Movement and Conversion Instructions', 'Parallel Synchronization and
// Communication Instructions', 'Memory Consistency Model').
#include "ptx/emitter.h"

namespace cu2cpp::ptx {
namespace {

bool startsWith(const std::string& text, const char* with) { return text.rfind(with, 0) == 0; }

/// What the words of a load or store say, beyond its type.
struct Access {
  std::string order; ///< `volatile`, `relaxed`, `acquire`, `release` or empty
  unsigned count = 1;
  bool cacheHint = false;
};

/// readAccess() refuses words that it does not know.
bool readAccess(Emitter& e, const Instruction& i, Access& access) {
  for (std::size_t w = 0; w + 1 < i.words.size(); ++w) {
    const std::string& word = i.words[w];
    if (word == "volatile" || word == "relaxed" || word == "acquire" || word == "release")
      access.order = word;
    else if (word == "cv" || word == "wt" || word == "cg" || word == "mmio")
      // Programs poll memory past the first cache level.
      access.order = access.order.empty() || word == "mmio" ? "relaxed" : access.order;
    else if (word == "v2" || word == "v4" || word == "v8")
      access.count = static_cast<unsigned>(word[1] - '0');
    else if (word == "L2::cache_hint")
      access.cacheHint = true;
    else if (word != "weak" && word != "global" && word != "shared" && word != "shared::cta" &&
             word != "shared::cluster" && word != "local" && word != "const" && word != "param" &&
             word != "param::entry" && word != "param::func" && word != "cta" &&
             word != "cluster" && word != "gpu" && word != "sys" && word != "ca" && word != "cs" &&
             word != "lu" && word != "wb" && word != "nc" && !startsWith(word, "L1::") &&
             !startsWith(word, "L2::")) {
      e.fail("." + word);
      return false;
    }
  }
  return true;
}

/// CUDA's vector type: `float4`.
std::string vectorOf(const Type& type, unsigned count) {
  const std::string size = std::to_string(count);
  if (type.isFloat())
    return (type.bits == 64 ? "double" : "float") + size;
  const std::string sign = type.isSigned ? "" : "u";
  switch (type.bits) {
  case 8:
    return sign + "char" + size;
  case 16:
    return sign + "short" + size;
  case 32:
    return sign + "int" + size;
  default:
    return sign + "longlong" + size;
  }
}

std::optional<Type> memoryType(Emitter& e, const Instruction& i) {
  auto type = i.words.empty() ? std::nullopt : typeNamed(i.words.back());
  if (!type)
    e.fail("its type");
  else if (type->isNarrow())
    type = Type{Type::Class::Integer, type->bits, false, 1};
  return type;
}

std::string ordered(const std::string& verb, const std::string& order) {
  // `load` + `acquire` -> loadAcquire
  std::string name = order;
  name[0] = static_cast<char>(name[0] - 'a' + 'A');
  return "cu2cpp::ptx::" + verb + name;
}

void load(Emitter& e, const Instruction& i) { // ld, ldu
  Access access;
  const auto type = memoryType(e, i);
  if (!type || !readAccess(e, i, access))
    return;
  if (i.operands.size() != (access.cacheHint ? 3u : 2u) || access.count == 8)
    return e.fail("its operands");
  const Operand &to = i.operands[0], &from = i.operands[1];
  const std::string element = access.count == 1 ? cppName(*type) : vectorOf(*type, access.count);
  const std::string value =
      access.order.empty() ? e.place(from, element, true)
                           : ordered("load", access.order) + "(" + e.pointer(from, element) + ")";
  if (access.count == 1)
    return e.write(to, *type, value);
  if (to.kind != Operand::Kind::Vector || to.parts.size() != access.count)
    return e.fail("its operands");
  const std::string loaded = e.unique("cuLoaded");
  e.say("const " + element + " " + loaded + " = " + value + ";");
  static const char* const members[] = {".x", ".y", ".z", ".w"};
  for (unsigned k = 0; k < access.count; ++k)
    e.write(to.parts[k], *type, loaded + members[k]);
}

void store(Emitter& e, const Instruction& i) { // st
  Access access;
  const auto type = memoryType(e, i);
  if (!type || !readAccess(e, i, access))
    return;
  if (i.operands.size() != (access.cacheHint ? 3u : 2u) || access.count == 8)
    return e.fail("its operands");
  const Operand &to = i.operands[0], &from = i.operands[1];
  std::string element = cppName(*type), value;
  if (access.count == 1) {
    value = e.read(from, *type);
  } else {
    if (from.kind != Operand::Kind::Vector || from.parts.size() != access.count)
      return e.fail("its operands");
    element = vectorOf(*type, access.count);
    for (const Operand& part : from.parts)
      value += (value.empty() ? "" : ", ") + e.read(part, *type);
    value = "make_" + element + "(" + value + ")";
  }
  if (access.order.empty())
    e.say(e.place(to, element) + " = " + value + ";");
  else
    e.say(ordered("store", access.order) + "(" + e.pointer(to, element) + ", " + value + ");");
}

/// atom and red: CUDA's atomic function of the same name, in the scope that is asked for.
void atomic(Emitter& e, const Instruction& i) {
  const bool returns = i.name == "atom";
  std::string operation, suffix, order;
  for (std::size_t w = 0; w + 1 < i.words.size(); ++w) {
    const std::string& word = i.words[w];
    if (word == "cta")
      suffix = "_block";
    else if (word == "sys")
      suffix = "_system";
    else if (word == "acquire" || word == "release" || word == "acq_rel")
      order = word;
    else if (word == "add" || word == "min" || word == "max" || word == "and" || word == "or" ||
             word == "xor" || word == "exch" || word == "cas" || word == "inc" || word == "dec")
      operation = word;
    else if (word != "relaxed" && word != "gpu" && word != "cluster" && word != "global" &&
             word != "shared" && word != "shared::cta" && word != "shared::cluster" &&
             word != "noftz")
      return e.fail("." + word);
  }
  auto type = i.words.empty() ? std::nullopt : typeNamed(i.words.back());
  const std::size_t first = returns ? 1 : 0;
  if (!type || operation.empty() || i.operands.size() != first + (operation == "cas" ? 3 : 2))
    return e.fail("its operands");
  // CUDA's functions for 64 bits and for bits take unsigned numbers, apart from minimum and
  // maximum.
  if (type->isInteger() && operation != "min" && operation != "max" &&
      !(operation == "add" && type->bits == 32))
    type = type->asUnsigned();
  const std::string element = cppName(*type);
  std::string function = operation;
  function[0] = static_cast<char>(function[0] - 'a' + 'A');
  if (operation == "cas")
    function = "CAS";
  std::string call = "atomic" + function + suffix + "(" + e.pointer(i.operands[first], element) +
                     ", " + e.read(i.operands[first + 1], *type);
  if (operation == "cas")
    call += ", " + e.read(i.operands[first + 2], *type);
  call += ")";
  if (order == "release" || order == "acq_rel")
    e.say("__threadfence();");
  if (returns)
    e.write(i.operands[0], *type, call);
  else
    e.say(call + ";");
  if (order == "acquire" || order == "acq_rel")
    e.say("__threadfence();");
}

void fence(Emitter& e, const Instruction& i) { // membar, fence
  std::string function = "__threadfence()";
  for (const std::string& word : i.words) {
    if (word == "cta")
      function = "__threadfence_block()";
    else if (word == "sys")
      function = "__threadfence_system()";
    else if (word == "proxy" || word == "async" || word.rfind("async.", 0) == 0 ||
             word == "shared::cta" || word == "global" || word == "mbarrier_init")
      ; // copies are done at once
    else if (word != "gl" && word != "gpu" && word != "cluster" && word != "sc" &&
             word != "acq_rel" && word != "acquire" && word != "release")
      return e.fail("." + word);
  }
  e.say(function + ";");
}

/// cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [to], [from], bytes, [barrier]
/// and cp.async.bulk.global.shared::cta.bulk_group [to], [from], bytes; tensors and several blocks
/// are for cuda::ptx.
void copyBulk(Emitter& e, const Instruction& i) {
  if (i.has("commit_group") || i.has("wait_group"))
    return e.say("__pipeline_commit();");
  const bool in = i.has("mbarrier::complete_tx::bytes"), out = i.has("bulk_group");
  for (std::size_t w = 2; w < i.words.size(); ++w)
    if (const std::string& word = i.words[w];
        word != "shared::cluster" && word != "shared::cta" && word != "global" &&
        word != "bulk_group" && word != "mbarrier::complete_tx::bytes" && word != "L2::cache_hint")
      return e.fail("'" + i.spelled() + "'");
  const std::size_t count = i.operands.size() - i.has("L2::cache_hint");
  if (in == out || count != (in ? 4u : 3u) || !i.has("global"))
    return e.fail("'" + i.spelled() + "'");
  e.say("cu2cpp::ptx::cp_async_bulk(" + e.pointer(i.operands[0], "char") + ", " +
        e.pointer(i.operands[1], "const char") + ", " + e.read(i.operands[2], unsignedType) +
        (in ? ", " + e.pointer(i.operands[3], "__mbarrier_t") : "") + ");");
}

/// cp.async: the copy is done at once, so that there is nothing to wait for.
void copyAsync(Emitter& e, const Instruction& i) {
  if (i.words.empty() || i.words[0] != "async")
    return e.fail("'" + i.spelled() + "'");
  if (i.has("bulk"))
    return copyBulk(e, i);
  if (i.has("mbarrier")) {
    if (i.operands.size() != 1 || i.has("shared::cluster"))
      return e.fail("'" + i.spelled() + "'");
    // Without .noinc one arrival more is expected, the one that follows at once.
    return e.say(i.has("noinc") ? "cu2cpp::ptx::mbarrier_arrive(" +
                                      e.pointer(i.operands[0], "__mbarrier_t") + ");"
                                : "__pipeline_commit();");
  }
  if (i.has("commit_group"))
    return e.say("__pipeline_commit();");
  if (i.has("wait_all"))
    return e.say("__pipeline_wait_prior(0);");
  if (i.has("wait_group")) {
    if (i.operands.size() != 1)
      return e.fail("its operands");
    return e.say("__pipeline_wait_prior(" + e.read(i.operands[0], unsignedType) + ");");
  }
  if (i.operands.size() < 3 || i.operands.size() > 4)
    return e.fail("its operands");
  std::string call = "cu2cpp::ptx::cp_async(" + e.pointer(i.operands[0], "char") + ", " +
                     e.pointer(i.operands[1], "const char") + ", " +
                     e.read(i.operands[2], unsignedType);
  if (i.operands.size() == 4 && !i.has("L2::cache_hint"))
    call += ", " + e.read(i.operands[3], unsignedType);
  e.say(call + ");");
}

/// Hints: where memory will be needed, and what becomes of cache lines.
void hint(Emitter& e, const Instruction& i) { // prefetch, prefetchu, applypriority
  if (i.operands.empty() || i.has("tensormap"))
    return e.fail("its operands");
  e.say("cu2cpp::ptx::prefetch(" + e.pointer(i.operands[0], "const char") + ");");
}

void createPolicy(Emitter& e, const Instruction& i) {
  if (!i.operands.empty())
    e.write(i.operands[0], unsigned64Type, "0");
}

} // namespace

const Table& memoryInstructions() {
  static const Table table = {
      {"ld", load},        {"ldu", load},           {"st", store},
      {"atom", atomic},    {"red", atomic},         {"membar", fence},
      {"fence", fence},    {"cp", copyAsync},       {"prefetch", hint},
      {"prefetchu", hint}, {"applypriority", hint}, {"createpolicy", createPolicy}};
  return table;
}

} // namespace cu2cpp::ptx
