// Arguments that launches in sight give alike: those that are the same constant everywhere, those
// that differ, and kernels that are also launched with values which only run time knows.
#include <cstdio>
#include <cstdlib>

constexpr int threads = 64;
enum class Mode : unsigned char { Add = 3, Twice = 7 };

__device__ void sumOfBlock(long long* s, long long value) {
  s[threadIdx.x] = value;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      s[threadIdx.x] += s[threadIdx.x + half];
    __syncthreads();
  }
}

__global__ void rows(long long* out, const int* in, int n) {
  __shared__ int row[threads];
  if (threadIdx.x < n)
    row[threadIdx.x] = in[blockIdx.x * n + threadIdx.x];
  __syncthreads();
  long long total = 0;
  for (int k = 0; k < n; ++k)
    total += row[k] * (k % n == threadIdx.x % n ? 2 : 1);
  out[blockIdx.x * blockDim.x + threadIdx.x] = total / n;
}

// Its address is taken: other values come by it.
__global__ void byAddress(long long* out, int n) {
  __shared__ long long s[threads];
  sumOfBlock(s, threadIdx.x % n);
  out[blockIdx.x * blockDim.x + threadIdx.x] = s[0] + n;
}

__global__ void changes(long long* out, int n) {
  n += threadIdx.x;
  __shared__ long long s[threads];
  sumOfBlock(s, n);
  out[blockIdx.x * blockDim.x + threadIdx.x] = s[0] + n;
}

__device__ void step(int* p) { *p += 1; }
__global__ void givesAddress(long long* out, int n) {
  step(&n);
  __shared__ long long s[threads];
  sumOfBlock(s, n);
  out[blockIdx.x * blockDim.x + threadIdx.x] = s[0] + n;
}

__global__ void several(long long* out, int n) {
  __shared__ long long s[threads];
  sumOfBlock(s, n * threadIdx.x);
  out[blockIdx.x * blockDim.x + threadIdx.x] = s[0];
}

__global__ void types(long long* out, unsigned char byte, int narrow, long long least,
                      unsigned long long most, bool flag, Mode mode, short negative) {
  __shared__ long long s[threads];
  sumOfBlock(s, byte + narrow + negative + (flag ? 100 : 0) + (mode == Mode::Twice ? 1000 : 0));
  out[blockIdx.x * blockDim.x + threadIdx.x] =
      s[0] + (least + 1) / 3 + (long long)(most / 5) + (mode == Mode::Add);
}

template <class T, int scale> __global__ void ofType(long long* out, int n, T each) {
  __shared__ long long s[threads];
  sumOfBlock(s, n * scale + each);
  out[blockIdx.x * blockDim.x + threadIdx.x] = s[0] / n;
}

__global__ void byDefault(long long* out, int n = 9) {
  __shared__ long long s[threads];
  sumOfBlock(s, threadIdx.x / n);
  out[blockIdx.x * blockDim.x + threadIdx.x] = s[0];
}

__global__ void atRunTime(long long* out, int n) {
  __shared__ long long s[threads];
  sumOfBlock(s, threadIdx.x / n);
  out[blockIdx.x * blockDim.x + threadIdx.x] = s[0];
}

// What it is launched with seems to be a constant.
__global__ void behindItsBack(long long* out, int n) {
  __shared__ long long s[threads];
  sumOfBlock(s, threadIdx.x / n);
  out[blockIdx.x * blockDim.x + threadIdx.x] = s[0];
}
static void change(const int& value, int to) { const_cast<int&>(value) = to; }

// The variable changes between launches.
__global__ void inLoop(long long* out, int n) {
  __shared__ long long s[threads];
  sumOfBlock(s, threadIdx.x * n);
  out[blockIdx.x * blockDim.x + threadIdx.x] += s[0];
}

__global__ void wrapped(long long* out, int n, int stride) {
  __shared__ long long s[threads];
  sumOfBlock(s, threadIdx.x % n * stride);
  out[blockIdx.x * blockDim.x + threadIdx.x] = s[0];
}
static void runWrapped(long long* out, int n, int stride) {
  wrapped<<<2, threads>>>(out, n, stride);
}

constexpr int blocks = 3;
static long long *d, h[blocks * threads];
static void show(const char* name) {
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  long long sum = 0;
  for (int i = 0; i < blocks * threads; ++i)
    sum = sum * 31 % 1000000007 + h[i] % 1000003;
  printf("%s %lld: %lld %lld %lld\n", name, sum, h[0], h[1], h[threads]);
  cudaMemset(d, 0, sizeof h);
}

int main(int argc, char**) {
  const int n = 30;
  int in[blocks * n], *di;
  for (int i = 0; i < blocks * n; ++i)
    in[i] = i * 7 % 13;
  cudaMalloc(&d, sizeof h);
  cudaMalloc(&di, sizeof in);
  cudaMemset(d, 0, sizeof h);
  cudaMemcpy(di, in, sizeof in, cudaMemcpyHostToDevice);

  rows<<<blocks, threads>>>(d, di, n);
  show("rows");
  byAddress<<<blocks, threads>>>(d, n);
  show("in sight");
  int other = 11;
  void* arguments[] = {&d, &other};
  cudaLaunchKernel((const void*)byAddress, dim3(blocks), dim3(threads), arguments, 0, 0);
  show("by cudaLaunchKernel");
  changes<<<blocks, threads>>>(d, n);
  show("changes");
  givesAddress<<<blocks, threads>>>(d, n);
  show("gives its address");
  several<<<1, threads>>>(d, 2);
  several<<<1, threads>>>(d + threads, 5);
  show("several");
  const std::size_t wide = (std::size_t(1) << 32) + 12;
  const Mode mode = Mode::Twice;
  int large = 300;
  types<<<blocks, threads>>>(d, large, int(wide), -9223372036854775807LL - 1,
                             18446744073709551615ULL, n, mode, -5);
  show("types");
  ofType<int, 3><<<blocks, threads>>>(d, n, 4);
  show("of int");
  ofType<unsigned char, 5><<<blocks, threads>>>(d, n, 4);
  show("of char");
  byDefault<<<blocks, threads>>>(d);
  show("by default");
  atRunTime<<<blocks, threads>>>(d, argc > 5 ? atoi("3") : 4);
  show("at run time");
  for (int k = 1; k < 4; ++k)
    inLoop<<<blocks, threads>>>(d, k);
  show("in a loop");
  runWrapped(d, 7, 2);
  runWrapped(d, 7, 3);
  show("wrapped");
  int starts = 6;
  if (argc > 7)
    starts = argc;
  atRunTime<<<blocks, threads>>>(d, starts);
  show("starts with");
  int hidden = 6;
  behindItsBack<<<1, threads>>>(d, hidden);
  change(hidden, 5);
  behindItsBack<<<1, threads>>>(d + threads, hidden);
  change(hidden, -3);
  behindItsBack<<<1, threads>>>(d + 2 * threads, hidden);
  show("behind its back");
  cudaFree(d);
  cudaFree(di);
}
