// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer, bit and SIMD-in-a-word functions, each on 16384 inputs with all corner values: checksums of the results' bits.
#include <cstdio>

constexpr int inputs = 16384, threads = 128;

__device__ unsigned hashed(unsigned x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

// Corner values of every width come often enough to meet each other.
__device__ unsigned word(unsigned i, unsigned k) {
  const unsigned corner[16] = {0u,          1u,          0xffffffffu, 0x80000000u, 0x7fffffffu, 0x80008000u,
                               0x7fff7fffu, 0x80808080u, 0x7f7f7f7fu, 0xffff0000u, 0x0000ffffu, 0x00ff00ffu,
                               0x00010001u, 0x01010101u, 0xfffefffeu, 31u};
  const unsigned h = hashed(3 * i + k);
  return i % 4 == 0 ? corner[h >> 28] : h;
}

template <class T> __device__ unsigned long long bits(T x) { return (unsigned long long)x; }

constexpr int functions = 125;
const char* const name[functions] = {
    "__vabsdiffs2", "__vabsdiffs4", "__vabsdiffu2", "__vabsdiffu4", "__vadd2", "__vadd4", "__vaddss2", "__vaddss4",
    "__vaddus2", "__vaddus4", "__vavgs2", "__vavgs4", "__vavgu2", "__vavgu4", "__vcmpeq2", "__vcmpeq4", "__vcmpges2",
    "__vcmpges4", "__vcmpgeu2", "__vcmpgeu4", "__vcmpgts2", "__vcmpgts4", "__vcmpgtu2", "__vcmpgtu4", "__vcmples2",
    "__vcmples4", "__vcmpleu2", "__vcmpleu4", "__vcmplts2", "__vcmplts4", "__vcmpltu2", "__vcmpltu4", "__vcmpne2",
    "__vcmpne4", "__vhaddu2", "__vhaddu4", "__vmaxs2", "__vmaxs4", "__vmaxu2", "__vmaxu4", "__vmins2", "__vmins4",
    "__vminu2", "__vminu4", "__vsads2", "__vsads4", "__vsadu2", "__vsadu4", "__vseteq2", "__vseteq4", "__vsetges2",
    "__vsetges4", "__vsetgeu2", "__vsetgeu4", "__vsetgts2", "__vsetgts4", "__vsetgtu2", "__vsetgtu4", "__vsetles2",
    "__vsetles4", "__vsetleu2", "__vsetleu4", "__vsetlts2", "__vsetlts4", "__vsetltu2", "__vsetltu4", "__vsetne2",
    "__vsetne4", "__vsub2", "__vsub4", "__vsubss2", "__vsubss4", "__vsubus2", "__vsubus4", "__umul24", "__umulhi",
    "__uhadd", "__urhadd", "umax", "umin", "__vabs2", "__vabs4", "__vabsss2", "__vabsss4", "__vneg2", "__vneg4",
    "__vnegss2", "__vnegss4", "__brev", "__popc", "__clz", "__ffs", "__popcll", "__clzll", "__ffsll", "__brevll",
    "__byte_perm", "__funnelshift_l", "__funnelshift_lc", "__funnelshift_r", "__funnelshift_rc", "__mul24", "__mulhi",
    "__mul64hi", "__umul64hi", "__hadd", "__rhadd", "__sad", "__usad", "__dp4a", "__dp4a u", "__dp2a_lo",
    "__dp2a_lo u", "__dp2a_hi", "__dp2a_hi u", "__fns", "abs", "labs", "llabs", "max", "min", "llmax", "llmin",
    "ullmax", "ullmin",};

__global__ void all(unsigned long long* sum) {
  unsigned long long mine[functions] = {};
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < inputs; i += gridDim.x * blockDim.x) {
    const unsigned a = word(i, 0), b = word(i, 1), c = word(i, 2);
    const unsigned long long w = (unsigned long long)a << 32 | b, v = (unsigned long long)c << 32 | a;
    const unsigned long long r[functions] = {
        bits(__vabsdiffs2(a, b)), bits(__vabsdiffs4(a, b)), bits(__vabsdiffu2(a, b)), bits(__vabsdiffu4(a, b)),
        bits(__vadd2(a, b)), bits(__vadd4(a, b)), bits(__vaddss2(a, b)), bits(__vaddss4(a, b)), bits(__vaddus2(a, b)),
        bits(__vaddus4(a, b)), bits(__vavgs2(a, b)), bits(__vavgs4(a, b)), bits(__vavgu2(a, b)), bits(__vavgu4(a, b)),
        bits(__vcmpeq2(a, b)), bits(__vcmpeq4(a, b)), bits(__vcmpges2(a, b)), bits(__vcmpges4(a, b)),
        bits(__vcmpgeu2(a, b)), bits(__vcmpgeu4(a, b)), bits(__vcmpgts2(a, b)), bits(__vcmpgts4(a, b)),
        bits(__vcmpgtu2(a, b)), bits(__vcmpgtu4(a, b)), bits(__vcmples2(a, b)), bits(__vcmples4(a, b)),
        bits(__vcmpleu2(a, b)), bits(__vcmpleu4(a, b)), bits(__vcmplts2(a, b)), bits(__vcmplts4(a, b)),
        bits(__vcmpltu2(a, b)), bits(__vcmpltu4(a, b)), bits(__vcmpne2(a, b)), bits(__vcmpne4(a, b)),
        bits(__vhaddu2(a, b)), bits(__vhaddu4(a, b)), bits(__vmaxs2(a, b)), bits(__vmaxs4(a, b)),
        bits(__vmaxu2(a, b)), bits(__vmaxu4(a, b)), bits(__vmins2(a, b)), bits(__vmins4(a, b)), bits(__vminu2(a, b)),
        bits(__vminu4(a, b)), bits(__vsads2(a, b)), bits(__vsads4(a, b)), bits(__vsadu2(a, b)), bits(__vsadu4(a, b)),
        bits(__vseteq2(a, b)), bits(__vseteq4(a, b)), bits(__vsetges2(a, b)), bits(__vsetges4(a, b)),
        bits(__vsetgeu2(a, b)), bits(__vsetgeu4(a, b)), bits(__vsetgts2(a, b)), bits(__vsetgts4(a, b)),
        bits(__vsetgtu2(a, b)), bits(__vsetgtu4(a, b)), bits(__vsetles2(a, b)), bits(__vsetles4(a, b)),
        bits(__vsetleu2(a, b)), bits(__vsetleu4(a, b)), bits(__vsetlts2(a, b)), bits(__vsetlts4(a, b)),
        bits(__vsetltu2(a, b)), bits(__vsetltu4(a, b)), bits(__vsetne2(a, b)), bits(__vsetne4(a, b)),
        bits(__vsub2(a, b)), bits(__vsub4(a, b)), bits(__vsubss2(a, b)), bits(__vsubss4(a, b)), bits(__vsubus2(a, b)),
        bits(__vsubus4(a, b)), bits(__umul24(a, b)), bits(__umulhi(a, b)), bits(__uhadd(a, b)), bits(__urhadd(a, b)),
        bits(umax(a, b)), bits(umin(a, b)), bits(__vabs2(a)), bits(__vabs4(a)), bits(__vabsss2(a)),
        bits(__vabsss4(a)), bits(__vneg2(a)), bits(__vneg4(a)), bits(__vnegss2(a)), bits(__vnegss4(a)),
        bits(__brev(a)), bits(__popc(a)), bits(__clz(int(a))), bits(__ffs(int(a))), bits(__popcll(w)),
        bits(__clzll((long long)w)), bits(__ffsll((long long)w)), bits(__brevll(w)), bits(__byte_perm(a, b, c)),
        bits(__funnelshift_l(a, b, c)), bits(__funnelshift_lc(a, b, c % 40)), bits(__funnelshift_r(a, b, c)),
        bits(__funnelshift_rc(a, b, c % 40)), bits(__mul24(int(a), int(b))), bits(__mulhi(int(a), int(b))),
        bits(__mul64hi((long long)w, (long long)v)), bits(__umul64hi(w, v)), bits(__hadd(int(a), int(b))),
        bits(__rhadd(int(a), int(b))), bits(__sad(int(a), int(b), c)), bits(__usad(a, b, c)),
        bits(__dp4a(int(a), int(b), int(c))), bits(__dp4a(a, b, c)), bits(__dp2a_lo(int(a), int(b), int(c))),
        bits(__dp2a_lo(a, b, c)), bits(__dp2a_hi(int(a), int(b), int(c))), bits(__dp2a_hi(a, b, c)),
        bits(__fns(a, b % 32, int(c % 9) - 4)), bits(abs(int(a))), bits(labs(long(w))), bits(llabs((long long)w)),
        bits(max(int(a), int(b))), bits(min(int(a), int(b))), bits(llmax((long long)w, (long long)v)),
        bits(llmin((long long)w, (long long)v)), bits(ullmax(w, v)), bits(ullmin(w, v)),};
    for (int k = 0; k < functions; ++k)
      mine[k] += (r[k] + 1) * (2 * i + 1);
  }
  for (int k = 0; k < functions; ++k)
    atomicAdd(&sum[k], mine[k]);
}

int main() {
  unsigned long long* sum;
  cudaMallocManaged(&sum, functions * sizeof *sum);
  cudaMemset(sum, 0, functions * sizeof *sum);
  all<<<32, threads>>>(sum);
  const cudaError_t error = cudaDeviceSynchronize();
  for (int k = 0; k < functions; ++k)
    printf("%-18s %016llx\n", name[k], sum[k]);
  printf("%s\n", cudaGetErrorName(error));
  return 0;
}
