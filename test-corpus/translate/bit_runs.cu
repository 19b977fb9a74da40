// Threads that find partners by bits of their places run in runs, in which the operators on those bits are one value.
__global__ void byOr(float* data, int n) {
  __shared__ float s[256];
  const unsigned t = threadIdx.x;
  s[t] = data[t];
  __syncthreads();
  for (unsigned j = n; j > 0; j >>= 1) {
    const unsigned other = t ^ j;
    if (other > t && s[t] > s[other]) {
      const float kept = s[t];
      s[t] = s[other];
      s[other] = kept;
    }
    __syncthreads();
  }
  data[t] = s[t];
}

__global__ void byLow(float* data, int n) {
  __shared__ float s[512];
  s[2 * threadIdx.x] = data[2 * threadIdx.x];
  for (int stride = n; stride > 0; stride >>= 1) {
    __syncthreads();
    const int p = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
    const float a = s[p], b = s[p + stride];
    s[p] = a + b;
    s[p + stride] = a - b;
  }
  __syncthreads();
  data[threadIdx.x] = s[threadIdx.x];
}

// A block in braces that ends with what all threads do alike.
__global__ void inBraces(float* data, int n) {
  __shared__ float s[512];
  s[2 * threadIdx.x] = data[2 * threadIdx.x];
  for (int stride = n; stride > 0;) {
    __syncthreads();
    {
      const int p = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      s[p + stride] = s[p];
      stride >>= 1;
    }
  }
  __syncthreads();
  data[threadIdx.x] = s[threadIdx.x];
}

// Masks that are known, that are no power of two less one, or that threads do not agree on.
__global__ void others(float* data, int n) {
  __shared__ float s[256];
  const unsigned t = threadIdx.x;
  s[t] = data[t];
  __syncthreads();
  data[t] = s[t ^ 1] + s[t & 15] + s[t & n] + s[t ^ int(data[t])];
}

// A mask that says nothing about where elements lie, `i & (n / 2 - 1)`, leaves runs to those that do.
__global__ void merge(float* data, int n, int size) {
  __shared__ float s[512];
  float* const mine = data + blockIdx.x * 512;
  s[threadIdx.x] = mine[threadIdx.x];
  s[threadIdx.x + 256] = mine[threadIdx.x + 256];
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) & (n / 2 - 1);
  const bool up = (i & (size / 2)) != 0;
  for (int stride = 256; stride > 0; stride >>= 1) {
    __syncthreads();
    const int place = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
    if ((s[place] > s[place + stride]) == up) {
      const float t = s[place];
      s[place] = s[place + stride];
      s[place + stride] = t;
    }
  }
  __syncthreads();
  mine[threadIdx.x] = s[threadIdx.x];
  mine[threadIdx.x + 256] = s[threadIdx.x + 256];
}

// Pairs that the threads of a grid share.
__global__ void pairs(float* data, int n, int j) {
  for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < n; p += gridDim.x * blockDim.x) {
    const int lo = 2 * p - (p & (j - 1));
    const float a = data[lo], b = data[lo + j];
    data[lo] = a + b;
    data[lo + j] = a - b;
  }
}

void run(float* data) {
  pairs<<<4, 256>>>(data, 2048, 1024);
  merge<<<4, 256>>>(data, 2048, 1024);
  byOr<<<1, 256>>>(data, 128);
  byLow<<<1, 256>>>(data, 128);
  inBraces<<<1, 256>>>(data, 128);
  others<<<1, 256>>>(data, 128);
}

// WARNINGS: what the first region of `merge` declares is unused there
// FORM: byOr split
// CHECK: cu2cpp::eachThreadByBits(cuBlock, [&](const uint3 threadIdx) {
// CHECK: const unsigned t = threadIdx.x;
// CHECK: return cu2cpp::BitRuns().partner(t, j); }(uint3{}),
// CHECK: [&](const auto cuBits, const uint3 threadIdx) CU2CPP_INLINE {
// CHECK: const unsigned other = cuBits.partner(t, j);
// CHECK: if (cuBits.rises(other > t, t, j) && s[t] > s[other]) {
// FORM: byLow split
// CHECK: return cu2cpp::BitRuns().low(threadIdx.x, (stride - 1)); }(uint3{}),
// CHECK: const int p = 2 * threadIdx.x - (cuBits.low(threadIdx.x, (stride - 1)));
// FORM: inBraces split
// CHECK: return cu2cpp::BitRuns().low(threadIdx.x, (stride - 1)); }(uint3{}),
// CHECK: const int p = 2 * threadIdx.x - (cuBits.low(threadIdx.x, (stride - 1)));
// CHECK: }); stride >>= 1;
// FORM: others split
// CHECK: s[t ^ 1] + s[t & 15] + s[t & n] + s[t ^ int(
// FORM: merge split
// CHECK: return cu2cpp::BitRuns().low(threadIdx.x, (stride - 1)).below((blockIdx.x * blockDim.x + threadIdx.x), (n / 2 - 1)).above(i, (size / 2)); }(uint3{}),
// CHECK: const int i = (blockIdx.x * blockDim.x + threadIdx.x) & (n / 2 - 1);
// FORM: pairs lanes
// CHECK: cu2cpp::eachThreadRisingByBits(cuBlock,
// CHECK: const int lo = 2 * p - (cuBits.low(p, (j - 1)));
