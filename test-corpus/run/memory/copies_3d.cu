// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 3-D copies between pitched memory, host memory and arrays with offsets of all kinds; 3-D fills; copies of peers;
// 2-D copies to and from arrays.
#include <cstdio>
#include <cstring>

static const int W = 10, H = 6, D = 5;

static int box[D][H][W], back[D][H][W];

static unsigned long long weigh() {
  unsigned long long sum = 0;
  const int* flat = &back[0][0][0];
  for (int i = 0; i < W * H * D; ++i)
    sum = sum * 31 + static_cast<unsigned long long>(flat[i]);
  return sum;
}

static void result(const char* what, cudaError_t error) {
  printf("%-38s %s %llu\n", what, cudaGetErrorName(error), weigh());
  cudaGetLastError();
}

__global__ void addOne(cudaPitchedPtr p, int w, int h, int d) {
  for (int z = 0; z < d; ++z)
    for (int y = 0; y < h; ++y) {
      int* row = reinterpret_cast<int*>(static_cast<char*>(p.ptr) + (size_t(z) * h + y) * p.pitch);
      if (int(threadIdx.x) < w)
        row[threadIdx.x] += 1;
    }
}

static void fetch(cudaPitchedPtr from) {
  cudaMemcpy3DParms parms = {};
  parms.srcPtr = from;
  parms.dstPtr = make_cudaPitchedPtr(back, W * sizeof(int), W, H);
  parms.extent = make_cudaExtent(W * sizeof(int), H, D);
  parms.kind = cudaMemcpyDeviceToHost;
  cudaMemcpy3D(&parms);
}

int main() {
  int n = 0;
  for (auto& plane : box)
    for (auto& row : plane)
      for (int& value : row)
        value = ++n;
  cudaPitchedPtr volume, second;
  const cudaExtent whole = make_cudaExtent(W * sizeof(int), H, D);
  cudaMalloc3D(&volume, whole);
  cudaMalloc3D(&second, whole);
  printf("%zu %zu\n", volume.xsize, volume.ysize);
  const cudaPitchedPtr host = make_cudaPitchedPtr(box, W * sizeof(int), W, H);

  cudaMemcpy3DParms parms = {};
  parms.srcPtr = host;
  parms.dstPtr = volume;
  parms.extent = whole;
  parms.kind = cudaMemcpyHostToDevice;
  cudaError_t error = cudaMemcpy3D(&parms);
  addOne<<<1, 32>>>(volume, W, H, D);
  fetch(volume);
  result("whole", error);

  error = cudaMemset3D(second, 0, whole);
  fetch(second);
  result("fill", error);
  error = cudaMemset3D(second, 0x11, make_cudaExtent(12, 2, 3));
  fetch(second);
  result("fill a part", error);

  parms = {};
  parms.srcPtr = volume;
  parms.srcPos = make_cudaPos(8, 1, 2);
  parms.dstPtr = second;
  parms.dstPos = make_cudaPos(4, 3, 1);
  parms.extent = make_cudaExtent(20, 3, 3);
  parms.kind = cudaMemcpyDeviceToDevice;
  error = cudaMemcpy3D(&parms);
  fetch(second);
  result("a part to another place", error);
  parms.dstPos = make_cudaPos(24, 3, 1);
  error = cudaMemcpy3D(&parms);
  fetch(second);
  result("too far to the right", error);
  parms.dstPos = make_cudaPos(4, 3, 1);
  parms.extent.height = 4;
  error = cudaMemcpy3D(&parms);
  fetch(second);
  result("too far down", error);
  parms.extent = make_cudaExtent(0, 3, 3);
  error = cudaMemcpy3D(&parms);
  fetch(second);
  result("nothing", error);

  cudaArray_t array, flat;
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<int>();
  cudaMalloc3DArray(&array, &channels, make_cudaExtent(W, H, D));
  cudaMallocArray(&flat, &channels, W, H);
  parms = {};
  parms.srcPtr = volume;
  parms.dstArray = array;
  parms.extent = make_cudaExtent(W, H, D);
  parms.kind = cudaMemcpyDeviceToDevice;
  error = cudaMemcpy3D(&parms);
  result("volume to array", error);
  parms = {};
  parms.srcArray = array;
  parms.srcPos = make_cudaPos(2, 1, 1); // elements
  parms.dstPtr = make_cudaPitchedPtr(back, W * sizeof(int), W, H);
  parms.dstPos = make_cudaPos(4, 2, 0); // bytes
  parms.extent = make_cudaExtent(5, 3, 4);
  parms.kind = cudaMemcpyDeviceToHost;
  memset(back, 0, sizeof back);
  error = cudaMemcpy3D(&parms);
  result("array to host", error);
  parms.srcPos = make_cudaPos(6, 1, 1);
  error = cudaMemcpy3D(&parms);
  result("outside of the array", error);
  parms = {};
  parms.srcArray = array;
  parms.srcPos = make_cudaPos(0, 0, 3);
  parms.dstArray = flat;
  parms.extent = make_cudaExtent(W, H, 1);
  parms.kind = cudaMemcpyDeviceToDevice;
  error = cudaMemcpy3D(&parms);
  memset(back, 0, sizeof back);
  cudaError_t fetched = cudaMemcpy2DFromArray(back, W * sizeof(int), flat, 0, 0, W * sizeof(int), H, cudaMemcpyDeviceToHost);
  result("array to array", error);
  result("2-D from array", fetched);
  error = cudaMemcpy2DToArray(flat, 8, 1, box, W * sizeof(int), 16, 3, cudaMemcpyHostToDevice);
  cudaMemcpy2DFromArray(back, W * sizeof(int), flat, 0, 0, W * sizeof(int), H, cudaMemcpyDeviceToHost);
  result("2-D to array", error);
  error = cudaMemcpy2DToArray(flat, 32, 1, box, W * sizeof(int), 16, 3, cudaMemcpyHostToDevice);
  result("2-D too wide", error);
  cudaArray_t other;
  cudaMallocArray(&other, &channels, W, H);
  error = cudaMemcpy2DArrayToArray(other, 4, 0, flat, 8, 1, 24, 3, cudaMemcpyDeviceToDevice);
  memset(back, 0, sizeof back);
  cudaMemcpy2DFromArray(back, W * sizeof(int), other, 4, 0, 24, 3, cudaMemcpyDeviceToHost);
  result("2-D array to array", error);
  parms = {};
  parms.srcPtr = volume;
  parms.dstArray = flat;
  parms.extent = make_cudaExtent(W, H, 2);
  parms.kind = cudaMemcpyDeviceToDevice;
  error = cudaMemcpy3D(&parms);
  result("two planes to a flat array", error);
  parms.srcArray = array;
  parms.extent = make_cudaExtent(W, H, 1);
  error = cudaMemcpy3D(&parms);
  result("two sources", error);

  cudaMemcpy3DPeerParms peers = {};
  peers.srcPtr = volume;
  peers.dstPtr = second;
  peers.extent = whole;
  error = cudaMemcpy3DPeer(&peers);
  fetch(second);
  result("peer", error);
  peers.dstDevice = 1000;
  error = cudaMemcpy3DPeer(&peers);
  result("no such peer", error);
  printf("end %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
