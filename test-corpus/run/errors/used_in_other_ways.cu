// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcuda
// Handles used twice or where they don't belong: conditional handles, events and levels of mipmapped arrays; argument
// buffers of another size; what pools count.
#include <cstdio>

#include <cuda.h>

// CUDA 13 has data of edges beside the dependencies.
static cudaError_t addNode(cudaGraphNode_t* node, cudaGraph_t graph, cudaGraphNodeParams* params) {
#if CUDART_VERSION >= 13000
  return cudaGraphAddNode(node, graph, nullptr, nullptr, 0, params);
#else
  return cudaGraphAddNode(node, graph, nullptr, 0, params);
#endif
}

#define SHOW(call) show(#call, call)
static void show(const char* what, cudaError_t error) {
  printf("%-76s %s\n", what, cudaGetErrorName(error));
  cudaGetLastError();
}
static void show(const char* what, CUresult result) {
  const char* name = "?";
  cuGetErrorName(result, &name);
  printf("%-76s %s\n", what, name ? name : "none");
}

__global__ void add(int* sum, int value) { *sum += value; }

static void conditionals() {
  int* sum;
  cudaMallocManaged(&sum, sizeof *sum);
  *sum = 0;
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphConditionalHandle handle;
  SHOW(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
  cudaGraphNodeParams params{};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = handle;
  params.conditional.type = cudaGraphCondTypeIf;
  params.conditional.size = 1;
  cudaGraphNode_t node, again;
  SHOW(addNode(&node, graph, &params));
  cudaGraph_t body = params.conditional.phGraph_out[0];
  cudaGraphNodeParams second = params;
  SHOW(addNode(&again, graph, &second));
  int value = 5;
  void* arguments[] = {&sum, &value};
  cudaKernelNodeParams kernel{};
  kernel.func = (void*)add;
  kernel.gridDim = kernel.blockDim = dim3(1);
  kernel.kernelParams = arguments;
  SHOW(cudaGraphAddKernelNode(&again, body, nullptr, 0, &kernel));
  cudaGraphExec_t exec;
  SHOW(cudaGraphInstantiate(&exec, graph, 0));
  SHOW(cudaGraphLaunch(exec, 0));
  SHOW(cudaDeviceSynchronize());
  printf("sum %d\n", *sum);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaFree(sum);
}

static void pools() {
  cudaMemPoolProps props{};
  props.allocType = cudaMemAllocationTypePinned;
  props.location = {cudaMemLocationTypeDevice, 0};
  cudaMemPool_t pool;
  SHOW(cudaMemPoolCreate(&pool, &props));
  void *p, *q;
  unsigned long long bytes = 0;
  SHOW(cudaMallocFromPoolAsync(&p, 1000, pool, 0));
  SHOW(cudaMallocFromPoolAsync(&q, 3, pool, 0));
  SHOW(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &bytes));
  printf("used %llu\n", bytes);
  SHOW(cudaFreeAsync(p, 0));
  SHOW(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &bytes));
  printf("used %llu\n", bytes);
  SHOW(cudaFreeAsync(q, 0));
  SHOW(cudaDeviceSynchronize());
  SHOW(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &bytes));
  printf("at most %llu\n", bytes);
  cudaMemAccessDesc none{{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtNone};
  SHOW(cudaMemPoolSetAccess(pool, &none, 1));
  cudaMemAccessDesc read{{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtRead};
  SHOW(cudaMemPoolSetAccess(pool, &read, 1));
  SHOW(cudaMemPoolDestroy(pool));
}

static void events() {
  cudaEvent_t event, opened;
  cudaIpcEventHandle_t handle;
  SHOW(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming));
  SHOW(cudaIpcGetEventHandle(&handle, event));
  SHOW(cudaIpcOpenEventHandle(&opened, handle));
  SHOW(cudaEventDestroy(event));
}

static void levels() {
  CUDA_ARRAY3D_DESCRIPTOR shape{};
  shape.Width = shape.Height = 16;
  shape.Format = CU_AD_FORMAT_FLOAT;
  shape.NumChannels = 1;
  CUmipmappedArray levels;
  CUarray level;
  CUDA_ARRAY_DESCRIPTOR told{};
  SHOW(cuMipmappedArrayCreate(&levels, &shape, 3));
  SHOW(cuMipmappedArrayGetLevel(&level, levels, 1));
  SHOW(cuArrayDestroy(level));
  SHOW(cuMipmappedArrayGetLevel(&level, levels, 2));
  SHOW(cuArrayGetDescriptor(&told, level));
  printf("%zu x %zu\n", told.Width, told.Height);
  SHOW(cuMipmappedArrayDestroy(levels));
}

static void buffers() {
  int* sum;
  cudaMallocManaged(&sum, sizeof *sum);
  *sum = 0;
  cudaFunction_t function;
  const void* const symbol = (const void*)add;
  SHOW(cudaGetFuncBySymbol(&function, symbol));
  struct {
    int* sum;
    int value, more;
  } packed{sum, 7, 0};
  for (size_t size : {size_t(12), size_t(16), size_t(8), size_t(12)}) {
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
    printf("%zu bytes: ", size);
    SHOW(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra));
  }
  SHOW(cudaDeviceSynchronize());
  printf("sum %d\n", *sum);
  cudaFree(sum);
}

int main() {
  cudaFree(nullptr);
  conditionals();
  pools();
  events();
  levels();
  buffers();
  return 0;
}
