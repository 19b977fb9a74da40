// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcuda
// Driver API: graphs of all common nodes, capture, instantiation, new parameters, updates, queries, errors.
#include <cstdio>
#include <cstring>

#include <cuda.h>

#define SHOW(call) show(#call, call)
static void show(const char* what, CUresult result) {
  const char* name = "?";
  cuGetErrorName(result, &name);
  printf("%-84s %s\n", what, name ? name : "none");
}

__global__ void add(int* data, int value) { data[threadIdx.x] += value; }

static void CUDA_CB hostFunction(void* p) { ++*static_cast<int*>(p); }
static int destroyed;
static void CUDA_CB destroy(void* p) { destroyed += *static_cast<int*>(p); }

static void values(const char* what, CUdeviceptr data) {
  int host[4];
  cuMemcpyDtoH(host, data, sizeof host);
  printf("%s: %d %d %d %d\n", what, host[0], host[1], host[2], host[3]);
}

int main() {
  cuInit(0);
  CUcontext context;
  cuDevicePrimaryCtxRetain(&context, 0);
  cuCtxSetCurrent(context);
  cudaFunction_t function;
  cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(add));
  CUdeviceptr data, copy;
  cuMemAlloc(&data, 64);
  cuMemAlloc(&copy, 64);
  cuMemsetD32(data, 0, 16);
  CUgraph graph, child, clone;
  CUgraphNode set, kernel, host, moved, inner, empty, found;
  SHOW(cuGraphCreate(&graph, 1));
  SHOW(cuGraphCreate(&graph, 0));
  SHOW(cuGraphCreate(&child, 0));
  CUDA_MEMSET_NODE_PARAMS fill = {};
  fill.dst = data;
  fill.value = 3;
  fill.elementSize = 4;
  fill.width = 4;
  fill.height = 1;
  SHOW(cuGraphAddMemsetNode(&set, graph, nullptr, 0, &fill, context));
  int value = 10, calls = 0;
  void* arguments[] = {&data, &value};
  CUDA_KERNEL_NODE_PARAMS launch = {};
  SHOW(cuGraphAddKernelNode(&kernel, graph, &set, 1, &launch));
  launch.func = function;
  launch.gridDimX = launch.gridDimY = launch.gridDimZ = 1;
  launch.blockDimX = 4;
  launch.blockDimY = launch.blockDimZ = 1;
  launch.kernelParams = arguments;
  SHOW(cuGraphAddKernelNode(&kernel, graph, &set, 1, &launch));
  CUDA_HOST_NODE_PARAMS call = {hostFunction, &calls};
  SHOW(cuGraphAddHostNode(&host, graph, &kernel, 1, &call));
  CUDA_MEMCPY3D box;
  memset(&box, 0, sizeof box);
  box.srcMemoryType = box.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  box.srcDevice = data;
  box.dstDevice = copy;
  box.WidthInBytes = 16;
  box.Height = box.Depth = 1;
  SHOW(cuGraphAddMemcpyNode(&moved, graph, &host, 1, &box, context));
  SHOW(cuGraphAddKernelNode(&inner, child, nullptr, 0, &launch));
  SHOW(cuGraphAddChildGraphNode(&inner, graph, &moved, 1, child));
  SHOW(cuGraphAddEmptyNode(&empty, graph, &inner, 1));
  CUgraphNodeType type;
  SHOW(cuGraphNodeGetType(inner, &type));
  printf("%d\n", int(type));
  size_t count = 0;
  SHOW(cuGraphGetNodes(graph, nullptr, &count));
  printf("%zu\n", count);
  SHOW(cuGraphGetRootNodes(graph, nullptr, &count));
  printf("%zu\n", count);
  SHOW(cuGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
  printf("%zu\n", count);
  SHOW(cuGraphNodeGetDependencies(host, nullptr, nullptr, &count));
  printf("%zu\n", count);
  SHOW(cuGraphNodeGetDependentNodes(empty, nullptr, nullptr, &count));
  printf("%zu\n", count);
  CUDA_KERNEL_NODE_PARAMS got = {};
  SHOW(cuGraphKernelNodeGetParams(kernel, &got));
  printf("%u, the same %d\n", got.blockDimX, got.func == launch.func);
  SHOW(cuGraphKernelNodeGetParams(host, &got));
  CUDA_MEMSET_NODE_PARAMS gotFill = {};
  SHOW(cuGraphMemsetNodeGetParams(set, &gotFill));
  printf("%u %zu\n", gotFill.value, gotFill.width);
  CUDA_MEMCPY3D gotBox;
  SHOW(cuGraphMemcpyNodeGetParams(moved, &gotBox));
  printf("%zu\n", gotBox.WidthInBytes);
  SHOW(cuGraphClone(&clone, graph));
  SHOW(cuGraphNodeFindInClone(&found, kernel, clone));

  CUgraphExec exec;
  SHOW(cuGraphInstantiate(&exec, graph, 0));
  CUstream stream;
  cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
  SHOW(cuGraphUpload(exec, stream));
  SHOW(cuGraphLaunch(exec, stream));
  SHOW(cuStreamSynchronize(stream));
  values("data", data);
  values("copy", copy);
  printf("calls %d\n", calls);
  value = 20;
  SHOW(cuGraphExecKernelNodeSetParams(exec, kernel, &launch));
  fill.value = 5;
  SHOW(cuGraphExecMemsetNodeSetParams(exec, set, &fill, context));
  SHOW(cuGraphNodeSetEnabled(exec, kernel, 0));
  unsigned enabled = 7;
  SHOW(cuGraphNodeGetEnabled(exec, kernel, &enabled));
  printf("%u\n", enabled);
  SHOW(cuGraphLaunch(exec, stream));
  SHOW(cuStreamSynchronize(stream));
  values("disabled", data);
  SHOW(cuGraphNodeSetEnabled(exec, kernel, 1));
  SHOW(cuGraphLaunch(exec, stream));
  SHOW(cuStreamSynchronize(stream));
  values("enabled", data);
  CUgraphExecUpdateResultInfo info = {};
  value = 1000;
  SHOW(cuGraphKernelNodeSetParams(found, &launch));
  SHOW(cuGraphExecUpdate(exec, clone, &info));
  printf("%d\n", int(info.result));
  SHOW(cuGraphLaunch(exec, stream));
  SHOW(cuStreamSynchronize(stream));
  values("updated", data);
  SHOW(cuGraphExecUpdate(exec, child, &info));
  printf("%d\n", int(info.result));

  printf("- capture\n");
  CUgraph captured;
  CUstreamCaptureStatus status;
  SHOW(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  SHOW(cuStreamIsCapturing(stream, &status));
  printf("%d\n", int(status));
  SHOW(cuMemsetD32Async(data, 1, 4, stream));
  SHOW(cuLaunchKernel(function, 1, 1, 1, 2, 1, 1, 0, stream, arguments, nullptr));
  SHOW(cuMemcpyDtoDAsync(copy, data, 16, stream));
  SHOW(cuLaunchHostFunc(stream, hostFunction, &calls));
  SHOW(cuStreamSynchronize(stream));
  SHOW(cuStreamEndCapture(stream, &captured));
  SHOW(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  SHOW(cuMemsetD32Async(data, 1, 4, stream));
  SHOW(cuLaunchKernel(function, 1, 1, 1, 2, 1, 1, 0, stream, arguments, nullptr));
  SHOW(cuStreamEndCapture(stream, &captured));
  SHOW(cuGraphGetNodes(captured, nullptr, &count));
  printf("%zu\n", count);
  CUgraphExec second;
  CUDA_GRAPH_INSTANTIATE_PARAMS how = {};
  SHOW(cuGraphInstantiateWithParams(&second, captured, &how));
  printf("%d\n", int(how.result_out));
  SHOW(cuGraphLaunch(second, stream));
  SHOW(cuStreamSynchronize(stream));
  values("captured", data);

  printf("- user objects\n");
  static int one = 1;
  CUuserObject object;
  SHOW(cuUserObjectCreate(&object, &one, destroy, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  SHOW(cuUserObjectRetain(object, 1));
  SHOW(cuGraphRetainUserObject(captured, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
  SHOW(cuUserObjectRelease(object, 1));
  SHOW(cuGraphReleaseUserObject(captured, object, 1));

  printf("- errors\n");
  SHOW(cuGraphAddEmptyNode(&empty, nullptr, nullptr, 0));
  SHOW(cuGraphAddDependencies(graph, &empty, &empty, nullptr, 1));
  SHOW(cuGraphAddDependencies(graph, &empty, &set, nullptr, 1));
  SHOW(cuGraphInstantiate(&second, graph, 0));
  SHOW(cuGraphRemoveDependencies(graph, &empty, &set, nullptr, 1));
  SHOW(cuGraphLaunch(nullptr, stream));
  SHOW(cuGraphDestroyNode(empty));
  SHOW(cuGraphExecDestroy(exec));
  SHOW(cuGraphDestroy(graph));
  SHOW(cuGraphDestroy(clone));
  SHOW(cuGraphDestroy(nullptr));
  SHOW(cuCtxSynchronize());
  return 0;
}
