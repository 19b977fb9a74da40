// What lanes keep in structures through a loop, and change part by part as the parts lie in what
// they load: sums, weighted sums, extremes, parts that change places, loops without a step; and
// near misses: parts that change each other, by different operations, or that a step asks for.
#include <cstdio>

#include <cuda_runtime.h>

constexpr int n = 96;

__global__ void sums(const float2* in, const float* weights, float2* out, int rows) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float2 sum = make_float2(1.0f, -2.0f), exchanged = make_float2(0.5f, 0.25f);
  for (int r = 0; r < rows; ++r) {
    const float2 v = in[r * n + i];
    const float w = weights[r];
    sum.x = sum.x * 0.75f + w * v.x;
    sum.y = sum.y * 0.75f + w * v.y;
    exchanged.y += v.x;
    exchanged.x += v.y;
  }
  out[i] = sum;
  out[n + i] = exchanged;
}

__global__ void fours(const float4* in, const int4* numbers, float4* out, int4* bits, int rows) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 most = make_float4(-9.0f, -9.0f, -9.0f, -9.0f);
  int4 mixed = make_int4(1, 2, 3, 4);
  for (int r = 0; r < rows; ++r) {
    const float4 v = in[r * n + i];
    const int4 k = numbers[r * n + i];
    most.x = fmaxf(most.x, v.x), most.y = fmaxf(most.y, v.y);
    most.z = fmaxf(most.z, v.z), most.w = fmaxf(most.w, v.w);
    mixed.x = mixed.x * 3 ^ k.x, mixed.y = mixed.y * 3 ^ k.y;
    mixed.z = mixed.z * 3 ^ k.z, mixed.w = mixed.w * 3 ^ k.w;
  }
  out[i] = most;
  bits[i] = mixed;
}

__global__ void nearMisses(const double2* in, double2* out, int rows) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double2 turned = make_double2(1.0, 0.0), apart = make_double2(0.0, 0.0), asked = apart,
          one = apart;
  int above = 0;
  for (int r = 0; r < rows; ++r) {
    const double2 v = in[r * n + i];
    turned = make_double2(turned.x * v.x - turned.y * v.y, turned.x * v.y + turned.y * v.x);
    apart.x += v.x;
    apart.y -= v.y;
    asked.x += v.x;
    asked.y += v.y;
    above += asked.x > 0.25;
    one.x += v.x * 0.5;
    one.y += v.y * 0.5;
  }
  out[i] = make_double2(turned.x + apart.x, turned.y + apart.y);
  out[n + i] = make_double2(asked.y + above, one.x);
}

int main() {
  const int most = 7;
  float4* memory;
  cudaMallocManaged(&memory, 64 * n * sizeof(float4));
  float* words = reinterpret_cast<float*>(memory);
  for (int rows : {0, 1, most}) {
    for (int k = 0; k < 4 * n * most; ++k)
      words[k] = (k * 37 % 101 - 50) / 64.0f;
    int4* numbers = reinterpret_cast<int4*>(memory + n * most);
    double2* pairs = reinterpret_cast<double2*>(numbers + n * most);
    for (int k = 0; k < n * most; ++k) {
      numbers[k] = make_int4(k * 7, k ^ 5, k * k, 3 - k);
      pairs[k] = make_double2((k * 13 % 29 - 14) / 16.0, (k * 5 % 31 - 15) / 16.0);
    }
    float4* out = reinterpret_cast<float4*>(pairs + n * most);
    int4* bits = reinterpret_cast<int4*>(out + n);
    float2* two = reinterpret_cast<float2*>(bits + n);
    double2* last = reinterpret_cast<double2*>(two + 2 * n);
    sums<<<3, 32>>>(reinterpret_cast<float2*>(memory), words + 5, two, rows);
    fours<<<3, 32>>>(memory, numbers, out, bits, rows);
    nearMisses<<<3, 32>>>(pairs, last, rows);
    cudaDeviceSynchronize();
    double total[4] = {};
    long long whole = 0;
    for (int k = 0; k < 2 * n; ++k) {
      total[0] += two[k].x * (k % 7) - two[k].y * (k % 5);
      total[1] += last[k].x * (k % 3 + 1), total[2] += last[k].y * (k % 11);
      if (k < n) {
        total[3] += out[k].x + out[k].y * 2 - out[k].z * (k % 4) + out[k].w * 3;
        whole += bits[k].x + 3ll * bits[k].y - bits[k].z * 2ll + bits[k].w * (k % 9);
      }
    }
    printf("%.3f %.4f %.4f %.4f %lld\n", total[0], total[1], total[2], total[3], whole);
  }
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
