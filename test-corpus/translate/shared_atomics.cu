// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics on the block's own shared memory are plain updates; those on any other address stay what they are.
struct Bin {
  int count;
  float sums[2];
};
__device__ float total;
__device__ void add(int* at) {
  // CHECK: *at = atomicAdd(at, 2);
  *at = atomicAdd(at, 2);
}
// What a function is given: all calls must show it, also calls of what passes it on.
__device__ void addShared(int* at, int& bin) {
  // CHECK: cu2cpp::inTurn::atomicAdd(at + 1, 2);
  atomicAdd(at + 1, 2);
  // CHECK: cu2cpp::inTurn::atomicAdd(&bin, 2);
  atomicAdd(&bin, 2);
}
__device__ void passOn(int* at, int depth) {
  addShared(at, at[1]);
  addShared(&at[2], at[3]);
  if (depth > 0)
    passOn(at + 1, depth - 1);
}
__device__ void moved(int* at, int* other) {
  at = other;
  // CHECK: atomicSub(at, 2);
  atomicSub(at, 2);
}
__device__ void named(int* at) {
  // CHECK: atomicOr(at, 2);
  atomicOr(at, 2);
}
__device__ void (*chosen)(int*) = named;
struct Adder {
  __device__ void add(int* at) {
    // CHECK: atomicAnd(at, 2);
    atomicAnd(at, 2);
  }
};
template <class T> __device__ void addAny(T* at) {
  // CHECK: cu2cpp::inTurn::atomicMin(at, T(2));
  atomicMin(at, T(2));
}
__device__ int ticket() {
  __shared__ int next;
  // CHECK: return cu2cpp::inTurn::atomicInc((unsigned*)&next, 99u);
  return atomicInc((unsigned*)&next, 99u);
}

// CHECK: #define COUNT(p) atomicAdd(p, 5)
#define COUNT(p) atomicAdd(p, 5)
#define TWICE(x) (x) + (x)

__global__ void k(int* global) {
  __shared__ int s[64];
  __shared__ int grid[4][8];
  __shared__ Bin bins[3];
  __shared__ int* where;
  extern __shared__ float sums[];
  int* cursor = s + 3;
  cursor += 2;
  int* const first = threadIdx.x ? s : grid[0];
  int* either = s;
  if (threadIdx.x == 1)
    either = global;
  int* changed = s;
  int** place = &changed;
  *place = global;
  int& bin = s[threadIdx.x];
  // CHECK: cu2cpp::inTurn::atomicAdd(&s[threadIdx.x], 1);
  atomicAdd(&s[threadIdx.x], 1);
  // CHECK: cu2cpp::inTurn::atomicSub(s + 1, 1);
  ::atomicSub(s + 1, 1);
  // CHECK: cu2cpp::inTurn::atomicMax(&grid[1][threadIdx.x], 1);
  atomicMax(&grid[1][threadIdx.x], 1);
  // CHECK: cu2cpp::inTurn::atomicAdd(&bins[1].sums[0], 1.0f);
  atomicAdd(&bins[1].sums[0], 1.0f);
  // CHECK: cu2cpp::inTurn::atomicAdd(sums, 1.0f);
  atomicAdd(sums, 1.0f);
  // CHECK: cu2cpp::inTurn::atomicAdd(cursor, 1);
  atomicAdd(cursor, 1);
  // CHECK: cu2cpp::inTurn::atomicCAS(first, 1, 2);
  atomicCAS(first, 1, 2);
  // CHECK: cu2cpp::inTurn::atomicExch(&bin, 3);
  atomicExch(&bin, 3);
  // CHECK: TWICE(cu2cpp::inTurn::atomicOr(s, 3))
  s[0] = TWICE(atomicOr(s, 3));

  // CHECK: = atomicAdd(&global[threadIdx.x], 1);
  *global = atomicAdd(&global[threadIdx.x], 1);
  // CHECK: = atomicAdd(where, 1);
  *global = atomicAdd(where, 1);
  // CHECK: = atomicAdd(either, 1);
  *global = atomicAdd(either, 1);
  // CHECK: = atomicAdd(changed, 1);
  *global = atomicAdd(changed, 1);
  // CHECK: = cu2cpp::clamped(atomicAdd(&total, 1.0f));
  *global = atomicAdd(&total, 1.0f);
  COUNT(s);
  add(s);
  add(global);
  passOn(s, 2);
  moved(s, global);
  chosen(s);
  named(s);
  Adder().add(s);
  addAny(s);
  addAny((unsigned*)s);
  *global = ticket();
}

// In templates, if all instances agree.
template <class T> __global__ void tk(T* out) {
  __shared__ T sum;
  // CHECK: cu2cpp::inTurn::atomicAdd(&sum, T(1));
  atomicAdd(&sum, T(1));
  // CHECK: = atomicAdd(out, sum);
  *out = atomicAdd(out, sum);
}
template __global__ void tk<int>(int*);
template __global__ void tk<float>(float*);
template <bool shared> __global__ void disagree(int* out) {
  __shared__ int own[4];
  // CHECK: = atomicAdd(shared ? own : out, 1);
  *out = atomicAdd(shared ? own : out, 1);
}
template __global__ void disagree<true>(int*);
