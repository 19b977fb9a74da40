// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A body that a macro writes for a kernel and for another function has one text: a kernel's loop cannot be written into it.
#define BODY(place) { int i = place; out[i] = in[i] * 2; }
// EXPECT: CU1006 @+1
__global__ void k(const int* in, int* out) BODY(blockIdx.x * 64 + threadIdx.x)
void host(const int* in, int* out) BODY(3)
#define FUNCTION(qualifier, name) qualifier void name(const int* in, int* out, int i) { out[i] = in[i] + i; }
// EXPECT: CU1006 @+1
FUNCTION(__global__, first)
FUNCTION(__device__, second)
int main() { return 0; }
