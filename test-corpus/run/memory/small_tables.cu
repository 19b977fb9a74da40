// Elements of small tables that threads choose by what they have loaded: of one, two and more
// registers, of 4 and 8 bytes, with several dimensions, in constant, device and shared memory,
// tables that a kernel changes, and threads that ask for nothing.
#include <cstdio>
#include <vector>

__constant__ int scores[16];
__constant__ int nine[9];
__constant__ int twenty[20];
__constant__ int thirtyTwo[32];
__constant__ int thirtyThree[33];
__constant__ float weights[4][4];
__constant__ double doubles[7];
__constant__ long long wide[13];
__constant__ signed char bytes[24];
__constant__ float2 pairs[6];
__device__ unsigned changing[16];

__global__ void oneRegister(const unsigned char* a, const unsigned char* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = scores[a[i] * 4 + b[i]] * 3 + nine[a[i] + b[i]];
}

__global__ void twoRegisters(const int* a, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = twenty[a[i] % 20] - thirtyTwo[a[i] & 31] + thirtyThree[a[i] % 33];
}

__global__ void rowsAndColumns(const unsigned char* a, const unsigned char* b, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && a[i] != 3)
    out[i] = weights[a[i]][b[i]] + weights[b[i]][3 - a[i]];
}

__global__ void eightBytes(const int* a, double* out, long long* more, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = doubles[a[i] % 7];
  more[i] = wide[a[i] % 13] - bytes[a[i] % 24];
}

// Places counted from the middle, above and below it.
__global__ void fromTheMiddle(const int* a, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const int* middle = thirtyTwo + 16;
    out[i] = middle[a[i] % 32 - 16] + scores[15 - (a[i] & 15)];
  }
}

__global__ void members(const int* a, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = pairs[a[i] % 6].x * 2.0f + pairs[a[i] % 5].y;
}

// The threads of a block load a table, look at it, change it and look at it again.
__global__ void shared(const int* a, int* out) {
  __shared__ int table[16];
  __shared__ float floats[24];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t < 16)
    table[t] = t * t + blockIdx.x;
  if (t < 24)
    floats[t] = 0.5f * t;
  __syncthreads();
  int sum = table[a[i] & 15] + int(floats[a[i] % 24] * 2.0f);
  for (int step = 1; step < 5; ++step) {
    __syncthreads();
    if (t < 16)
      table[t] += step;
    __syncthreads();
    sum = sum * 3 + table[(a[i] + step) & 15];
  }
  out[i] = sum;
}

// Each thread changes the element that it reads, and no other does.
__global__ void own(const int* order, int* out) {
  __shared__ int table[32];
  const int t = threadIdx.x;
  table[t] = t * 7;
  __syncthreads();
  for (int step = 0; step < 3; ++step)
    table[order[t]] = table[order[t]] * 2 + step;
  __syncthreads();
  out[blockIdx.x * 32 + t] = table[t];
}

__global__ void change(unsigned by) { changing[threadIdx.x] = changing[threadIdx.x] * 5 + by; }
__global__ void look(const int* a, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = changing[a[i] % 16];
}

// An alignment: cells of anti-diagonals look up what their letters score.
__global__ void align(const unsigned char* a, const unsigned char* b, int* out) {
  __shared__ int t[33][33];
  const int x = threadIdx.x;
  t[0][x + 1] = -2 * (x + 1);
  t[x + 1][0] = -2 * (x + 1);
  if (x == 0)
    t[0][0] = 0;
  __syncthreads();
  for (int d = 0; d < 63; ++d) {
    const int y = d - x;
    if (y >= 0 && y < 32)
      t[y + 1][x + 1] = max(t[y][x] + scores[a[blockIdx.x * 32 + y] * 4 + b[blockIdx.x * 32 + x]],
                            max(t[y][x + 1], t[y + 1][x]) - 2);
    __syncthreads();
  }
  for (int y = 0; y < 32; ++y)
    out[(blockIdx.x * 32 + y) * 32 + x] = t[y + 1][x + 1];
}

template <class T> static T* onDevice(const std::vector<T>& host) {
  T* out = nullptr;
  cudaMalloc(&out, host.size() * sizeof(T));
  cudaMemcpy(out, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  return out;
}

template <class T> static void print(const char* name, T* device, int n) {
  std::vector<T> host(n);
  cudaMemcpy(host.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += double(host[i]) * (i % 19 + 1);
  printf("%s: %.1f %.1f %.1f, %.1f\n", name, double(host[0]), double(host[n / 2]),
         double(host[n - 1]), sum);
  cudaMemset(device, 0, n * sizeof(T));
}

int main() {
  const int most = 4096;
  std::vector<unsigned char> a(most), b(most);
  std::vector<int> c(most), order(32);
  unsigned random = 12345;
  for (int i = 0; i < most; ++i) {
    random = random * 1664525u + 1013904223u;
    a[i] = random >> 30;
    b[i] = random >> 27 & 3;
    c[i] = int(random >> 9);
  }
  for (int i = 0; i < 32; ++i)
    order[i] = i * 13 % 32;
  int ints[33];
  float floats[16], others[12];
  double numbers[7];
  long long longs[13];
  signed char letters[24];
  for (int i = 0; i < 33; ++i)
    ints[i] = i * 31 % 37 - 9;
  for (int i = 0; i < 16; ++i)
    floats[i] = 0.25f * (i * 7 % 16);
  for (int i = 0; i < 12; ++i)
    others[i] = 1.5f * i;
  for (int i = 0; i < 7; ++i)
    numbers[i] = 0.125 * i * i;
  for (int i = 0; i < 13; ++i)
    longs[i] = (1ll << 33) * i + i;
  for (int i = 0; i < 24; ++i)
    letters[i] = static_cast<signed char>(i * 11 - 90);
  cudaMemcpyToSymbol(scores, ints, sizeof(scores));
  cudaMemcpyToSymbol(nine, ints + 3, sizeof(nine));
  cudaMemcpyToSymbol(twenty, ints + 5, sizeof(twenty));
  cudaMemcpyToSymbol(thirtyTwo, ints, sizeof(thirtyTwo));
  cudaMemcpyToSymbol(thirtyThree, ints, sizeof(thirtyThree));
  cudaMemcpyToSymbol(weights, floats, sizeof(weights));
  cudaMemcpyToSymbol(doubles, numbers, sizeof(doubles));
  cudaMemcpyToSymbol(wide, longs, sizeof(wide));
  cudaMemcpyToSymbol(bytes, letters, sizeof(bytes));
  cudaMemcpyToSymbol(pairs, others, sizeof(pairs));
  unsigned zeros[16] = {};
  cudaMemcpyToSymbol(changing, zeros, sizeof(zeros));

  unsigned char *dA = onDevice(a), *dB = onDevice(b);
  int *dC = onDevice(c), *dOrder = onDevice(order), *dInts = onDevice(std::vector<int>(most * 32));
  unsigned* dUnsigned = onDevice(std::vector<unsigned>(most));
  float* dFloats = onDevice(std::vector<float>(most));
  double* dDoubles = onDevice(std::vector<double>(most));
  long long* dLongs = onDevice(std::vector<long long>(most));
  for (const int n : {5, 100, 1000, most}) {
    const int blocks = (n + 127) / 128;
    oneRegister<<<blocks, 128>>>(dA, dB, dInts, n);
    print("one register", dInts, n);
    twoRegisters<<<blocks, 128>>>(dC, dInts, n);
    print("two registers", dInts, n);
    rowsAndColumns<<<blocks, 128>>>(dA, dB, dFloats, n);
    print("rows and columns", dFloats, n);
    eightBytes<<<blocks, 128>>>(dC, dDoubles, dLongs, n);
    print("eight bytes", dDoubles, n);
    print("and longs", dLongs, n);
    fromTheMiddle<<<blocks, 128>>>(dC, dInts, n);
    print("from the middle", dInts, n);
    members<<<blocks, 128>>>(dC, dFloats, n);
    print("members", dFloats, n);
    change<<<1, 16>>>(n);
    look<<<(n + 47) / 48, 48>>>(dC, dUnsigned, n);
    print("changing", dUnsigned, n);
  }
  for (const int size : {32, 64, 100}) {
    shared<<<7, size>>>(dC, dInts);
    print("shared", dInts, 7 * size);
  }
  own<<<3, 32>>>(dOrder, dInts);
  print("own", dInts, 96);
  align<<<16, 32>>>(dA, dB, dInts);
  print("align", dInts, 16 * 32 * 32);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  return 0;
}
