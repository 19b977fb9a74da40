// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaMemcpy3D of sub-volumes with positions in source and target, and cudaMemset3D of a part.
#include <cstdio>

__global__ void sum(cudaPitchedPtr p, int w, int h, int d, int* out) {
  int z = blockIdx.x, s = 0;
  for (int y = 0; y < h; ++y)
    for (int x = threadIdx.x; x < w; x += blockDim.x)
      s += ((int*)((char*)p.ptr + (z * p.ysize + y) * p.pitch))[x] * (1 + x + 10 * y);
  if (z < d)
    atomicAdd(&out[z], s);
}

int main() {
  const int w = 9, h = 5, d = 4;
  static int host[d][h][w], back[d][h][w];
  for (int i = 0; i < w * h * d; ++i)
    (&host[0][0][0])[i] = i;
  cudaPitchedPtr a;
  cudaMalloc3D(&a, make_cudaExtent(w * sizeof(int), h, d));
  cudaMemset3D(a, 0, make_cudaExtent(w * sizeof(int), h, d));
  cudaMemcpy3DParms p = {};
  p.srcPtr = make_cudaPitchedPtr(host, w * sizeof(int), w, h);
  p.srcPos = make_cudaPos(2 * sizeof(int), 1, 1);
  p.dstPtr = a;
  p.dstPos = make_cudaPos(4 * sizeof(int), 2, 0);
  p.extent = make_cudaExtent(5 * sizeof(int), 3, 3);
  p.kind = cudaMemcpyHostToDevice;
  printf("%s\n", cudaGetErrorName(cudaMemcpy3D(&p)));
  int* out;
  cudaMallocManaged(&out, d * sizeof(int));
  for (int i = 0; i < d; ++i)
    out[i] = 0;
  sum<<<d, 4>>>(a, w, h, d, out);
  cudaDeviceSynchronize();
  printf("%d %d %d %d\n", out[0], out[1], out[2], out[3]);
  cudaMemcpy3DParms q = {};
  q.srcPtr = a;
  q.dstPtr = make_cudaPitchedPtr(back, w * sizeof(int), w, h);
  q.extent = make_cudaExtent(w * sizeof(int), h, d);
  q.kind = cudaMemcpyDeviceToHost;
  cudaMemcpy3DAsync(&q, 0);
  cudaStreamSynchronize(0);
  for (int z = 0; z < d; ++z)
    for (int x = 0; x < w; ++x)
      printf("%d%c", back[z][3][x], x == w - 1 ? '\n' : ' ');
  return 0;
}
