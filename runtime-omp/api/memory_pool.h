// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What cudaFree() must know of memory that came from a pool.
#ifndef CU2CPP_API_MEMORY_POOL_H
#define CU2CPP_API_MEMORY_POOL_H

#include "api/call.h"

namespace cu2cpp::rt {

/// freePooled() gives a block back to its pool; it may be used again from the point on.
/// InvalidValue for what is no block of a pool.
Status freePooled(void* p, const Point& from);

} // namespace cu2cpp::rt

#endif
