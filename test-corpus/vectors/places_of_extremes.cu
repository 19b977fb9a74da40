// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Extremes with their places, and sums of another size, of an array that is read by the grid: loops
// over four steps of a thread, which need not ask whether arrays overlap.
// NO ASSEMBLY: setb
struct Extremes {
  float low, high;
  int from, to;
  double sum, squares;
};
__device__ inline Extremes both(const Extremes& a, const Extremes& b) {
  Extremes r = a;
  if (b.low < r.low || (b.low == r.low && b.from < r.from)) { r.low = b.low; r.from = b.from; }
  if (b.high > r.high || (b.high == r.high && b.to < r.to)) { r.high = b.high; r.to = b.to; }
  r.sum += b.sum;
  r.squares += b.squares;
  return r;
}
__global__ void extremes(const float* __restrict__ in, int n, Extremes* __restrict__ out) {
  extern __shared__ Extremes parts[];
  Extremes mine{3e38f, -3e38f, -1, -1, 0, 0};
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float v = in[i];
    if (v < mine.low) { mine.low = v; mine.from = i; }
    if (v > mine.high) { mine.high = v; mine.to = i; }
    mine.sum += v;
    mine.squares += double(v) * v;
  }
  parts[threadIdx.x] = mine;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s)
      parts[threadIdx.x] = both(parts[threadIdx.x], parts[threadIdx.x + s]);
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = parts[0];
}
void start(const float* in, int n, Extremes* out) {
  extremes<<<64, 256, 256 * sizeof(Extremes)>>>(in, n, out);
}
