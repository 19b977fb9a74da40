// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Directions that are not those of the memory: what is called the device's must be known to the device, what is called
// the host's may be the device's.
#include <cstdio>
#include <cstdlib>

__global__ void put(char* p, char value) { p[threadIdx.x] = value; }

int main() {
  constexpr int n = 64, places = 6;
  const char* const names[places] = {"host", "other host", "device", "other device", "pinned", "managed"};
  char* at[places];
  at[0] = static_cast<char*>(calloc(n, 1));
  at[1] = static_cast<char*>(calloc(n, 1));
  cudaMalloc(&at[2], n);
  cudaMalloc(&at[3], n);
  cudaMallocHost(&at[4], n);
  cudaMallocManaged(&at[5], n);
  cudaStream_t stream;
  cudaStreamCreate(&stream);

  const cudaMemcpyKind kinds[] = {cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice,
                                  cudaMemcpyDefault};
  for (const cudaMemcpyKind kind : kinds) {
    printf("kind %d\n", int(kind));
    for (int to = 0; to < places; ++to) {
      for (int from = 0; from < places; ++from) {
        if (to == from)
          continue;
        const cudaError_t now = cudaMemcpy(at[to], at[from], n, kind);
        const cudaError_t later = cudaMemcpyAsync(at[to], at[from], n, kind, stream);
        const cudaError_t rows = cudaMemcpy2D(at[to], 8, at[from], 8, 4, 2, kind);
        const cudaError_t last = cudaGetLastError(), end = cudaStreamSynchronize(stream);
        printf("  %s <- %s: %s %s %s %s %s\n", names[to], names[from], cudaGetErrorName(now), cudaGetErrorName(later),
               cudaGetErrorName(rows), cudaGetErrorName(last), cudaGetErrorName(end));
      }
    }
  }

  // The copy keeps the order of its stream, whatever it is called.
  char result[n];
  for (int round = 1; round <= 3; ++round) {
    put<<<1, n, 0, stream>>>(at[2], char(round));
    cudaMemcpyAsync(at[3], at[2], n, cudaMemcpyHostToDevice, stream);
    put<<<1, n, 0, stream>>>(at[2], char(0));
    cudaMemcpyAsync(at[5], at[3], n, cudaMemcpyDeviceToHost, stream);
    cudaMemcpyAsync(result, at[5], n, cudaMemcpyDefault, stream);
    cudaStreamSynchronize(stream);
    printf("%d %d\n", result[0], result[n - 1]);
  }

  free(at[0]);
  free(at[1]);
  cudaFree(at[2]);
  cudaFree(at[3]);
  cudaFreeHost(at[4]);
  cudaFree(at[5]);
  cudaStreamDestroy(stream);
}
