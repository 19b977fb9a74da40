// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles of memory and events between two processes: both write, each sees the other's values; errors.
#include <cstdio>
#include <cstdlib>

#include <sys/wait.h>
#include <unistd.h>

struct Message {
  cudaIpcMemHandle_t memory;
  cudaIpcEventHandle_t event;
};

__global__ void add(int* data, int value) { data[blockIdx.x * blockDim.x + threadIdx.x] += value; }

static const int count = 1 << 16;

static int child(int in, int out) {
  Message message;
  if (read(in, &message, sizeof message) != ssize_t(sizeof message))
    return 1;
  void* memory = nullptr;
  cudaEvent_t event;
  cudaError_t opened = cudaIpcOpenMemHandle(&memory, message.memory, cudaIpcMemLazyEnablePeerAccess);
  cudaError_t eventOpened = cudaIpcOpenEventHandle(&event, message.event);
  int* data = static_cast<int*>(memory);
  int first = -1;
  cudaStreamWaitEvent(nullptr, event, 0);
  cudaMemcpy(&first, data + count - 1, sizeof first, cudaMemcpyDeviceToHost);
  add<<<count / 256, 256>>>(data, 100);
  cudaError_t ran = cudaDeviceSynchronize();
  cudaError_t freed = cudaFree(memory);
  cudaError_t closed = cudaIpcCloseMemHandle(memory);
  cudaError_t again = cudaIpcCloseMemHandle(memory);
  cudaEventDestroy(event);
  char text[512];
  const int length = snprintf(text, sizeof text, "child: %s %s, saw %d, %s, free %s, close %s, again %s\n", cudaGetErrorName(opened),
                              cudaGetErrorName(eventOpened), first, cudaGetErrorName(ran), cudaGetErrorName(freed),
                              cudaGetErrorName(closed), cudaGetErrorName(again));
  return write(out, text, size_t(length)) == length ? 0 : 1;
}

int main() {
  int down[2], up[2];
  if (pipe(down) || pipe(up))
    return 1;
  const pid_t pid = fork(); // before the first call of CUDA
  if (pid == 0)
    _exit(child(down[0], up[1]));
  int* data;
  cudaMalloc(&data, count * sizeof(int));
  cudaMemset(data, 0, count * sizeof(int));
  cudaEvent_t event, plain;
  printf("%s\n", cudaGetErrorName(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming)));
  cudaEventCreate(&plain);
  Message message;
  printf("%s\n", cudaGetErrorName(cudaIpcGetMemHandle(&message.memory, data)));
  printf("%s\n", cudaGetErrorName(cudaIpcGetEventHandle(&message.event, event)));
  add<<<count / 256, 256>>>(data, 7);
  cudaEventRecord(event);
  if (write(down[1], &message, sizeof message) != ssize_t(sizeof message))
    return 1;
  char text[512];
  const ssize_t length = read(up[0], text, sizeof text);
  fwrite(text, 1, size_t(length > 0 ? length : 0), stdout);
  int status = 0;
  waitpid(pid, &status, 0);
  printf("exit %d\n", WEXITSTATUS(status));
  int value = 0;
  cudaMemcpy(&value, data + 12345, sizeof value, cudaMemcpyDeviceToHost);
  printf("value %d\n", value);
  cudaIpcMemHandle_t handle;
  cudaIpcEventHandle_t eventHandle;
  printf("host memory %s\n", cudaGetErrorName(cudaIpcGetMemHandle(&handle, &value)));
  printf("event for one process %s\n", cudaGetErrorName(cudaIpcGetEventHandle(&eventHandle, plain)));
  printf("nothing to close %s\n", cudaGetErrorName(cudaIpcCloseMemHandle(data)));
  cudaGetLastError();
  printf("end %s\n", cudaGetErrorName(cudaFree(data)));
  return 0;
}
