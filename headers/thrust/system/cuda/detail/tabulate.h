// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The system takes the generic algorithm, which ends in for_each, reduce, scan and sort.
#include <thrust/execution_policy.h> // thrust::sequence() had the policies until CUDA 11.6
