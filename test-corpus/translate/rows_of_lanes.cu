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

// Loops that run outside of the loop over lanes keep such arrays, too.
__global__ void nearest(const float* points, int n, const float* centres, int count, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x[4], walked[4];
  for (int f = 0; f < 4; ++f) walked[f] = x[f] = points[f * n + i];
  int index = -1;
  float best = 1e30f;
  for (int c = 0; c < count; ++c) {
    float d = 0;
    for (int f = 0; f < 4; ++f) d += (x[f] - centres[c * 4 + f]) * (x[f] - centres[c * 4 + f]);
    if (d < best) {
      best = d;
      index = c;
    }
  }
  for (int c = 0; c < count; ++c) walked[(c + index) & 3] += walked[c & 3];
  out[i] = index + int(walked[0]);
}

int main() {
  nearest<<<1, 128>>>(nullptr, 0, nullptr, 0, nullptr);
  centre<4><<<1, dim3(32, 4)>>>(nullptr, nullptr);
}

// CHECK: for (int m = 32u / 2; m > 0; m >>= 1) v += g.shfl_xor(v, m);
// CHECK: cu2cpp::LaneRows<float[N / 2]> cuEach_v_x;
// CHECK: cu2cpp::LaneRows<float[N / 2]> cuEach_v_w;
// CHECK: cu2cpp::LaneRows<float[4]> cuEach_kept;
// CHECK: cu2cpp::PerLane<float[4]> cuEach_turned;
// CHECK: cu2cpp::eachLaneOfStructures(cuWarp, cuLanes, [&](const cu2cpp::Lane cuThisThread) CU2CPP_INLINE {
// CHECK: CU2CPP_UNROLL for (int k = 0; k < N / 2; ++k) {
// CHECK: { const float4 cuNew_v = in[row * 64 + k * 32 + threadIdx.x]; v_x[k] = cuNew_v.x; v_y[k] = cuNew_v.y; v_z[k] = cuNew_v.z; v_w[k] = cuNew_v.w; }
// CHECK: all += v_x[k];
// CHECK: out[row * 64 + k * 32 + threadIdx.x] = float4{v_x[k], v_y[k], v_z[k], v_w[k]};
// CHECK: cu2cpp::LaneRows<float[4]> cuEach_x;
// CHECK-NOT: cu2cpp::LaneRows<float[4]> cuEach_walked;
// CHECK: for (int c = 0; c < count; ++c) {
// CHECK: const auto x = cuEach_x[cuThisThread];
// CHECK: CU2CPP_UNROLL for (int f = 0; f < 4; ++f) d += (x[f] - centres[c * 4 + f]) * (x[f] - centres[c * 4 + f]);
// CHECK: for (int c = 0; c < count; ++c) walked[(c + index) & 3] += walked[c & 3];
// CHECK-NOT: cuEach_v;
