// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A host function that waits for the device gets an error; the stream goes on.
#include <cstdio>

static cudaError_t inHost;
static void CUDART_CB waits(void* stream) { inHost = cudaStreamSynchronize(static_cast<cudaStream_t>(stream)); }

int main() {
  cudaStream_t s;
  cudaStreamCreate(&s);
  printf("%s\n", cudaGetErrorName(cudaLaunchHostFunc(s, waits, s)));
  printf("%s\n", cudaGetErrorName(cudaStreamSynchronize(s)));
  printf("%s\n", cudaGetErrorName(inHost));
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  return 0;
}
