// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The version of CUB that these headers follow: that of CUDA 12.4.
#ifndef CU2CPP_CUB_VERSION_CUH
#define CU2CPP_CUB_VERSION_CUH

#define CUB_VERSION 200302
#define CUB_MAJOR_VERSION (CUB_VERSION / 100000)
#define CUB_MINOR_VERSION (CUB_VERSION / 100 % 1000)
#define CUB_SUBMINOR_VERSION (CUB_VERSION % 100)
#define CUB_PATCH_NUMBER 0

#endif
