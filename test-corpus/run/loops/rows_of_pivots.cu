// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads, and lanes of warps, that own a row of a shared matrix each, begin with values of their
// own and with an element of their row that they store, and then update the row by another one, as
// LU factorisations with pivots do: values from other arrays and from columns that the update
// changes, columns that it comes to after they were stored, updates of no column, rows up to a
// bound, warps and lanes that have left. And what must stay as it is: places that memory tells,
// that differ from row to row or are another thread's, values that change, loops of two statements,
// columns that other threads store. All numbers are small integers.
#include <cstdio>
#include <vector>

constexpr unsigned full = ~0u;

// Keeps numbers small.
template <class T> __device__ T small(T value) { return value - T(int(value) / 8 * 8); }

// A warp for each matrix, with a search for the pivot.
template <class T, int N, int W>
__global__ void byWarps(const T* in, T* out, int* pivots, int steps, int count) {
  __shared__ T shared[W][N][N + 1];
  const int lane = threadIdx.x, m = blockIdx.x * W + threadIdx.y;
  if (m >= count)
    return;
  T(*s)[N + 1] = shared[threadIdx.y];
  for (int i = 0; i < N; i++)
    s[i][lane] = in[(m * N + i) * N + lane];
  __syncwarp();
  for (int k = 0; k < steps; k++) {
    T best = lane >= k ? (s[lane][k] < 0 ? -s[lane][k] : s[lane][k]) : T(-1);
    int p = lane;
    for (int o = 16; o > 0; o >>= 1) {
      const T other = __shfl_xor_sync(full, best, o);
      const int at = __shfl_xor_sync(full, p, o);
      if (other > best || (other == best && at < p)) {
        best = other;
        p = at;
      }
    }
    if (p != k) {
      const T t = s[k][lane];
      s[k][lane] = s[p][lane];
      s[p][lane] = t;
    }
    if (lane == 0)
      pivots[m * N + k] = p;
    __syncwarp();
    if (lane > k) {
      const T l = s[lane][k] * (s[k][k] > 0 ? 1 : -1);
      s[lane][k] = l;
      for (int j = k + 1; j < N; j++)
        s[lane][j] -= l * s[k][j];
    }
    __syncwarp();
    for (int i = 0; i < N; i++)
      s[i][lane] = small(s[i][lane]);
    __syncwarp();
  }
  for (int i = 0; i < N; i++)
    out[(m * N + i) * N + lane] = s[i][lane];
}

// Lanes of a warp leave, too, in rows of several warps.
template <class T, int N> __global__ void leaving(const T* in, T* out, int steps, int count) {
  __shared__ T s[2 * 32][N + 1];
  const int t = threadIdx.x;
  if (t >= count)
    return;
  for (int j = 0; j < N; j++)
    s[t][j] = in[t * N + j];
  const int first = t / 32 * 32;
  const int stay = count - first < 32 ? count - first : 32;
  const unsigned mask = stay < 32 ? (1u << stay) - 1 : full;
  __syncwarp(mask);
  for (int k = 0; k < steps; k++) {
    const T lead = s[first + k][k];
    __syncwarp(mask);
    if (t > first + k) {
      const T l = s[t][k] + lead;
      s[t][k] = l;
      for (int j = k + 1; j < N; j++)
        s[t][j] += l * s[first + k][j];
    }
    __syncwarp(mask);
    T sum = __shfl_xor_sync(mask, s[t][k], 1);
    s[t][N - 1] = small(s[t][N - 1] + sum);
    __syncwarp(mask);
    for (int i = first; i < first + 32; i++)
      if (i < count)
        for (int j = t - first; j < N; j += stay)
          s[i][j] = small(s[i][j]);
    __syncwarp(mask);
  }
  for (int j = 0; j < N; j++)
    out[t * N + j] = s[t][j];
}

// A row of threads for each matrix.
template <class T, int N>
__global__ void byThreads(const T* in, T* out, int n, int steps, int stop) {
  __shared__ T a[N][N + 1], by[N];
  const int t = threadIdx.x;
  for (int r = 0; r < N; ++r)
    a[r][t] = in[(blockIdx.x * N + r) * N + t];
  by[t] = T(t % 3 - 1);
  __syncthreads();
  for (int k = 0; k < steps; ++k) {
    // What the row reads from another array, and two values.
    if (t > k && t < n) {
      const T w = by[t], l = a[t][k] * w;
      const int sign = t % 2 ? 1 : -1;
      const T both = l + sign;
      a[t][k] = l;
      for (int j = k + 1; j < n; ++j)
        a[t][j] -= l * a[k][j] + both;
    }
    __syncthreads();
    a[t][k + 1] = small(a[t][k + 1]);
    __syncthreads();
    // The element that is stored is read again.
    if (t > k) {
      a[t][k] *= by[k];
      for (int j = k + 1; j < N; ++j)
        a[t][j] -= a[t][k] * a[k][j];
    }
    __syncthreads();
    for (int r = 0; r < N; ++r)
      a[r][t] = small(a[r][t]);
    __syncthreads();
    // A column of the part is stored before; a value is from one.
    if (t > k) {
      const T f = a[t][k + 2];
      a[t][k + 1] = f + 1;
      for (int j = k + 1; j < stop; ++j)
        a[t][j] += f * a[k][j];
    }
    __syncthreads();
    // Above the row, from the end.
    if (t < N - 1 - k) {
      const T f = a[t][N - 1 - k];
      a[t][N - 1 - k] = -f;
      for (int j = 0; j < N - 1 - k; ++j)
        a[t][j] -= f * a[N - 1 - k][j];
    }
    __syncthreads();
    for (int r = 0; r < N; ++r)
      a[r][t] = small(a[r][t]);
    __syncthreads();
    // Two columns, and one thread alone, which divides its own row.
    if (t > k) {
      const T f = a[t][k];
      a[t][k] = f + 2;
      a[t][k + 1] += f;
      for (int j = k + 2; j < N; ++j)
        a[t][j] -= f * a[k][j];
    }
    __syncthreads();
    if (t == k) {
      const T d = a[k][k];
      a[t][k] = d + 1;
      for (int j = k + 1; j < N; ++j)
        a[t][j] += d * a[k][k];
    }
    __syncthreads();
    for (int r = 0; r < N; ++r)
      a[r][t] = small(a[r][t]);
    __syncthreads();
  }
  for (int r = 0; r < N; ++r)
    out[(blockIdx.x * N + r) * N + t] = a[r][t];
}

template <class T, int N>
__global__ void nearMisses(const T* in, T* out, const int* places, int steps) {
  __shared__ T a[N][N + 1];
  __shared__ int at[N];
  const int t = threadIdx.x;
  for (int r = 0; r < N; ++r)
    a[r][t] = in[(blockIdx.x * N + r) * N + t];
  a[t][N] = 0;
  at[t] = places[t];
  __syncthreads();
  for (int k = 0; k < steps; ++k) {
    // A column that memory tells.
    if (t > k) {
      const T l = a[t][k];
      a[t][at[k]] = l + 1;
      for (int j = k + 1; j < N; ++j)
        a[t][j] -= l * a[k][j];
    }
    __syncthreads();
    // Another column for each row.
    if (t > k) {
      const T l = a[t][k];
      a[t][t] = l - 1;
      for (int j = k + 1; j < N; ++j)
        a[t][j] += l * a[k][j];
    }
    __syncthreads();
    for (int r = 0; r < N; ++r)
      a[r][t] = small(a[r][t]);
    __syncthreads();
    // The neighbour's row, of which nobody else uses that column.
    if (t > k && t < N - 1) {
      const T l = a[t][k];
      a[t + 1][N] = l;
      for (int j = k + 1; j < N; ++j)
        a[t][j] -= l * a[k][j];
    }
    __syncthreads();
    if (t > k)
      a[t][k] += a[t][N] > 0;
    __syncthreads();
    // A value that changes.
    if (t > k) {
      T l = a[t][k];
      a[t][k] = ++l;
      for (int j = k + 1; j < N; ++j)
        a[t][j] -= l * a[k][j];
    }
    __syncthreads();
    for (int r = 0; r < N; ++r)
      a[r][t] = small(a[r][t]);
    __syncthreads();
    // Two statements for each column, and a condition.
    if (t > k) {
      const T l = a[t][k];
      a[t][k] = l + 3;
      for (int j = k + 1; j < N; ++j) {
        a[t][j] -= l * a[k][j];
        l > 0 ? a[t][j] += 1 : a[t][j] -= 1;
      }
    }
    __syncthreads();
    // A column of rows that end there, which the others keep; the threads store the next one.
    if (t > k && t < N / 2) {
      const T l = a[t][k];
      a[t][N - 1] = l;
      for (int j = N / 2; j < N - 1; ++j)
        a[t][j] -= l * a[j][k];
    }
    __syncthreads();
    // The row is known inside only.
    if (t > k) {
      const int row = N + k - t;
      const T l = a[row][k];
      a[row][k] = l;
      for (int j = k + 1; j < N; ++j)
        a[row][j] -= l > 0 ? T(1) : a[k][j];
    }
    __syncthreads();
    if (t >= k) {
      const int next = t + 1;
      if (next < N) {
        const T l = a[next][k];
        a[next][k] = l - 1;
        for (int j = k + 1; j < N; ++j)
          a[next][j] -= a[k][j] * l;
      }
    }
    __syncthreads();
    if (t >= k && t + 1 < N) {
      const int next = t + 1;
      const T l = a[next][k];
      a[next][k] = l - 1;
      for (int j = k + 1; j < N; ++j)
        a[next][j] -= a[k][j];
    }
    __syncthreads();
    // What is stored behind the update, and in between.
    if (t > k) {
      const T l = a[t][k];
      for (int j = k + 1; j < N; ++j)
        a[t][j] -= l * a[k][j];
      a[t][k] = l * 2;
    }
    __syncthreads();
    for (int r = 0; r < N; ++r)
      a[r][t] = small(a[r][t]);
    __syncthreads();
  }
  for (int r = 0; r < N; ++r)
    out[(blockIdx.x * N + r) * N + t] = a[r][t];
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
  unsigned s = 4711;
  for (T& value : out) {
    s = s * 1664525u + 1013904223u;
    value = T(int(s >> 16) % 5 - 2);
  }
  return out;
}

template <class T> void ofType(const char* name) {
  const int size = 1 << 14;
  const T* const in = onDevice(numbers<T>(size));
  T* const out = onDevice(std::vector<T>(size, T(0)));
  int* const pivots = onDevice(std::vector<int>(32 * 32, 0));
  std::vector<int> places(32);
  for (int i = 0; i < 32; ++i)
    places[i] = i * 11 % 32;
  const int* const dPlaces = onDevice(places);
  std::printf("%s\n", name);
  for (const int steps : {1, 3, 12}) {
    byWarps<T, 32, 4><<<3, dim3(32, 4)>>>(in, out, pivots, steps, 10);
    print("by warps", out, 10 * 32 * 32);
    print("pivots", pivots, 10 * 32);
    for (const int count : {64, 50, 8}) {
      leaving<T, 24><<<1, 64>>>(in, out, steps < 6 ? steps : 6, count);
      print("leaving", out, count * 24);
    }
    for (const int n : {32, 19, 2}) {
      byThreads<T, 32><<<3, 32>>>(in, out, n, steps, n - 1);
      print("by threads", out, 3 * 32 * 32);
    }
    byThreads<T, 21><<<3, 21>>>(in, out, 20, steps, 21);
    print("by threads of 21", out, 3 * 21 * 21);
    byThreads<T, 64><<<2, 64>>>(in, out, 61, steps, 40);
    print("by threads of 64", out, 2 * 64 * 64);
    nearMisses<T, 32><<<3, 32>>>(in, out, dPlaces, steps);
    print("near misses", out, 3 * 32 * 32);
  }
}

int main() {
  ofType<double>("double");
  ofType<float>("float");
  ofType<int>("int");
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
