// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Flags, priorities, attributes and bad arguments of streams and events.
#include <cstdio>

#define SHOW(call) printf("%-78s %s\n", #call, cudaGetErrorName(call))

static void CUDART_CB called(cudaStream_t, cudaError_t status, void* out) {
  *static_cast<cudaError_t*>(out) = status;
}

int main() {
  cudaStream_t s, t;
  int least = 7, greatest = 7, priority = 7;
  unsigned flags = 7;
  unsigned long long id = 0, other = 0;
  printf("- streams\n");
  SHOW(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  printf("%d %d\n", least, greatest);
  SHOW(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, greatest - 5));
  SHOW(cudaStreamGetPriority(s, &priority));
  SHOW(cudaStreamGetFlags(s, &flags));
  printf("priority %d, flags %u\n", priority, flags);
  SHOW(cudaStreamCreateWithPriority(&t, 0, 10));
  SHOW(cudaStreamGetPriority(t, &priority));
  SHOW(cudaStreamGetFlags(t, &flags));
  printf("priority %d, flags %u\n", priority, flags);
  SHOW(cudaStreamGetPriority(nullptr, &priority));
  SHOW(cudaStreamGetFlags(nullptr, &flags));
  printf("priority %d, flags %u\n", priority, flags);
  SHOW(cudaStreamGetFlags(cudaStreamPerThread, &flags));
  printf("flags %u\n", flags);
  SHOW(cudaStreamGetId(s, &id));
  SHOW(cudaStreamGetId(t, &other));
  printf("different %d\n", id != other);
  int device = 7;
  SHOW(cudaStreamGetDevice(s, &device));
  printf("device %d\n", device);
  SHOW(cudaStreamCreateWithFlags(&t, 2));
  SHOW(cudaStreamCreateWithPriority(&t, 5, 0));
  SHOW(cudaStreamQuery(s));
  SHOW(cudaStreamQuery(nullptr));
  SHOW(cudaStreamWaitEvent(s, nullptr, 0));
  SHOW(cudaLaunchHostFunc(s, nullptr, nullptr));
  SHOW(cudaStreamAddCallback(s, nullptr, nullptr, 0));
  SHOW(cudaStreamAddCallback(s, called, nullptr, 1));

  printf("- attributes\n");
  cudaLaunchAttributeValue value = {};
  SHOW(cudaStreamGetAttribute(s, cudaLaunchAttributePriority, &value));
  printf("priority %d\n", value.priority);
  SHOW(cudaStreamGetAttribute(s, cudaLaunchAttributeSynchronizationPolicy, &value));
  printf("policy %d\n", int(value.syncPolicy));
  value.syncPolicy = cudaSyncPolicyYield;
  SHOW(cudaStreamSetAttribute(s, cudaLaunchAttributeSynchronizationPolicy, &value));
  value.syncPolicy = cudaSyncPolicyAuto;
  SHOW(cudaStreamGetAttribute(s, cudaLaunchAttributeSynchronizationPolicy, &value));
  printf("policy %d\n", int(value.syncPolicy));
  int* p;
  cudaMalloc(&p, 4096);
  value = {};
  value.accessPolicyWindow.base_ptr = p;
  value.accessPolicyWindow.num_bytes = 4096;
  value.accessPolicyWindow.hitRatio = 0.5f;
  value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  SHOW(cudaStreamSetAttribute(s, cudaLaunchAttributeAccessPolicyWindow, &value));
  value = {};
  SHOW(cudaStreamGetAttribute(s, cudaLaunchAttributeAccessPolicyWindow, &value));
  printf("%d bytes, ratio %g, %d %d\n", int(value.accessPolicyWindow.num_bytes), value.accessPolicyWindow.hitRatio,
         int(value.accessPolicyWindow.hitProp), int(value.accessPolicyWindow.missProp));
  value.accessPolicyWindow.hitRatio = 1.5f;
  SHOW(cudaStreamSetAttribute(s, cudaLaunchAttributeAccessPolicyWindow, &value));
  value.accessPolicyWindow.hitRatio = 0.5f;
  value.accessPolicyWindow.missProp = cudaAccessPropertyPersisting;
  SHOW(cudaStreamSetAttribute(s, cudaLaunchAttributeAccessPolicyWindow, &value));
  value.accessPolicyWindow.missProp = cudaAccessPropertyNormal;
  value.accessPolicyWindow.num_bytes = size_t(1) << 40;
  SHOW(cudaStreamSetAttribute(s, cudaLaunchAttributeAccessPolicyWindow, &value));
  SHOW(cudaStreamGetAttribute(s, cudaLaunchAttributeMemSyncDomain, &value));
  printf("domain %d\n", int(value.memSyncDomain));
  value.memSyncDomain = cudaLaunchMemSyncDomainRemote;
  SHOW(cudaStreamSetAttribute(s, cudaLaunchAttributeMemSyncDomain, &value));
  SHOW(cudaStreamGetAttribute(s, cudaLaunchAttributeMemSyncDomain, &value));
  printf("domain %d\n", int(value.memSyncDomain));
  SHOW(cudaStreamGetAttribute(s, cudaLaunchAttributeCooperative, &value));
  value = {};
  SHOW(cudaStreamSetAttribute(s, cudaLaunchAttributeClusterDimension, &value));
  SHOW(cudaStreamCreate(&t));
  SHOW(cudaStreamCopyAttributes(t, s));
  SHOW(cudaStreamGetAttribute(t, cudaLaunchAttributeSynchronizationPolicy, &value));
  printf("policy %d\n", int(value.syncPolicy));

  printf("- host functions\n");
  cudaError_t status = cudaErrorUnknown;
  SHOW(cudaStreamAddCallback(s, called, &status, 0));
  SHOW(cudaStreamSynchronize(s));
  printf("%s\n", cudaGetErrorName(status));

  printf("- events\n");
  cudaEvent_t e, f, untimed, blocking;
  float ms = -1;
  SHOW(cudaEventCreate(nullptr));
  SHOW(cudaEventCreate(&e));
  SHOW(cudaEventCreate(&f));
  SHOW(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  SHOW(cudaEventCreateWithFlags(&blocking, cudaEventBlockingSync));
  SHOW(cudaEventCreateWithFlags(&f, cudaEventInterprocess));
  SHOW(cudaEventCreateWithFlags(&f, 0x10));
  SHOW(cudaEventQuery(e));
  SHOW(cudaEventSynchronize(e));
  SHOW(cudaEventElapsedTime(&ms, e, f));
  SHOW(cudaEventRecord(e, s));
  SHOW(cudaEventElapsedTime(&ms, e, f));
  SHOW(cudaEventRecord(f, s));
  SHOW(cudaEventRecord(untimed, s));
  SHOW(cudaStreamSynchronize(s));
  SHOW(cudaEventElapsedTime(&ms, e, f));
  printf("not negative %d\n", ms >= 0);
  SHOW(cudaEventElapsedTime(&ms, e, untimed));
  SHOW(cudaEventRecordWithFlags(e, s, cudaEventRecordExternal));
  SHOW(cudaEventRecordWithFlags(e, s, 8));
  SHOW(cudaStreamWaitEvent(s, e, 8));
  SHOW(cudaEventDestroy(nullptr));
  cudaIpcEventHandle_t handle;
  SHOW(cudaIpcGetEventHandle(&handle, e));
  SHOW(cudaEventDestroy(e));
  SHOW(cudaStreamDestroy(s));
  cudaGetLastError();
  SHOW(cudaDeviceSynchronize());
  return 0;
}
