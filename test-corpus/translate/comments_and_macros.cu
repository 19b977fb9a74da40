// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comments, macros, blank lines and odd formatting survive; only what CUDA adds to C++ changes.
#include <cstdio>

/* A block comment
   over two lines about __shared__ things. */
// CHECK: #define IDX (blockIdx.x * blockDim.x + threadIdx.x)
#define IDX (blockIdx.x * blockDim.x + threadIdx.x)
// CHECK: #define LIMIT 100 /* elements */
#define LIMIT 100  /* elements */
// CHECK: #ifdef NEVER_DEFINED
#ifdef NEVER_DEFINED
// CHECK: this text is not even C++
this text is not even C++
#endif

// CHECK: static int table[ ] = { 1,2, 3 };
static  int table[ ] = { 1,2,   3 };

// CHECK: // Doc comment of the kernel.
// Doc comment of the kernel.
__global__ void fill(int* out /* where */) {
  // CHECK: if(IDX<LIMIT) out[IDX]=int(IDX); // keep me
  if(IDX<LIMIT) out[IDX]=int(IDX);   // keep me
  // CHECK: // last words
  // last words
}

// CHECK: int main() { printf("%d\n" , table [ 1 ] ) ; }
int main() { printf("%d\n" , table [ 1 ] ) ; }
