// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PROCESSOR: x86-64-v4
// ASSEMBLY: vgatherdps
// NO ASSEMBLY: vgatherqps
//
// What is looked up by the distance of two bytes is gathered, and nobody asks whether it is a row; loops whose heads a
// macro writes are written out.
#define FOR_TAPS(dy, dx)                                                                                               \
  _Pragma("unroll 1") for (int dy = 0; dy < 5; ++dy) _Pragma("unroll") for (int dx = 0; dx < 5; ++dx)

extern "C" __global__ void look(const unsigned char* in, float* out, const float* range) {
  __shared__ unsigned char tile[12][36];
  __shared__ float lut[256];
  lut[threadIdx.y * 32 + threadIdx.x] = range[threadIdx.y * 32 + threadIdx.x];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  tile[threadIdx.y + 4][threadIdx.x + 4] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  const int c = tile[threadIdx.y + 2][threadIdx.x + 2];
  float sum = 0;
  FOR_TAPS(dy, dx) {
    const int v = tile[threadIdx.y + dy][threadIdx.x + dx];
    sum += lut[abs(v - c)] * float(v);
  }
  out[threadIdx.y * 32 + threadIdx.x] = sum;
}
void run(const unsigned char* in, float* out, const float* range) { look<<<1, dim3(32, 8)>>>(in, out, range); }
