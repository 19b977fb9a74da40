// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The limit of the heap that device code takes memory from (cudaLimitMallocHeapSize).
#ifndef CU2CPP_EXEC_DEVICE_HEAP_H
#define CU2CPP_EXEC_DEVICE_HEAP_H

#include <cstddef>

namespace cu2cpp::rt {

void setHeapLimit(std::size_t bytes);

} // namespace cu2cpp::rt

#endif
