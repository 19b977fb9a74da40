// A queue of planes in registers, whose ends load the volume's last planes again.
#include <cstdio>

constexpr int NX = 70, NY = 21, NZ = 26, R = 2;

// Five planes by loops, forwards; chunks of z.
template <int TX, int TY, int CHUNK>
__global__ void forwards(const float* __restrict__ in, float* __restrict__ out, int nx, int ny, int nz) {
  __shared__ float tile[TY + 2 * R][TX + 2 * R];
  const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * TX + tx, y = blockIdx.y * TY + ty;
  const int xc = min(x, nx - 1), yc = min(y, ny - 1);
  const bool border = x < R || x >= nx - R || y < R || y >= ny - R;
  const size_t plane = (size_t)nx * ny, base = (size_t)yc * nx + xc;
  const int zb = blockIdx.z * CHUNK, ze = min(zb + CHUNK, nz);
  float q[2 * R + 1];
  for (int i = 0; i < 2 * R; i++)
    q[i + 1] = in[base + plane * min(max(zb - R + i, 0), nz - 1)];
  const int left = max((int)(blockIdx.x * TX) + tx - R, 0), right = min((int)(blockIdx.x * TX) + TX + tx, nx - 1);
  const int above = max((int)(blockIdx.y * TY) + ty - R, 0), below = min((int)(blockIdx.y * TY) + TY + ty, ny - 1);
  for (int z = zb; z < ze; z++) {
    for (int i = 0; i < 2 * R; i++)
      q[i] = q[i + 1];
    q[2 * R] = in[base + plane * min(z + R, nz - 1)];
    const float* now = in + plane * z;
    __syncthreads();
    tile[ty + R][tx + R] = q[R];
    if (tx < R) {
      tile[ty + R][tx] = now[(size_t)yc * nx + left];
      tile[ty + R][tx + TX + R] = now[(size_t)yc * nx + right];
    }
    if (ty < R) {
      tile[ty][tx + R] = now[(size_t)above * nx + xc];
      tile[ty + TY + R][tx + R] = now[(size_t)below * nx + xc];
    }
    __syncthreads();
    if (x < nx && y < ny) {
      float c = q[R];
      if (!border && z >= R && z < nz - R)
        c += tile[ty + R][tx] + 2 * tile[ty + R][tx + 4] + 3 * tile[ty][tx + R] + 4 * tile[ty + 4][tx + R] +
             5 * q[0] + 6 * q[1] + 7 * q[3] + 8 * q[4];
      out[base + plane * z] = c;
    }
  }
}

// Three planes, backwards in the queue.
__global__ void backwards(const float* __restrict__ in, float* __restrict__ out, int nx, int ny, int nz) {
  __shared__ float tile[8][32];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  const int at = min(y, ny - 1) * nx + min(x, nx - 1), plane = nx * ny;
  float q[3];
  for (int i = 2; i > 0; --i)
    q[i - 1] = in[at + plane * min(max(1 - i, 0), nz - 1)];
  for (int z = 0; z < nz; ++z) {
    for (int i = 2; i > 0; --i)
      q[i] = q[i - 1];
    q[0] = in[at + plane * min(z + 1, nz - 1)];
    __syncthreads();
    tile[threadIdx.y][threadIdx.x] = q[1];
    __syncthreads();
    if (x < nx && y < ny) {
      float sum = 2 * q[1] + (threadIdx.x > 0 ? 8 * tile[threadIdx.y][threadIdx.x - 1] : 0.0f);
      if (z > 0 && z < nz - 1)
        sum += q[0] + 4 * q[2];
      out[at + plane * z] = sum;
    }
  }
}

// Near miss: what is read behind an end is the last plane again.
__global__ void unguarded(const float* __restrict__ in, float* __restrict__ out, int nx, int ny, int nz) {
  __shared__ float tile[8][32];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  const int at = min(y, ny - 1) * nx + min(x, nx - 1), plane = nx * ny;
  float q[3];
  for (int i = 2; i > 0; --i)
    q[i - 1] = in[at + plane * min(max(1 - i, 0), nz - 1)];
  for (int z = 0; z < nz; ++z) {
    for (int i = 2; i > 0; --i)
      q[i] = q[i - 1];
    q[0] = in[at + plane * min(z + 1, nz - 1)];
    __syncthreads();
    tile[threadIdx.y][threadIdx.x] = q[1];
    __syncthreads();
    if (x < nx && y < ny) {
      float sum = 2 * q[1] + (threadIdx.x > 0 ? 8 * tile[threadIdx.y][threadIdx.x - 1] : 0.0f);
      sum += q[0] + 4 * q[2];
      out[at + plane * z] = sum;
    }
  }
}

int main() {
  const int n = NX * NY * NZ;
  float *in, *out;
  cudaMallocManaged(&in, n * sizeof(float));
  cudaMallocManaged(&out, n * sizeof(float));
  for (int i = 0; i < n; ++i)
    in[i] = float(i * 37 % 64);
  const auto show = [&](const char* name) {
    cudaDeviceSynchronize();
    double sum = 0, weighed = 0;
    for (int i = 0; i < n; ++i)
      sum += out[i], weighed += out[i] * (1 + i % 13);
    std::printf("%s %.0f %.0f %g %g %g\n", name, sum, weighed, out[3], out[n / 2 + 3], out[n - 5]);
  };
  const dim3 block(32, 8), grid((NX + 31) / 32, (NY + 7) / 8);
  for (const int nz : {NZ, 25, 3, 1}) {
    cudaMemset(out, 0, n * sizeof(float));
    forwards<32, 8, 8><<<dim3(grid.x, grid.y, (nz + 7) / 8), block>>>(in, out, NX, NY, nz);
    show("forwards");
    backwards<<<grid, block>>>(in, out, NX, NY, nz);
    show("backwards");
    unguarded<<<grid, block>>>(in, out, NX, NY, nz);
    show("unguarded");
  }
  cudaFree(in);
  cudaFree(out);
}
