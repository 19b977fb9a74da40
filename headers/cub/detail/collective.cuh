// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What CUB's block and warp classes have in common. They need no shared memory here, but programs
// declare it and hand it over.
#ifndef CU2CPP_CUB_DETAIL_COLLECTIVE_CUH
#define CU2CPP_CUB_DETAIL_COLLECTIVE_CUH

#include <cub/detail/together.cuh>
#include <cub/util_type.cuh>

#include <cu2cpp/attributes.h>

namespace cub {
namespace detail {

class Collective {
public:
  struct TempStorage {
    int unused_;
    TempStorage& Alias() { return *this; }
  };
  Collective() {}
  Collective(TempStorage&) {}
};

} // namespace detail
} // namespace cub

#endif
