// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host functions between copies and kernels of one stream take part in its order; the stream is destroyed with work pending.
#include <cstdio>

struct Data {
  int host[256];
  int seen;
};

__global__ void addAll(int* x, int v) { x[threadIdx.x] += v; }

int main() {
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  Data* data;
  cudaMallocHost(&data, sizeof(Data));
  int* device;
  cudaMalloc(&device, sizeof data->host);
  for (int i = 0; i < 256; ++i)
    data->host[i] = i;
  cudaMemcpyAsync(device, data->host, sizeof data->host, cudaMemcpyHostToDevice, s);
  addAll<<<1, 256, 0, s>>>(device, 1000);
  cudaMemcpyAsync(data->host, device, sizeof data->host, cudaMemcpyDeviceToHost, s);
  cudaLaunchHostFunc(
      s,
      [](void* p) {
        Data* d = static_cast<Data*>(p);
        d->seen = d->host[255];
        for (int& x : d->host)
          x *= 2;
      },
      data);
  cudaMemcpyAsync(device, data->host, sizeof data->host, cudaMemcpyHostToDevice, s);
  addAll<<<1, 256, 0, s>>>(device, 1);
  cudaEvent_t done;
  cudaEventCreate(&done);
  cudaMemcpyAsync(data->host, device, sizeof data->host, cudaMemcpyDeviceToHost, s);
  cudaEventRecord(done, s);
  printf("%s\n", cudaGetErrorName(cudaStreamDestroy(s)));
  cudaEventSynchronize(done);
  printf("%d %d %d\n", data->seen, data->host[0], data->host[255]);
  return 0;
}
