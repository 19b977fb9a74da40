// Assertions of kernels name their thread where they fail: nothing is published for them.
// ARGS: --line-directives
#undef NDEBUG
#include <cassert>

template <int N> __global__ void reversed(int* x, int limit) {
  // CHECK-NOT: eachThreadPublished
  __shared__ int s[N];
  assert(N == blockDim.x);
  // CHECK: if (!(N == blockDim.x)) cu2cpp::assertFails(threadIdx, "N == blockDim.x", __FILE__, 9, __PRETTY_FUNCTION__);
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  assert(s[0] < limit && "a \"small\" one");
  // CHECK: if (!static_cast<bool>(s[0] < limit && "a \"small\" one")) cu2cpp::assertFails(threadIdx, "s[0] < limit && \"a \\\"small\\\" one\"", __FILE__, 13, __PRETTY_FUNCTION__);
  x[threadIdx.x] = s[N - 1 - threadIdx.x];
}

void run(int* x) { reversed<64><<<1, 64>>>(x, 10); }
