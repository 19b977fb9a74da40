// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cub::ThreadLoad and cub::ThreadStore: memory accesses with a cache modifier, which a CPU does not
// have, and the iterators that use them.
//
// CUB documentation, 'Thread and thread block I/O', 'Iterators'.
#ifndef CU2CPP_CUB_THREAD_LOAD_CUH
#define CU2CPP_CUB_THREAD_LOAD_CUH

#include <cub/detail/iterator.cuh>

namespace cub {

enum CacheLoadModifier {
  LOAD_DEFAULT,
  LOAD_CA,
  LOAD_CG,
  LOAD_CS,
  LOAD_CV,
  LOAD_LDG,
  LOAD_VOLATILE
};
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };

template <CacheLoadModifier Modifier, class It>
inline typename std::iterator_traits<It>::value_type ThreadLoad(It place) {
  if constexpr (std::is_pointer<It>::value &&
                (Modifier == LOAD_VOLATILE || Modifier == LOAD_CV || Modifier == LOAD_CG) &&
                std::is_arithmetic<typename std::iterator_traits<It>::value_type>::value)
    return *static_cast<const volatile typename std::iterator_traits<It>::value_type*>(place);
  else
    return *place;
}
template <CacheStoreModifier Modifier, class It, class Type>
inline void ThreadStore(It place, Type value) {
  if constexpr (std::is_pointer<It>::value && std::is_arithmetic<Type>::value)
    *static_cast<volatile typename std::iterator_traits<It>::value_type*>(place) = value;
  else
    *place = value;
}

template <CacheLoadModifier Modifier, class ValueType, class OffsetT = std::ptrdiff_t>
class CacheModifiedInputIterator
    : public detail::IteratorBase<CacheModifiedInputIterator<Modifier, ValueType, OffsetT>,
                                  std::remove_cv_t<ValueType>, std::remove_cv_t<ValueType>,
                                  OffsetT> {
public:
  CacheModifiedInputIterator(const ValueType* place) : place_(place) {}
  std::remove_cv_t<ValueType> operator*() const { return ThreadLoad<Modifier>(place_); }
  const ValueType*& place() { return place_; }
  const ValueType* const& place() const { return place_; }

private:
  const ValueType* place_;
};
template <CacheStoreModifier Modifier, class ValueType, class OffsetT = std::ptrdiff_t>
class CacheModifiedOutputIterator
    : public detail::IteratorBase<CacheModifiedOutputIterator<Modifier, ValueType, OffsetT>,
                                  ValueType, ValueType&, OffsetT> {
public:
  explicit CacheModifiedOutputIterator(ValueType* place) : place_(place) {}
  ValueType& operator*() const { return *place_; }
  ValueType*& place() { return place_; }
  ValueType* const& place() const { return place_; }

private:
  ValueType* place_;
};

} // namespace cub

#endif
