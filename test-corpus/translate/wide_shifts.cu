// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shifts whose count may be the whole width keep a GPU's meaning; rotations, counts below the width and macros stay as
// they are written.
#define REST(x, n) ((x) << (32 - (n)))

__global__ void shifts(unsigned* p, int n) {
  const int lane = threadIdx.x & 31;
  p[0] = p[1] << 32-n;
  // CHECK: p[0] = p[1] << cu2cpp::gpuShift(32-n);
  p[1] >>= (8 * sizeof(unsigned) - n);
  // CHECK: p[1] >>= cu2cpp::gpuShift(8 * sizeof(unsigned) - n);
  p[2] = p[2] & ((1u << n) - 1);
  // CHECK: p[2] = p[2] & ((1u << cu2cpp::gpuShift(n)) - 1);
  p[3] = (1u << lane) - 1;
  // CHECK: p[3] = (1u << lane) - 1;
  p[4] = (p[5] << n) | (p[5] >> (32 - n));
  // CHECK: p[4] = (p[5] << n) | (p[5] >> (32 - n));
  p[6] = p[7] << (16 - n);
  // CHECK: p[6] = p[7] << (16 - n);
  p[8] = p[9] >> (32 - 5) | REST(p[9], n) | p[9] << n;
  // CHECK: p[8] = p[9] >> (32 - 5) | REST(p[9], n) | p[9] << n;
}

void onTheHost(unsigned* p, int n) { p[0] = p[1] << (32 - n); }
// CHECK: void onTheHost(unsigned* p, int n) { p[0] = p[1] << (32 - n); }
