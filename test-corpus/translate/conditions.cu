// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions that macros write, and flags that keep one, say what they ask where they ask it.
// WARNINGS: declarations that only other regions need
#define BETWEEN(x, low, high) ((x) >= (low) && (x) <= (high))

__global__ void shrink(float* to, const float* from, int steps, int low, int high) {
  __shared__ float now[16][16], next[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  // CHECK: now[ty][tx] = from[ty * 16 + tx];
  now[ty][tx] = from[ty * 16 + tx];
  int W = tx - 1;
  W = W < low ? low : W;
  bool done;
  __syncthreads();
  for (int i = 0; i < steps; ++i) {
    // CHECK: done = false;
    done = false;
    // CHECK: return cu2cpp::BoxOfPlaces{cu2cpp::Box{cu2cpp::Inside().atLeast(tx, i + 1).atMost(tx, high),
    // CHECK: cu2cpp::Inside().atLeast(ty, i + 1).atMost(ty, 14 - i),
    // CHECK: cu2cpp::Inside().atLeast(cuFirst_W, low)}; }(uint3{}),
    // CHECK: const int W = (!cu2cpp::isFree(cuInside) && (cuFirst_W < low)) ? low : cuFirst_W;
    if (BETWEEN(tx, i + 1, high) && BETWEEN(ty, i + 1, 14 - i)) {
      done = true;
      next[ty][tx] = now[ty][W];
    }
    __syncthreads();
    // CHECK: if ((((cuInside || (tx) >= (i + 1)) && (cuInside || (tx) <= (high))) && ((cuInside || (ty) >= (i + 1)) && (cuInside || (ty) <= (14 - i)))))
    if (done)
      now[ty][tx] = next[ty][tx];
    __syncthreads();
  }
  // CHECK: if (done)
  if (done)
    to[ty * 16 + tx] = now[ty][tx];
}

// A flag of one row stays one, and so does one that is set again.
__global__ void keep(float* to, const float* from, int n) {
  __shared__ float row[64];
  int tx = threadIdx.x, ty = threadIdx.y;
  row[tx] = from[tx];
  bool one = false, other = false;
  for (int i = 0; i < n; ++i) {
    one = false;
    if (tx > i) {
      one = true;
      to[tx] += 1;
    }
    other = false;
    if (ty > i) {
      other = true;
      to[tx] += 2;
    }
    other = other && tx > 3;
    __syncthreads();
    // CHECK: if (one)
    if (one)
      row[tx] += 1;
    // CHECK: if (other)
    if (other)
      row[tx] += 2;
    __syncthreads();
  }
  to[tx] += row[tx];
}

void go(float* a, const float* b) {
  shrink<<<4, dim3(16, 16)>>>(a, b, 3, 0, 15);
  keep<<<1, dim3(64, 2)>>>(a, b, 4);
}
