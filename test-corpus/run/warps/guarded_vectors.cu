// Warps whose lanes load and store vectors below a bound, with values of their warp between: all lanes inside, some, none.
#include <cstdio>
#include <vector>

constexpr int threads = 128;

__device__ unsigned upTo(unsigned v) {
  const unsigned lane = threadIdx.x % 32;
  for (unsigned d = 1; d < 32; d <<= 1) {
    const unsigned other = __shfl_up_sync(~0u, v, d);
    if (lane >= d) v += other;
  }
  return v;
}

// Sums up to each element within a block; the place of a lane is its warp's joined with its own.
__global__ void sums(const unsigned* in, unsigned* out, unsigned* blocks, int n) {
  __shared__ unsigned ofWarp[threads / 32];
  const int at = blockIdx.x * threads * 4 + threadIdx.x * 4;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  uint4 v = make_uint4(0, 0, 0, 0);
  if (at < n) v = *reinterpret_cast<const uint4*>(in + at);
  const unsigned mine = v.x + v.y + v.z + v.w;
  const unsigned before = upTo(mine) - mine;
  if (lane == 31) ofWarp[warp] = before + mine;
  __syncthreads();
  unsigned first = before;
  for (unsigned w = 0; w < warp; ++w) first += ofWarp[w];
  uint4 o;
  o.x = first + v.x;
  o.y = o.x + v.y;
  o.z = o.y + v.z;
  o.w = o.z + v.w;
  if (at < n) *reinterpret_cast<uint4*>(out + at) = o;
  if (threadIdx.x == threads - 1) blocks[blockIdx.x] = o.w;
}

struct Pair { float a, b; };

// Two parts, of which the warp's last lane takes one from its first.
__global__ void pairs(const Pair* in, Pair* out, int n) {
  const int i = blockIdx.x * blockDim.x + (threadIdx.x | 0);
  Pair p = {1, 2};
  if (i < n) p = in[i];
  const float next = __shfl_sync(~0u, p.b, (threadIdx.x + 1) & 31);
  if (i < n - 3) out[i] = {p.a + 100 * next, p.b};
}

// A place joined by bits that are not apart.
__global__ void joined(const int* in, int* out, int n, int first) {
  const int lane = threadIdx.x & 31;
  const int v = __shfl_xor_sync(~0u, in[threadIdx.x], 1);
  const int at = first | lane;
  if (at < n) atomicAdd(&out[at], v + (threadIdx.x >> 5));
}

int main() {
  for (const int n : {4096, 4 * 997, 4, 512 + 128}) {
    std::vector<unsigned> host(n);
    for (int i = 0; i < n; ++i) host[i] = (i * 37u + i / 11) % 1009;
    unsigned *in, *out, *blocks;
    const int grid = (n + threads * 4 - 1) / (threads * 4);
    cudaMalloc(&in, n * 4);
    cudaMalloc(&out, n * 4);
    cudaMalloc(&blocks, grid * 4);
    cudaMemcpy(in, host.data(), n * 4, cudaMemcpyHostToDevice);
    sums<<<grid, threads>>>(in, out, blocks, n);
    cudaMemcpy(host.data(), out, n * 4, cudaMemcpyDeviceToHost);
    std::vector<unsigned> last(grid);
    cudaMemcpy(last.data(), blocks, grid * 4, cudaMemcpyDeviceToHost);
    unsigned long long all = 0;
    for (int i = 0; i < n; ++i) all += (unsigned long long)host[i] * (i % 7 + 1);
    printf("sums %d %llu %u %u\n", n, all, last[0], last[grid - 1]);
    cudaFree(in);
    cudaFree(out);
    cudaFree(blocks);
  }
  for (const int n : {256, 250, 30, 3}) {
    std::vector<Pair> host(256);
    for (int i = 0; i < 256; ++i) host[i] = {float(i), float(i % 5)};
    Pair *in, *out;
    cudaMalloc(&in, 256 * sizeof(Pair));
    cudaMalloc(&out, 256 * sizeof(Pair));
    cudaMemset(out, 0, 256 * sizeof(Pair));
    cudaMemcpy(in, host.data(), 256 * sizeof(Pair), cudaMemcpyHostToDevice);
    pairs<<<4, 64>>>(in, out, n);
    cudaMemcpy(host.data(), out, 256 * sizeof(Pair), cudaMemcpyDeviceToHost);
    double all = 0;
    for (int i = 0; i < 256; ++i) all += host[i].a * (i % 3 + 1) + host[i].b;
    printf("pairs %d %.0f\n", n, all);
    cudaFree(in);
    cudaFree(out);
  }
  int *in, *out, host[128];
  for (int i = 0; i < 128; ++i) host[i] = i * i;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, sizeof(host));
  for (const int first : {0, 32, 64, 5, 40, 99}) joined<<<1, 128>>>(in, out, 110, first);
  cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 128; ++i) printf("%d%c", host[i], i % 16 == 15 ? '\n' : ' ');
  return 0;
}
