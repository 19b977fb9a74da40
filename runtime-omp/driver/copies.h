// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 3-D copies in the words of the driver API and of the runtime API.
#ifndef CU2CPP_DRIVER_COPIES_H
#define CU2CPP_DRIVER_COPIES_H

#include "driver/driver.h"

namespace cu2cpp::rt {

/// toRuntime() is false for a copy that names a level of a mipmap or what is no array.
bool toRuntime(const CUDA_MEMCPY3D& copy, cudaMemcpy3DParms& out);
CUDA_MEMCPY3D fromRuntime(const cudaMemcpy3DParms& copy);

} // namespace cu2cpp::rt

#endif
