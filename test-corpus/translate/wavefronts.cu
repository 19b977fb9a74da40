// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ARGS: --line-directives
//
// Tiles that a block fills along anti-diagonals lie along these in memory, also where what a thread computes holds a choice
// or asks for several things. When they are filled their rows are put together once.
__global__ void choices(const int* a, const int* b, int* out) {
  __shared__ int chosen[33][33];
  const int t = threadIdx.x;
  if (t == 0) chosen[0][0] = 0;
  chosen[0][t + 1] = a[t] > 0 && b[t] > 0 ? a[t] : b[t];
  chosen[t + 1][0] = b[t];
  __syncthreads();
  for (int d = 0; d < 63; ++d) {
    const int r = d - t;
    if (r >= 0 && r < 32) {
      const int far = a[r] - b[t];
      chosen[r + 1][t + 1] = min(chosen[r][t], min(chosen[r][t + 1], chosen[r + 1][t])) + (far < 0 ? -far : far);
    }
    __syncthreads();
  }
  for (int r = 0; r < 32; ++r) out[r * 32 + t] = chosen[r + 1][t + 1];
}
// CHECK: cu2cpp::SkewedArray<int, 33, 33> chosen;
// CHECK: const auto cuInRows1 = cu2cpp::rowCopy(chosen);
// CHECK: = cuInRows1[r + 1][t + 1];

// Rows are read from the array itself where a loop passes over few of them, or nobody knows.
__global__ void few(const int* a, int* out) {
  __shared__ int tile[33][33];
  const int t = threadIdx.x;
  tile[t + 1][0] = a[t];
  tile[0][t + 1] = a[t];
  __syncthreads();
  for (int d = 0; d < 63; ++d) {
    const int r = d - t;
    if (r >= 0 && r < 32) tile[r + 1][t + 1] = tile[r][t + 1] + tile[r + 1][t];
    __syncthreads();
  }
  for (int r = 0; r < 8; ++r) out[r * 32 + t] = tile[r + 1][t + 1];
  for (int r = 0; r < a[0]; ++r) out[r * 32 + t] = tile[r + 1][t + 1];
}
// CHECK: cu2cpp::SkewedArray<int, 33, 33> tile;
// CHECK: = tile[r + 1][t + 1];
// CHECK: = tile[r + 1][t + 1];

// Not where only some of the threads that name the first row are known to be columns of others.
__global__ void someOf(const int* a, int* out, int n) {
  __shared__ int some[33][33];
  const int t = threadIdx.x;
  for (int i = t; i < 33 * 33; i += 32) some[0][i] = a[i];
  __syncthreads();
  for (int d = 0; d < 63; ++d) {
    const int r = d - t;
    if (r >= 0 && r < 32) some[r + 1][t + 1] = some[r][t] + (a[r] < n ? some[r + 1][t] : some[r][t + 1]);
    __syncthreads();
  }
  out[t] = t < n ? some[32][t + 1] : 0;
}
// CHECK: int some[33][33];

void run(int* a, int* b, int* out) {
  choices<<<1, 32>>>(a, b, out);
  few<<<1, 32>>>(a, out);
  someOf<<<1, 32>>>(a, out, 5);
}
