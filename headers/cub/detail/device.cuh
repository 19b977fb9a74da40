// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What CUB's functions for the host have in common: temporary memory in two phases (without memory
// a call only says how much it needs), and the types of what iterators give.
//
// CUB documentation, 'Device-Wide Primitives'.
#ifndef CU2CPP_CUB_DETAIL_DEVICE_CUH
#define CU2CPP_CUB_DETAIL_DEVICE_CUH

#include <cstddef>
#include <iterator>
#include <optional>
#include <type_traits>

#include <cu2cpp/parallel/pieces.h>
#include <cub/util_device.cuh>

namespace cub {
namespace detail {

template <class It> using ValueOf = typename std::iterator_traits<It>::value_type;
/// What an output iterator takes; some do not tell, and take what the input has.
template <class Out, class In>
using ResultOf = std::conditional_t<std::is_void<ValueOf<Out>>::value, ValueOf<In>, ValueOf<Out>>;

/// Part is one piece of temporary memory: room for `count` objects.
template <class Type> struct Part {
  Type** place;
  std::size_t count;
};
template <class Type> Part(Type**, std::size_t) -> Part<Type>;

/// reserveAll() is what a call returns at once: success in the first phase, an error if the memory
/// is too small; nothing if the work can begin.
template <class... Type>
inline std::optional<cudaError_t> reserveAll(void* temp, size_t& bytes, Part<Type>... parts) {
  constexpr int count = int(sizeof...(Type));
  void* places[count] = {};
  const size_t sizes[count] = {sizeof(Type) * parts.count...};
  const cudaError_t error = AliasTemporaries(temp, bytes, places, sizes);
  if (!temp || error != cudaSuccess)
    return error;
  int i = 0;
  ((*parts.place = static_cast<Type*>(places[i++])), ...);
  return std::nullopt;
}
template <class Type>
inline std::optional<cudaError_t> reserve(void* temp, size_t& bytes, Type*& place,
                                          std::size_t count) {
  return reserveAll(temp, bytes, Part<Type>{&place, count});
}

} // namespace detail
} // namespace cub

#endif
