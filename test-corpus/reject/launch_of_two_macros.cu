// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch whose kernel and brackets come out of different macros has no text of its own to edit: it is refused.
__global__ void k(int* p) { *p = 1; }
#define BRACKETS <<<1, 1>>>
#define KERNEL k
#define SAME(a) a
int main() {
  // EXPECT: CU1006 @+1
  SAME(KERNEL) BRACKETS(nullptr);
  return 0;
}
