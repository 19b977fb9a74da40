// Threads that stay away because their place is one certain place: the first, the last, one in the middle of a row or
// none, with and without a sign, in blocks of one, two and three dimensions.
#include <cstdio>

__global__ void inner2(const int* in, int* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1 || x >= width || y >= height) return;
  const int at = y * width + x;
  out[at] = in[at - 1] + in[at + 1] + in[at - width] + in[at + width] - 4 * in[at];
}

// No thread is behind the last place.
__global__ void exact(const int* in, int* out, int width, int height) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x != 0 && x != unsigned(width - 1) && y != 0 && y != unsigned(height - 1))
    out[y * width + x] = in[y * width + x - 1] * 2 + in[y * width + x + 1] * 3;
}

__global__ void inner3(const int* in, int* out, int nx, int ny, int nz) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int j = blockIdx.y * blockDim.y + threadIdx.y;
  const int k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i == 0 || j == 0 || k == 0 || i >= nx - 1 || j >= ny - 1 || k >= nz - 1) return;
  const int at = (k * ny + j) * nx + i;
  const int* p = in + at;
  out[at] = p[-1] + p[1] + p[-nx] + p[nx] + p[-nx * ny] + p[nx * ny];
}

// One place in the middle, every second one, places below zero, and one that is compared without a sign.
__global__ void allBut(const int* in, int* out, int n, int but) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == but) return;
  if (i < n) out[i] += in[i] + 1;
}
__global__ void allButHalf(const int* in, int* out, int n, int but) {
  const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n && i != but) out[i] += in[i] + 2;
}
__global__ void fromBefore(const int* in, int* out, int n, unsigned but) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x) - 3;
  if (i == but || i < 0 || i >= n) return;
  out[i] += in[i] + 3;
}
__global__ void fromBeforeWide(const int* in, int* out, int n, long long but) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x) - 3;
  if (i != but && i >= 0)
    if (i < n) out[i] += in[i] + 4;
}
// Only one thread does anything.
__global__ void onlyOne(int* out, int n, int one) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (!(i != one) && i < n) out[i] += 1000;
}

int main() {
  const int most = 4096;
  int *in, *out;
  cudaMallocManaged(&in, most * sizeof(int));
  cudaMallocManaged(&out, most * sizeof(int));
  for (int i = 0; i < most; ++i) in[i] = i * 13 % 101;
  const auto clear = [&] {
    cudaDeviceSynchronize();
    for (int i = 0; i < most; ++i) out[i] = 0;
  };
  const auto show = [&](const char* name) {
    const cudaError_t error = cudaDeviceSynchronize();
    long long sum = 0;
    for (int i = 0; i < most; ++i) sum += (i % 31 + 1) * (long long)out[i];
    printf(" %s %lld%s", name, sum, error ? "!" : "");
  };
  const int sizes[][2] = {{1, 1}, {2, 3}, {32, 8}, {33, 9}, {64, 64}, {100, 40}};
  for (const auto& s : sizes) {
    clear();
    printf("%d x %d:", s[0], s[1]);
    inner2<<<dim3((s[0] + 31) / 32, (s[1] + 7) / 8), dim3(32, 8)>>>(in, out, s[0], s[1]);
    show("inner2");
    clear();
    exact<<<dim3(1, s[1]), dim3(s[0], 1)>>>(in, out, s[0], s[1]);
    show("exact");
    clear();
    inner3<<<dim3((s[0] + 15) / 16, (s[1] + 3) / 4, 2), dim3(16, 4, 2)>>>(in, out, s[0], s[1], most / (s[0] * s[1]) < 4 ? most / (s[0] * s[1]) : 4);
    show("inner3");
    printf("\n");
  }
  for (int n : {1, 100, 1000, 3000}) {
    printf("%d:", n);
    for (int but : {-5, -1, 0, 1, 63, 64, 99, 500, 998, 2999, 4000}) {
      clear();
      allBut<<<(n + 127) / 128, 128>>>(in, out, n, but);
      allButHalf<<<(n + 127) / 128, 128>>>(in, out, n, but);
      fromBefore<<<(n + 130) / 128, 128>>>(in, out, n, unsigned(but));
      fromBeforeWide<<<(n + 130) / 128, 128>>>(in, out, n, but);
      onlyOne<<<(n + 127) / 128, 128>>>(out, n, but);
      show("");
    }
    printf("\n");
  }
}
