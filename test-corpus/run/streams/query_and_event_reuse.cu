// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaStreamQuery and cudaEventQuery say not ready while a host function holds the stream; a recorded event can be recorded again.
#include <atomic>
#include <cstdio>
#include <thread>

static std::atomic<bool> released{false};

__global__ void set(int* x, int v) { *x = v; }

int main() {
  cudaStream_t s, t;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  cudaEvent_t e;
  cudaEventCreate(&e);
  int *x, result = 0;
  cudaMalloc(&x, 2 * sizeof(int));
  set<<<1, 1>>>(x, 1); // loads the kernel now: CUDA may not be able to while a host function holds a stream
  cudaMemset(x, 0, 2 * sizeof(int));
  cudaDeviceSynchronize();
  printf("before: %s %s\n", cudaGetErrorName(cudaStreamQuery(s)), cudaGetErrorName(cudaEventQuery(e)));
  cudaLaunchHostFunc(
      s,
      [](void*) {
        while (!released)
          std::this_thread::yield();
      },
      nullptr);
  set<<<1, 1, 0, s>>>(x, 5);
  cudaEventRecord(e, s);
  cudaStreamWaitEvent(t, e, 0);
  cudaMemcpyAsync(x + 1, x, sizeof(int), cudaMemcpyDeviceToDevice, t);
  printf("held: %s %s %s\n", cudaGetErrorName(cudaStreamQuery(s)), cudaGetErrorName(cudaEventQuery(e)),
         cudaGetErrorName(cudaStreamQuery(t)));
  printf("not an error: %s\n", cudaGetErrorName(cudaGetLastError()));
  released = true;
  cudaStreamSynchronize(t);
  cudaMemcpy(&result, x + 1, sizeof result, cudaMemcpyDeviceToHost);
  printf("after: %d %s\n", result, cudaGetErrorName(cudaEventQuery(e)));
  cudaEventRecord(e, t);
  cudaEventSynchronize(e);
  printf("again: %s\n", cudaGetErrorName(cudaEventQuery(e)));
  float ms = -1;
  cudaEvent_t f;
  cudaEventCreate(&f);
  printf("%s\n", cudaGetErrorName(cudaEventElapsedTime(&ms, e, f)));
  cudaEventRecord(f, t);
  cudaDeviceSynchronize();
  const cudaError_t elapsed = cudaEventElapsedTime(&ms, e, f);
  printf("%s %d\n", cudaGetErrorName(elapsed), ms >= 0);
  return 0;
}
