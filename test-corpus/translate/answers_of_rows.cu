// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ARGS: --line-directives
//
// Conditions before what a thread loads, and those by which it chooses a place, have one answer in long parts of a row:
// loops over those parts are told it.
__global__ void behind(const int* in, int* out, int n, int w) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= n) return;
  int best = in[c];
  if (c >= w) {
    const int with = in[c - w];
    if (with > best) best = with;
  }
  out[c] = best;
}
// CHECK: cu2cpp::eachThreadSettled<false, 1, true>(cuBlock,
// CHECK: return cu2cpp::SettledInside{cu2cpp::Inside().below((c), (n)), cu2cpp::Inside().atLeast((c), (w)).ofOne()}; }
// CHECK: if ((cu2cpp::holds<0>(cuInside) || (!cu2cpp::fails<0>(cuInside) && (c >= w)))) {

__global__ void around(const int* in, int* out, int nx) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= nx) return;
  const int xm = x == 0 ? nx - 1 : x - 1;
  const int xp = x != nx - 1 ? x + 1 : 0;
  out[x] = in[xm] + in[xp];
}
// CHECK: cu2cpp::eachThreadSettled<false, 2, false>(cuBlock,
// CHECK: cu2cpp::Inside().unlike((x), (0)).unlike((x), (nx - 1))}; }
// CHECK: in[cu2cpp::inRowInside(cuInside, xm, threadIdx.x)]

// What is chosen lies in no memory.
__global__ void chosen(int* out, int n, int w) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= n) return;
  out[c] = c >= w ? n * 2 : 7;
}
// CHECK: void chosen(
// CHECK: cu2cpp::eachThreadGuarded<false>(cuBlock,
// CHECK: out[cu2cpp::inRow(c, threadIdx.x)] = c >= w ? n * 2 : 7;
