// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Qualifiers behind a macro of another file.
#define BOTH __host__ __device__
