// Where each row of threads is a warp that goes along a row of memory, it does so to the end; loops whose steps the rows
// share run around a loop over the whole block.
template <int columns> __global__ void square(const float* in, float* out, int rows) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* x = in + size_t(row) * columns;
  float* y = out + size_t(row) * columns;
  for (int i = 0; i < columns / 32; ++i) {
    const int c = i * 32 + threadIdx.x;
    y[c] = x[c] * x[c];
  }
  y[threadIdx.x] += __shfl_down_sync(~0u, x[threadIdx.x], 1);
}

__global__ void fill(float* out) {
  __shared__ float tile[384];
  for (int i = 0; i < 12; ++i) tile[i * 32 + threadIdx.x] = float(i);
  __syncthreads();
  for (int i = 0; i < 12; ++i) out[i * 32 + threadIdx.x] = tile[383 - i * 32 - threadIdx.x];
}

int main() {
  square<768><<<4, dim3(32, 8)>>>(nullptr, nullptr, 32);
  fill<<<4, dim3(32, 8)>>>(nullptr);
}

// CHECK: cu2cpp::eachWarp(cuBlock, [&](const auto& cuWarp, const cu2cpp::Lanes cuLanes) CU2CPP_INLINE {
// CHECK: for (int i = 0; i < columns / 32; ++i) {
// CHECK: cu2cpp::eachLane(cuWarp,
// CHECK: void fill(
// CHECK: for (int i = 0; i < 12; ++i) cu2cpp::eachThread(cuBlock, [&](const uint3 threadIdx) {
