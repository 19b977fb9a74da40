// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a capture prohibits, the codes that come of it, and that the capture is over then.
#include <cstdio>

__global__ void nothing() {}

static void say(const char* what, cudaError_t error) { printf("%s: %s\n", what, cudaGetErrorName(error)); }

static void end(cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  say("  end", cudaStreamEndCapture(stream, &graph));
  printf("  graph %s\n", graph ? "made" : "none");
  if (graph)
    cudaGraphDestroy(graph);
  cudaGetLastError();
}

static void status(cudaStream_t stream) {
  cudaStreamCaptureStatus state;
  say("  is capturing", cudaStreamIsCapturing(stream, &state));
  printf("  state %d\n", int(state));
}

int main() {
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEvent_t event;
  cudaEventCreate(&event);

  say("legacy stream", cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeGlobal));
  cudaGraph_t none = nullptr;
  say("end without begin", cudaStreamEndCapture(first, &none));

  say("begin", cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  say("begin again", cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  status(first);
  end(first);

  say("begin", cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  say("synchronize", cudaStreamSynchronize(first));
  status(first);
  nothing<<<1, 1, 0, first>>>();
  say("launch", cudaGetLastError());
  end(first);

  say("begin", cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  nothing<<<1, 1>>>();
  say("launch in the legacy stream", cudaGetLastError());
  end(first);

  say("begin", cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  void* memory = nullptr;
  say("malloc", cudaMalloc(&memory, 16));
  end(first);

  say("begin relaxed", cudaStreamBeginCapture(first, cudaStreamCaptureModeRelaxed));
  say("malloc", cudaMalloc(&memory, 16));
  end(first);

  say("record", cudaEventRecord(event, second));
  say("begin", cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  say("wait for an event of before", cudaStreamWaitEvent(first, event, 0));
  end(first);

  say("begin", cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  say("record", cudaEventRecord(event, first));
  say("other stream joins", cudaStreamWaitEvent(second, event, 0));
  nothing<<<1, 1, 0, second>>>();
  say("launch", cudaGetLastError());
  end(first); // the other stream has not come back

  say("begin", cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  say("record", cudaEventRecord(event, first));
  say("query of a captured event", cudaEventQuery(event));
  end(first);
  return 0;
}
