// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Qualifiers behind a macro of another file, and at a declaration that is not the definition.
#define BOTH __host__ __device__

__host__ __device__ int declaredBefore();
