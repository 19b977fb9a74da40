// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp votes, matches, reductions, __syncwarp() and __activemask(). A warp is 32 threads of
// consecutive linear rank in their block.
//
// CUDA C++ Programming Guide, 'Warp Vote Functions', 'Warp Match Functions', 'Warp Reduce
// Functions'.
#ifndef CU2CPP_DEVICE_WARP_H
#define CU2CPP_DEVICE_WARP_H

#include <cstring>

#include <cu2cpp/attributes.h>
#include <cu2cpp/device/lane_call.h>
#include <cu2cpp/device/warp_extremes.h>
#include <cu2cpp/device/warp_shuffle.h>

namespace cu2cpp {
namespace detail {

/// Ballot is a vote's result: the lanes that took part and those of them whose predicate held.
struct Ballot {
  unsigned lanes;
  unsigned votes;
};

inline void resolveNothing(const WarpGroup&) {}

inline void resolveBallot(const WarpGroup& group) {
  Ballot result{group.lanes, 0};
  eachLane(group, [&](unsigned lane, LaneCall& call) {
    if (call.argument)
      result.votes |= 1u << lane;
  });
  eachLane(group, [&](unsigned, LaneCall& call) { *static_cast<Ballot*>(call.out) = result; });
}

inline Ballot ballot(unsigned mask, int predicate, const char* name) {
  Ballot result;
  LaneCall call{nullptr, &result, predicate != 0, 32};
  joinWarp(mask, resolveBallot, call, name);
  return result;
}
inline Ballot ballotConverged(int predicate, const char* name, const CallSite& site) {
  Ballot result;
  LaneCall call{nullptr, &result, predicate != 0, 32};
  joinConverged(site, resolveBallot, call, name);
  return result;
}

// Values match when their bits do: 0.0 and -0.0 differ, equal NaNs are equal (PTX ISA,
// 'match.sync').
template <class Type> inline bool sameBits(const LaneCall& a, const LaneCall& b) {
  return std::memcmp(a.in, b.in, sizeof(Type)) == 0;
}

template <class Type> void resolveMatchAny(const WarpGroup& group) {
  eachLane(group, [&](unsigned, LaneCall& call) {
    unsigned same = 0;
    eachLane(group, [&](unsigned lane, LaneCall& other) {
      same |= unsigned(sameBits<Type>(call, other)) << lane;
    });
    *static_cast<unsigned*>(call.out) = same;
  });
}

template <class Type> void resolveMatchAll(const WarpGroup& group) {
  const LaneCall& first = *group.call[__builtin_ctz(group.lanes)];
  bool all = true;
  eachLane(group, [&](unsigned, LaneCall& call) { all = all && sameBits<Type>(first, call); });
  eachLane(group, [&](unsigned, LaneCall& call) {
    *static_cast<unsigned*>(call.out) = all ? group.lanes : 0;
  });
}

template <class Type> inline unsigned matchAny(unsigned mask, Type value) {
  unsigned result = 0;
  LaneCall call{&value, &result};
  joinWarp(mask, resolveMatchAny<Type>, call, "__match_any_sync()");
  return result;
}
template <class Type> inline unsigned matchAll(unsigned mask, Type value, int* predicate) {
  unsigned result = 0;
  LaneCall call{&value, &result};
  joinWarp(mask, resolveMatchAll<Type>, call, "__match_all_sync()");
  *predicate = result != 0;
  return result;
}

template <class Type, class Combine> void resolveReduce(const WarpGroup& group) {
  unsigned left = group.lanes;
  Type result = *static_cast<const Type*>(group.call[__builtin_ctz(left)]->in);
  for (left &= left - 1; left != 0; left &= left - 1)
    result = Combine()(result, *static_cast<const Type*>(group.call[__builtin_ctz(left)]->in));
  eachLane(group, [&](unsigned, LaneCall& call) { *static_cast<Type*>(call.out) = result; });
}
template <class Combine, class Type>
inline Type reduceWarp(unsigned mask, Type value, const char* name) {
  Type result = value;
  LaneCall call{&value, &result};
  joinWarp(mask, resolveReduce<Type, Combine>, call, name);
  return result;
}

// Signed sums wrap around, as in hardware.
struct WrapAdd {
  unsigned operator()(unsigned a, unsigned b) const { return a + b; }
  int operator()(int a, int b) const { return int(unsigned(a) + unsigned(b)); }
};
struct Lesser {
  template <class Type> Type operator()(Type a, Type b) const { return b < a ? b : a; }
};
struct Greater {
  template <class Type> Type operator()(Type a, Type b) const { return a < b ? b : a; }
};
struct BitAnd {
  template <class Type> Type operator()(Type a, Type b) const { return a & b; }
};
struct BitOr {
  template <class Type> Type operator()(Type a, Type b) const { return a | b; }
};
struct BitXor {
  template <class Type> Type operator()(Type a, Type b) const { return a ^ b; }
};

} // namespace detail
} // namespace cu2cpp

CU2CPP_SYNC(warp) CU2CPP_BARRIER inline void __syncwarp(unsigned mask = 0xffffffffu) {
  cu2cpp::detail::LaneCall call;
  cu2cpp::detail::joinWarp(mask, cu2cpp::detail::resolveNothing, call, "__syncwarp()");
}

namespace cu2cpp {
/// syncConverged() waits for the lanes that are at this call together, without a mask, as the lanes
/// of old GPUs did after each instruction. The translator puts it where programs rely on that.
CU2CPP_SYNC(warp)
CU2CPP_BARRIER
inline void syncConverged(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  detail::LaneCall call;
  detail::joinConverged({file, line}, detail::resolveNothing, call, "lanes in step");
}
} // namespace cu2cpp

CU2CPP_SYNC(warp) CU2CPP_TOGETHER inline int __all_sync(unsigned mask, int predicate) {
  const auto b = cu2cpp::detail::ballot(mask, predicate, "__all_sync()");
  return b.votes == b.lanes;
}
CU2CPP_SYNC(warp) CU2CPP_TOGETHER inline int __any_sync(unsigned mask, int predicate) {
  return cu2cpp::detail::ballot(mask, predicate, "__any_sync()").votes != 0;
}
CU2CPP_SYNC(warp) CU2CPP_TOGETHER inline int __uni_sync(unsigned mask, int predicate) {
  const auto b = cu2cpp::detail::ballot(mask, predicate, "__uni_sync()");
  return b.votes == b.lanes || b.votes == 0;
}
CU2CPP_SYNC(warp) CU2CPP_TOGETHER inline unsigned __ballot_sync(unsigned mask, int predicate) {
  return cu2cpp::detail::ballot(mask, predicate, "__ballot_sync()").votes;
}

/// __activemask() is the lanes that are at this call together: those that arrive before all threads
/// of the block wait.
CU2CPP_SYNC(warp)
CU2CPP_TOGETHER
inline unsigned __activemask(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  return cu2cpp::detail::ballotConverged(1, "__activemask()", {file, line}).lanes;
}

// Before CUDA 9, without a mask: the lanes that are at this call together take part.
CU2CPP_SYNC(warp)
CU2CPP_TOGETHER inline int(__all)(int predicate, const char* file = __builtin_FILE(),
                                  int line = __builtin_LINE()) {
  const auto b = cu2cpp::detail::ballotConverged(predicate, "__all()", {file, line});
  return b.votes == b.lanes;
}
CU2CPP_SYNC(warp)
CU2CPP_TOGETHER inline int(__any)(int predicate, const char* file = __builtin_FILE(),
                                  int line = __builtin_LINE()) {
  return cu2cpp::detail::ballotConverged(predicate, "__any()", {file, line}).votes != 0;
}
CU2CPP_SYNC(warp)
CU2CPP_TOGETHER inline unsigned(__ballot)(int predicate, const char* file = __builtin_FILE(),
                                          int line = __builtin_LINE()) {
  return cu2cpp::detail::ballotConverged(predicate, "__ballot()", {file, line}).votes;
}

#define CU2CPP_MATCHES(T)                                                                          \
  CU2CPP_SYNC(warp) CU2CPP_TOGETHER inline unsigned __match_any_sync(unsigned mask, T value) {     \
    return cu2cpp::detail::matchAny(mask, value);                                                  \
  }                                                                                                \
  CU2CPP_SYNC(warp)                                                                                \
  CU2CPP_TOGETHER inline unsigned __match_all_sync(unsigned mask, T value, int* pred) {            \
    return cu2cpp::detail::matchAll(mask, value, pred);                                            \
  }
CU2CPP_MATCHES(int)
CU2CPP_MATCHES(unsigned)
CU2CPP_MATCHES(long)
CU2CPP_MATCHES(unsigned long)
CU2CPP_MATCHES(long long)
CU2CPP_MATCHES(unsigned long long)
CU2CPP_MATCHES(float)
CU2CPP_MATCHES(double)
#undef CU2CPP_MATCHES

#define CU2CPP_REDUCE(name, T, Combine)                                                            \
  CU2CPP_SYNC(warp) CU2CPP_TOGETHER inline T name(unsigned mask, T value) {                        \
    return cu2cpp::detail::reduceWarp<cu2cpp::detail::Combine>(mask, value, #name "()");           \
  }
CU2CPP_REDUCE(__reduce_add_sync, unsigned, WrapAdd)
CU2CPP_REDUCE(__reduce_add_sync, int, WrapAdd)
CU2CPP_REDUCE(__reduce_min_sync, unsigned, Lesser)
CU2CPP_REDUCE(__reduce_min_sync, int, Lesser)
CU2CPP_REDUCE(__reduce_max_sync, unsigned, Greater)
CU2CPP_REDUCE(__reduce_max_sync, int, Greater)
CU2CPP_REDUCE(__reduce_and_sync, unsigned, BitAnd)
CU2CPP_REDUCE(__reduce_or_sync, unsigned, BitOr)
CU2CPP_REDUCE(__reduce_xor_sync, unsigned, BitXor)
#undef CU2CPP_REDUCE

#endif
