// Marches whose branches store results and move on what threads keep, under a flag; halos filled at
// a tile's edge or the grid's.
#include <cstdio>

#define TX 32
#define TY 8
#define AT(i, j, k) ((i) + nx * ((j) + ny * (k)))

template <bool beyond>
__global__ void heat(float c0, float c1, const float* in, float* out, int nx, int ny, int nz) {
  __shared__ float sh[TY + 2][TX + 2];
  int i = blockIdx.x * TX + threadIdx.x + 1, j = blockIdx.y * TY + threadIdx.y + 1;
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  bool active = i < nx - 1 && j < ny - 1;
  float bottom = 0.0f, current = 0.0f, top = 0.0f;
  if (active) {
    bottom = in[AT(i, j, 0)];
    current = in[AT(i, j, 1)];
  }
  for (int k = 1; k < nz - 1; k++) {
    if (active) {
      top = in[AT(i, j, k + 1)];
      sh[ty][tx] = current;
      if (tx == 1) sh[ty][0] = in[AT(i - 1, j, k)];
      if (tx == TX || i == nx - 2) sh[ty][tx + 1] = in[AT(i + 1, j, k)];
      if (ty == 1) sh[0][tx] = in[AT(i, j - 1, k)];
      if (ty == TY || j == ny - 2) sh[ty + 1][tx] = in[AT(i, j + 1, k)];
    }
    __syncthreads();
    if (active) {
      out[AT(i, j, k)] = c1 * (top + bottom + sh[ty][tx - 1] + sh[ty][tx + 1] + sh[ty - 1][tx] + sh[ty + 1][tx]) + c0 * current;
      // What some threads do not move on is another plane's for them.
      if (!beyond || k % 3 != 1)
        bottom = current;
      current = top;
    }
    __syncthreads();
  }
}

void run(const char* name, bool beyond, int nx, int ny, int nz, int apart) {
  const int count = nx * ny * nz;
  float* all;
  cudaMallocManaged(&all, 2 * count * sizeof(float));
  for (int i = 0; i < 2 * count; ++i)
    all[i] = i * 7 % 32;
  float *in = all, *out = all + apart * count;
  const dim3 grid((nx - 2 + TX - 1) / TX, (ny - 2 + TY - 1) / TY), block(TX, TY);
  for (int step = 0; step < 2; ++step) {
    if (beyond)
      heat<true><<<grid, block>>>(0.5f, 0.125f, step ? out : in, step ? in : out, nx, ny, nz);
    else
      heat<false><<<grid, block>>>(0.5f, 0.125f, step ? out : in, step ? in : out, nx, ny, nz);
    cudaDeviceSynchronize();
  }
  double sum = 0;
  for (int i = 0; i < 2 * count; ++i)
    sum += double(all[i]) * (1 + i % 11);
  printf("%s: %.10g %g\n", name, sum, all[AT(1, 1, 1)]);
}

int main() {
  run("one block", false, 20, 7, 9, 1);
  run("whole tiles", false, 66, 18, 12, 1);
  run("edges", false, 50, 23, 10, 1);
  run("kept longer", true, 50, 23, 10, 1);
}
