// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that launch kernels, captured into a graph that is launched several times: children are done before the nodes
// behind their parent, grandchildren too.
// FLAGS: -rdc=true
#include <cstdio>

__global__ void leaf(int* data, int by) { data[blockIdx.x * blockDim.x + threadIdx.x] += by; }
__global__ void middle(int* data, int depth) {
  if (threadIdx.x == 0) {
    if (depth > 0)
      middle<<<1, 32>>>(data, depth - 1);
    else
      leaf<<<4, 32>>>(data, 1000);
  }
}
__global__ void root(int* data, int n) {
  if (threadIdx.x < 4)
    leaf<<<1, 32>>>(data + threadIdx.x * 32, 10 * (threadIdx.x + 1));
  if (threadIdx.x == 31)
    middle<<<1, 32>>>(data, n);
}
__global__ void sum(const int* data, int* out) {
  __shared__ int total;
  if (threadIdx.x == 0)
    total = 0;
  __syncthreads();
  atomicAdd(&total, data[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0)
    *out = total;
}

int main() {
  int *data, *out;
  cudaMalloc(&data, 128 * sizeof *data);
  cudaMallocManaged(&out, 2 * sizeof *out);
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaMemsetAsync(data, 0, 128 * sizeof *data, s);
  root<<<1, 32, 0, s>>>(data, 2);
  sum<<<1, 128, 0, s>>>(data, out);
  root<<<1, 32, 0, s>>>(data, 0);
  sum<<<1, 128, 0, s>>>(data, out + 1);
  printf("%s\n", cudaGetErrorName(cudaStreamEndCapture(s, &graph)));
  printf("%s\n", cudaGetErrorName(cudaGraphInstantiate(&exec, graph, 0)));
  for (int i = 0; i < 3; ++i) {
    cudaGraphLaunch(exec, s);
    const cudaError_t e = cudaStreamSynchronize(s);
    printf("%s %d %d\n", cudaGetErrorName(e), out[0], out[1]);
  }
  return 0;
}
