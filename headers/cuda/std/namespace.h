// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda::std is the host's standard library, which kernels can call as any other code. What CUDA has
// in more standards than the host's library does, or with other types, cuda/std/ declares itself;
// such names win over the host's.
//
// libcu++ documentation, 'Standard API'.
#ifndef CU2CPP_CUDA_STD_NAMESPACE_H
#define CU2CPP_CUDA_STD_NAMESPACE_H

#include <cstddef>

namespace cuda {
namespace std {
using namespace ::std;
} // namespace std
} // namespace cuda

#endif
