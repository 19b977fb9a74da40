// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Odd formatting: comments and line breaks inside launches, qualifiers and parameter lists, alternative tokens, CRLF-free tabs.
#include <cstdio>

__global__ /* a kernel */ void
k /* named k */ (int *out, // where to
		 int n /* how many */)
{	int i = blockIdx . x*blockDim
		.x + threadIdx/* here */.x; // index
	if (i<n and not (i == 3)) out [ i ] = i /*no*/; else if (i < n) { ; out[i] = -1; } }

__device__ int const static three = 3; /* after */ __shared__ int unused;

int main() {
	int* out; cudaMallocManaged(&out, 10 * sizeof *out);
	k /* before */ <<< /* grid */ 2 , // blocks
		5 /* threads */
		>>> /* after */ ( out,
		10 ) ;
	k<<<1,1>>>(out, 0); k<<<(1),(1)>>>(out,0);
	cudaDeviceSynchronize();
	for (int i = 0; i < 10; ++i) printf("%d ", out[i]); printf("\n"
	"<<<1, 1>>>(\"in a string: __shared__ threadIdx.x\")\n");
	return 0; }
