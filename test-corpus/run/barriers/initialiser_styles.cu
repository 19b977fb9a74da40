// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every style of declaration, alive across a barrier: parentheses, braces, several declarators, const, arrays, auto, strings.
#include <cstdio>

typedef unsigned int uint_type;
struct Point {
  int x, y;
};
enum Colour { red, green = 5 };

__global__ void k(long long* out, const int* in) {
  __shared__ int s[64];
  int t = threadIdx.x;
  unsigned int a(in[t]);
  unsigned b{unsigned(in[t] + 1)};
  const int* p(in + t);
  const int c = in[t] * 2, d = c + 1;
  float e = in[t], *f = &e, g[2] = {e, 2 * e};
  const int table[3] = {t, in[t], 3};
  int partial[4] = {in[t]}, empty[2] = {}, counted[] = {1, t, in[t]};
  Point h = {in[t], t}, i{t, 1}, j = h;
  auto m = in[t] * 0.5;
  char text[] = "abc";
  uint_type n = in[t] << 2;
  Colour colour = in[t] & 1 ? red : green;
  unsigned long long o(7ull + in[t]);
  bool odd = in[t] & 1;
  dim3 dim(in[t], 2);
  int2 pair = make_int2(in[t], -t);
  int zero{};
  text[0] += t % 3;
  s[t] = t;
  __syncthreads();
  *f += s[63 - t];
  long long sum = a + b * 2 + *p * 3 + c + d * 5 + (long long)(e * 2) + (long long)(g[0] + g[1]);
  sum += table[0] + table[1] * 2 + table[2] + partial[0] + partial[3] + empty[1] + counted[2];
  sum += h.x + i.x + j.y + (long long)(m * 4) + text[0] + text[2] + n + colour + o + odd + dim.x * dim.y + dim.z;
  sum += pair.x + pair.y + zero;
  __syncthreads();
  out[t] = sum * 3 + (a ^ b) + h.y;
}

int main() {
  long long* out;
  int* in;
  cudaMallocManaged(&out, 64 * sizeof(long long));
  cudaMallocManaged(&in, 64 * sizeof(int));
  for (int i = 0; i < 64; ++i)
    in[i] = i * i % 37;
  k<<<1, 64>>>(out, in);
  cudaDeviceSynchronize();
  int bad = 0;
  for (int t = 0; t < 64; ++t) {
    const long long v = in[t];
    long long sum = v + (v + 1) * 2 + v * 3 + v * 2 + (v * 2 + 1) * 5 + (v + 63 - t) * 2 + v * 3;
    sum += t + v * 2 + 3 + v + v;
    sum += v + t + t + v * 2 + ('a' + t % 3) + 'c' + (v << 2) + (v & 1 ? 0 : 5) + 7 + v + (v & 1) + v * 2 + 1;
    sum += v - t;
    bad += out[t] != sum * 3 + (v ^ (v + 1)) + t;
  }
  printf("wrong: %d; %lld %lld\n", bad, out[0], out[63]);
  return bad != 0;
}
