// Tiles that are filled the other way around than they are loaded: the library is told where elements go.
// ARGS: --line-directives
__global__ void turns(const float* in, float* out, int n, int w) {
  __shared__ float tile[16][64 + 1];
  __shared__ float flat[16 * 64];
  const int tid = threadIdx.x;
  for (int i = tid; i < 64 * 16; i += 256) {
    const int r = i / 16, c = i % 16;
    tile[c][r] = r < n ? in[r * w + c] : 0.0f;
  }
  // CHECK: cu2cpp::eachElementTurned(cuBlock, [&](const uint3 threadIdx) -> int { const int tid = threadIdx.x; return tid; }, 256, 64 * 16, 16, [&]([[maybe_unused]] const auto cuRow, [[maybe_unused]] const auto cuColumn) -> auto& { const int r = cuRow; const int c = cuColumn; return tile[c][r]; }, cu2cpp::Inside(), [&](const auto, const auto cuRow, const auto cuColumn, auto& cuTurned) CU2CPP_INLINE {
  // CHECK: cuTurned = r < n ? in[r * w + c] : 0.0f;
  for (int i = tid; i < 64 * 16; i += 256)
    flat[i % 16 * 64 + i / 16] = in[i / 16 * w + i % 16];
  // CHECK: return flat[cuColumn * 64 + cuRow]; }
  // CHECK: cuTurned = in[cuRow * w + cuColumn];
  __syncthreads();
  for (int i = tid; i < 64 * 16; i += 256)
    out[i] = tile[i / 64][i % 64] + flat[i];
  __syncthreads();
  // Elements that lie the way they are loaded, and those that two are added to, are none.
  for (int i = tid; i < 64 * 16; i += 256)
    flat[i / 16 * 16 + i % 16] = in[i / 16 * w + i % 16];
  // CHECK: flat[cuRow * 16 + cuColumn] = in[cuRow * w + cuColumn];
  __syncthreads();
  for (int i = tid; i < 64 * 16; i += 256)
    out[1024 + i] = flat[i];
}

void run(const float* in, float* out, int n, int w) { turns<<<4, 256>>>(in, out, n, w); }
