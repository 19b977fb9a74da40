// Kernels that march without __restrict__, by macros and with places kept within the array, read it
// only where what they store lies elsewhere.
#include <cstdio>
#include <vector>

constexpr int BX = 16, BY = 4, R = 2;

#define AT(i, j, k) ((i) + nx * ((j) + ny * (k)))
#define CROSS(a)                                                                                   \
  (c[0] * (a) +                                                                                    \
   c[1] * (tile[ty][tx - 1] + tile[ty][tx + 1] - tile[ty - 1][tx] + tile[ty + 1][tx]) +            \
   c[2] * (tile[ty][tx - 2] - tile[ty][tx + 2] + tile[ty - 2][tx] + tile[ty + 2][tx]))

__constant__ float c[R + 1];

__device__ int within(int v, int low, int high) { return v < low ? low : (v > high ? high : v); }

__global__ void byChoice(const float* u, const float* old, float* out, int nx, int ny, int nz) {
  __shared__ float tile[BY + 2 * R][BX + 2 * R];
  int i = blockIdx.x * BX + threadIdx.x + R;
  int j = blockIdx.y * BY + threadIdx.y + R;
  int tx = threadIdx.x + R, ty = threadIdx.y + R;
  int inside = (i < nx - R) && (j < ny - R);
  int ii = i < nx ? i : nx - 1;
  int jj = j < ny ? j : ny - 1;
  float back2 = u[AT(ii, jj, 0)], back1 = u[AT(ii, jj, 1)];
  float cur = u[AT(ii, jj, 2)], fwd1 = u[AT(ii, jj, 3)], fwd2;
  for (int k = R; k < nz - R; k++) {
    fwd2 = u[AT(ii, jj, k + 2)];
    __syncthreads();
    tile[ty][tx] = cur;
    if (threadIdx.x < R) {
      int ir = i + BX < nx ? i + BX : nx - 1;
      tile[ty][tx - R] = u[AT(i - R, jj, k)];
      tile[ty][tx + BX] = u[AT(ir, jj, k)];
    }
    if (threadIdx.y < R) {
      int jr = j + BY < ny ? j + BY : ny - 1;
      tile[ty - R][tx] = u[AT(ii, j - R, k)];
      tile[ty + BY][tx] = u[AT(ii, jr, k)];
    }
    __syncthreads();
    if (inside) {
      float sum = CROSS(cur) + c[1] * (back1 - fwd1) + c[2] * (back2 + fwd2);
      int p = AT(i, j, k);
      out[p] = sum - old[p];
    }
    back2 = back1;
    back1 = cur;
    cur = fwd1;
    fwd1 = fwd2;
  }
}

// The same by min(), max() and a function of the user's, and `&` between conditions.
__global__ void byCalls(const float* u, float* out, int nx, int ny, int nz) {
  __shared__ float tile[BY + 2 * R][BX + 2 * R];
  const int i = blockIdx.x * BX + threadIdx.x + R;
  const int j = blockIdx.y * BY + threadIdx.y + R;
  const int tx = threadIdx.x + R, ty = threadIdx.y + R;
  const bool inside = (i < nx - R) & (j < ny - R);
  const int ii = max(min(i, nx - 1), 0), jj = within(j, 0, ny - 1);
  float back2 = u[AT(ii, jj, 0)], back1 = u[AT(ii, jj, 1)];
  float cur = u[AT(ii, jj, 2)], fwd1 = u[AT(ii, jj, 3)], fwd2 = 0;
  for (int k = R; k < nz - R; k++) {
    fwd2 = u[AT(ii, jj, k + 2)];
    __syncthreads();
    tile[ty][tx] = cur;
    if (threadIdx.x < R) {
      tile[ty][tx - R] = u[AT(max(i - R, 0), jj, k)];
      tile[ty][tx + BX] = u[AT(min(i + BX, nx - 1), jj, k)];
    }
    if (threadIdx.y < R) {
      const int jr = min(j + BY, ny - 1);
      tile[ty - R][tx] = u[AT(ii, within(j - R, 0, ny - 1), k)];
      tile[ty + BY][tx] = u[AT(ii, jr, k)];
    }
    __syncthreads();
    if (inside)
      out[AT(i, j, k)] = CROSS(cur) + c[1] * (back1 - fwd1) + c[2] * (back2 + fwd2);
    back2 = back1;
    back1 = cur;
    cur = fwd1;
    fwd1 = fwd2;
  }
}

// Threads store where their neighbours are kept within the array: those at its edge read something
// else than what lies there.
__global__ void storesAtEdge(const float* u, float* out, int nx, int ny, int nz) {
  __shared__ float tile[BY + 2][BX + 2];
  const int i = blockIdx.x * BX + threadIdx.x, j = blockIdx.y * BY + threadIdx.y;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int ii = min(i, nx - 1), jj = min(j, ny - 1);
  float below = u[AT(ii, jj, 0)], cur = below, above = u[AT(ii, jj, 1)];
  for (int k = 0; k < nz - 2; k++) {
    __syncthreads();
    tile[ty][tx] = cur;
    if (threadIdx.x < 1) {
      tile[ty][0] = u[AT(max(i - 1, 0), jj, k)];
      tile[ty][tx + BX] = u[AT(min(i + BX, nx - 1), jj, k)];
    }
    if (threadIdx.y < 1) {
      tile[0][tx] = u[AT(ii, max(j - 1, 0), k)];
      tile[ty + BY][tx] = u[AT(ii, min(j + BY, ny - 1), k)];
    }
    __syncthreads();
    if (i < nx && j < ny)
      out[AT(i, j, k)] = tile[ty][tx - 1] - 2 * tile[ty][tx + 1] + 3 * tile[ty - 1][tx] -
                         4 * tile[ty + 1][tx] + below - above;
    below = cur;
    cur = above;
    above = u[AT(ii, jj, k + 2)];
  }
}

// Neighbours around the corner.
__global__ void wrapsAround(const float* u, float* out, int nx, int ny, int nz) {
  __shared__ float tile[BY][BX + 2];
  const int i = blockIdx.x * BX + threadIdx.x, j = blockIdx.y * BY + threadIdx.y;
  const int tx = threadIdx.x + 1, ty = threadIdx.y;
  float cur = u[AT(i, j, 0)], above = u[AT(i, j, 1)];
  for (int k = 0; k < nz - 2; k++) {
    __syncthreads();
    tile[ty][tx] = cur;
    if (threadIdx.x == 0) {
      const int left = i > 0 ? i - 1 : i - 1 + nx;
      const int right = i + BX < nx ? i + BX : i + BX - nx;
      tile[ty][0] = u[AT(left, j, k)];
      tile[ty][BX + 1] = u[AT(right, j, k)];
    }
    __syncthreads();
    out[AT(i, j, k)] = tile[ty][tx - 1] - 2 * tile[ty][tx + 1] + above;
    cur = above;
    above = u[AT(i, j, k + 2)];
  }
}

// Without a sign, what lies before the first place is no small number; and no thread asks whether
// it is inside.
__global__ void withoutSign(const float* u, float* out, unsigned nx, unsigned ny, unsigned nz) {
  __shared__ float tile[BY][BX + 2];
  const unsigned i = blockIdx.x * BX + threadIdx.x, j = blockIdx.y * BY + threadIdx.y;
  const unsigned tx = threadIdx.x + 1, ty = threadIdx.y;
  float cur = u[AT(i, j, 0)], above = u[AT(i, j, 1)];
  for (unsigned k = 0; k < nz - 2; k++) {
    __syncthreads();
    tile[ty][tx] = cur;
    if (threadIdx.x < 1) {
      const unsigned left = min(i - 1, nx - 1), right = min(i + BX, nx - 1);
      tile[ty][tx - 1] = u[AT(left, j, k)];
      tile[ty][tx + BX] = u[AT(right, j, k)];
    }
    __syncthreads();
    out[AT(i, j, k)] = tile[ty][tx - 1] - 2 * tile[ty][tx + 1] + above;
    cur = above;
    above = u[AT(i, j, k + 2)];
  }
}

// Of a template, and of none; all threads of the grid store.
template <typename T> __global__ void oneSided(const T* u, T* out, int nx, int ny, int nz) {
  __shared__ T tile[BY + 1][BX + 1];
  const int i = blockIdx.x * BX + threadIdx.x, j = blockIdx.y * BY + threadIdx.y;
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int plane = nx * ny;
  int at = j * nx + i;
  T cur = u[at], above = u[at + plane];
  for (int k = 0; k < nz - 2; k++) {
    __syncthreads();
    tile[ty][tx] = cur;
    if (threadIdx.x == BX - 1)
      tile[ty][BX] = u[at + 1];
    if (threadIdx.y == BY - 1)
      tile[BY][tx] = u[at + nx];
    __syncthreads();
    out[at] = tile[ty][tx + 1] - 2 * tile[ty + 1][tx] + above + cur;
    cur = above;
    above = u[at + 2 * plane];
    at += plane;
  }
}
__global__ void oneSidedFloats(const float* u, float* out, int nx, int ny, int nz) {
  __shared__ float tile[BY + 1][BX + 1];
  const int i = blockIdx.x * BX + threadIdx.x, j = blockIdx.y * BY + threadIdx.y;
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int plane = nx * ny;
  int at = j * nx + i;
  float cur = u[at], above = u[at + plane];
  for (int k = 0; k < nz - 2; k++) {
    __syncthreads();
    tile[ty][tx] = cur;
    if (threadIdx.x == BX - 1)
      tile[ty][BX] = u[at + 1];
    if (threadIdx.y == BY - 1)
      tile[BY][tx] = u[at + nx];
    __syncthreads();
    out[at] = tile[ty][tx + 1] - 2 * tile[ty + 1][tx] + above + cur;
    cur = above;
    above = u[at + 2 * plane];
    at += plane;
  }
}

static float* memory;
static const int count = 64 * 1024;

static void start() {
  std::vector<float> host(count);
  unsigned state = 7;
  for (float& v : host) {
    state = state * 1664525u + 1013904223u;
    v = float(int(state >> 20) % 17 - 8) * 0.5f;
  }
  cudaMemcpy(memory, host.data(), count * sizeof(float), cudaMemcpyHostToDevice);
}

static void show(const char* name) {
  std::vector<float> host(count);
  cudaMemcpy(host.data(), memory, count * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += double(host[i]) * (1 + i % 101);
  printf("%s %.6g\n", name, sum);
}

// Two outputs without __restrict__: given overlapping, the later of two stores counts.
__global__ void twoOutputs(const float* __restrict__ in, float* a, float* b, int nx, int ny,
                           int nz) {
  __shared__ float tile[8 + 2][16 + 2];
  const int x = blockIdx.x * 16 + threadIdx.x + 1, y = blockIdx.y * 8 + threadIdx.y + 1;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int plane = nx * ny;
  if (x >= nx - 1 || y >= ny - 1)
    return;
  int at = y * nx + x;
  float below = in[at], here = in[at + plane];
  for (int z = 1; z < nz - 1; ++z) {
    at += plane;
    const float above = in[at + plane];
    __syncthreads();
    tile[ty][tx] = here;
    if (threadIdx.x == 0)
      tile[ty][0] = in[at - 1];
    if (threadIdx.x == 15)
      tile[ty][17] = in[at + 1];
    if (threadIdx.y == 0)
      tile[0][tx] = in[at - nx];
    if (threadIdx.y == 7)
      tile[9][tx] = in[at + nx];
    __syncthreads();
    a[at] = tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx] + above +
            below - 6 * here;
    b[at] = here * 0.5f;
    below = here;
    here = above;
  }
}

void runTwoOutputs() {
  const int nx = 34, ny = 18, nz = 9, n = nx * ny * nz;
  float *in, *out;
  cudaMallocManaged(&in, n * 4);
  cudaMallocManaged(&out, 3 * n * 4);
  for (int i = 0; i < n; ++i)
    in[i] = (i * 37 % 101) * 0.25f;
  for (int apart : {n, nx * ny, -nx * ny, 0}) {
    for (int i = 0; i < 3 * n; ++i)
      out[i] = -1;
    twoOutputs<<<dim3(2, 2), dim3(16, 8)>>>(in, out + n, out + n + apart, nx, ny, nz);
    cudaDeviceSynchronize();
    double s = 0;
    for (int i = 0; i < 3 * n; ++i)
      s += out[i] * (1 + i % 11);
    printf("two outputs, %d: %.9g\n", apart, s);
  }
}

int main() {
  const float taps[] = {0.5f, 0.25f, -0.125f};
  cudaMemcpyToSymbol(c, taps, sizeof taps);
  cudaMalloc(&memory, count * sizeof(float));
  const dim3 block(BX, BY);
  float *const a = memory + 1024, *const b = memory + 20000, *const d = memory + 40000;

  // Arrays of their own; of one block, also in place and a plane (or a row) further on.
  const int nx = 37, ny = 22, nz = 11, size = nx * ny * nz;
  const dim3 grid((nx - 2 * R + BX - 1) / BX, (ny - 2 * R + BY - 1) / BY);
  start(), byChoice<<<grid, block>>>(a, b, d, nx, ny, nz), show("byChoice apart");
  start(), byChoice<<<grid, block>>>(a, b, a + size, nx, ny, nz), show("byChoice side by side");
  start(), byChoice<<<grid, block>>>(a, d, d, nx, ny, nz), show("byChoice old in place");
  start(), byCalls<<<grid, block>>>(a, d, nx, ny, nz), show("byCalls apart");
  start(), byCalls<<<grid, block>>>(a + size, a, nx, ny, nz), show("byCalls side by side");
  start(), storesAtEdge<<<dim3(3, 6), block>>>(a, d, nx, ny, nz), show("storesAtEdge apart");
  const int mx = BX + 2 * R, my = BY + 2 * R, m = mx * my;
  start(), byChoice<<<1, block>>>(a, b, a, mx, my, nz), show("byChoice in place");
  start(), byChoice<<<1, block>>>(a, b, a + m, mx, my, nz), show("byChoice a plane on");
  start(), byChoice<<<1, block>>>(a, b, a - m, mx, my, nz), show("byChoice a plane back");
  start(), byCalls<<<1, block>>>(a, a, mx, my, nz), show("byCalls in place");
  start(), byCalls<<<1, block>>>(a, a + m, mx, my, nz), show("byCalls a plane on");
  start(), byCalls<<<1, block>>>(a, a - 2 * m, mx, my, nz), show("byCalls two planes back");

  // All threads of the grid store.
  const dim3 whole(3, 4);
  const int wx = 3 * BX, wy = 4 * BY;
  start(), wrapsAround<<<whole, block>>>(a, d, wx, wy, nz), show("wrapsAround apart");
  start(), withoutSign<<<whole, block>>>(a, d, wx, wy, nz), show("withoutSign apart");
  start(), withoutSign<<<1, block>>>(a, a, BX, BY, nz), show("withoutSign in place");
  start(), oneSided<float><<<whole, block>>>(a, d, wx, wy, nz), show("oneSided apart");
  start(), oneSidedFloats<<<whole, block>>>(a, d, wx, wy, nz), show("oneSidedFloats apart");
  const int row = BX + 1, far = row * (BY + 1);
  start(), oneSided<float><<<1, block>>>(a, a, row, BY + 1, nz), show("oneSided in place");
  start(), oneSidedFloats<<<1, block>>>(a, a, row, BY + 1, nz), show("oneSidedFloats in place");
  start(), oneSidedFloats<<<1, block>>>(a, a + far, row, BY + 1, nz);
  show("oneSidedFloats a plane on");
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  runTwoOutputs();
  return 0;
}
