// Counters that are read behind a loop which threads leave one by one: in while and for loops, with conditions of several
// parts, with what else changes them, and functions of one instruction among the steps.
#include <cstdio>
#include <cmath>

__device__ int escape(float cx, float cy, int most) {
  float zx = 0.0f, zy = 0.0f;
  int it = 0;
  while (it < most) {
    const float x2 = zx * zx, y2 = zy * zy;
    if (x2 + y2 > 4.0f)
      break;
    zy = fabsf(2.0f * zx * zy) + cy;
    zx = x2 - y2 + cx;
    ++it;
  }
  return it;
}

__global__ void ships(unsigned short* out, int width, int height, int most) {
  const int px = blockIdx.x * blockDim.x + threadIdx.x;
  const int py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height)
    return;
  out[py * width + px] = (unsigned short)escape(-2.2f + 3.4f * px / width, -1.9f + 2.6f * py / height, most);
}

// The same counter in the test of a for loop, read in the body, too.
__global__ void heads(int* out, int n, int most) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  float x = t * 0.01f - 1.5f, sum = 0.0f;
  int i;
  for (i = 1; i < most; ++i) {
    x = x * x - 1.1f;
    sum = fmaf(x, 0.5f, fmaxf(sum, -1.0f)) + i;
    if (sum > 40.0f + t % 7)
      break;
  }
  int k = 2;
  for (; k < most && x * x < 3.0f; k++)
    x = x * x - 1.3f + sqrtf(fabsf(x)) * 0.125f;
  out[t] = i * 1000 + k;
}

// What counts otherwise, too: steps of two, a second change, a start that differs, a loop in a loop.
__global__ void others(int* out, int n, int most) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  float x = 0.25f;
  int a = 0, b = t % 5, c = 0, d = 0, e = 0;
  while (a < most) {
    x = x * x + 0.001f * t;
    if (x > 2.0f)
      break;
    a += 2;
  }
  x = 0.25f;
  while (b < most) {
    x = x * x + 0.002f * t;
    if (x > 2.0f)
      break;
    b++;
  }
  x = 0.25f;
  while (c < most) {
    x = x * x + 0.003f * t;
    if (x > 2.0f)
      break;
    if (x > 1.5f)
      c += 3;
    c++;
  }
  for (int round = 0; round < 3; ++round) {
    x = 0.125f * round;
    while (d < most) {
      x = x * x + 0.0015f * t;
      if (x > 2.0f || (d & 31) == 30 - round)
        break;
      d++;
    }
    d++;
  }
  x = 0.25f;
  while (e < most) {
    x = x * x + 0.001f * t;
    ++e;
    if (x < 0.5f)
      continue;
    if (x > 2.0f)
      break;
  }
  out[t] = a + 97 * b + 9409 * c + 101 * d + 3 * e;
}

// What else changes the counter of a for loop that is read behind it, before the loop is left.
__global__ void skips(int* out, int n, int most) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  float x = 0.25f;
  int i;
  for (i = 0; i < most; ++i) {
    x = x * x + 0.25f + 0.00390625f * (t % 64);
    if (x > 1.5f)
      i += 2;
    if (x > 2.0f)
      break;
  }
  out[t] = i;
}

// A step that a lane takes before it leaves counts; one that it takes no more does not.
template <int MOST> __global__ void ofTemplate(int* out, const float* start, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  double x = start[t], y = 0.0;
  int count = 0;
  while (count < MOST && x * x + y * y <= 4.0) {
    const double next = x * x - y * y + 0.3;
    y = 2 * x * y + 0.5;
    x = next;
    ++count;
  }
  out[t] = count == MOST ? -1 : count;
}

static long long sumOf(const int* values, int n) {
  long long sum = 0;
  for (int i = 0; i < n; ++i)
    sum += (long long)values[i] * (i % 13 + 1);
  return sum;
}

int main() {
  const int width = 131, height = 70, n = 1000;
  unsigned short* image;
  int* out;
  float* start;
  cudaMallocManaged(&image, width * height * sizeof(unsigned short));
  cudaMallocManaged(&out, n * sizeof(int));
  cudaMallocManaged(&start, n * sizeof(float));
  for (int i = 0; i < n; ++i)
    start[i] = (i * 37 % 1000) / 400.0f - 1.25f;
  for (int most : {0, 1, 50, 160}) {
    ships<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(image, width, height, most);
    cudaDeviceSynchronize();
    long long sum = 0;
    for (int i = 0; i < width * height; ++i)
      sum += image[i] * (i % 11 + 1);
    printf("ships %d: %lld\n", most, sum);
    heads<<<(n + 127) / 128, 128>>>(out, n, most);
    cudaDeviceSynchronize();
    printf("heads %d: %lld %d %d\n", most, sumOf(out, n), out[0], out[n - 1]);
    others<<<(n + 255) / 256, 256>>>(out, n, most);
    cudaDeviceSynchronize();
    printf("others %d: %lld %d %d\n", most, sumOf(out, n), out[17], out[n - 1]);
    skips<<<(n + 127) / 128, 128>>>(out, n, most);
    cudaDeviceSynchronize();
    printf("skips %d: %lld %d %d\n", most, sumOf(out, n), out[17], out[n - 1]);
  }
  ofTemplate<60><<<(n + 63) / 64, 64>>>(out, start, n);
  cudaDeviceSynchronize();
  printf("template: %lld\n", sumOf(out, n));
  return 0;
}
