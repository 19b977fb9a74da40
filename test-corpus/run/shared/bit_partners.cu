// Threads that find partners by bits of their places: sorting networks and butterflies of all strides, masks that are no
// powers of two, places off the beginning of a run, and blocks of other shapes.
#include <cstdio>

__device__ void order(int& a, int& b, bool swap) {
  if (swap) {
    int t = a;
    a = b;
    b = t;
  }
}

// The partner by exclusive or; the lower of the two works.
__global__ void sortByOr(int* data, int n) {
  extern __shared__ int s[];
  const unsigned int t = threadIdx.x;
  s[t] = data[blockIdx.x * n + t];
  __syncthreads();
  for (unsigned int k = 2; k <= n; k <<= 1)
    for (unsigned int j = k >> 1; j > 0; j >>= 1) {
      const unsigned int other = t ^ j;
      if (other > t) {
        const bool up = (t & k) == 0;
        order(s[t], s[other], up ? s[t] > s[other] : s[t] < s[other]);
      }
      __syncthreads();
    }
  data[blockIdx.x * n + t] = s[t];
}

// The place by the low bits; every thread works.
__global__ void sortByLow(int* data, int n) {
  __shared__ int s[256];
  s[threadIdx.x] = data[threadIdx.x];
  s[threadIdx.x + n / 2] = data[threadIdx.x + n / 2];
  for (int size = 2; size <= n; size *= 2) {
    const bool down = size < n && (threadIdx.x & (size / 2)) != 0;
    for (int stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      const int p = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      order(s[p], s[p + stride], (s[p] > s[p + stride]) != down);
    }
  }
  __syncthreads();
  data[threadIdx.x] = s[threadIdx.x];
  data[threadIdx.x + n / 2] = s[threadIdx.x + n / 2];
}

// Any mask, from places that begin anywhere; the other way around; both at once.
__global__ void masks(const int* in, long long* out, int mask, long long wide, unsigned first) {
  __shared__ int s[2048];
  const int t = threadIdx.y * blockDim.x + threadIdx.x;
  const int place = threadIdx.x + first, below = int(threadIdx.x) - 64;
  for (int i = t; i < 2048; i += blockDim.x * blockDim.y)
    s[i] = in[i];
  __syncthreads();
  long long sum = s[(place ^ mask) & 2047] + 3 * s[place & (mask - 1) & 2047];
  sum += 5 * s[(wide ^ place) & 2047] + 7 * s[(below ^ mask) & 2047];
  __syncthreads();
  const int partner = place ^ mask;
  if (place < partner)
    sum += 11 * s[partner & 2047] - s[place & 2047];
  else
    sum -= partner;
  __syncthreads();
  if ((wide ^ below) > below)
    sum += 13 * (below & (wide - 1));
  out[t] = sum;
}

int main() {
  int *data, *in;
  long long* out;
  cudaMallocManaged(&data, 512 * sizeof(int));
  cudaMallocManaged(&in, 2048 * sizeof(int));
  cudaMallocManaged(&out, 128 * sizeof(long long));
  for (int i = 0; i < 512; ++i)
    data[i] = i * 2654435761u >> 22;
  sortByOr<<<2, 256, 256 * sizeof(int)>>>(data, 256);
  cudaDeviceSynchronize();
  for (int i = 0; i < 512; i += 37)
    std::printf("%d ", data[i]);
  for (int i = 0; i < 256; ++i)
    data[i] = i * 40503u * 7 & 1023;
  sortByLow<<<1, 128>>>(data, 256);
  sortByOr<<<1, 8, 8 * sizeof(int)>>>(data + 256, 8);
  cudaDeviceSynchronize();
  for (int i = 0; i < 264; i += i < 250 ? 25 : 1)
    std::printf("%d ", data[i]);
  std::printf("\n");
  for (int i = 0; i < 2048; ++i)
    in[i] = i * 31 % 1009;
  const dim3 blocks[] = {dim3(128), dim3(64, 2), dim3(40), dim3(16, 3), dim3(32)};
  const int chosen[] = {16, 48, 64, 40, 5, 1, 17, 96};
  for (const dim3& block : blocks)
    for (int mask : chosen) {
      long long sum = 0;
      for (unsigned first = 0; first < 40; first += 8) {
        masks<<<1, block>>>(in, out, mask, mask * 2, first);
        cudaDeviceSynchronize();
        for (unsigned t = 0; t < block.x * block.y; ++t)
          sum = sum * 3 % 1000003 + out[t];
      }
      std::printf("%lld%c", sum, mask == 96 ? '\n' : ' ');
    }
}
