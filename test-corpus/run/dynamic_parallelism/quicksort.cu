// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sort whose kernels launch themselves on the two parts, each in a stream of its own.
// FLAGS: -rdc=true
#include <cstdio>

__device__ void insertionSort(int* data, int from, int to) {
  for (int i = from + 1; i <= to; ++i) {
    const int v = data[i];
    int k = i - 1;
    for (; k >= from && data[k] > v; --k)
      data[k + 1] = data[k];
    data[k + 1] = v;
  }
}

__global__ void quicksort(int* data, int left, int right, int depth) {
  if (depth >= 12 || right - left <= 16) {
    insertionSort(data, left, right);
    return;
  }
  int *l = data + left, *r = data + right;
  const int pivot = data[(left + right) / 2];
  while (l <= r) {
    const int a = *l, b = *r;
    if (a < pivot)
      ++l;
    else if (b > pivot)
      --r;
    else {
      *l++ = b;
      *r-- = a;
    }
  }
  const int middleRight = int(r - data), middleLeft = int(l - data);
  if (left < middleRight) {
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    quicksort<<<1, 1, 0, s>>>(data, left, middleRight, depth + 1);
    cudaStreamDestroy(s);
  }
  if (middleLeft < right) {
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    quicksort<<<1, 1, 0, s>>>(data, middleLeft, right, depth + 1);
    cudaStreamDestroy(s);
  }
}

int main() {
  const int n = 3000;
  int* data;
  cudaMallocManaged(&data, n * sizeof(int));
  unsigned x = 1;
  long long sum = 0;
  for (int i = 0; i < n; ++i) {
    x = x * 1103515245u + 12345u;
    data[i] = int(x >> 8 & 0xffff) - 30000;
    sum += data[i];
  }
  quicksort<<<1, 1>>>(data, 0, n - 1, 0);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    sum -= data[i];
    wrong += i && data[i - 1] > data[i];
  }
  printf("%d %lld %d %d\n", wrong, sum, data[0], data[n - 1]);
  return 0;
}
