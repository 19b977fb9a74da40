// Guards that compare a thread's place with bounds: ends of arrays that fall into a row of threads,
// inner points, indices of 64 bits and without sign, and places that wrap around.
#include <cstdio>
#include <vector>

__constant__ int limits[1];
__constant__ int lastOne;

__global__ void returns(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = 3 * i + 1;
}

__global__ void wide(int* out, size_t n) {
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = int(i ^ 5);
}

// The sum of 32 bits wraps around in the middle of a row; the place of 64 bits does not go on.
__global__ void wraps(int* out, unsigned start, unsigned long long n) {
  unsigned long long i = start + threadIdx.x;
  if (i < n)
    out[i] = int(i) + 7;
}

__global__ void belowZero(int* out, int shift, unsigned n) {
  const unsigned i = threadIdx.x - shift;
  if (i < n)
    out[i] = int(threadIdx.x);
}

__global__ void signedWithUnsigned(int* out, int shift, unsigned n) {
  int i = int(threadIdx.x) - shift;
  if (i < n && i >= 0)
    out[i] = int(threadIdx.x) * 2;
}

__global__ void innerPoints(const int* in, int* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const bool isInside = x >= 1 && x < w - 1 && y > 0 && y < h - 1;
  if (!isInside)
    return;
  out[y * w + x] = in[y * w + x - 1] + in[y * w + x + 1] - in[(y - 1) * w + x] + in[(y + 1) * w + x];
}

__global__ void nested(int* out, int w, int h, bool on) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (on) {
    if (x < w) {
      if (y < h)
        out[y * w + x] = x * 10 + y;
    }
  }
}

// Others run, too.
__global__ void twoHalves(int* out, int n, int half) {
  int add = n + half;
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n)
    out[i] += add;
  if (i + 128 < half)
    out[i + 4096] -= i;
  else
    out[i] += 2;
}

__global__ void fours(int* out, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (i + 3 < n)
    for (int k = 0; k < 4; ++k)
      out[i + k] = i - k;
}

// What is asked first counts each thread.
__global__ void counts(int* out, int* count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (atomicAdd(count, 1) < 1 << 30 && i < n)
    out[i] = -i;
}

__global__ void names(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int n = i + 4;
    if (n < 1000)
      out[n - 4] = n;
  }
}

__global__ void fromConstants(int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= lastOne && i != 5)
    out[i] = i + limits[0];
}

template <class T, int add> __global__ void ofTemplate(T* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + add < n)
    out[i] = T(i + add);
}

static const int size = 1 << 13;
static int *in, *out, *count;

static void show(const char* name) {
  std::vector<int> h(size);
  cudaDeviceSynchronize();
  cudaMemcpy(h.data(), out, size * sizeof(int), cudaMemcpyDeviceToHost);
  unsigned hash = 2166136261u;
  for (int v : h)
    hash = (hash ^ unsigned(v)) * 16777619u;
  printf("%s %08x\n", name, hash);
  cudaMemset(out, 0, size * sizeof(int));
}

int main() {
  std::vector<int> h(size);
  for (int i = 0; i < size; ++i)
    h[i] = i * i % 101;
  cudaMalloc(&in, size * sizeof(int));
  cudaMalloc(&out, size * sizeof(int));
  cudaMalloc(&count, sizeof(int));
  cudaMemcpy(in, h.data(), size * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, size * sizeof(int));
  cudaMemset(count, 0, sizeof(int));
  int two[] = {40}, last = 777;
  cudaMemcpyToSymbol(limits, two, sizeof two);
  cudaMemcpyToSymbol(lastOne, &last, sizeof last);

  for (int n : {0, 1, 7, 100, 255, 1025, 2000}) {
    printf("%d ", n);
    returns<<<(n + 127) / 128 + 1, 128>>>(out, n);
    show("returns");
  }
  wide<<<9, 200>>>(out, 1777);
  show("wide");
  wraps<<<1, 256>>>(out, 4294967296ull - 100, 200);
  show("wraps");
  belowZero<<<1, 256>>>(out, 3, 190);
  show("belowZero");
  signedWithUnsigned<<<1, 256>>>(out, 5, 100);
  show("signedWithUnsigned");
  innerPoints<<<dim3(5, 5), dim3(16, 16)>>>(in, out, 67, 59);
  show("innerPoints");
  innerPoints<<<dim3(3, 8), dim3(32, 8)>>>(in, out, 64, 64);
  show("innerPoints");
  nested<<<dim3(2, 7), dim3(32, 8)>>>(out, 61, 50, true);
  show("nested");
  twoHalves<<<4, 256>>>(out, 900, 700);
  show("twoHalves");
  fours<<<4, 96>>>(out, 1022);
  show("fours");
  counts<<<4, 96>>>(out, count, 300);
  show("counts");
  int counted = 0;
  cudaMemcpy(&counted, count, sizeof counted, cudaMemcpyDeviceToHost);
  printf("%d threads\n", counted);
  names<<<8, 160>>>(out, 1200);
  show("names");
  fromConstants<<<8, 160>>>(out);
  show("fromConstants");
  ofTemplate<int, 3><<<8, 160>>>(out, 1111);
  show("ofTemplate");
  return 0;
}
