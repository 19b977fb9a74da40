// Marches through a volume whose threads beyond the edge fill the tile with a number, where the
// array beside the volume has others: what the tile has there counts, and not the array.
#include <cstdio>
#include <vector>

constexpr int R = 2;

struct Volume {
  int nx, ny, nz, sx, sxy;
  __host__ __device__ int at(int x, int y, int z) const {
    return (z + R) * sxy + (y + R) * sx + x + R;
  }
};

template <int BX, int BY>
__global__ void march(const float* __restrict__ in, float* __restrict__ out, Volume v) {
  __shared__ float tile[BY + 2 * R][BX + 2 * R];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * BX + tx, y = blockIdx.y * BY + ty;
  const bool inside = x < v.nx && y < v.ny;
  const int xc = min(x, v.nx - 1), yc = min(y, v.ny - 1);
  float behind = in[v.at(xc, yc, -1)], here = in[v.at(xc, yc, 0)], ahead = in[v.at(xc, yc, 1)];
  for (int z = 0; z < v.nz; ++z) {
    __syncthreads();
    if (ty < R) {
      tile[ty][tx + R] = in[v.at(xc, (int)(blockIdx.y * BY) + ty - R, z)];
      tile[ty + BY + R][tx + R] =
          in[v.at(xc, min((int)(blockIdx.y * BY) + ty + BY, v.ny + R - 1), z)];
    }
    if (tx < R) {
      tile[ty + R][tx] = in[v.at((int)(blockIdx.x * BX) + tx - R, yc, z)];
      tile[ty + R][tx + BX + R] =
          in[v.at(min((int)(blockIdx.x * BX) + tx + BX, v.nx + R - 1), yc, z)];
    }
    tile[ty + R][tx + R] = inside ? here : 1.5f;
    __syncthreads();
    float sum = behind + 2.0f * here + 4.0f * ahead;
    for (int i = 1; i <= R; ++i)
      sum += i * (tile[ty + R][tx + R - i] + 3.0f * tile[ty + R][tx + R + i] +
                  5.0f * tile[ty + R - i][tx + R] + 7.0f * tile[ty + R + i][tx + R]);
    if (inside)
      out[v.at(x, y, z)] = sum;
    behind = here;
    here = ahead;
    ahead = in[v.at(xc, yc, z + 2)];
  }
}

// The same where the number is written over again behind a barrier.
template <int BX, int BY>
__global__ void again(const float* __restrict__ in, float* __restrict__ out, Volume v) {
  __shared__ float tile[BY][BX + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * BX + tx, y = blockIdx.y * BY + ty;
  const bool inside = x < v.nx && y < v.ny;
  const int xc = min(x, v.nx - 1), yc = min(y, v.ny - 1);
  for (int z = 0; z < v.nz; ++z) {
    const float here = in[v.at(xc, yc, z)];
    __syncthreads();
    tile[ty][tx] = inside ? here : 0.0f;
    if (tx == 0)
      tile[ty][BX] = in[v.at(blockIdx.x * BX + BX, yc, z)];
    __syncthreads();
    if (tx < 3)
      tile[ty][tx + 2] = in[v.at(blockIdx.x * BX + tx + 2, yc, z)];
    __syncthreads();
    if (inside)
      out[v.at(x, y, z)] = here + 3.0f * tile[ty][tx + 1];
  }
}

template <class Kernel>
void run(const char* name, Kernel kernel, int nx, int ny, dim3 block) {
  const int nz = 5;
  Volume v{nx, ny, nz, nx + 2 * R + 40, 0};
  v.sxy = v.sx * (ny + 2 * R + 16);
  const int total = v.sxy * (nz + 2 * R + 1);
  std::vector<float> values(total);
  for (int i = 0; i < total; ++i)
    values[i] = float((i * 37 + i / 11) % 101);
  float *in, *out;
  cudaMalloc(&in, total * sizeof(float));
  cudaMalloc(&out, total * sizeof(float));
  cudaMemcpy(in, values.data(), total * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, total * sizeof(float));
  kernel<<<dim3((nx + block.x - 1) / block.x, (ny + block.y - 1) / block.y), block>>>(in, out, v);
  cudaMemcpy(values.data(), out, total * sizeof(float), cudaMemcpyDeviceToHost);
  long long sum = 0;
  for (int i = 0; i < total; ++i)
    sum += (long long)values[i] * (i % 97 + 1);
  printf("%s %d x %d: %lld\n", name, nx, ny, sum);
  cudaFree(in);
  cudaFree(out);
}

int main() {
  for (int nx : {32, 33, 61, 62, 63, 64, 90, 120})
    for (int ny : {8, 9, 14, 15, 16, 26})
      run("march", march<32, 8>, nx, ny, dim3(32, 8));
  for (int nx : {32, 45, 50, 59})
    run("again", again<16, 4>, nx, 13, dim3(16, 4));
}
