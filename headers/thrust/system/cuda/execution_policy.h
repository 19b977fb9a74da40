// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// thrust::cuda::par and all that the system does with it.
#ifndef CU2CPP_THRUST_CUDA_EXECUTION_POLICY_H
#define CU2CPP_THRUST_CUDA_EXECUTION_POLICY_H

#include <thrust/system/cuda/detail/policy.h>

#include <thrust/system/cuda/detail/copy.h>
#include <thrust/system/cuda/detail/element.h>
#include <thrust/system/cuda/detail/for_each.h>
#include <thrust/system/cuda/detail/merge.h>
#include <thrust/system/cuda/detail/reduce.h>
#include <thrust/system/cuda/detail/scan.h>
#include <thrust/system/cuda/detail/set_operations.h>
#include <thrust/system/cuda/detail/sort.h>

#endif
