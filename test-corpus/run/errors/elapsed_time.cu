// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaEventElapsedTime() tells events without timing, events never recorded and events of a capture apart.
#include <cstdio>

__global__ void work() {}

static void show(const char* what, cudaEvent_t from, cudaEvent_t to) {
  float ms = -1;
  const cudaError_t error = cudaEventElapsedTime(&ms, from, to);
  printf("%-32s %-30s last %-30s %s\n", what, cudaGetErrorName(error), cudaGetErrorName(cudaGetLastError()),
         ms >= 0 ? "a time" : ms == -1 ? "untouched" : "other");
}

int main() {
  cudaEvent_t timed, second, untimed, later, never, neverTimed, captured, capturedUntimed;
  cudaEvent_t* all[] = {&timed, &second, &never, &captured};
  for (cudaEvent_t* event : all)
    cudaEventCreate(event);
  cudaEvent_t* without[] = {&untimed, &later, &neverTimed, &capturedUntimed};
  for (cudaEvent_t* event : without)
    cudaEventCreateWithFlags(event, cudaEventDisableTiming);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaEventRecord(timed, stream);
  cudaEventRecord(untimed, stream);
  work<<<1, 1, 0, stream>>>();
  cudaEventRecord(second, stream);
  cudaEventRecord(later, stream);
  cudaStreamSynchronize(stream);
  cudaEventRecord(captured, stream);
  cudaEventRecord(capturedUntimed, stream);
  cudaStreamSynchronize(stream);
  cudaGraph_t graph;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  cudaEventRecord(captured, stream);
  cudaEventRecord(capturedUntimed, stream);
  work<<<1, 1, 0, stream>>>();
  cudaStreamEndCapture(stream, &graph);
  show("both timed", timed, second);
  show("the same twice", timed, timed);
  show("first untimed", untimed, second);
  show("second untimed", timed, later);
  show("both untimed", untimed, later);
  show("never recorded", never, second);
  show("second never recorded", timed, never);
  show("untimed and never recorded", neverTimed, second);
  show("untimed with never recorded", untimed, never);
  show("captured last", captured, second);
  show("captured last, second", timed, captured);
  show("untimed and captured last", capturedUntimed, second);
  show("a null event", nullptr, second);
  printf("%s\n", cudaGetErrorName(cudaEventElapsedTime(nullptr, timed, second)));
  cudaGetLastError();
  printf("%s\n", cudaGetErrorName(cudaEventElapsedTime(nullptr, untimed, second)));
  return 0;
}
