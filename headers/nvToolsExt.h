// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvToolsExt.h under the name that it had before version 3 of NVTX.
#include <nvtx3/nvToolsExt.h>
