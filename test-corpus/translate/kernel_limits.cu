// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What launch bounds, clusters and shared variables say about launches stands in a table at the end of the file, for each kernel
// that has any, and for each instance of a template whose arguments have a name there.
__global__ void __launch_bounds__(2 * 64, 4) bounded(int* out) { out[threadIdx.x] = 1; }

__device__ int sum(int value) {
  __shared__ int part[32];
  part[threadIdx.x % 32] = value;
  return part[(value + 1) % 32];
}
__global__ void summing(int* out) {
  __shared__ char flag[2];
  flag[threadIdx.x % 2] = 1;
  out[threadIdx.x] = sum(out[threadIdx.x]) + flag[0];
}

template <class Value, int count> __global__ void each(Value* out) {
  __shared__ Value held[count];
  held[threadIdx.x % count] = out[0];
  out[threadIdx.x] = held[0];
}

template <class Function> __global__ void __launch_bounds__(128) apply(Function f) { f(); }
template <int width> __global__ void __cluster_dims__(width, 2) clustered(int* out) { out[threadIdx.x] = 4; }
__global__ void plain(int* out) { out[threadIdx.x] = 2; }

namespace {
struct Visible {
  int value;
};
__global__ void __launch_bounds__(96) hidden(int* out) { out[threadIdx.x] = 3; }
} // namespace

int main() {
  struct Local {
    __device__ void operator()() const {}
  };
  int* ints = nullptr;
  bounded<<<1, 32>>>(ints);
  clustered<4><<<dim3(4, 2), 32>>>(ints);
  summing<<<1, 32>>>(ints);
  each<int, 8><<<1, 32>>>(ints);
  each<Visible, 4><<<1, 32>>>(nullptr);
  apply<<<1, 32>>>(Local());
  plain<<<1, 32>>>(ints);
  hidden<<<1, 32>>>(ints);
  return 0;
}
// CHECK: // Threads that a block may have, and bytes of shared variables.
// CHECK: [[maybe_unused]] static const bool cu2cppLimits[] = {
// CHECK:     cu2cpp::limitKernel(&::bounded, 128, 0),
// CHECK:     cu2cpp::limitKernel(&::summing, 1024, 130),
// CHECK:     cu2cpp::limitKernel(&::each<int, 8>, 1024, 32),
// CHECK:     cu2cpp::limitKernel(&::each<Visible, 4>, 1024, 16),
// CHECK:     cu2cpp::limitKernel(&::clustered<4>, 1024, 0, dim3(4, 2)),
// CHECK:     cu2cpp::limitKernel(&::hidden, 96, 0),
// CHECK: };
