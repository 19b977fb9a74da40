// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What some threads of a block store to places that are no neighbours is as if each had stored it in its turn: with and without
// something for the others to do, where the way begins with what all have computed or with what it changes itself.
#include <cstdio>

__global__ void keep(const float* key, const double* value, const int* base, int n, float least, int* place, float* keyOut,
                     double* valueOut) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float k = key[i];
  if (k > least) {
    const int to = place[i] + base[i / 512];
    keyOut[to] = k;
    valueOut[to] = value[i];
    place[i] = to;
  } else {
    place[i] = -1;
  }
}

__global__ void others(const int* key, const int* place, int n, int* out, int* left) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    if (key[i] % 3 == 0)
      left[i] = key[i];
    else
      out[place[i]] = key[i] * 2;
  }
}

__global__ void changed(float* key, int n, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float k = key[i], far = k * k + 0.5f * i;
  key[i] = -k; // the way is given what was there
  if (far > 300.0f)
    out[(n - 1 - i) * 2] = far + k;
}

template <int threads> void run() {
  constexpr int n = 3000;
  float *key, *keyOut;
  double *value, *valueOut;
  int *place, *base, *whole, *left, *out;
  cudaMallocManaged(&key, n * sizeof(float)), cudaMallocManaged(&keyOut, 2 * n * sizeof(float));
  cudaMallocManaged(&value, n * sizeof(double)), cudaMallocManaged(&valueOut, n * sizeof(double));
  cudaMallocManaged(&place, n * sizeof(int)), cudaMallocManaged(&base, n * sizeof(int));
  cudaMallocManaged(&whole, n * sizeof(int)), cudaMallocManaged(&left, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  int kept = 0;
  for (int i = 0; i < n; ++i) {
    key[i] = float(i * 7919 % 101), value[i] = i * 0.5, whole[i] = i * 31 % 97;
    base[i / 512] = i % 512 ? base[i / 512] : kept;
    place[i] = kept - base[i / 512], kept += key[i] > 37.0f;
    out[i] = left[i] = -1, keyOut[2 * i] = keyOut[2 * i + 1] = valueOut[i] = 0;
  }
  keep<<<(n + threads - 1) / threads, threads>>>(key, value, base, n, 37.0f, place, keyOut, valueOut);
  cudaDeviceSynchronize();
  double a = 0, b = 0, c = 0, d = 0;
  for (int i = 0; i < n; ++i)
    a += keyOut[i] * (i % 13) + valueOut[i], b += place[i] * (i % 7), place[i] = (i * 7 + 1) % n;
  others<<<(n + threads - 1) / threads, threads>>>(whole, place, n, out, left);
  changed<<<(n + threads - 1) / threads, threads>>>(key, n, keyOut);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i)
    c += out[i] * (i % 5) + left[i] * (i % 11), d += key[i] * (i % 3) + keyOut[2 * i] * (i % 19);
  printf("%d: %d %.9g %.9g %.9g %.9g\n", threads, kept, a, b, c, d);
}

int main() {
  run<256>();
  run<100>();
  run<32>();
  return 0;
}
