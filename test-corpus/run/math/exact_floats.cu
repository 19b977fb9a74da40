// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of float and double with one right result, each on 16384 inputs with corner values: checksums of the bits.
#include <cstdio>
#include <cstring>

constexpr int inputs = 16384, threads = 128;

__device__ unsigned hashed(unsigned x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

__device__ float cornerF(unsigned k) {
  const unsigned bits[32] = {0u,          0x80000000u, 1u,          0x80000001u, 0x007fffffu, 0x00800000u, 0x80800000u, 0x3f800000u,
                             0xbf800000u, 0x3f7fffffu, 0x3f000000u, 0x3effffffu, 0x3fc00000u, 0x40200000u, 0x4b000000u, 0x4affffffu,
                             0x4b000001u, 0x4effffffu, 0x4f000000u, 0xcf000000u, 0xcf000001u, 0x4f7fffffu, 0x4f800000u, 0x5effffffu,
                             0x5f000000u, 0x5f800000u, 0x7f7fffffu, 0xff7fffffu, 0x7f800000u, 0xff800000u, 0x7fc00000u, 0xc0200000u};
  return __uint_as_float(bits[k % 32]);
}
// Corner values, any bits, and numbers of about one size, so that sums and remainders mean something.
__device__ float numberF(unsigned i, unsigned k) {
  const unsigned h = hashed(3 * i + k);
  switch (i % 4) {
  case 0:
    return cornerF(h >> 8);
  case 1:
    return __uint_as_float(h);
  default:
    return __uint_as_float((h & 0x807fffffu) | (100 + (h >> 23) % 60) << 23);
  }
}
__device__ double numberD(unsigned i, unsigned k) {
  const unsigned h = hashed(3 * i + k), l = hashed(h ^ 0x9e3779b9u);
  switch (i % 4) {
  case 0:
    return h % 2 ? cornerF(h >> 8) : __hiloint2double(int(0x41d00000u | (h & 0x803fffffu)), int(l & 0xff800000u));
  case 1:
    return __hiloint2double(int(h), int(l));
  default:
    return __hiloint2double(int((h & 0x800fffffu) | (960 + (h >> 20) % 120) << 20), int(l));
  }
}
template <class T> __device__ bool moderate(T x) { return x - x == 0 && fabs(double(x)) < 1e18; }

// One NaN for all: their payloads are not defined.
__device__ unsigned long long bits(float x) { return isnan(x) ? 0x7fffffffu : __float_as_uint(x); }
__device__ unsigned long long bits(double x) {
  return isnan(x) ? 0x7fffffffffffffffull : (unsigned long long)__double_as_longlong(x);
}
__device__ unsigned long long bits(int x) { return (unsigned long long)(long long)x; }
__device__ unsigned long long bits(unsigned x) { return x; }
__device__ unsigned long long bits(bool x) { return x; }
__device__ unsigned long long bits(long x) { return (unsigned long long)x; }
__device__ unsigned long long bits(long long x) { return (unsigned long long)x; }
__device__ unsigned long long bits(unsigned long long x) { return x; }

__device__ unsigned long long partsF(float x) {
  float whole = 0;
  const float part = modff(x, &whole);
  return bits(part) * 3 + bits(whole);
}
__device__ unsigned long long splitF(float x) {
  int exponent = 0;
  const float part = frexpf(x, &exponent);
  return bits(part) * 3 + (moderate(x) ? exponent : 0);
}
__device__ unsigned long long quotientF(float x, float y) {
  int quotient = 0;
  const float rest = remquof(x, y, &quotient);
  return bits(rest) * 3 + (isnan(rest) ? 0 : quotient & 7);
}
__device__ unsigned long long partsD(double x) {
  double whole = 0;
  const double part = modf(x, &whole);
  return bits(part) * 3 + bits(whole);
}
__device__ unsigned long long splitD(double x) {
  int exponent = 0;
  const double part = frexp(x, &exponent);
  return bits(part) * 3 + (isfinite(x) ? exponent : 0);
}
__device__ unsigned long long quotientD(double x, double y) {
  int quotient = 0;
  const double rest = remquo(x, y, &quotient);
  return bits(rest) * 3 + (isnan(rest) ? 0 : quotient & 7);
}

constexpr int floatFunctions = 94;
const char* const floatName[floatFunctions] = {
    "__fadd_rn", "__fsub_rn", "__fmul_rn", "__fdiv_rn", "__fmaf_rn", "__frcp_rn", "__fsqrt_rn", "__fadd_rz",
    "__fsub_rz", "__fmul_rz", "__fdiv_rz", "__fmaf_rz", "__frcp_rz", "__fsqrt_rz", "__fadd_ru", "__fsub_ru",
    "__fmul_ru", "__fdiv_ru", "__fmaf_ru", "__frcp_ru", "__fsqrt_ru", "__fadd_rd", "__fsub_rd", "__fmul_rd",
    "__fdiv_rd", "__fmaf_rd", "__frcp_rd", "__fsqrt_rd", "__frsqrt_rn", "__saturatef", "__fmaf_ieee_rn",
    "__float2int_rn", "__float2uint_rn", "__float2ll_rn", "__float2ull_rn", "__int2float_rn", "__uint2float_rn",
    "__ll2float_rn", "__ull2float_rn", "__float2int_rz", "__float2uint_rz", "__float2ll_rz", "__float2ull_rz",
    "__int2float_rz", "__uint2float_rz", "__ll2float_rz", "__ull2float_rz", "__float2int_ru", "__float2uint_ru",
    "__float2ll_ru", "__float2ull_ru", "__int2float_ru", "__uint2float_ru", "__ll2float_ru", "__ull2float_ru",
    "__float2int_rd", "__float2uint_rd", "__float2ll_rd", "__float2ull_rd", "__int2float_rd", "__uint2float_rd",
    "__ll2float_rd", "__ull2float_rd", "ceilf", "floorf", "truncf", "rintf", "nearbyintf", "roundf", "fabsf", "logbf",
    "fminf", "fmaxf", "fmodf", "remainderf", "copysignf", "fdimf", "nextafterf", "fmaf", "sqrtf", "divide", "lrintf",
    "llroundf", "ilogbf", "ldexpf", "scalbnf", "scalblnf", "isnan", "isinf", "isfinite", "signbit", "modff", "frexpf",
    "remquof",};
constexpr int doubleFunctions = 88;
const char* const doubleName[doubleFunctions] = {
    "__dadd_rn", "__dsub_rn", "__dmul_rn", "__ddiv_rn", "__fma_rn", "__drcp_rn", "__dsqrt_rn", "__double2float_rn",
    "__double2int_rn", "__double2uint_rn", "__double2ll_rn", "__double2ull_rn", "__ll2double_rn", "__ull2double_rn",
    "__dadd_rz", "__dsub_rz", "__dmul_rz", "__ddiv_rz", "__fma_rz", "__drcp_rz", "__dsqrt_rz", "__double2float_rz",
    "__double2int_rz", "__double2uint_rz", "__double2ll_rz", "__double2ull_rz", "__ll2double_rz", "__ull2double_rz",
    "__dadd_ru", "__dsub_ru", "__dmul_ru", "__ddiv_ru", "__fma_ru", "__drcp_ru", "__dsqrt_ru", "__double2float_ru",
    "__double2int_ru", "__double2uint_ru", "__double2ll_ru", "__double2ull_ru", "__ll2double_ru", "__ull2double_ru",
    "__dadd_rd", "__dsub_rd", "__dmul_rd", "__ddiv_rd", "__fma_rd", "__drcp_rd", "__dsqrt_rd", "__double2float_rd",
    "__double2int_rd", "__double2uint_rd", "__double2ll_rd", "__double2ull_rd", "__ll2double_rd", "__ull2double_rd",
    "__int2double_rn", "__uint2double_rn", "__hiloint2double", "__double2hiint", "__double2loint", "ceil", "floor",
    "trunc", "rint", "nearbyint", "round", "fabs", "logb", "fmin", "fmax", "fmod", "remainder", "copysign", "fdim",
    "nextafter", "fma", "sqrt", "divide", "lrint", "llround", "ilogb", "ldexp", "scalbn", "scalbln", "modf", "frexp",
    "remquo",};

__global__ void floats(unsigned long long* sum) {
  unsigned long long mine[floatFunctions] = {};
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < inputs; i += gridDim.x * blockDim.x) {
    const unsigned a = hashed(7 * i + 1), b = hashed(7 * i + 2);
    const unsigned long long w = i % 8 == 0 ? (1ull << (a % 64)) - 1 : ((unsigned long long)a << 32 | b) >> (b % 64);
    const float x = numberF(i, 0), y = numberF(i, 1), z = numberF(i, 2);
    const unsigned long long r[floatFunctions] = {
        bits(__fadd_rn(x, y)), bits(__fsub_rn(x, y)), bits(__fmul_rn(x, y)), bits(__fdiv_rn(x, y)),
        bits(__fmaf_rn(x, y, z)), bits(__frcp_rn(x)), bits(__fsqrt_rn(x)), bits(__fadd_rz(x, y)),
        bits(__fsub_rz(x, y)), bits(__fmul_rz(x, y)), bits(__fdiv_rz(x, y)), bits(__fmaf_rz(x, y, z)),
        bits(__frcp_rz(x)), bits(__fsqrt_rz(x)), bits(__fadd_ru(x, y)), bits(__fsub_ru(x, y)), bits(__fmul_ru(x, y)),
        bits(__fdiv_ru(x, y)), bits(__fmaf_ru(x, y, z)), bits(__frcp_ru(x)), bits(__fsqrt_ru(x)),
        bits(__fadd_rd(x, y)), bits(__fsub_rd(x, y)), bits(__fmul_rd(x, y)), bits(__fdiv_rd(x, y)),
        bits(__fmaf_rd(x, y, z)), bits(__frcp_rd(x)), bits(__fsqrt_rd(x)), bits(__frsqrt_rn(x)), bits(__saturatef(x)),
        bits(__fmaf_ieee_rn(x, y, z)), bits(__float2int_rn(x)), bits(__float2uint_rn(x)), bits(__float2ll_rn(x)),
        bits(__float2ull_rn(x)), bits(__int2float_rn(int(a))), bits(__uint2float_rn(a)),
        bits(__ll2float_rn((long long)w)), bits(__ull2float_rn(w)), bits(__float2int_rz(x)), bits(__float2uint_rz(x)),
        bits(__float2ll_rz(x)), bits(__float2ull_rz(x)), bits(__int2float_rz(int(a))), bits(__uint2float_rz(a)),
        bits(__ll2float_rz((long long)w)), bits(__ull2float_rz(w)), bits(__float2int_ru(x)), bits(__float2uint_ru(x)),
        bits(__float2ll_ru(x)), bits(__float2ull_ru(x)), bits(__int2float_ru(int(a))), bits(__uint2float_ru(a)),
        bits(__ll2float_ru((long long)w)), bits(__ull2float_ru(w)), bits(__float2int_rd(x)), bits(__float2uint_rd(x)),
        bits(__float2ll_rd(x)), bits(__float2ull_rd(x)), bits(__int2float_rd(int(a))), bits(__uint2float_rd(a)),
        bits(__ll2float_rd((long long)w)), bits(__ull2float_rd(w)), bits(ceilf(x)), bits(floorf(x)), bits(truncf(x)),
        bits(rintf(x)), bits(nearbyintf(x)), bits(roundf(x)), bits(fabsf(x)), bits(logbf(x)), bits(fminf(x, y)),
        bits(fmaxf(x, y)), bits(fmodf(x, y)), bits(remainderf(x, y)), bits(copysignf(x, y)), bits(fdimf(x, y)),
        bits(nextafterf(x, y)), bits(fmaf(x, y, z)), bits(sqrtf(x)), bits(x / y), bits(moderate(x) ? lrintf(x) : 0),
        bits(moderate(x) ? llroundf(x) : 0), bits(ilogbf(x)), bits(ldexpf(x, int(a % 300) - 150)),
        bits(scalbnf(x, int(a % 300) - 150)), bits(scalblnf(x, long(a % 300) - 150)), bits(isnan(x)), bits(isinf(x)),
        bits(isfinite(x)), bits(signbit(x) != 0), bits(partsF(x)), bits(splitF(x)), bits(quotientF(x, y)),};
    for (int k = 0; k < floatFunctions; ++k)
      mine[k] += (r[k] + 1) * (2 * i + 1);
  }
  for (int k = 0; k < floatFunctions; ++k)
    atomicAdd(&sum[k], mine[k]);
}
__global__ void doubles(unsigned long long* sum) {
  unsigned long long mine[doubleFunctions] = {};
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < inputs; i += gridDim.x * blockDim.x) {
    const unsigned a = hashed(7 * i + 1), b = hashed(7 * i + 2);
    const unsigned long long w = i % 8 == 0 ? (1ull << (a % 64)) - 1 : ((unsigned long long)a << 32 | b) >> (b % 64);
    const double x = numberD(i, 0), y = numberD(i, 1), z = numberD(i, 2);
    const unsigned long long r[doubleFunctions] = {
        bits(__dadd_rn(x, y)), bits(__dsub_rn(x, y)), bits(__dmul_rn(x, y)), bits(__ddiv_rn(x, y)),
        bits(__fma_rn(x, y, z)), bits(__drcp_rn(x)), bits(__dsqrt_rn(x)), bits(__double2float_rn(x)),
        bits(__double2int_rn(x)), bits(__double2uint_rn(x)), bits(__double2ll_rn(x)), bits(__double2ull_rn(x)),
        bits(__ll2double_rn((long long)w)), bits(__ull2double_rn(w)), bits(__dadd_rz(x, y)), bits(__dsub_rz(x, y)),
        bits(__dmul_rz(x, y)), bits(__ddiv_rz(x, y)), bits(__fma_rz(x, y, z)), bits(__drcp_rz(x)),
        bits(__dsqrt_rz(x)), bits(__double2float_rz(x)), bits(__double2int_rz(x)), bits(__double2uint_rz(x)),
        bits(__double2ll_rz(x)), bits(__double2ull_rz(x)), bits(__ll2double_rz((long long)w)),
        bits(__ull2double_rz(w)), bits(__dadd_ru(x, y)), bits(__dsub_ru(x, y)), bits(__dmul_ru(x, y)),
        bits(__ddiv_ru(x, y)), bits(__fma_ru(x, y, z)), bits(__drcp_ru(x)), bits(__dsqrt_ru(x)),
        bits(__double2float_ru(x)), bits(__double2int_ru(x)), bits(__double2uint_ru(x)), bits(__double2ll_ru(x)),
        bits(__double2ull_ru(x)), bits(__ll2double_ru((long long)w)), bits(__ull2double_ru(w)), bits(__dadd_rd(x, y)),
        bits(__dsub_rd(x, y)), bits(__dmul_rd(x, y)), bits(__ddiv_rd(x, y)), bits(__fma_rd(x, y, z)),
        bits(__drcp_rd(x)), bits(__dsqrt_rd(x)), bits(__double2float_rd(x)), bits(__double2int_rd(x)),
        bits(__double2uint_rd(x)), bits(__double2ll_rd(x)), bits(__double2ull_rd(x)),
        bits(__ll2double_rd((long long)w)), bits(__ull2double_rd(w)), bits(__int2double_rn(int(a))),
        bits(__uint2double_rn(a)), bits(__hiloint2double(int(a), int(b))), bits(__double2hiint(x)),
        bits(__double2loint(x)), bits(ceil(x)), bits(floor(x)), bits(trunc(x)), bits(rint(x)), bits(nearbyint(x)),
        bits(round(x)), bits(fabs(x)), bits(logb(x)), bits(fmin(x, y)), bits(fmax(x, y)), bits(fmod(x, y)),
        bits(remainder(x, y)), bits(copysign(x, y)), bits(fdim(x, y)), bits(nextafter(x, y)), bits(fma(x, y, z)),
        bits(sqrt(x)), bits(x / y), bits(moderate(x) ? lrint(x) : 0), bits(moderate(x) ? llround(x) : 0), bits(ilogb(x)),
        bits(ldexp(x, int(a % 2400) - 1200)), bits(scalbn(x, int(a % 2400) - 1200)),
        bits(scalbln(x, long(a % 2400) - 1200)), bits(partsD(x)), bits(splitD(x)), bits(quotientD(x, y)),};
    for (int k = 0; k < doubleFunctions; ++k)
      mine[k] += (r[k] + 1) * (2 * i + 1);
  }
  for (int k = 0; k < doubleFunctions; ++k)
    atomicAdd(&sum[k], mine[k]);
}

static void run(void (*kernel)(unsigned long long*), int count, const char* const* name) {
  unsigned long long* sum;
  cudaMallocManaged(&sum, count * sizeof *sum);
  cudaMemset(sum, 0, count * sizeof *sum);
  kernel<<<32, threads>>>(sum);
  const cudaError_t error = cudaDeviceSynchronize();
  for (int k = 0; k < count; ++k)
    printf("%-18s %016llx\n", name[k], sum[k]);
  printf("%s\n", cudaGetErrorName(error));
}

int main() {
  run(floats, floatFunctions, floatName);
  run(doubles, doubleFunctions, doubleName);
  return 0;
}
