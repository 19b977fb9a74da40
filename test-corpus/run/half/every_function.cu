// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every conversion, comparison and arithmetic function of half, half2, bfloat16 and bfloat162 that has one right result, on
// all 65536 bit patterns: checksums of the bits.
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ unsigned hashed(unsigned x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

// One NaN for all: payloads and signs are not defined.
__device__ unsigned long long bits(__half x) { return __hisnan(x) ? 0x7fffu : __half_as_ushort(x); }
__device__ unsigned long long bits(__nv_bfloat16 x) { return __hisnan(x) ? 0x7fffu : __bfloat16_as_ushort(x); }
__device__ unsigned long long bits(__half2 x) { return bits(__low2half(x)) | bits(__high2half(x)) << 16; }
__device__ unsigned long long bits(__nv_bfloat162 x) {
  return bits(__low2bfloat16(x)) | bits(__high2bfloat16(x)) << 16;
}
__device__ unsigned long long bits(float x) { return isnan(x) ? 0x7fffffffu : __float_as_uint(x); }
__device__ unsigned long long bits(int x) { return (unsigned long long)(long long)x; }
__device__ unsigned long long bits(unsigned x) { return x; }
__device__ unsigned long long bits(bool x) { return x; }
__device__ unsigned long long bits(long long x) { return (unsigned long long)x; }
__device__ unsigned long long bits(unsigned long long x) { return x; }

constexpr int halfFunctions = 153;
const char* const halfName[halfFunctions] = {
    "__half2int_rn", "__int2half_rn", "__half2int_rz", "__int2half_rz", "__half2int_ru", "__int2half_ru",
    "__half2int_rd", "__int2half_rd", "__half2uint_rn", "__uint2half_rn", "__half2uint_rz", "__uint2half_rz",
    "__half2uint_ru", "__uint2half_ru", "__half2uint_rd", "__uint2half_rd", "__half2short_rn", "__short2half_rn",
    "__half2short_rz", "__short2half_rz", "__half2short_ru", "__short2half_ru", "__half2short_rd", "__short2half_rd",
    "__half2ushort_rn", "__ushort2half_rn", "__half2ushort_rz", "__ushort2half_rz", "__half2ushort_ru",
    "__ushort2half_ru", "__half2ushort_rd", "__ushort2half_rd", "__half2ll_rn", "__ll2half_rn", "__half2ll_rz",
    "__ll2half_rz", "__half2ll_ru", "__ll2half_ru", "__half2ll_rd", "__ll2half_rd", "__half2ull_rn", "__ull2half_rn",
    "__half2ull_rz", "__ull2half_rz", "__half2ull_ru", "__ull2half_ru", "__half2ull_rd", "__ull2half_rd",
    "__half2char_rz", "__half2uchar_rz", "__half2float", "__float2half", "__half_as_short", "__short_as_half",
    "__float2half_rn", "__float2half_rz", "__float2half_ru", "__float2half_rd", "__hadd", "__hsub", "__hmul",
    "__hadd_sat", "__hsub_sat", "__hmul_sat", "__hadd_rn", "__hsub_rn", "__hmul_rn", "__hmin", "__hmax", "__hmin_nan",
    "__hmax_nan", "__heq", "__hequ", "__hne", "__hneu", "__hlt", "__hltu", "__hle", "__hleu", "__hgt", "__hgtu",
    "__hge", "__hgeu", "__hadd2", "__hsub2", "__hmul2", "__hadd2_sat", "__hsub2_sat", "__hmul2_sat", "__hadd2_rn",
    "__hsub2_rn", "__hmul2_rn", "__hmin2", "__hmax2", "__hmin2_nan", "__hmax2_nan", "__hfma2", "__hfma2_sat",
    "__hfma2_relu", "__hneg2", "__habs2", "__hisnan2", "h2ceil", "h2floor", "h2rint", "h2trunc", "__heq2", "__hbeq2",
    "__heq2_mask", "__hequ2", "__hbequ2", "__hequ2_mask", "__hne2", "__hbne2", "__hne2_mask", "__hneu2", "__hbneu2",
    "__hneu2_mask", "__hlt2", "__hblt2", "__hlt2_mask", "__hltu2", "__hbltu2", "__hltu2_mask", "__hle2", "__hble2",
    "__hle2_mask", "__hleu2", "__hbleu2", "__hleu2_mask", "__hgt2", "__hbgt2", "__hgt2_mask", "__hgtu2", "__hbgtu2",
    "__hgtu2_mask", "__hge2", "__hbge2", "__hge2_mask", "__hgeu2", "__hbgeu2", "__hgeu2_mask", "__half2half2",
    "__halves2half2", "__float22half2_rn", "__half22float2", "__float2half2_rn", "make_half2", "__low2half2",
    "__high2half2", "__lows2half2", "__highs2half2", "__lowhigh2highlow",};
constexpr int bfloatFunctions = 154;
const char* const bfloatName[bfloatFunctions] = {
    "__bfloat162int_rn", "__int2bfloat16_rn", "__bfloat162int_rz", "__int2bfloat16_rz", "__bfloat162int_ru",
    "__int2bfloat16_ru", "__bfloat162int_rd", "__int2bfloat16_rd", "__bfloat162uint_rn", "__uint2bfloat16_rn",
    "__bfloat162uint_rz", "__uint2bfloat16_rz", "__bfloat162uint_ru", "__uint2bfloat16_ru", "__bfloat162uint_rd",
    "__uint2bfloat16_rd", "__bfloat162short_rn", "__short2bfloat16_rn", "__bfloat162short_rz", "__short2bfloat16_rz",
    "__bfloat162short_ru", "__short2bfloat16_ru", "__bfloat162short_rd", "__short2bfloat16_rd",
    "__bfloat162ushort_rn", "__ushort2bfloat16_rn", "__bfloat162ushort_rz", "__ushort2bfloat16_rz",
    "__bfloat162ushort_ru", "__ushort2bfloat16_ru", "__bfloat162ushort_rd", "__ushort2bfloat16_rd",
    "__bfloat162ll_rn", "__ll2bfloat16_rn", "__bfloat162ll_rz", "__ll2bfloat16_rz", "__bfloat162ll_ru",
    "__ll2bfloat16_ru", "__bfloat162ll_rd", "__ll2bfloat16_rd", "__bfloat162ull_rn", "__ull2bfloat16_rn",
    "__bfloat162ull_rz", "__ull2bfloat16_rz", "__bfloat162ull_ru", "__ull2bfloat16_ru", "__bfloat162ull_rd",
    "__ull2bfloat16_rd", "__bfloat162char_rz", "__bfloat162uchar_rz", "__bfloat162float", "__float2bfloat16",
    "__bfloat16_as_short", "__short_as_bfloat16", "__float2bfloat16_rn", "__float2bfloat16_rz", "__float2bfloat16_ru",
    "__float2bfloat16_rd", "__hadd", "__hsub", "__hmul", "__hadd_sat", "__hsub_sat", "__hmul_sat", "__hadd_rn",
    "__hsub_rn", "__hmul_rn", "__hmin", "__hmax", "__hmin_nan", "__hmax_nan", "__heq", "__hequ", "__hne", "__hneu",
    "__hlt", "__hltu", "__hle", "__hleu", "__hgt", "__hgtu", "__hge", "__hgeu", "__hadd2", "__hsub2", "__hmul2",
    "__hadd2_sat", "__hsub2_sat", "__hmul2_sat", "__hadd2_rn", "__hsub2_rn", "__hmul2_rn", "__hmin2", "__hmax2",
    "__hmin2_nan", "__hmax2_nan", "__hfma2", "__hfma2_sat", "__hfma2_relu", "__hneg2", "__habs2", "__hisnan2",
    "h2ceil", "h2floor", "h2rint", "h2trunc", "__heq2", "__hbeq2", "__heq2_mask", "__hequ2", "__hbequ2",
    "__hequ2_mask", "__hne2", "__hbne2", "__hne2_mask", "__hneu2", "__hbneu2", "__hneu2_mask", "__hlt2", "__hblt2",
    "__hlt2_mask", "__hltu2", "__hbltu2", "__hltu2_mask", "__hle2", "__hble2", "__hle2_mask", "__hleu2", "__hbleu2",
    "__hleu2_mask", "__hgt2", "__hbgt2", "__hgt2_mask", "__hgtu2", "__hbgtu2", "__hgtu2_mask", "__hge2", "__hbge2",
    "__hge2_mask", "__hgeu2", "__hbgeu2", "__hgeu2_mask", "__bfloat162bfloat162", "__halves2bfloat162",
    "__float22bfloat162_rn", "__bfloat1622float2", "__float2bfloat162_rn", "make_bfloat162", "__low2bfloat162",
    "__high2bfloat162", "__lows2bfloat162", "__highs2bfloat162", "__low2bfloat16", "__high2bfloat16",};

__global__ void halves(unsigned long long* sum) {
  unsigned long long mine[halfFunctions] = {};
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < 65536; i += gridDim.x * blockDim.x) {
    const unsigned h = hashed(i), g = hashed(i + 0x10000000u);
    // Every bit pattern, with one of any size and with one of the same size.
    const __half x = __ushort_as_half((unsigned short)i), y = __ushort_as_half((unsigned short)(i % 2 ? h : i ^ (h & 0x83ffu))), z = __ushort_as_half((unsigned short)g);
    const __half2 a = __halves2half2(x, y), b = __halves2half2(y, z), c = __halves2half2(z, x);
    const unsigned long long w = i % 4 == 0 ? (1ull << (h % 64)) - (g & 3) : ((unsigned long long)h << 32 | g) >> (h % 64);
    const float f = i % 8 == 0 ? __uint_as_float(h) : __uint_as_float((h & 0x807fffffu) | (96 + g % 64) << 23);
    const unsigned long long r[halfFunctions] = {
        bits(__half2int_rn(x)), bits(__int2half_rn((int)w)), bits(__half2int_rz(x)), bits(__int2half_rz((int)w)),
        bits(__half2int_ru(x)), bits(__int2half_ru((int)w)), bits(__half2int_rd(x)), bits(__int2half_rd((int)w)),
        bits(__half2uint_rn(x)), bits(__uint2half_rn((unsigned)w)), bits(__half2uint_rz(x)),
        bits(__uint2half_rz((unsigned)w)), bits(__half2uint_ru(x)), bits(__uint2half_ru((unsigned)w)),
        bits(__half2uint_rd(x)), bits(__uint2half_rd((unsigned)w)), bits(__half2short_rn(x)),
        bits(__short2half_rn((short)w)), bits(__half2short_rz(x)), bits(__short2half_rz((short)w)),
        bits(__half2short_ru(x)), bits(__short2half_ru((short)w)), bits(__half2short_rd(x)),
        bits(__short2half_rd((short)w)), bits(__half2ushort_rn(x)), bits(__ushort2half_rn((unsigned short)w)),
        bits(__half2ushort_rz(x)), bits(__ushort2half_rz((unsigned short)w)), bits(__half2ushort_ru(x)),
        bits(__ushort2half_ru((unsigned short)w)), bits(__half2ushort_rd(x)),
        bits(__ushort2half_rd((unsigned short)w)), bits(__half2ll_rn(x)), bits(__ll2half_rn((long long)w)),
        bits(__half2ll_rz(x)), bits(__ll2half_rz((long long)w)), bits(__half2ll_ru(x)),
        bits(__ll2half_ru((long long)w)), bits(__half2ll_rd(x)), bits(__ll2half_rd((long long)w)),
        bits(__half2ull_rn(x)), bits(__ull2half_rn((unsigned long long)w)), bits(__half2ull_rz(x)),
        bits(__ull2half_rz((unsigned long long)w)), bits(__half2ull_ru(x)),
        bits(__ull2half_ru((unsigned long long)w)), bits(__half2ull_rd(x)),
        bits(__ull2half_rd((unsigned long long)w)), bits(__half2char_rz(x)), bits(__half2uchar_rz(x)),
        bits(__half2float(x)), bits(__float2half(f)), bits(int(__half_as_short(x))), bits(__short_as_half(short(w))),
        bits(__float2half_rn(f)), bits(__float2half_rz(f)), bits(__float2half_ru(f)), bits(__float2half_rd(f)),
        bits(__hadd(x, y)), bits(__hsub(x, y)), bits(__hmul(x, y)), bits(__hadd_sat(x, y)), bits(__hsub_sat(x, y)),
        bits(__hmul_sat(x, y)), bits(__hadd_rn(x, y)), bits(__hsub_rn(x, y)), bits(__hmul_rn(x, y)),
        bits(__hmin(x, y)), bits(__hmax(x, y)), bits(__hmin_nan(x, y)), bits(__hmax_nan(x, y)), bits(__heq(x, y)),
        bits(__hequ(x, y)), bits(__hne(x, y)), bits(__hneu(x, y)), bits(__hlt(x, y)), bits(__hltu(x, y)),
        bits(__hle(x, y)), bits(__hleu(x, y)), bits(__hgt(x, y)), bits(__hgtu(x, y)), bits(__hge(x, y)),
        bits(__hgeu(x, y)), bits(__hadd2(a, b)), bits(__hsub2(a, b)), bits(__hmul2(a, b)), bits(__hadd2_sat(a, b)),
        bits(__hsub2_sat(a, b)), bits(__hmul2_sat(a, b)), bits(__hadd2_rn(a, b)), bits(__hsub2_rn(a, b)),
        bits(__hmul2_rn(a, b)), bits(__hmin2(a, b)), bits(__hmax2(a, b)), bits(__hmin2_nan(a, b)),
        bits(__hmax2_nan(a, b)), bits(__hfma2(a, b, c)), bits(__hfma2_sat(a, b, c)), bits(__hfma2_relu(a, b, c)),
        bits(__hneg2(a)), bits(__habs2(a)), bits(__hisnan2(a)), bits(h2ceil(a)), bits(h2floor(a)), bits(h2rint(a)),
        bits(h2trunc(a)), bits(__heq2(a, b)), bits(__hbeq2(a, b)), bits(__heq2_mask(a, b)), bits(__hequ2(a, b)),
        bits(__hbequ2(a, b)), bits(__hequ2_mask(a, b)), bits(__hne2(a, b)), bits(__hbne2(a, b)),
        bits(__hne2_mask(a, b)), bits(__hneu2(a, b)), bits(__hbneu2(a, b)), bits(__hneu2_mask(a, b)),
        bits(__hlt2(a, b)), bits(__hblt2(a, b)), bits(__hlt2_mask(a, b)), bits(__hltu2(a, b)), bits(__hbltu2(a, b)),
        bits(__hltu2_mask(a, b)), bits(__hle2(a, b)), bits(__hble2(a, b)), bits(__hle2_mask(a, b)),
        bits(__hleu2(a, b)), bits(__hbleu2(a, b)), bits(__hleu2_mask(a, b)), bits(__hgt2(a, b)), bits(__hbgt2(a, b)),
        bits(__hgt2_mask(a, b)), bits(__hgtu2(a, b)), bits(__hbgtu2(a, b)), bits(__hgtu2_mask(a, b)),
        bits(__hge2(a, b)), bits(__hbge2(a, b)), bits(__hge2_mask(a, b)), bits(__hgeu2(a, b)), bits(__hbgeu2(a, b)),
        bits(__hgeu2_mask(a, b)), bits(__half2half2(x)), bits(__halves2half2(x, y)),
        bits(__float22half2_rn(make_float2(f, -f))), bits(__half22float2(a).y), bits(__float2half2_rn(f)),
        bits(make_half2(y, x)), bits(__low2half2(a)), bits(__high2half2(a)), bits(__lows2half2(a, b)),
        bits(__highs2half2(a, b)), bits(__lowhigh2highlow(a)),};
    for (int k = 0; k < halfFunctions; ++k)
      mine[k] += (r[k] + 1) * (2 * i + 1);
  }
  for (int k = 0; k < halfFunctions; ++k)
    atomicAdd(&sum[k], mine[k]);
}
__global__ void bfloats(unsigned long long* sum) {
  unsigned long long mine[bfloatFunctions] = {};
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < 65536; i += gridDim.x * blockDim.x) {
    const unsigned h = hashed(i), g = hashed(i + 0x10000000u);
    // Every bit pattern, with one of any size and with one of the same size.
    const __nv_bfloat16 x = __ushort_as_bfloat16((unsigned short)i), y = __ushort_as_bfloat16((unsigned short)(i % 2 ? h : i ^ (h & 0x83ffu))), z = __ushort_as_bfloat16((unsigned short)g);
    const __nv_bfloat162 a = __halves2bfloat162(x, y), b = __halves2bfloat162(y, z), c = __halves2bfloat162(z, x);
    const unsigned long long w = i % 4 == 0 ? (1ull << (h % 64)) - (g & 3) : ((unsigned long long)h << 32 | g) >> (h % 64);
    const float f = i % 8 == 0 ? __uint_as_float(h) : __uint_as_float((h & 0x807fffffu) | (96 + g % 64) << 23);
    const unsigned long long r[bfloatFunctions] = {
        bits(__bfloat162int_rn(x)), bits(__int2bfloat16_rn((int)w)), bits(__bfloat162int_rz(x)),
        bits(__int2bfloat16_rz((int)w)), bits(__bfloat162int_ru(x)), bits(__int2bfloat16_ru((int)w)),
        bits(__bfloat162int_rd(x)), bits(__int2bfloat16_rd((int)w)), bits(__bfloat162uint_rn(x)),
        bits(__uint2bfloat16_rn((unsigned)w)), bits(__bfloat162uint_rz(x)), bits(__uint2bfloat16_rz((unsigned)w)),
        bits(__bfloat162uint_ru(x)), bits(__uint2bfloat16_ru((unsigned)w)), bits(__bfloat162uint_rd(x)),
        bits(__uint2bfloat16_rd((unsigned)w)), bits(__bfloat162short_rn(x)), bits(__short2bfloat16_rn((short)w)),
        bits(__bfloat162short_rz(x)), bits(__short2bfloat16_rz((short)w)), bits(__bfloat162short_ru(x)),
        bits(__short2bfloat16_ru((short)w)), bits(__bfloat162short_rd(x)), bits(__short2bfloat16_rd((short)w)),
        bits(__bfloat162ushort_rn(x)), bits(__ushort2bfloat16_rn((unsigned short)w)), bits(__bfloat162ushort_rz(x)),
        bits(__ushort2bfloat16_rz((unsigned short)w)), bits(__bfloat162ushort_ru(x)),
        bits(__ushort2bfloat16_ru((unsigned short)w)), bits(__bfloat162ushort_rd(x)),
        bits(__ushort2bfloat16_rd((unsigned short)w)), bits(__bfloat162ll_rn(x)),
        bits(__ll2bfloat16_rn((long long)w)), bits(__bfloat162ll_rz(x)), bits(__ll2bfloat16_rz((long long)w)),
        bits(__bfloat162ll_ru(x)), bits(__ll2bfloat16_ru((long long)w)), bits(__bfloat162ll_rd(x)),
        bits(__ll2bfloat16_rd((long long)w)), bits(__bfloat162ull_rn(x)),
        bits(__ull2bfloat16_rn((unsigned long long)w)), bits(__bfloat162ull_rz(x)),
        bits(__ull2bfloat16_rz((unsigned long long)w)), bits(__bfloat162ull_ru(x)),
        bits(__ull2bfloat16_ru((unsigned long long)w)), bits(__bfloat162ull_rd(x)),
        bits(__ull2bfloat16_rd((unsigned long long)w)), bits(__bfloat162char_rz(x)), bits(__bfloat162uchar_rz(x)),
        bits(__bfloat162float(x)), bits(__float2bfloat16(f)), bits(int(__bfloat16_as_short(x))),
        bits(__short_as_bfloat16(short(w))), bits(__float2bfloat16_rn(f)), bits(__float2bfloat16_rz(f)),
        bits(__float2bfloat16_ru(f)), bits(__float2bfloat16_rd(f)), bits(__hadd(x, y)), bits(__hsub(x, y)),
        bits(__hmul(x, y)), bits(__hadd_sat(x, y)), bits(__hsub_sat(x, y)), bits(__hmul_sat(x, y)),
        bits(__hadd_rn(x, y)), bits(__hsub_rn(x, y)), bits(__hmul_rn(x, y)), bits(__hmin(x, y)), bits(__hmax(x, y)),
        bits(__hmin_nan(x, y)), bits(__hmax_nan(x, y)), bits(__heq(x, y)), bits(__hequ(x, y)), bits(__hne(x, y)),
        bits(__hneu(x, y)), bits(__hlt(x, y)), bits(__hltu(x, y)), bits(__hle(x, y)), bits(__hleu(x, y)),
        bits(__hgt(x, y)), bits(__hgtu(x, y)), bits(__hge(x, y)), bits(__hgeu(x, y)), bits(__hadd2(a, b)),
        bits(__hsub2(a, b)), bits(__hmul2(a, b)), bits(__hadd2_sat(a, b)), bits(__hsub2_sat(a, b)),
        bits(__hmul2_sat(a, b)), bits(__hadd2_rn(a, b)), bits(__hsub2_rn(a, b)), bits(__hmul2_rn(a, b)),
        bits(__hmin2(a, b)), bits(__hmax2(a, b)), bits(__hmin2_nan(a, b)), bits(__hmax2_nan(a, b)),
        bits(__hfma2(a, b, c)), bits(__hfma2_sat(a, b, c)), bits(__hfma2_relu(a, b, c)), bits(__hneg2(a)),
        bits(__habs2(a)), bits(__hisnan2(a)), bits(h2ceil(a)), bits(h2floor(a)), bits(h2rint(a)), bits(h2trunc(a)),
        bits(__heq2(a, b)), bits(__hbeq2(a, b)), bits(__heq2_mask(a, b)), bits(__hequ2(a, b)), bits(__hbequ2(a, b)),
        bits(__hequ2_mask(a, b)), bits(__hne2(a, b)), bits(__hbne2(a, b)), bits(__hne2_mask(a, b)),
        bits(__hneu2(a, b)), bits(__hbneu2(a, b)), bits(__hneu2_mask(a, b)), bits(__hlt2(a, b)), bits(__hblt2(a, b)),
        bits(__hlt2_mask(a, b)), bits(__hltu2(a, b)), bits(__hbltu2(a, b)), bits(__hltu2_mask(a, b)),
        bits(__hle2(a, b)), bits(__hble2(a, b)), bits(__hle2_mask(a, b)), bits(__hleu2(a, b)), bits(__hbleu2(a, b)),
        bits(__hleu2_mask(a, b)), bits(__hgt2(a, b)), bits(__hbgt2(a, b)), bits(__hgt2_mask(a, b)),
        bits(__hgtu2(a, b)), bits(__hbgtu2(a, b)), bits(__hgtu2_mask(a, b)), bits(__hge2(a, b)), bits(__hbge2(a, b)),
        bits(__hge2_mask(a, b)), bits(__hgeu2(a, b)), bits(__hbgeu2(a, b)), bits(__hgeu2_mask(a, b)),
        bits(__bfloat162bfloat162(x)), bits(__halves2bfloat162(x, y)),
        bits(__float22bfloat162_rn(make_float2(f, -f))), bits(__bfloat1622float2(a).y), bits(__float2bfloat162_rn(f)),
        bits(make_bfloat162(y, x)), bits(__low2bfloat162(a)), bits(__high2bfloat162(a)), bits(__lows2bfloat162(a, b)),
        bits(__highs2bfloat162(a, b)), bits(__low2bfloat16(a)), bits(__high2bfloat16(a)),};
    for (int k = 0; k < bfloatFunctions; ++k)
      mine[k] += (r[k] + 1) * (2 * i + 1);
  }
  for (int k = 0; k < bfloatFunctions; ++k)
    atomicAdd(&sum[k], mine[k]);
}

static void run(void (*kernel)(unsigned long long*), int count, const char* const* name) {
  unsigned long long* sum;
  cudaMallocManaged(&sum, count * sizeof *sum);
  cudaMemset(sum, 0, count * sizeof *sum);
  kernel<<<64, 128>>>(sum);
  const cudaError_t error = cudaDeviceSynchronize();
  for (int k = 0; k < count; ++k)
    printf("%-24s %016llx\n", name[k], sum[k]);
  printf("%s\n", cudaGetErrorName(error));
}

int main() {
  run(halves, halfFunctions, halfName);
  run(bfloats, bfloatFunctions, bfloatName);
  return 0;
}
