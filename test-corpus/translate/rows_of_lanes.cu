// Arrays that lanes keep across a warp's collectives are rows of lanes, those of structures an array for each part; not
// so arrays that a pointer reaches or a lane's own index.
#include <cooperative_groups.h>

template <typename Group> __device__ float sum(const Group& g, float v) {
  for (int m = g.size() / 2; m > 0; m >>= 1) v += g.shfl_xor(v, m);
  return v;
}

template <int N> __global__ void centre(const float4* in, float4* out) {
  auto warp = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  float4 v[N / 2];
  float kept[4], turned[4];
  float all = 0;
#pragma unroll
  for (int k = 0; k < N / 2; ++k) {
    v[k] = in[row * 64 + k * 32 + threadIdx.x];
    all += v[k].x;
    kept[k] = v[k].w;
    turned[k] = v[k].y;
  }
  all = sum(warp, all);
#pragma unroll
  for (int k = 0; k < N / 2; ++k) {
    v[k].x -= all * kept[k] + turned[threadIdx.x % 2];
    out[row * 64 + k * 32 + threadIdx.x] = v[k];
  }
}

int main() {
  centre<4><<<1, dim3(32, 4)>>>(nullptr, nullptr);
}

// CHECK: for (int m = 32u / 2; m > 0; m >>= 1) v += g.shfl_xor(v, m);
// CHECK: cu2cpp::LaneRows<float[N / 2]> cuEach_v_x;
// CHECK: cu2cpp::LaneRows<float[N / 2]> cuEach_v_w;
// CHECK: cu2cpp::LaneRows<float[4]> cuEach_kept;
// CHECK: cu2cpp::PerLane<float[4]> cuEach_turned;
// CHECK: cu2cpp::eachLaneInParts(cuWarp, cuLanes, [&](const cu2cpp::Lane cuThisThread) CU2CPP_INLINE {
// CHECK: CU2CPP_UNROLL for (int k = 0; k < N / 2; ++k) {
// CHECK: { const float4 cuNew_v = in[row * 64 + k * 32 + threadIdx.x]; v_x[k] = cuNew_v.x; v_y[k] = cuNew_v.y; v_z[k] = cuNew_v.z; v_w[k] = cuNew_v.w; }
// CHECK: all += v_x[k];
// CHECK: out[row * 64 + k * 32 + threadIdx.x] = float4{v_x[k], v_y[k], v_z[k], v_w[k]};
// CHECK-NOT: cuEach_v;
