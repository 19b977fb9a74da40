// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvToolsExtCudaRt.h under the name that it had before version 3 of NVTX.
#include <nvtx3/nvToolsExtCudaRt.h>
