// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work on every device there is, streams and events across devices, copies between peers: the results do not depend on
// the number of devices.
#include <cstdio>
#include <vector>

__global__ void fill(int* p, int value) { p[blockIdx.x * blockDim.x + threadIdx.x] = value; }
__global__ void add(int* p, const int* q) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  p[i] += q[i];
}

int main() {
  int count = 0;
  cudaGetDeviceCount(&count);
  printf("some %d\n", count > 0);
  const int n = 4096;
  std::vector<int*> buffers(static_cast<size_t>(count));
  std::vector<cudaStream_t> streams(static_cast<size_t>(count));
  std::vector<cudaEvent_t> done(static_cast<size_t>(count));
  int failures = 0;
  for (int device = 0; device < count; ++device) {
    const size_t i = static_cast<size_t>(device);
    failures += cudaSetDevice(device) != cudaSuccess;
    int now = -1;
    failures += cudaGetDevice(&now) != cudaSuccess || now != device;
    failures += cudaMalloc(&buffers[i], n * sizeof(int)) != cudaSuccess;
    failures += cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking) != cudaSuccess;
    failures += cudaEventCreateWithFlags(&done[i], cudaEventDisableTiming) != cudaSuccess;
    fill<<<n / 128, 128, 0, streams[i]>>>(buffers[i], device + 1);
    failures += cudaEventRecord(done[i], streams[i]) != cudaSuccess;
    failures += cudaStreamGetDevice(streams[i], &now) != cudaSuccess || now != device;
    cudaPointerAttributes attributes;
    failures += cudaPointerGetAttributes(&attributes, buffers[i]) != cudaSuccess || attributes.device != device;
  }
  printf("failures %d\n", failures);
  // All devices' values come together on the first, once for each device.
  cudaSetDevice(0);
  int *other, *sum;
  cudaMalloc(&other, n * sizeof(int));
  cudaMalloc(&sum, n * sizeof(int));
  cudaMemset(sum, 0, n * sizeof(int));
  cudaDeviceSynchronize();
  for (int device = 0; device < count; ++device) {
    const size_t i = static_cast<size_t>(device);
    failures += cudaStreamWaitEvent(streams[0], done[i], 0) != cudaSuccess;
    failures += cudaMemcpyPeerAsync(other, 0, buffers[i], device, n * sizeof(int), streams[0]) != cudaSuccess;
    add<<<n / 128, 128, 0, streams[0]>>>(sum, other);
  }
  failures += cudaStreamSynchronize(streams[0]) != cudaSuccess;
  std::vector<int> host(n);
  cudaMemcpy(host.data(), sum, n * sizeof(int), cudaMemcpyDefault);
  int wrong = 0;
  for (int value : host)
    wrong += value != count * (count + 1) / 2;
  printf("failures %d, wrong %d\n", failures, wrong);
  for (int device = 0; device < count; ++device)
    for (int peer = 0; peer < count; ++peer) {
      int can = 0;
      cudaSetDevice(device);
      failures += cudaDeviceCanAccessPeer(&can, device, peer) != cudaSuccess;
      if (device == peer)
        failures += can != 0;
      else if (can) {
        failures += cudaDeviceEnablePeerAccess(peer, 0) != cudaSuccess;
        failures += cudaDeviceEnablePeerAccess(peer, 0) != cudaErrorPeerAccessAlreadyEnabled;
        failures += cudaDeviceEnablePeerAccess(peer, 1) != cudaErrorInvalidValue;
        add<<<n / 128, 128>>>(buffers[static_cast<size_t>(device)], buffers[static_cast<size_t>(peer)]);
        failures += cudaDeviceSynchronize() != cudaSuccess;
        failures += cudaDeviceDisablePeerAccess(peer) != cudaSuccess;
        failures += cudaDeviceDisablePeerAccess(peer) != cudaErrorPeerAccessNotEnabled;
      }
      cudaGetLastError();
    }
  printf("failures %d\n", failures);
  for (int device = 0; device < count; ++device) {
    cudaSetDevice(device);
    failures += cudaFree(buffers[static_cast<size_t>(device)]) != cudaSuccess;
    failures += cudaStreamDestroy(streams[static_cast<size_t>(device)]) != cudaSuccess;
    failures += cudaDeviceReset() != cudaSuccess;
  }
  printf("failures %d\n", failures);
  return 0;
}
