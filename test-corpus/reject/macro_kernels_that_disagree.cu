// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A macro's brace that ends kernels which need different ends has one text only.
#define BEGIN { const int t = threadIdx.x;
#define END }
__global__ void first(const int* in, int* out, int n) BEGIN n += t; out[n] = in[n]; END
__global__ void second(const int* in, int* out, int n) BEGIN out[t] = in[t] + n; END
// EXPECT: CU1005 @+1
__global__ void third(const int* in, int* out) { out[0] = in[0]; END
int main() { return 0; }
