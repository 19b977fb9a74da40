// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In kernels: fire-and-forget and tail launches, streams and events, memory, asynchronous copies.
// FLAGS: -rdc=true
#include <cstdio>

__global__ void append(int* log, int* used, int what) {
  const int at = atomicAdd(used, 1);
  log[at] = what;
}
__global__ void add(int* p, int n, int what) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    p[i] += what;
}
__global__ void sum(const int* p, int n, int* out) {
  int s = 0;
  for (int i = 0; i < n; ++i)
    s += p[i];
  *out = s;
}

// Tail launches come last, in their order.
__global__ void tails(int* log, int* used) {
  append<<<1, 1, 0, cudaStreamTailLaunch>>>(log, used, 100);
  append<<<1, 1>>>(log, used, 1);
  append<<<1, 1>>>(log, used, 2);
  append<<<1, 1, 0, cudaStreamTailLaunch>>>(log, used, 200);
  append<<<1, 1>>>(log, used, 3);
}
__global__ void forget(int* total) {
  add<<<1, 32, 0, cudaStreamFireAndForget>>>(total + threadIdx.x, 1, int(threadIdx.x) + 1);
}

// A stream that waits for an event of another one.
__global__ void ordered(int* data, int n, int* out) {
  cudaStream_t a, b;
  cudaEvent_t done;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  cudaMemsetAsync(data, 0, n * sizeof(int), a);
  add<<<1, 64, 0, a>>>(data, n, 5);
  cudaEventRecord(done, a);
  cudaStreamWaitEvent(b, done, 0);
  add<<<1, 64, 0, b>>>(data, n, 2);
  sum<<<1, 1, 0, b>>>(data, n, out);
  cudaMemcpyAsync(out + 1, out, sizeof(int), cudaMemcpyDeviceToDevice, b);
  cudaEventDestroy(done);
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
}

__global__ void release(int* p, int n, int* out) {
  int s = 0;
  for (int i = 0; i < n; ++i)
    s += p[i];
  *out = s;
  cudaFree(p);
}
__global__ void allocate(int* out) {
  int* p = nullptr;
  const int n = 100;
  if (cudaMalloc(&p, n * sizeof(int)) != cudaSuccess) {
    *out = -1;
    return;
  }
  for (int i = 0; i < n; ++i)
    p[i] = i;
  add<<<1, 32>>>(p, n, 10);
  release<<<1, 1>>>(p, n, out);
}

__global__ void questions(int* codes) {
  codes[0] = cudaGetLastError();
  int device = -1;
  codes[1] = cudaGetDevice(&device);
  codes[2] = device;
  codes[3] = cudaPeekAtLastError();
}

int main() {
  int *log, *used, *data, *out;
  cudaMallocManaged(&log, 16 * sizeof(int));
  cudaMallocManaged(&used, sizeof(int));
  cudaMallocManaged(&data, 64 * sizeof(int));
  cudaMallocManaged(&out, 8 * sizeof(int));
  *used = 0;
  tails<<<1, 1>>>(log, used);
  cudaDeviceSynchronize();
  for (int i = 0; i < *used; ++i)
    printf("%d ", log[i]);
  printf("\n");
  for (int i = 0; i < 64; ++i)
    data[i] = 0;
  forget<<<1, 32>>>(data);
  cudaDeviceSynchronize();
  for (int i = 0; i < 33; ++i)
    printf("%d ", data[i]);
  printf("\n");
  ordered<<<1, 1>>>(data, 64, out);
  allocate<<<1, 1>>>(out + 2);
  questions<<<1, 1>>>(out + 3);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  for (int i = 0; i < 7; ++i)
    printf("%d ", out[i]);
  printf("\n%s\n", cudaGetErrorName(cudaGetLastError()));
  return 0;
}
