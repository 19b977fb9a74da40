// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What threads do together: shuffles, votes, barriers; and ways out of a kernel (PTX ISA,
// 'Parallel Synchronization and Communication Instructions', 'Miscellaneous Instructions'). Each
// becomes CUDA's own collective, which later stages know.
#include "ptx/emitter.h"

namespace cu2cpp::ptx {
namespace {

inline constexpr Type signedType{Type::Class::Integer, 32, true, 1};

/// shfl.sync.bfly.b32 d|p, a, b, c, mask: c holds the segment's width and the last lane's number.
void shuffle(Emitter& e, const Instruction& i) {
  const bool sync = i.has("sync");
  if (i.operands.size() != (sync ? 5u : 4u) || i.words.empty() || i.words.back() != "b32")
    return e.fail("its operands");
  const bool pair = i.operands[0].kind == Operand::Kind::Pair;
  const Operand& result = pair ? i.operands[0].parts[0] : i.operands[0];
  std::string mode;
  for (const char* m : {"up", "down", "bfly", "idx"})
    if (i.has(m))
      mode = m;
  const std::string function = mode == "up"     ? "__shfl_up"
                               : mode == "down" ? "__shfl_down"
                               : mode == "bfly" ? "__shfl_xor"
                               : mode == "idx"  ? "__shfl"
                                                : "";
  if (function.empty())
    return e.fail("its mode");
  const auto control = e.constant(i.operands[3]);
  const long long clamp = mode == "up" ? 0 : 0x1f;
  if (control && (*control & 0x1f) != clamp)
    return e.fail("its fourth operand");
  std::string width;
  if (!control)
    width = ", cu2cpp::ptx::shuffleWidth(" + e.read(i.operands[3], unsignedType) + ")";
  else if (const long long lanes = 32 - (*control >> 8 & 0x1f); lanes != 32)
    width = ", " + std::to_string(lanes);
  const std::string distance =
      e.read(i.operands[2], mode == "up" || mode == "down" ? unsignedType : signedType);
  // The predicate says whether the source lies in the segment; its operands may be overwritten.
  if (pair && i.operands[0].parts[1].kind != Operand::Kind::Sink)
    e.write(i.operands[0].parts[1], predicateType,
            "cu2cpp::ptx::shuffleInRange_" + mode + "(cu2cpp::ptx::laneid(threadIdx, blockDim), " +
                distance + (width.empty() ? ", 32" : width) + ")");
  const Type value = e.isFloat(result) && e.isFloat(i.operands[1]) ? floatType : unsignedType;
  e.write(result, value,
          function + (sync ? "_sync(" + e.read(i.operands[4], unsignedType) + ", " : "(") +
              e.read(i.operands[1], value) + ", " + distance + width + ")");
}

void vote(Emitter& e, const Instruction& i) { // vote.sync.all.pred p, q, mask
  const bool sync = i.has("sync");
  if (i.operands.size() != (sync ? 3u : 2u))
    return e.fail("its operands");
  const std::string kind = i.words[sync ? 1 : 0];
  if (kind != "all" && kind != "any" && kind != "uni" && kind != "ballot")
    return e.fail("." + kind);
  const std::string mask = sync ? e.read(i.operands[2], unsignedType) : "__activemask()";
  const std::string held = e.read(i.operands[1], predicateType);
  if (kind == "ballot")
    return e.write(i.operands[0], unsignedType, "__ballot_sync(" + mask + ", " + held + ")");
  e.write(i.operands[0], predicateType, "__" + kind + "_sync(" + mask + ", " + held + ") != 0");
}

void match(Emitter& e, const Instruction& i) { // match.any.sync.b32 d, a, mask
  const auto type = i.words.empty() ? std::nullopt : typeNamed(i.words.back());
  if (!type || i.operands.size() != 3)
    return e.fail("its operands");
  const std::string value = e.read(i.operands[1], type->asUnsigned()),
                    mask = e.read(i.operands[2], unsignedType);
  if (i.has("any"))
    return e.write(i.operands[0], unsignedType, "__match_any_sync(" + mask + ", " + value + ")");
  const bool pair = i.operands[0].kind == Operand::Kind::Pair;
  e.say("int cuAll = 0;");
  e.write(pair ? i.operands[0].parts[0] : i.operands[0], unsignedType,
          "__match_all_sync(" + mask + ", " + value + ", &cuAll)");
  if (pair)
    e.write(i.operands[0].parts[1], predicateType, "cuAll != 0");
}

void reduce(Emitter& e, const Instruction& i) { // redux.sync.add.s32 d, a, mask
  const auto type = i.words.size() < 3 ? std::nullopt : typeNamed(i.words.back());
  if (!type || !type->isInteger() || i.operands.size() != 3)
    return e.fail("its operands");
  const Type t = i.has("and") || i.has("or") || i.has("xor") ? type->asUnsigned() : *type;
  e.write(i.operands[0], t,
          "__reduce_" + i.words[1] + "_sync(" + e.read(i.operands[2], unsignedType) + ", " +
              e.read(i.operands[1], t) + ")");
}

void activeMask(Emitter& e, const Instruction& i) {
  if (i.operands.size() == 1)
    e.write(i.operands[0], unsignedType, "__activemask()");
}

/// elect.sync d|p, mask: the mask's lowest lane is the leader.
void elect(Emitter& e, const Instruction& i) {
  if (i.operands.size() != 2 || i.operands[0].kind != Operand::Kind::Pair)
    return e.fail("its operands");
  const std::string mask = e.read(i.operands[1], unsignedType);
  e.write(i.operands[0].parts[1], predicateType,
          "cu2cpp::ptx::laneid(threadIdx, blockDim) + 1 == unsigned(__ffs(int(" + mask + ")))");
  e.write(i.operands[0].parts[0], unsignedType, "unsigned(__ffs(int(" + mask + ")) - 1)");
}

/// bar and barrier: number 0 of all threads is __syncthreads().
void barrier(Emitter& e, const Instruction& i) {
  if (i.has("warp")) {
    if (i.operands.size() != 1)
      return e.fail("its operands");
    return e.say("__syncwarp(" + e.read(i.operands[0], unsignedType) + ");");
  }
  if (i.has("cluster")) {
    for (const std::string& word : i.words)
      if (word != "cluster" && word != "arrive" && word != "wait" && word != "aligned" &&
          word != "relaxed" && word != "release" && word != "acquire")
        return e.fail("." + word);
    return e.say(i.has("wait") ? "__cluster_barrier_wait();" : "__cluster_barrier_arrive();");
  }
  if (i.has("red")) {
    // bar.red.popc.u32 d, 0, p   bar.red.and.pred q, 0, p
    // Without a count all threads of the block meet, whatever the barrier's number is.
    if (i.operands.size() != 3 || !e.constant(i.operands[1]))
      return e.fail("its operands");
    const std::string held = e.read(i.operands[2], predicateType);
    if (i.has("popc"))
      return e.write(i.operands[0], unsignedType, "__syncthreads_count(" + held + ")");
    return e.write(i.operands[0], predicateType,
                   std::string(i.has("and") ? "__syncthreads_and(" : "__syncthreads_or(") + held +
                       ") != 0");
  }
  if (i.operands.empty() || i.operands.size() > 2 || (i.has("arrive") && i.operands.size() != 2))
    return e.fail("'" + i.spelled() + "'");
  for (const std::string& word : i.words)
    if (word != "sync" && word != "cta" && word != "aligned" && word != "arrive")
      return e.fail("." + word);
  if (i.has("arrive"))
    return e.say("cu2cpp::ptx::bar_arrive(" + e.read(i.operands[0], unsignedType) + ", " +
                 e.read(i.operands[1], unsignedType) + ");");
  if (i.operands.size() == 2)
    return e.say("__barrier_sync_count(" + e.read(i.operands[0], unsignedType) + ", " +
                 e.read(i.operands[1], unsignedType) + ");");
  e.say(e.constant(i.operands[0]) == 0
            ? "__syncthreads();"
            : "__barrier_sync(" + e.read(i.operands[0], unsignedType) + ");");
}

/// mbarrier: CUDA's functions for barriers in the block's own shared memory.
void mbarrier(Emitter& e, const Instruction& i) {
  const std::string what = i.words.empty() ? "" : i.words[0];
  const bool arrives = what == "arrive" || what == "arrive_drop",
             tests = what == "test_wait" || what == "try_wait", parity = i.has("parity");
  for (std::size_t w = 1; w < i.words.size(); ++w)
    if (const std::string& word = i.words[w];
        word != "shared" && word != "shared::cta" && word != "b64" && word != "release" &&
        word != "acquire" && word != "relaxed" && word != "cta" && word != "cluster" &&
        !((word == "noComplete" || word == "expect_tx") && arrives) && !(word == "parity" && tests))
      return e.fail("." + word);
  // Results come first: a token, or whether the phase is over.
  const std::size_t first = arrives || tests ? 1 : 0, count = i.operands.size();
  if (count <= first)
    return e.fail("its operands");
  const std::string at = "(" + e.pointer(i.operands[first], "__mbarrier_t");
  if (what == "init" && count == 2)
    return e.say("__mbarrier_init" + at + ", " + e.read(i.operands[1], unsignedType) + ");");
  if (what == "inval" && count == 1)
    return e.say("__mbarrier_inval" + at + ");");
  if ((what == "expect_tx" || what == "complete_tx") && count == 2)
    return e.say("cu2cpp::ptx::mbarrier_" + what + at + ", " + e.read(i.operands[1], unsignedType) +
                 ");");
  const bool expects = i.has("expect_tx");
  if (arrives && count <= 3 && !(expects && (count != 3 || what != "arrive"))) {
    std::string call = "cu2cpp::ptx::mbarrier_" + what + (expects ? "_expect_tx" : "") + at;
    if (count == 3)
      call += ", " + e.read(i.operands[2], unsignedType);
    call += ")";
    return i.operands[0].kind == Operand::Kind::Sink ? e.say(call + ";")
                                                     : e.write(i.operands[0], unsigned64Type, call);
  }
  // The fourth operand of try_wait says how long it may wait.
  if (tests && (count == 3 || (count == 4 && what == "try_wait")))
    return e.write(i.operands[0], predicateType,
                   "__mbarrier_" + what + (parity ? "_parity" : "") + at + ", " +
                       e.read(i.operands[2], parity ? unsignedType : unsigned64Type) + ")");
  e.fail("'" + i.spelled() + "'");
}

void trap(Emitter& e, const Instruction&) { e.say("__trap();"); }
void breakpoint(Emitter& e, const Instruction&) { e.say("__brkpt();"); }

void leave(Emitter& e, const Instruction& i) { // exit, ret
  if (!e.inKernel())
    return e.fail("'" + i.spelled() + "' outside of a kernel's own body");
  e.say("return;");
}

void sleep(Emitter& e, const Instruction& i) { // nanosleep.u32
  if (i.operands.size() == 1)
    e.say("__nanosleep(" + e.read(i.operands[0], unsignedType) + ");");
}

/// What has no meaning here: the kernel before has ended, and registers are the compiler's.
void nothing(Emitter& e, const Instruction& i) { // griddepcontrol, setmaxnreg, pmevent
  e.say("/* " + i.spelled() + " */;");
}

} // namespace

const Table& threadInstructions() {
  static const Table table = {{"shfl", shuffle},          {"vote", vote},
                              {"match", match},           {"redux", reduce},
                              {"activemask", activeMask}, {"elect", elect},
                              {"bar", barrier},           {"barrier", barrier},
                              {"mbarrier", mbarrier},     {"trap", trap},
                              {"brkpt", breakpoint},      {"exit", leave},
                              {"nanosleep", sleep},       {"griddepcontrol", nothing},
                              {"setmaxnreg", nothing},    {"pmevent", nothing}};
  return table;
}

} // namespace cu2cpp::ptx
