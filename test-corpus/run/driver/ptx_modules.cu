// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcuda
// Modules of PTX text: kernels, functions, variables of all state spaces, branches and jump tables.
#include <cuda.h>
#include <cstdio>
#include <cstring>

static const char* const text = R"(
// A module as a compiler writes it.
.version 7.0
.target sm_70
.address_size 64

.extern .func (.param .b32 func_retval0) vprintf (.param .b64 vprintf_param_0, .param .b64 vprintf_param_1);
.visible .global .align 4 .u32 launches = 40;
.visible .const .align 4 .f32 factors[4] = {0f3F800000, 2.0, 0f40400000, -4.0};
.global .align 1 .b8 $format[15] = {37, 100, 32, 37, 46, 49, 102, 32, 37, 115, 32, 37, 37, 10, 0};
.global .align 1 .b8 $word[5] = {119, 111, 114, 100, 0};
.global .align 8 .u64 words[2] = {generic($word), generic($word) + 1};
.extern .shared .align 16 .b8 dynamic[];
.shared .align 4 .b8 tile[256];

.func (.param .b32 func_retval0) weigh(.param .align 4 .b8 weigh_param_0[12], .param .b32 weigh_param_1)
{
	.reg .f32 %f<6>;
	.reg .b32 %r<2>;
	ld.param.f32 %f1, [weigh_param_0];
	ld.param.f32 %f2, [weigh_param_0+8];
	ld.param.u32 %r1, [weigh_param_1];
	cvt.rn.f32.u32 %f3, %r1;
	fma.rn.f32 %f4, %f1, %f3, %f2;
	st.param.f32 [func_retval0+0], %f4;
	ret;
}

// A register as result and argument, and a module's shared variable.
.func (.reg .u32 %sum) rowSum(.reg .u32 %count)
{
	.reg .u32 %i, %at, %one;
	.reg .pred %more;
	mov.u32 %sum, 0;
	mov.u32 %i, 0;
	mov.u32 %at, tile;
$again:
	ld.shared.u32 %one, [%at];
	add.u32 %sum, %sum, %one;
	add.u32 %at, %at, 4;
	add.u32 %i, %i, 1;
	setp.lt.u32 %more, %i, %count;
	@%more bra $again;
	ret;
}

.visible .entry weights(.param .u64 weights_param_0, .param .align 4 .b8 weights_param_1[12])
.maxntid 128, 1, 1
{
	.reg .b32 %r<6>;
	.reg .f32 %f<8>;
	.reg .b64 %rd<6>;
	ld.param.u64 %rd1, [weights_param_0];
	cvta.to.global.u64 %rd2, %rd1;
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, %ctaid.x;
	mov.u32 %r3, %ntid.x;
	mad.lo.s32 %r4, %r2, %r3, %r1;
	ld.param.f32 %f1, [weights_param_1];
	ld.param.f32 %f2, [weights_param_1+4];
	ld.param.f32 %f3, [weights_param_1+8];
	{ // the same names again
	.reg .b32 temp_param_reg;
	.param .align 4 .b8 param0[12];
	st.param.f32 [param0+0], %f1;
	st.param.f32 [param0+4], %f2;
	st.param.f32 [param0+8], %f3;
	.param .b32 param1;
	st.param.b32 [param1+0], %r4;
	.param .b32 retval0;
	call.uni (retval0), weigh, (param0, param1);
	ld.param.f32 %f4, [retval0+0];
	}
	{
	.reg .b32 temp_param_reg;
	and.b32 temp_param_reg, %r4, 3;
	mov.u64 %rd4, factors;
	mul.wide.u32 %rd3, temp_param_reg, 4;
	add.s64 %rd4, %rd4, %rd3;
	ld.const.f32 %f5, [%rd4];
	}
	mul.rn.f32 %f6, %f4, %f5;
	mul.wide.s32 %rd5, %r4, 4;
	add.s64 %rd2, %rd2, %rd5;
	st.global.f32 [%rd2], %f6;
	ret;
}

.visible .entry turned(.param .u64 turned_param_0)
{
	.reg .b32 %r<16>;
	.reg .b64 %rd<6>;
	.reg .pred %p<3>;
	ld.param.u64 %rd1, [turned_param_0];
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, %ntid.x;
	shl.b32 %r3, %r1, 2;
	mov.u32 %r4, tile;
	add.s32 %r5, %r4, %r3;
	mul.lo.u32 %r6, %r1, %r1;
	st.shared.u32 [%r5], %r6;
	mov.u64 %rd2, dynamic;
	cvta.shared.u64 %rd2, %rd2;
	mul.wide.u32 %rd3, %r1, 4;
	add.s64 %rd2, %rd2, %rd3;
	st.u32 [%rd2], %r1;
	bar.sync 0;
	sub.u32 %r7, %r2, %r1;
	sub.u32 %r7, %r7, 1;
	shl.b32 %r7, %r7, 2;
	add.s32 %r8, %r4, %r7;
	ld.shared.u32 %r9, [%r8];
	setp.ge.u32 %p1, %r1, 3;
	@%p1 bra $rest;
	call (%r10), rowSum, (8);
	add.u32 %r9, %r9, %r10;
$rest:
	mov.u32 %r11, 16;
	mov.u32 %r12, 0;
	mov.u32 %r13, %r1;
$half:
	shfl.sync.bfly.b32 %r14|%p2, %r13, %r11, 31, -1;
	add.u32 %r13, %r13, %r14;
	shr.u32 %r11, %r11, 1;
	setp.ne.u32 %p1, %r11, 0;
	@%p1 bra $half;
	add.u32 %r9, %r9, %r13;
	ld.shared.u32 %r14, [dynamic+4];
	add.u32 %r9, %r9, %r14;
	add.s64 %rd4, %rd1, %rd3;
	st.global.u32 [%rd4], %r9;
	setp.ne.u32 %p1, %r1, 0;
	@%p1 exit;
	atom.global.add.u32 %r15, [launches], 1;
	ret;
}

.visible .entry jumps(.param .u64 jumps_param_0)
{
	.local .align 8 .b8 __local_depot0[24];
	.reg .b64 %SP, %SPL;
	.reg .b32 %r<8>;
	.reg .b64 %rd<8>;
	.reg .f64 %fd<2>;
	.reg .pred %p<2>;
	mov.u64 %SPL, __local_depot0;
	cvta.local.u64 %SP, %SPL;
	ld.param.u64 %rd1, [jumps_param_0];
	mov.u32 %r1, %tid.x;
	and.b32 %r2, %r1, 3;
	mov.u32 %r3, 0;
$table: .branchtargets $case0, $case1, $case2, $case1;
	brx.idx %r2, $table;
$case0:
	mov.u32 %r3, 100;
	bra.uni $done;
$case1:
	mul.lo.u32 %r3, %r1, 10;
	bra.uni $done;
$case2:
	add.u32 %r3, %r1, -5;
$done:
	mul.wide.u32 %rd2, %r1, 4;
	add.s64 %rd3, %rd1, %rd2;
	st.global.u32 [%rd3], %r3;
	setp.ne.u32 %p1, %r1, 6;
	@%p1 bra $end;
	cvt.rn.f64.u32 %fd1, %r3;
	st.local.u32 [%SPL], %r3;
	st.local.f64 [%SPL+8], %fd1;
	ld.global.u64 %rd4, [words+8];
	st.local.u64 [%SPL+16], %rd4;
	mov.u64 %rd5, $format;
	cvta.global.u64 %rd6, %rd5;
	{
	.param .b64 param0;
	st.param.b64 [param0+0], %rd6;
	.param .b64 param1;
	st.param.b64 [param1+0], %SP;
	.param .b32 retval0;
	call.uni (retval0), vprintf, (param0, param1);
	ld.param.b32 %r4, [retval0+0];
	}
$end:
	ret;
}
)";

static void check(CUresult result, const char* what) {
  if (result != CUDA_SUCCESS)
    printf("%s: error %d\n", what, int(result));
}
#define CHECK(call) check(call, #call)

int main() {
  CUdevice device;
  CUcontext context;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CUmodule module;
  CHECK(cuModuleLoadData(&module, text));
  CUfunction weights, turned, jumps;
  CHECK(cuModuleGetFunction(&weights, module, "weights"));
  CHECK(cuModuleGetFunction(&turned, module, "turned"));
  CHECK(cuModuleGetFunction(&jumps, module, "jumps"));

  CUdeviceptr out;
  CHECK(cuMemAlloc(&out, 64 * 4));
  float values[64];
  unsigned numbers[64];
  struct {
    float scale, unused, offset;
  } line = {1.5f, 0, 0.25f};
  void* two[] = {&out, &line};
  CHECK(cuLaunchKernel(weights, 2, 1, 1, 32, 1, 1, 0, nullptr, two, nullptr));
  CHECK(cuMemcpyDtoH(values, out, sizeof values));
  for (int i = 0; i < 64; i += 5)
    printf("%g ", values[i]);
  puts("");

  void* one[] = {&out};
  CHECK(cuLaunchKernel(turned, 1, 1, 1, 64, 1, 1, 64 * 4, nullptr, one, nullptr));
  CHECK(cuMemcpyDtoH(numbers, out, sizeof numbers));
  for (int i = 0; i < 64; i += 5)
    printf("%u ", numbers[i]);
  puts("");

  CHECK(cuLaunchKernel(jumps, 1, 1, 1, 8, 1, 1, 0, nullptr, one, nullptr));
  CHECK(cuMemcpyDtoH(numbers, out, sizeof numbers));
  for (int i = 0; i < 8; ++i)
    printf("%d ", int(numbers[i]));
  puts("");

  CUdeviceptr variable;
  size_t size = 0;
  unsigned launches = 0;
  CHECK(cuModuleGetGlobal(&variable, &size, module, "launches"));
  CHECK(cuMemcpyDtoH(&launches, variable, sizeof launches));
  printf("launches %u, %zu bytes\n", launches, size);
  CHECK(cuModuleGetGlobal(&variable, &size, module, "factors"));
  printf("factors: %zu bytes\n", size);
  int most = 0;
  CHECK(cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, weights));
  printf("at most %d threads\n", most);

  const char broken[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                        ".visible .entry k()\n{\n\tmov.u32 %nowhere, 1;\n\tret;\n}\n";
  char log[1000] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* settings[] = {log, reinterpret_cast<void*>(sizeof log)};
  CUmodule none;
  const CUresult result = cuModuleLoadDataEx(&none, broken, 2, options, settings);
  printf("broken: %d, line 6 %s\n", int(result), std::strstr(log, "line 6;") ? "named" : "not named");
  CHECK(cuModuleUnload(module));
  CHECK(cuMemFree(out));
}
