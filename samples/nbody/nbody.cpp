// Translated from nbody.cu by cu2cpp.
#include <cu2cpp/launch.h>
// Bodies that attract each other. Each thread moves one body and adds up the pull of all others, which the block loads
// tile by tile into shared memory.
//
//   nbody [bodies] [steps]
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#define CHECK(call)                                                                                                    \
  do {                                                                                                                 \
    cudaError_t error = (call);                                                                                        \
    if (error != cudaSuccess) {                                                                                        \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));                              \
      std::exit(1);                                                                                                    \
    }                                                                                                                  \
  } while (0)

constexpr int tile = 128;
constexpr float softening = 0.01f; // keeps bodies that meet from flying apart

// The pull of a body (its mass is in w) on one at `at`.
static CU2CPP_BY_PARTS inline float3 pull(float3 sum, float4 at, float4 other) {
  const float x = other.x - at.x, y = other.y - at.y, z = other.z - at.z;
  const float inverse = rsqrtf(x * x + y * y + z * z + softening);
  const float strength = other.w * inverse * inverse * inverse;
  sum.x += x * strength;
  sum.y += y * strength;
  sum.z += z * strength;
  return sum;
}

void step(const float4* from, float4* to, float4* velocity, float seconds, int n) {
  cu2cpp::runBlock<128>([&](const auto& cuBlock) CU2CPP_INLINE {
  const uint3 blockIdx = cuBlock.blockIdx;
  cu2cpp::PerThread<float> cuEach_at_x(cuBlock);
  cu2cpp::PerThread<float> cuEach_at_y(cuBlock);
  cu2cpp::PerThread<float> cuEach_at_z(cuBlock);
  cu2cpp::PerThread<float> cuEach_at_w(cuBlock);
  cu2cpp::PerThread<float> cuEach_sum_x(cuBlock);
  cu2cpp::PerThread<float> cuEach_sum_y(cuBlock);
  cu2cpp::PerThread<float> cuEach_sum_z(cuBlock);
  alignas(64) float4 others[tile];
  cu2cpp::eachThread(cuBlock, [&](const cu2cpp::Thread cuThisThread) {
  const uint3 threadIdx = cuThisThread.threadIdx;
  auto& at_x = cuEach_at_x[cuThisThread];
  auto& at_y = cuEach_at_y[cuThisThread];
  auto& at_z = cuEach_at_z[cuThisThread];
  auto& at_w = cuEach_at_w[cuThisThread];
  auto& sum_x = cuEach_sum_x[cuThisThread];
  auto& sum_y = cuEach_sum_y[cuThisThread];
  auto& sum_z = cuEach_sum_z[cuThisThread];
  const int i = blockIdx.x * tile + threadIdx.x;
      { const float4 cuNew_at = from[i]; at_x = cuNew_at.x; at_y = cuNew_at.y; at_z = cuNew_at.z; at_w = cuNew_at.w; }
     { const float3 cuNew_sum = make_float3(0, 0, 0); sum_x = cuNew_sum.x; sum_y = cuNew_sum.y; sum_z = cuNew_sum.z; }
  });
  for (int base = 0; base < n; base += tile) {
    cu2cpp::eachThread(cuBlock, [&](const uint3 threadIdx) {
    others[threadIdx.x] = from[base + threadIdx.x];
    });
    // __syncthreads();
// #pragma unroll 8
    cu2cpp::eachWarp(cuBlock, [&](const auto& cuWarp, const cu2cpp::Lanes cuLanes) CU2CPP_INLINE {
    for (int k = 0; k < tile; ++k)
      { cu2cpp::eachLane(cuWarp, cuLanes, [&](const cu2cpp::Lane cuThisThread) {
      auto& at_x = cuEach_at_x[cuThisThread];
      auto& at_y = cuEach_at_y[cuThisThread];
      auto& at_z = cuEach_at_z[cuThisThread];
      auto& at_w = cuEach_at_w[cuThisThread];
      auto& sum_x = cuEach_sum_x[cuThisThread];
      auto& sum_y = cuEach_sum_y[cuThisThread];
      auto& sum_z = cuEach_sum_z[cuThisThread];
      const float3 cuNew_sum = pull(float3{sum_x, sum_y, sum_z}, float4{at_x, at_y, at_z, at_w}, others[k]); sum_x = cuNew_sum.x; sum_y = cuNew_sum.y; sum_z = cuNew_sum.z;
      }); }
    });
    // __syncthreads();
  }
  cu2cpp::eachThread(cuBlock, [&](const cu2cpp::Thread cuThisThread) {
  const uint3 threadIdx = cuThisThread.threadIdx;
  const int i = blockIdx.x * tile + threadIdx.x;
  auto& at_x = cuEach_at_x[cuThisThread];
  auto& at_y = cuEach_at_y[cuThisThread];
  auto& at_z = cuEach_at_z[cuThisThread];
  auto& at_w = cuEach_at_w[cuThisThread];
  auto& sum_x = cuEach_sum_x[cuThisThread];
  auto& sum_y = cuEach_sum_y[cuThisThread];
  auto& sum_z = cuEach_sum_z[cuThisThread];
  float4 v = velocity[i];
  v.x += sum_x * seconds;
  v.y += sum_y * seconds;
  v.z += sum_z * seconds;
  velocity[i] = v;
  to[i] = make_float4(at_x + v.x * seconds, at_y + v.y * seconds, at_z + v.z * seconds, at_w);
  });
});
}

int main(int argc, char** argv) {
  const int n = ((argc > 1 ? std::atoi(argv[1]) : 4096) + tile - 1) / tile * tile;
  const int steps = argc > 2 ? std::atoi(argv[2]) : 5;
  const float seconds = 0.001f;
  std::vector<float4> start(n);
  unsigned state = 7;
  const auto random = [&state] {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) / float(1 << 24) * 2 - 1;
  };
  for (float4& body : start)
    body = {random(), random(), random(), 1.0f / n};

  float4 *from, *to, *velocity;
  CHECK(cudaMalloc(&from, n * sizeof(float4)));
  CHECK(cudaMalloc(&to, n * sizeof(float4)));
  CHECK(cudaMalloc(&velocity, n * sizeof(float4)));
  CHECK(cudaMemcpy(from, start.data(), n * sizeof(float4), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(velocity, 0, n * sizeof(float4)));

  const auto begin = std::chrono::steady_clock::now();
  for (int s = 0; s < steps; ++s) {
    cu2cpp::launch(step, n / tile, tile)(from, to, velocity, seconds, n);
    std::swap(from, to);
  }
  CHECK(cudaDeviceSynchronize());
  const double time = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::vector<float4> end(n);
  CHECK(cudaMemcpy(end.data(), from, n * sizeof(float4), cudaMemcpyDeviceToHost));

  // No pull from outside: the centre of all bodies stays where it was.
  double moved[3] = {}, distance = 0;
  for (int i = 0; i < n; ++i) {
    moved[0] += (end[i].x - start[i].x) / n;
    moved[1] += (end[i].y - start[i].y) / n;
    moved[2] += (end[i].z - start[i].z) / n;
    distance += std::fabs(end[i].x - start[i].x) / n;
  }
  const double centre = std::sqrt(moved[0] * moved[0] + moved[1] * moved[1] + moved[2] * moved[2]);
  // And the first step of some bodies in double precision: their velocity times the time.
  double worst = 0;
  if (steps == 1)
    for (int i = 0; i < n; i += n / 16) {
      double x = 0;
      for (const float4& other : start) {
        const double dx = other.x - start[i].x, dy = other.y - start[i].y, dz = other.z - start[i].z;
        const double r = std::sqrt(dx * dx + dy * dy + dz * dz + softening);
        x += dx * other.w / (r * r * r);
      }
      worst = std::fmax(worst, std::fabs(start[i].x + x * seconds * seconds - end[i].x));
    }
  CHECK(cudaFree(from));
  CHECK(cudaFree(to));
  CHECK(cudaFree(velocity));

  const bool right = centre < 1e-6 && worst < 1e-6 && distance > 0;
  std::printf("%d bodies, %d steps: %.1f ms, %.2f GFLOP/s at 20 a pair; the centre moved by %.1e\n%s\n", n, steps,
              time * 1e3, 20.0 * n * n * steps / time / 1e9, centre, right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}

// Threads that a block may have, and bytes of shared variables.
[[maybe_unused]] static const bool cu2cppLimits[] = {
    cu2cpp::limitKernel(&::step, 128, 2048),
};
