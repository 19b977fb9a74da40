// Tiles whose places are mirrored at the edges and kept within bounds besides.
#include <cstdio>

constexpr int TX = 32, TY = 6;

__device__ __forceinline__ int mirror(int i, int n) { return i < 0 ? -i - 1 : (i >= n ? 2 * n - 1 - i : i); }
__device__ __forceinline__ int turned(int i, int n) { return i % 3 == 0 ? n - 1 - i : i; }

__global__ void blur(const float2* __restrict__ in, float2* __restrict__ out, int w, int h) {
  __shared__ float2 t[TY + 4][TX + 4];
  const int bx = blockIdx.x * TX, by = blockIdx.y * TY;
  for (int e = threadIdx.y * TX + threadIdx.x; e < (TX + 4) * (TY + 4); e += TX * TY) {
    const int ly = e / (TX + 4), lx = e - ly * (TX + 4);
    const int gx = min(max(mirror(bx + lx - 2, w), 0), w - 1), gy = min(max(mirror(by + ly - 2, h), 0), h - 1);
    t[ly][lx] = in[gy * w + gx];
  }
  __syncthreads();
  const int x = bx + threadIdx.x, y = by + threadIdx.y;
  if (x >= w || y >= h)
    return;
  float2 sum = make_float2(0, 0);
  for (int dy = 0; dy <= 4; dy += 2)
    for (int dx = 0; dx <= 4; dx += 2) {
      const float2 c = t[threadIdx.y + dy][threadIdx.x + dx];
      sum.x += c.x * (1 + dx), sum.y += c.y * (1 + dy);
    }
  out[y * w + x] = sum;
}

// By single threads, the lesser of places first; near miss: a function that doesn't keep a place within bounds.
__global__ void lines(const int* __restrict__ in, int* __restrict__ out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int left = max(min(mirror(i - 3, n), n - 1), 0), right = min(mirror(i + 3, n), n - 2);
  out[i] = in[left] + 3 * in[right] + 5 * in[min(max(turned(i, n), 0), n - 1)];
}

int main() {
  constexpr int w = 101, h = 15, n = w * h;
  float2 *in, *out;
  int *numbers, *sums;
  cudaMallocManaged(&in, n * sizeof(float2));
  cudaMallocManaged(&out, n * sizeof(float2));
  cudaMallocManaged(&numbers, n * sizeof(int));
  cudaMallocManaged(&sums, n * sizeof(int));
  for (int i = 0; i < n; ++i)
    in[i] = make_float2(float(i * 29 % 97), float(i * 31 % 89)), numbers[i] = i * 37 % 101;
  for (const int width : {w, 64, 35}) {
    blur<<<dim3((width + TX - 1) / TX, (h + TY - 1) / TY), dim3(TX, TY)>>>(in, out, width, h);
    lines<<<(width * h + 127) / 128, 128>>>(numbers, sums, width * h);
    cudaDeviceSynchronize();
    double a = 0, b = 0;
    long long s = 0;
    for (int i = 0; i < width * h; ++i)
      a += out[i].x * (1 + i % 7), b += out[i].y * (1 + i % 5), s += sums[i] * (1 + i % 11);
    std::printf("%d: %.0f %.0f %lld, %g %g %d\n", width, a, b, s, out[0].x, out[width - 1].y, sums[0]);
  }
  cudaFree(in);
  cudaFree(out);
  cudaFree(numbers);
  cudaFree(sums);
}
