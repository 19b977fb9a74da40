// Blocks whose layers of threads have a part of shared memory each run as blocks of one layer. A kernel whose threads
// keep a value over a barrier does not, nor one whose launches show blocks of several sizes.
// ARGS: --line-directives
__global__ void update(const double* in, double* out, unsigned count, unsigned k) {
  __shared__ double a[4][24][25];
  if (threadIdx.z < count)
    for (unsigned i = threadIdx.y; i < 24; i += 8)
      for (unsigned j = threadIdx.x; j < 24; j += 8) a[threadIdx.z][i][j] = in[(threadIdx.z * 24 + i) * 24 + j];
  __syncthreads();
  if (threadIdx.z < count)
    for (unsigned i = k + 1 + threadIdx.y; i < 24; i += 8)
      for (unsigned j = k + 1 + threadIdx.x; j <= i; j += 8) a[threadIdx.z][i][j] -= a[threadIdx.z][i][k] * a[threadIdx.z][j][k];
  __syncthreads();
  if (threadIdx.z < count && threadIdx.y == 0 && threadIdx.x == 0) out[threadIdx.z] = a[threadIdx.z][23][23];
}

__global__ void kept(const double* in, double* out, int k) {
  __shared__ double a[4][24][25];
  const int tx = threadIdx.x, ty = threadIdx.y, tz = threadIdx.z;
  double mine = tx + ty + tz;
  for (int i = ty; i < 24; i += 8)
    for (int j = tx; j < 24; j += 8) {
      a[tz][i][j] = in[(tz * 24 + i) * 24 + j];
      mine += a[tz][i][j];
    }
  __syncthreads();
  for (int i = k + 1 + ty; i < 24; i += 8)
    for (int j = k + 1 + tx; j <= i; j += 8) a[tz][i][j] -= a[tz][i][k] * a[tz][j][k] + mine;
  __syncthreads();
  if (ty == 0 && tx == 0) out[tz] = a[tz][23][23];
}

__global__ void sizes(const double* in, double* out, int k) {
  __shared__ double a[4][24][25];
  const int tx = threadIdx.x, ty = threadIdx.y, tz = threadIdx.z;
  for (int i = ty; i < 24; i += 8)
    for (int j = tx; j < 24; j += 8) a[tz][i][j] = in[(tz * 24 + i) * 24 + j];
  __syncthreads();
  for (int i = k + 1 + ty; i < 24; i += 8)
    for (int j = k + 1 + tx; j <= i; j += 8) a[tz][i][j] -= a[tz][i][k] * a[tz][j][k];
  __syncthreads();
  if (ty == 0 && tx == 0) out[tz] = a[tz][23][23];
}

int main() {
  double* p;
  cudaMalloc(&p, 4 * 24 * 24 * sizeof(double));
  update<<<1, dim3(8, 8, 4)>>>(p, p, 3, 5);
  kept<<<1, dim3(8, 8, 4)>>>(p, p, 5);
  sizes<<<1, dim3(8, 8, 4)>>>(p, p, 5);
  sizes<<<1, dim3(8, 8, 2)>>>(p, p, 5);
}
// CHECK: const cu2cpp::LayersInOne cuLayers;
// CHECK: cu2cpp::runBlock<8, 8>(cuArg_count == 3
// CHECK: for (unsigned cuLayer = 0; cuLayer < blockDim.z; ++cuLayer) {
// CHECK: cu2cpp::updateInStrips<unsigned int, unsigned int, false>(cuBlock, cu2cpp::tableOf(a[cuLayer])
// CHECK: cu2cpp::runBlock<8, 8, 4>(cuArg_k == 5
// CHECK: cu2cpp::runAnyBlock<8, 8, 4>([&](const auto& cuBlock)
