// Conditions before what a thread loads, and those by which it chooses a place, that all threads of a row answer alike
// but for some at its ends: limits within the row, before and behind it, below zero and without a sign; two and three
// conditions, one inside of another, with other sides, behind early returns, beside ones that only data decides.
#include <cstdio>

#define FIRST(place) ((place) == 0)
#define WITHIN(place, count) ((place) >= 0 && (place) < (count))

__constant__ int fixedLimit;

// Limits anywhere; those without a sign are compared as C++ compares.
__global__ void behind(const int* in, int* out, int n, int w) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= n) return;
  int best = in[c], took = 0;
  if (c >= w) {
    const int with = in[(c - w) % n] + 7;
    if (with > best) { best = with; took = 1000; }
  }
  out[c] = best + took;
}
__global__ void before(const int* in, int* out, int n, unsigned w) {
  const int c = int(blockIdx.x * blockDim.x + threadIdx.x) - 5;
  int sum = 0;
  if (c < w) sum += in[(c + 5) % n];
  else sum -= in[(c + 6) % n] * 2;
  if (c + 5 < n) out[c + 5] = sum;
}
__global__ void unsignedBehind(const int* in, int* out, unsigned n, unsigned w) {
  const unsigned c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c < n) {
    int a = 1;
    if (c > w) a = in[c - w - 1];
    int b = c - w < 10 ? in[c - w] : 3; // wraps around
    out[c] = a * 100 + b;
  }
}
__global__ void wide(const int* in, int* out, int n, long long w, unsigned long long u) {
  const int c = int(blockIdx.x * blockDim.x + threadIdx.x) - 3;
  int sum = c < w ? in[c + 3] : 1;
  sum += c >= u ? in[(c + n) % n] : 2; // below zero: above all bounds
  if (c + 3 < n) out[c + 3] = sum;
}
// int wraps around in the row
__global__ void wraps(const int* in, int* out, int n, int start) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned far = unsigned(start) + i;
  int v = 5;
  if (far >= 7u) v = in[i % n];
  if (far < 4000000000u) v += in[(i + 1) % n] * 3;
  if (i < n) out[i] = v;
}

// Around the ends, by == and !=, and the same by macros.
__global__ void around(const int* in, int* out, int nx, int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const int xm = x == 0 ? nx - 1 : x - 1;
  const int xp = x != nx - 1 ? x + 1 : 0;
  const int ym = y == 0 ? ny - 1 : y - 1, yp = y == ny - 1 ? 0 : y + 1;
  out[y * nx + x] = in[y * nx + xm] + 2 * in[y * nx + xp] + 3 * in[ym * nx + x] + 5 * in[yp * nx + x];
}
__global__ void aroundByMacros(const int* in, int* out, int nx) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < nx) {
    const int left = in[FIRST(x) ? nx - 1 : x - 1];
    const int right = WITHIN(x + 1, nx) ? in[x + 1] : in[0];
    out[x] = left * 10 + right + in[x > 3 ? x - 3 : 0] + in[x < nx - 2 ? x + 2 : nx - 1];
  }
}
// The first and the last thread of a row are the same one in short rows.
__global__ void edges(const int* in, int* out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n) return;
  int sum;
  if (x == 0) sum = in[0] * 100;
  else if (x == n - 1) sum = in[n - 1] * 10 + in[x - 1];
  else sum = in[x - 1] + in[x + 1];
  if (x == 0 || x == n - 1) sum += in[(x * 3) % n];
  out[x] = sum;
}

// Several at once, parts of which data decide; a flag; a block's row beside them; what is asked twice.
__global__ void inner(const int* in, int* out, int nx, int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const int at = y * nx + x;
  const bool isInner = x > 0 && x < nx - 1 && y > 0 && y < ny - 1;
  int sum = in[at];
  if (isInner) sum += in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx];
  if (x > 0 && in[at - 1] % 2 == 0) sum += 1000;
  if (!(x < nx - 1) || in[at + 1] % 3 == 0) sum += 5000;
  if (isInner && sum % 2) sum -= in[at - 1] * 2;
  out[at] = sum;
}
__global__ void three(const int* in, int* out, int n, int a, int b, int c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  if (i >= a) sum += in[i - a];
  if (i < b) sum += in[i + 1] * 3;
  else if (i > c) sum += in[i - 1] * 5;
  if (i >= fixedLimit && i >= a) {
    sum += in[i] * 7;
    if (i < b) sum ^= in[i - a];
  }
  if (i < n) out[i] = sum;
}
// A row's window, with stores under another condition and places that fall.
__global__ void window(const int* in, int* out, int n, int from, int to) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = -1;
  if (i >= from && i < to) v = in[i - from];
  if (n - 1 - i >= from && i < n) v += in[n - 1 - i - from] * 3;
  if (i < n && i % 3 != 1) out[i] = v;
  if (i >= to && i < n) out[i] += in[i - to] % 5;
}
// Beside conditions on numbers that are no integers, inside of a loop, and with a return that leaves only some.
__global__ void mixed(const int* in, int* out, int n, float limit, int w) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (in[i] % 11 == 0) return;
  float sum = 0;
  for (int k = 0; k < 4; ++k) {
    if (i >= w) sum += in[i - w] * (k + 1);
    if (i + k < n) sum += in[i + k];
  }
  if (float(i) < limit) sum += in[i] * 0.5f;
  if (i == w) {
    out[i] = -int(sum);
    return;
  }
  out[i] = int(sum * 2);
}
// Variables that change, and one name for two.
__global__ void changing(const int* in, int* out, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
  if (i >= w) sum += in[i - w];
  {
    const int w = 3;
    if (i >= w) sum += in[i - w] * 2;
  }
  i += 2;
  if (i < n) sum += in[i] * 3;
  w += 10;
  if (i > w) sum += in[i - w] * 5;
  out[i - 2] = sum;
}

int main() {
  const int most = 8192;
  int *in, *out;
  cudaMallocManaged(&in, most * sizeof(int));
  cudaMallocManaged(&out, most * sizeof(int));
  for (int i = 0; i < most; ++i) in[i] = (i * 37 + i / 7) % 103;
  const auto clear = [&] {
    cudaDeviceSynchronize();
    for (int i = 0; i < most; ++i) out[i] = 0;
  };
  const auto show = [&](const char* name) {
    const cudaError_t error = cudaDeviceSynchronize();
    long long sum = 0;
    for (int i = 0; i < most; ++i) sum += (i % 31 + 1) * (long long)out[i];
    printf(" %s %lld%s", name, sum, error ? "!" : "");
    clear();
  };
  clear();
  const int limits[] = {-2000000000, -70, -3, 0, 1, 5, 31, 32, 63, 64, 100, 255, 256, 700, 1023, 1500, 3000, 2147483640};
  for (const int n : {40, 1000, 2049})
    for (const int threads : {32, 96, 256, 1024})
      for (const int w : limits) {
        const int blocks = (n + threads - 1) / threads;
        printf("%d, %d, %d:", n, threads, w);
        if (w > -100 && w < 100000) {
          const int kept = w < 0 ? 0 : w;
          behind<<<blocks, threads>>>(in, out, n, kept);
          show("behind");
          three<<<blocks, threads>>>(in, out, n, kept, kept / 2 + 20, kept + 9);
          show("three");
          window<<<blocks, threads>>>(in, out, n, kept, kept * 2 + 3);
          show("window");
          mixed<<<blocks, threads>>>(in, out, n, w * 0.5f, kept);
          show("mixed");
          changing<<<blocks, threads>>>(in, out, n, kept);
          show("changing");
          cudaMemcpyToSymbol(fixedLimit, &kept, sizeof kept);
        }
        before<<<(n + 5 + threads - 1) / threads, threads>>>(in, out, n, w);
        show("before");
        unsignedBehind<<<blocks, threads>>>(in, out, n, w);
        show("unsigned");
        wide<<<(n + 3 + threads - 1) / threads, threads>>>(in, out, n, w, w);
        show("wide");
        wraps<<<blocks, threads>>>(in, out, n, w);
        show("wraps");
        wraps<<<blocks, threads>>>(in, out, n, -w - 5);
        show("wraps");
        printf("\n");
      }
  const int sizes[][2] = {{1, 1}, {1, 3}, {2, 3}, {32, 8}, {33, 9}, {64, 64}, {100, 40}, {1024, 4}, {1025, 3}, {2000, 2}};
  for (const auto& s : sizes)
    for (const dim3 threads : {dim3(32, 8), dim3(64, 4), dim3(128, 1), dim3(7, 3)}) {
      const dim3 blocks((s[0] + threads.x - 1) / threads.x, (s[1] + threads.y - 1) / threads.y);
      printf("%d x %d, %d:", s[0], s[1], threads.x);
      around<<<blocks, threads>>>(in, out, s[0], s[1]);
      show("around");
      inner<<<blocks, threads>>>(in, out, s[0], s[1]);
      show("inner");
      aroundByMacros<<<blocks.x, threads.x>>>(in, out, s[0]);
      show("macros");
      edges<<<blocks.x, threads.x>>>(in, out, s[0]);
      show("edges");
      printf("\n");
    }
  return 0;
}
