// Marches that store to the array which they read at the same place, to one apart from it, and to one that begins within it.
#include <cstdio>

constexpr int TX = 16, TY = 8, NX = 32, NY = 16, NZ = 9, SIZE = NX * NY * NZ;
__device__ __managed__ float now[SIZE], before[2 * SIZE], next[SIZE];

__global__ void wave(const float* __restrict__ u, const float* old, float* out, int nz) {
  __shared__ float tile[TY + 2][TX + 2];
  const int x = blockIdx.x * TX + threadIdx.x, y = blockIdx.y * TY + threadIdx.y;
  const int sx = threadIdx.x + 1, sy = threadIdx.y + 1;
  size_t at = (size_t)y * NX + x;
  float behind = 0.f, here = u[at], infront = u[at + NX * NY];
  for (int z = 0; z < nz - 1; z++) {
    __syncthreads();
    tile[sy][sx] = here;
    if (threadIdx.y == 0) {
      tile[0][sx] = y > 0 ? u[at - NX] : 0.f;
      tile[TY + 1][sx] = y + TY < NY ? u[at + TY * NX] : 0.f;
    }
    if (threadIdx.x == 0) {
      tile[sy][0] = x > 0 ? u[at - 1] : 0.f;
      tile[sy][TX + 1] = x + TX < NX ? u[at + TX] : 0.f;
    }
    __syncthreads();
    float sum = behind + infront + tile[sy - 1][sx] + tile[sy + 1][sx] + tile[sy][sx - 1] + tile[sy][sx + 1];
    out[at] = 2.f * here - old[at] + 0.125f * (sum - 6.f * here);
    behind = here;
    here = infront;
    at += NX * NY;
    if (z + 1 < nz - 1) infront = u[at + NX * NY];
  }
}

void show(const char* name, const float* p) {
  double sum = 0, weighted = 0;
  for (int i = 0; i < SIZE; ++i) sum += p[i], weighted += p[i] * (i % 31);
  printf("%s %.4f %.4f\n", name, sum, weighted);
}

int main() {
  for (int i = 0; i < SIZE; ++i) now[i] = float(i * 7 % 23), next[i] = 0.f;
  for (int i = 0; i < 2 * SIZE; ++i) before[i] = float(i * 5 % 19);
  const dim3 grid(NX / TX, NY / TY), block(TX, TY);
  wave<<<grid, block>>>(now, before, next, NZ);
  cudaDeviceSynchronize();
  show("apart", next);
  wave<<<grid, block>>>(now, next, next, NZ);
  cudaDeviceSynchronize();
  show("in place", next);
  wave<<<grid, block>>>(now, before + NX * NY, before, NZ);  // what a thread reads it has not stored to yet
  cudaDeviceSynchronize();
  show("one plane down", before);
  wave<<<grid, block>>>(now, before, before + NX * NY, NZ);  // what a thread reads it has stored before
  cudaDeviceSynchronize();
  show("one plane up", before + NX * NY);
}
