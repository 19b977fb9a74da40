// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads, and lanes of warps, that own a row of a shared matrix each and update it by a column and
// a row which they leave alone, as in factorisations of small matrices: triangles and rectangles,
// rows that begin at the diagonal, several matrices in a block, matrices that are laid out by hand
// in static and dynamic shared memory, warps that have left. And what is no such update: columns
// that the loop comes to, rows that are apart, conditions on what lies in memory, two matrices in
// one row of threads. All numbers are small integers.
#include <cstdio>
#include <vector>

#define AT(i, j) ((i) * LD + (j))

template <class T, int N> __global__ void triangles(const T* in, T* out, int steps) {
  __shared__ T m[N][N + 1];
  const int t = threadIdx.x;
  for (int r = 0; r < N; ++r)
    m[r][t] = in[(blockIdx.x * N + r) * N + t];
  __syncthreads();
  for (int k = 0; k < steps; ++k) {
    if (t > k) {
      const T f = m[t][k];
      for (int j = k + 1; j <= t; ++j)
        m[t][j] -= f * m[j][k];
    }
    __syncthreads();
  }
  for (int r = 0; r < N; ++r)
    out[(blockIdx.x * N + r) * N + t] = m[r][t];
}

// A matrix for each row of threads, and rows that begin at the diagonal.
template <class T, int N, int M>
__global__ void several(const T* in, T* out, int n, int steps, int count) {
  __shared__ T all[M][N][N + 1];
  const int row = threadIdx.x, m = threadIdx.y, id = blockIdx.x * M + m;
  const bool live = id < count;
  T(*a)[N + 1] = all[m];
  for (int j = 0; j < N; ++j)
    a[j][row] = live ? in[(id * N + j) * N + row] : T(j == row);
  __syncthreads();
  for (int k = 0; k < steps; ++k) {
    if (row > k && row < n) {
      const T f = a[row][k];
      for (int j = row; j < n; ++j)
        a[row][j] -= f * a[k][j];
    }
    __syncthreads();
    if (row > k)
      for (int j = k + 1; j < N; ++j)
        all[m][row][j] += all[m][row][k] * all[m][k][j];
    __syncthreads();
  }
  if (live)
    for (int j = 0; j < N; ++j)
      out[(id * N + j) * N + row] = a[j][row];
}

// A warp for each matrix, by its row of threads; warps of the last block have none.
template <class T, int N, int W>
__global__ void byWarps(const T* in, T* out, T* diagonal, int steps, int count) {
  extern __shared__ __align__(16) unsigned char raw[];
  constexpr int LD = N + 1;
  const int lane = threadIdx.x, w = threadIdx.y, m = blockIdx.x * W + w;
  T* a = reinterpret_cast<T*>(raw) + w * (N * LD);
  T* v = reinterpret_cast<T*>(raw) + W * (N * LD) + w * N;
  if (m >= count)
    return;
  for (int i = lane; i < N * N; i += 32)
    a[AT(i / N, i % N)] = in[m * N * N + i];
  if (lane < N)
    v[lane] = T(lane % 3);
  __syncwarp();
  for (int k = 0; k < steps; ++k) {
    if (lane > k && lane < N) {
      const T f = a[AT(lane, k)];
      for (int j = k + 1; j <= lane; ++j)
        a[AT(lane, j)] -= f * a[AT(j, k)];
    }
    __syncwarp();
    if (lane == k)
      v[k] += a[AT(k, k)];
    __syncwarp();
    if (lane > k && lane < N)
      v[lane] -= a[AT(lane, k)] * (v[k] > 0 ? 1 : -1);
    __syncwarp();
  }
  if (lane < N)
    diagonal[m * N + lane] = v[lane];
  for (int i = lane; i < N * N; i += 32)
    out[m * N * N + i] = a[AT(i / N, i % N)];
}

// The same by threadIdx.x alone, the matrices in a static array.
template <int N, int W> __global__ void inRow(const double* in, double* out, int steps, int count) {
  constexpr int LD = N + 3;
  __shared__ double all[W * N * LD];
  const unsigned lane = threadIdx.x & 31, w = threadIdx.x >> 5;
  const int m = blockIdx.x * W + w;
  double* a = all + w * N * LD;
  if (m >= count)
    return;
  for (int i = lane; i < N * N; i += 32)
    a[AT(i / N, i % N)] = in[m * N * N + i];
  __syncwarp();
  for (unsigned k = 0; k < steps; ++k) {
    if (lane > k && lane < N)
      for (unsigned j = k + 1; j < N; ++j)
        a[AT(lane, j)] -= a[AT(lane, k)] * a[AT(k, j)];
    __syncwarp();
    if (lane == k)
      a[AT(k, k)] += 1;
    __syncwarp();
  }
  for (int i = lane; i < N * N; i += 32)
    out[m * N * N + i] = a[AT(i / N, i % N)];
}

// Rows as wide as the block, of which the last end where memory ends; `from` may be a column that
// is read.
template <class T, int N>
__global__ void byHand(const T* in, T* out, int n, int from, int steps) {
  __shared__ T a[N * N];
  const int tid = threadIdx.x;
  for (int i = tid; i < n * n; i += blockDim.x)
    a[i] = in[blockIdx.x * n * n + i];
  __syncthreads();
  for (int k = 0; k < steps; ++k) {
    const int row = tid + k + 1;
    if (row < n)
      for (int j = from + k; j < n; ++j)
        a[row * n + j] -= a[row * n + k] * a[k * n + j];
    __syncthreads();
  }
  for (int i = tid; i < n * n; i += blockDim.x)
    out[blockIdx.x * n * n + i] = a[i];
}

// No such updates.
template <class T, int N>
__global__ void nearMisses(const T* in, T* out, const int* flags, int steps) {
  __shared__ T m[N][N + 1], two[2][N / 2][N / 2 + 1];
  __shared__ int marks[N];
  const int t = threadIdx.x;
  for (int r = 0; r < N; ++r)
    m[r][t] = in[(blockIdx.x * N + r) * N + t];
  for (int r = 0; r < N / 2; ++r)
    two[t / (N / 2)][r][t % (N / 2)] = in[(blockIdx.x * N + r) * N + t];
  marks[t] = flags[t];
  __syncthreads();
  for (int k = 0; k < steps; ++k) {
    const int apart = 2 * t + 1, back = N - 1 - t;
    if (apart > k && apart < N)
      for (int j = k + 1; j < N; ++j)
        m[apart][j] -= m[apart][k] * m[k][j];
    __syncthreads();
    if (back > k)
      for (int j = k + 1; j <= back; ++j)
        m[back][j] += m[back][k] * m[j][k];
    __syncthreads();
    if (t > k && marks[t])
      for (int j = k + 1; j < N; ++j)
        m[t][j] -= m[t][k];
    __syncthreads();
    // Each element takes what the one before it has become.
    if (t > k)
      for (int j = k + 1; j < N; ++j)
        m[t][j] += m[t][j - 1] - m[t][k];
    __syncthreads();
    if (t != k)
      for (int j = k + 1; j < N; ++j)
        m[t][j] -= m[t][k] * (m[k][j] > 0);
    __syncthreads();
    const int half = t / (N / 2), row = t % (N / 2);
    if (row > k)
      for (int j = k + 1; j <= row; ++j)
        two[half][row][j] -= two[half][row][k] * two[half][j][k];
    __syncthreads();
    // What a thread keeps.
    T sum = m[t][k];
    __syncthreads();
    if (t > k)
      for (int j = k + 1; j < N; ++j)
        m[t][j] += sum;
    __syncthreads();
    for (int j = 0; j < N; ++j)
      m[t][j] -= int(m[t][j]) / 8 * 8;
    __syncthreads();
  }
  for (int r = 0; r < N; ++r)
    out[(blockIdx.x * N + r) * N + t] =
        m[r][t] * 16 + (r < N / 2 ? two[t / (N / 2)][r][t % (N / 2)] : T(0));
}

// Rows in memory that is not shared.
__global__ void inGlobal(const double* in, double* out, int n, int steps) {
  double* a = out + blockIdx.x * n * n;
  const int row = threadIdx.x;
  for (int i = row; i < n * n; i += blockDim.x)
    a[i] = in[blockIdx.x * n * n + i];
  __syncthreads();
  for (int k = 0; k < steps; ++k) {
    if (row > k && row < n)
      for (int j = k + 1; j < n; ++j)
        a[row * n + j] -= a[row * n + k] * a[k * n + j];
    __syncthreads();
  }
}

// One lane of a warp at a time, by its thread's place in the block; some have left.
__global__ void oneLane(int* out, int n, int leave) {
  __shared__ int s[96];
  const int tid = threadIdx.x;
  s[tid] = tid;
  if (tid % 32 >= leave)
    return;
  int kept = tid * 3;
  for (int k = n - 1; k >= -1; --k) {
    if (tid == k)
      s[k] = s[k] * 5 + k;
    __syncwarp(leave == 32 ? ~0u : (1u << leave) - 1);
    kept += s[tid / 32 * 32 + (k & 3)];
    __syncwarp(leave == 32 ? ~0u : (1u << leave) - 1);
    if (tid == 0)
      s[1] += kept;
    if (tid == k && kept > 100)
      kept -= 7;
    __syncwarp(leave == 32 ? ~0u : (1u << leave) - 1);
  }
  out[tid] = kept + s[tid];
}

template <class T> T* onDevice(const std::vector<T>& from) {
  T* to;
  cudaMalloc(&to, from.size() * sizeof(T));
  cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice);
  return to;
}
template <class T> void print(const char* name, const T* from, int count) {
  std::vector<T> back(count);
  cudaMemcpy(back.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost);
  unsigned long long hash = 0;
  for (const T& value : back)
    hash = hash * 1000003 + (unsigned long long)(long long)value;
  std::printf("%s: %llu\n", name, hash);
}
template <class T> std::vector<T> numbers(int count) {
  std::vector<T> out(count);
  unsigned s = 12345;
  for (T& value : out) {
    s = s * 1664525u + 1013904223u;
    value = T(int(s >> 16) % 5 - 2);
  }
  return out;
}

template <class T> void all(const char* name) {
  const int size = 1 << 15;
  const T* const in = onDevice(numbers<T>(size));
  T* const out = onDevice(std::vector<T>(size, T(0)));
  T* const diagonal = onDevice(std::vector<T>(size, T(0)));
  std::vector<int> flags(32);
  for (int i = 0; i < 32; ++i)
    flags[i] = i * 7 % 3 != 0;
  const int* const dFlags = onDevice(flags);
  std::printf("%s\n", name);
  for (int steps = 1; steps <= 3; ++steps) {
    triangles<T, 32><<<5, 32>>>(in, out, steps);
    print("triangles", out, 5 * 32 * 32);
    triangles<T, 13><<<7, 13>>>(in, out, steps);
    print("triangles of 13", out, 7 * 13 * 13);
    several<T, 16, 8><<<2, dim3(16, 8)>>>(in, out, 14, steps > 2 ? 2 : steps, 13);
    print("several", out, 13 * 16 * 16);
    several<T, 21, 3><<<4, dim3(21, 3)>>>(in, out, 21, steps > 2 ? 2 : steps, 11);
    print("several of 21", out, 11 * 21 * 21);
    byWarps<T, 20, 4><<<3, dim3(32, 4), 4 * (20 * 21 + 20) * sizeof(T)>>>(in, out, diagonal, steps,
                                                                         10);
    print("by warps", out, 10 * 20 * 20);
    print("their diagonals", diagonal, 10 * 20);
    byWarps<T, 32, 2><<<3, dim3(32, 2), 2 * (32 * 33 + 32) * sizeof(T)>>>(in, out, diagonal, steps,
                                                                         5);
    print("by warps of 32", out, 5 * 32 * 32);
    for (const int n : {24, 17, 3}) {
      byHand<T, 24><<<4, 32>>>(in, out, n, 1, steps < n ? steps : n - 1);
      print("by hand", out, 4 * n * n);
      byHand<T, 24><<<4, 32>>>(in, out, n, 0, 1);
      print("with the column itself", out, 4 * n * n);
    }
    nearMisses<T, 32><<<3, 32>>>(in, out, dFlags, steps);
    print("near misses", out, 3 * 32 * 32);
  }
}

int main() {
  all<double>("double");
  all<float>("float");
  all<int>("int");
  const double* const in = onDevice(numbers<double>(1 << 14));
  double* const out = onDevice(std::vector<double>(1 << 14, 0.0));
  for (int steps = 0; steps <= 4; ++steps) {
    inGlobal<<<4, 32>>>(in, out, 21, steps);
    print("in global memory", out, 4 * 21 * 21);
    inRow<18, 3><<<4, 96>>>(in, out, steps, 11);
    print("in a row", out, 11 * 18 * 18);
  }
  int* const lanes = onDevice(std::vector<int>(96, 0));
  for (const int leave : {32, 5}) {
    oneLane<<<1, 96>>>(lanes, 96, leave);
    print("one lane", lanes, 96);
  }
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
