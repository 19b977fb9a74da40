// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of the driver API by name. cuda.h would add the forms of other versions for C++,
// which have no addresses of their own, so this file takes the plain declarations.
//
// CUDA Driver API, 'Driver Entry Point Access'.
#include <algorithm>
#include <cstring>

#include <cu2cpp/api/driver_types.h>

extern "C" {
#include <cu2cpp/api/driver_functions.h>
#include <cu2cpp/api/driver_graph_functions.h>
#include <cu2cpp/api/driver_legacy_functions.h>
#include <cu2cpp/api/tensor_maps.h>
}

#include "api/call.h"
#include "driver/shared_library.h"

namespace {

struct Entry {
  const char* name;
  void* address;
};

const Entry entries[] = {
#define CU2CPP_FUNCTION(name) {#name, reinterpret_cast<void*>(&::name)},
#include "driver/functions.def"
#undef CU2CPP_FUNCTION
};

} // namespace

// A name may carry the number of its version: cuMemAlloc_v2.
void* cu2cpp::rt::driverFunction(const char* name) {
  std::size_t length = std::strlen(name);
  if (length > 3 && name[length - 3] == '_' && name[length - 2] == 'v')
    length -= 3;
  const auto found = std::find_if(std::begin(entries), std::end(entries), [&](const Entry& entry) {
    return std::strlen(entry.name) == length && std::strncmp(name, entry.name, length) == 0;
  });
  return found == std::end(entries) ? nullptr : found->address;
}

extern "C" void* cu2cppDriverFunction(const char* name) {
  return cu2cpp::rt::driverFunction(name);
}
