// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcuda
// Driver API: kernels of the program as functions, launches with parameters, packed parameters and attributes, streams,
// events, host functions, waiting for values in memory and writing them.
#include <cstdio>

#include <cuda.h>

#define SHOW(call) show(#call, call)
static void show(const char* what, CUresult result) {
  const char* name = "?";
  cuGetErrorName(result, &name);
  printf("%-84s %s\n", what, name ? name : "none");
}

__global__ void fill(int* data, int first, float scale) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  data[i] = first + int(i * scale);
}
__global__ void reversed(int* data) {
  extern __shared__ int memory[];
  memory[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = memory[blockDim.x - 1 - threadIdx.x];
}

static int order;
static void CUDA_CB hostFunction(void* p) { *static_cast<int*>(p) = ++order; }
static void CUDA_CB callback(CUstream, CUresult status, void* p) { *static_cast<int*>(p) = ++order + 10 * int(status); }

int main() {
  cuInit(0);
  CUcontext context;
  cuDevicePrimaryCtxRetain(&context, 0);
  cuCtxSetCurrent(context);
  cudaFunction_t asFunction;
  printf("%s\n", cudaGetErrorName(cudaGetFuncBySymbol(&asFunction, reinterpret_cast<const void*>(fill))));
  CUfunction function = asFunction, reverse;
  cudaGetFuncBySymbol(&asFunction, reinterpret_cast<const void*>(reversed));
  reverse = asFunction;
  CUdeviceptr data;
  int host[128];
  SHOW(cuMemAlloc(&data, sizeof host));

  printf("- launches\n");
  int first = 100;
  float scale = 0.5f;
  void* parameters[] = {&data, &first, &scale};
  SHOW(cuLaunchKernel(function, 2, 1, 1, 64, 1, 1, 0, nullptr, parameters, nullptr));
  SHOW(cuMemcpyDtoH(host, data, sizeof host));
  printf("%d %d %d\n", host[0], host[1], host[127]);
  struct {
    CUdeviceptr data;
    int first;
    float scale;
  } packed = {data, 7, 2.0f};
  size_t packedSize = sizeof packed;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &packedSize, CU_LAUNCH_PARAM_END};
  SHOW(cuLaunchKernel(function, 2, 1, 1, 64, 1, 1, 0, nullptr, nullptr, extra));
  SHOW(cuMemcpyDtoH(host, data, sizeof host));
  printf("%d %d %d\n", host[0], host[1], host[127]);
  void* onlyData[] = {&data};
  SHOW(cuLaunchKernel(reverse, 1, 1, 1, 128, 1, 1, 128 * sizeof(int), nullptr, onlyData, nullptr));
  SHOW(cuMemcpyDtoH(host, data, sizeof host));
  printf("%d %d %d\n", host[0], host[1], host[127]);
  SHOW(cuLaunchKernel(function, 0, 1, 1, 64, 1, 1, 0, nullptr, parameters, nullptr));
  SHOW(cuLaunchKernel(function, 1, 1, 1, 2000, 1, 1, 0, nullptr, parameters, nullptr));
  SHOW(cuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 1 << 20, nullptr, parameters, nullptr));
  SHOW(cuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, nullptr, parameters, extra));
  SHOW(cuLaunchKernel(nullptr, 1, 1, 1, 64, 1, 1, 0, nullptr, parameters, nullptr));
  CUlaunchConfig config = {};
  CUlaunchAttribute attribute = {};
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attribute.value.clusterDim.x = 2;
  attribute.value.clusterDim.y = 1;
  attribute.value.clusterDim.z = 1;
  config.gridDimX = 4;
  config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = 32;
  config.blockDimY = config.blockDimZ = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  first = 1000;
  SHOW(cuLaunchKernelEx(&config, function, parameters, nullptr));
  config.gridDimX = 3;
  SHOW(cuLaunchKernelEx(&config, function, parameters, nullptr));
  SHOW(cuLaunchKernelEx(nullptr, function, parameters, nullptr));
  SHOW(cuMemcpyDtoH(host, data, sizeof host));
  printf("%d %d\n", host[0], host[127]);
  int number = 0;
  SHOW(cuFuncGetAttribute(&number, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
  printf("%d\n", number);
  SHOW(cuFuncGetAttribute(&number, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function));
  printf("%d\n", number);
  SHOW(cuFuncGetAttribute(&number, static_cast<CUfunction_attribute>(1000), function));
  SHOW(cuFuncSetAttribute(reverse, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100000));
  SHOW(cuFuncGetAttribute(&number, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, reverse));
  printf("%d\n", number);
  SHOW(cuFuncSetAttribute(reverse, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 20));
  SHOW(cuFuncSetAttribute(reverse, CU_FUNC_ATTRIBUTE_NUM_REGS, 10));
  SHOW(cuFuncSetCacheConfig(reverse, CU_FUNC_CACHE_PREFER_SHARED));
  size_t offset = 0, size = 0;
  SHOW(cuFuncGetParamInfo(function, 2, &offset, &size));
  printf("%zu %zu\n", offset, size);
  SHOW(cuFuncGetParamInfo(function, 3, &offset, &size));
  SHOW(cuOccupancyMaxActiveBlocksPerMultiprocessor(&number, function, 256, 0));
  printf("%d\n", number);

  printf("- streams and events\n");
  CUstream stream, other;
  CUevent event, untimed;
  SHOW(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  SHOW(cuStreamCreate(&other, 77));
  SHOW(cuStreamCreateWithPriority(&other, CU_STREAM_NON_BLOCKING, -1));
  SHOW(cuStreamGetPriority(other, &number));
  printf("%d\n", number);
  SHOW(cuEventCreate(&event, CU_EVENT_DEFAULT));
  SHOW(cuEventCreate(&untimed, CU_EVENT_DISABLE_TIMING));
  SHOW(cuEventCreate(nullptr, 0));
  SHOW(cuEventQuery(event));
  first = 5;
  SHOW(cuLaunchKernel(function, 2, 1, 1, 64, 1, 1, 0, stream, parameters, nullptr));
  SHOW(cuEventRecord(event, stream));
  SHOW(cuStreamWaitEvent(other, event, 0));
  SHOW(cuLaunchKernel(reverse, 1, 1, 1, 128, 1, 1, 512, other, onlyData, nullptr));
  SHOW(cuEventRecord(untimed, other));
  SHOW(cuEventSynchronize(untimed));
  SHOW(cuEventQuery(event));
  SHOW(cuMemcpyDtoH(host, data, sizeof host));
  printf("%d %d\n", host[0], host[127]);
  float ms;
  SHOW(cuEventElapsedTime(&ms, event, untimed));
  int seen[3] = {};
  SHOW(cuLaunchHostFunc(stream, hostFunction, &seen[0]));
  SHOW(cuStreamAddCallback(stream, callback, &seen[1], 0));
  SHOW(cuLaunchHostFunc(stream, hostFunction, &seen[2]));
  SHOW(cuStreamSynchronize(stream));
  printf("%d %d %d\n", seen[0], seen[1], seen[2]);
  SHOW(cuStreamQuery(stream));

  printf("- values in memory\n");
  CUdeviceptr flag;
  SHOW(cuMemAlloc(&flag, 16));
  SHOW(cuMemsetD32(flag, 0, 4));
  SHOW(cuStreamWaitValue32(stream, flag, 3, CU_STREAM_WAIT_VALUE_GEQ));
  first = 900;
  SHOW(cuLaunchKernel(function, 2, 1, 1, 64, 1, 1, 0, stream, parameters, nullptr));
  SHOW(cuStreamQuery(stream));
  SHOW(cuStreamWriteValue32(other, flag, 3, 0));
  SHOW(cuStreamSynchronize(stream));
  SHOW(cuMemcpyDtoH(host, data, sizeof host));
  printf("%d\n", host[0]);
  SHOW(cuStreamWriteValue64(other, flag + 8, 1ull << 40, 0));
  SHOW(cuStreamWaitValue64(stream, flag + 8, 1ull << 40, CU_STREAM_WAIT_VALUE_EQ));
  SHOW(cuStreamWaitValue32(stream, flag, 1, CU_STREAM_WAIT_VALUE_AND));
  SHOW(cuStreamWaitValue32(stream, flag, 0xfffffff0, CU_STREAM_WAIT_VALUE_NOR));
  SHOW(cuStreamSynchronize(stream));
  SHOW(cuStreamWriteValue32(stream, flag + 1, 1, 0));
  SHOW(cuStreamWaitValue32(stream, 0, 1, 0));
  CUstreamBatchMemOpParams operations[2] = {};
  operations[0].operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
  operations[0].writeValue.address = flag;
  operations[0].writeValue.value = 55;
  operations[1].operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
  operations[1].waitValue.address = flag;
  operations[1].waitValue.value = 55;
  operations[1].waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
  SHOW(cuStreamBatchMemOp(stream, 2, operations, 0));
  SHOW(cuStreamSynchronize(stream));
  SHOW(cuMemcpyDtoH(host, flag, 4));
  printf("%d\n", host[0]);
  SHOW(cuStreamDestroy(stream));
  SHOW(cuStreamDestroy(other));
  SHOW(cuEventDestroy(event));
  SHOW(cuEventDestroy(nullptr));
  SHOW(cuMemFree(flag));
  SHOW(cuMemFree(data));
  SHOW(cuCtxSynchronize());
  return 0;
}
