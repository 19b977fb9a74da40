// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How methods of header classes (CUB) are collectives: each thread brings an operand, a function of
// the operand's type works on those of the whole group, and each thread takes its own back.
//
//   struct Add { Type value; static void resolve(const TileGroup& all); };
//   Type Sum(Type x) { Add mine{x}; meetBlock(mine, "Sum()"); return mine.value; }
//
// On fibers the threads wait for each other. The split form calls the method twice for each thread:
// the first time operands are put down, the second time they are picked up.
#ifndef CU2CPP_DEVICE_MEETING_H
#define CU2CPP_DEVICE_MEETING_H

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include <cu2cpp/block.h>
#include <cu2cpp/device/lane_call.h>
#ifndef CU2CPP_PARSE
#include <cu2cpp/split.h>
#endif

namespace cu2cpp {
namespace detail {

/// Meeting keeps the operands of threads that call a method one after the other.
class Meeting {
public:
  explicit Meeting(unsigned count) : count_(count) {}
  Meeting(const Meeting&) = delete;
  Meeting& operator=(const Meeting&) = delete;
  ~Meeting() {
    if (destroy_)
      destroy_(*this);
  }

  /// turn() names the thread that calls next, and whether it comes to bring or to take.
  void turn(unsigned index, bool takes) {
    index_ = index;
    takes_ = takes;
  }
  unsigned index() const { return index_; }

  /// meet() is what the method calls; `first` and `size` are the thread's group within the meeting.
  template <class Operand> void meet(Operand& mine, unsigned first, unsigned size) {
    if (takes_) {
      // Operands may hold lambdas, which cannot be assigned.
      mine.~Operand();
      ::new (static_cast<void*>(std::addressof(mine))) Operand(slots<Operand>()[index_].operand);
      return;
    }
    if (!memory_) {
      memory_.reset(::operator new(sizeof(Slot<Operand>) * count_ + alignof(Slot<Operand>)));
      for (unsigned i = 0; i < count_; ++i)
        slots<Operand>()[i].here = false;
      resolve_ = [](Meeting& all) { all.resolveAll<Operand>(); };
      destroy_ = [](Meeting& all) { all.destroyAll<Operand>(); };
    }
    Slot<Operand>& slot = slots<Operand>()[index_];
    ::new (static_cast<void*>(std::addressof(slot.operand))) Operand(mine);
    slot.here = true;
    slot.first = first;
    slot.size = size;
  }
  void finish() {
    if (resolve_)
      resolve_(*this);
  }

private:
  template <class Operand> struct Slot {
    bool here;
    unsigned first, size;
    union {
      Operand operand;
    };
  };
  template <class Operand> Slot<Operand>* slots() const {
    const std::size_t at = reinterpret_cast<std::size_t>(memory_.get());
    constexpr std::size_t align = alignof(Slot<Operand>);
    return reinterpret_cast<Slot<Operand>*>((at + align - 1) / align * align);
  }
  template <class Operand> void resolveAll() {
    void* operand[maxThreads];
    for (unsigned i = 0; i < count_;) {
      const Slot<Operand>& slot = slots<Operand>()[i];
      if (!slot.here) {
        ++i;
        continue;
      }
      const unsigned end = slot.first + slot.size < count_ ? slot.first + slot.size : count_;
      for (unsigned k = slot.first; k < slot.first + slot.size; ++k)
        operand[k - slot.first] =
            k < end && slots<Operand>()[k].here
                ? static_cast<void*>(std::addressof(slots<Operand>()[k].operand))
                : nullptr;
      Operand::resolve(TileGroup{slot.size, operand});
      i = end;
    }
  }
  template <class Operand> void destroyAll() {
    for (unsigned i = 0; i < count_; ++i)
      if (slots<Operand>()[i].here)
        slots<Operand>()[i].operand.~Operand();
  }
  struct Release {
    void operator()(void* memory) const { ::operator delete(memory); }
  };

  static constexpr unsigned maxThreads = 1024;
  unsigned count_;
  unsigned index_ = 0;
  bool takes_ = false;
  std::unique_ptr<void, Release> memory_;
  void (*resolve_)(Meeting&) = nullptr;
  void (*destroy_)(Meeting&) = nullptr;
};

/// The meeting that this OS thread holds.
inline __thread Meeting* meeting = nullptr;

/// meetBlock() returns when all threads of the block that have not exited have brought an Operand.
template <class Operand> inline void meetBlock(Operand& mine, const char* name) {
  const unsigned count = thisBlock().threadCount();
  if (meeting)
    return meeting->meet(mine, 0, count);
  joinTile(0, count, [](const TileGroup& all) { Operand::resolve(all); }, &mine, name);
}

/// meetLanes<Width>() is the same for the group of Width neighbouring lanes that the thread is of.
template <unsigned Width, class Operand>
CU2CPP_THREAD inline void meetLanes(Operand& mine, const char* name) {
  static_assert(Width >= 1 && Width <= 32, "lanes of one warp");
  if (meeting)
    return meeting->meet(mine, meeting->index() / Width * Width, Width);
  const unsigned first = laneId() / Width * Width;
  LaneCall call{nullptr, &mine, 0, Width};
  joinWarp((~0u >> (32 - Width)) << first,
           [](const WarpGroup& lanes) {
             void* operand[32] = {};
             const unsigned start = unsigned(__builtin_ctz(lanes.lanes)) / Width * Width;
             eachLane(lanes,
                      [&](unsigned lane, LaneCall& each) { operand[lane - start] = each.out; });
             Operand::resolve(TileGroup{Width, operand});
           },
           call, name);
}

/// eachOperand() calls visit(index, operand) for those who have come, in their order.
template <class Operand, class Visit> inline void eachOperand(const TileGroup& group, Visit visit) {
  for (unsigned i = 0; i < group.count; ++i)
    if (group.operand[i])
      visit(i, *static_cast<Operand*>(group.operand[i]));
}

#ifndef CU2CPP_PARSE
/// Holding makes a meeting the one of this OS thread.
class Holding {
public:
  explicit Holding(Meeting& all) { meeting = &all; }
  ~Holding() { meeting = nullptr; }
  Holding(const Holding&) = delete;
  Holding& operator=(const Holding&) = delete;
};

template <class Type> inline Type& partOf(PerThread<Type>& operand, unsigned i) {
  return operand.at(i);
}
template <class Type> inline const Type& partOf(const PerThread<Type>& operand, unsigned i) {
  return operand.at(i);
}
template <class Type> inline Type& partOf(PerLane<Type>& operand, unsigned i) {
  return operand.at(i);
}
template <class Type> inline const Type& partOf(const PerLane<Type>& operand, unsigned i) {
  return operand.at(i);
}
// One value for all stays no variable, so that it chooses the same overloads as in the user's code.
template <class Type> inline Type partOf(const Type& operand, unsigned) { return operand; }
template <class Type, std::size_t Count> inline Type* partOf(Type (&operand)[Count], unsigned) {
  return operand;
}

/// holdMeeting() is the group's call of a method: call(i) is the call for thread (or lane) i.
template <class Values, class Has, class Call>
inline void holdMeeting(unsigned count, Has has, Call call, Values* out) {
  Meeting all(count);
  const Holding holding(all);
  for (unsigned i = 0; i < count; ++i)
    if (has(i)) {
      all.turn(i, false);
      (void)call(i);
    }
  all.finish();
  for (unsigned i = 0; i < count; ++i)
    if (has(i)) {
      all.turn(i, true);
      if constexpr (std::is_same<Values, void>::value)
        call(i);
      else
        ::new (&out->at(i)) std::decay_t<decltype(call(i))>(call(i));
    }
}
template <class Call> inline auto holdMeeting(const Block& block, const Exited& exited, Call call) {
  using Result = decltype(call(0u));
  const unsigned count = block.threadCount();
  const auto has = [&](unsigned i) { return !exited.has(i); };
  if constexpr (std::is_void<Result>::value) {
    holdMeeting<void>(count, has, call, nullptr);
  } else {
    // The methods of blocks that give a value give it to the first thread only.
    PerThread<std::decay_t<Result>> out(block);
    holdMeeting(count, has, call, &out);
    unsigned first = 0;
    while (first + 1 < count && exited.has(first))
      ++first;
    return out.at(first);
  }
}
template <class Call> inline auto holdMeeting(const Warp&, Lanes lanes, Call call) {
  using Result = decltype(call(0u));
  const auto has = [&](unsigned i) { return lanes.has(i); };
  if constexpr (std::is_void<Result>::value) {
    holdMeeting<void>(warpLanes, has, call, nullptr);
  } else {
    PerLane<std::decay_t<Result>> out;
    holdMeeting(warpLanes, has, call, &out);
    return out;
  }
}

/// CU2CPP_TOGETHER_METHOD(name) makes name(...) of any object callable by a whole block or warp.
#define CU2CPP_TOGETHER_METHOD(name)                                                               \
  template <class Group, class Who, class Object, class... Operands>                               \
  inline auto name(const Group& group, const Who& who, const Object& object,                       \
                   Operands&&... arguments) {                                                      \
    return cu2cpp::detail::holdMeeting(group, who, [&](unsigned i) {                               \
      auto each = cu2cpp::detail::partOf(object, i);                                               \
      return each.name(cu2cpp::detail::partOf(arguments, i)...);                                   \
    });                                                                                            \
  }
#endif

} // namespace detail
} // namespace cu2cpp

#endif
