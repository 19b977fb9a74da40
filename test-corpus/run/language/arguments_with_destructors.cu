// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments of classes with copy constructors and destructors: from the launch on their bytes count. The host copies and
// destroys what it passes; blocks get the bytes, and nothing of theirs is copied or destroyed by the class's functions.
#include <cstdio>
#include <cuda_runtime.h>

static int copies = 0, ends = 0;

struct Lock {
  int* mutex;
  Lock() {
    cudaMalloc(&mutex, sizeof(int));
    cudaMemset(mutex, 0, sizeof(int));
  }
  __host__ __device__ Lock(const Lock& other) : mutex(other.mutex) {
#ifndef __CUDA_ARCH__
    ++copies;
#endif
  }
  __host__ __device__ ~Lock() {
#ifndef __CUDA_ARCH__
    ++ends;
#endif
  }
  __device__ void lock() {
    while (atomicCAS(mutex, 0, 1) != 0)
      ;
    __threadfence();
  }
  __device__ void unlock() {
    __threadfence();
    atomicExch(mutex, 0);
  }
};

// Frees what the kernel uses: the host waits for the kernel before.
struct Owner {
  int* values;
  explicit Owner(int n) { cudaMalloc(&values, n * sizeof(int)); }
  Owner(const Owner&) = default;
  ~Owner() { cudaFree(values); }
};

__global__ void sum(Lock lock, const int* in, int* out, int n) {
  __shared__ int part;
  if (threadIdx.x == 0)
    part = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&part, in[i]);
  __syncthreads();
  if (threadIdx.x == 0) {
    lock.lock();
    *out += part;
    lock.unlock();
  }
}
__global__ void use(Owner owner, int* out) {
  owner.values[threadIdx.x] = threadIdx.x * 3;
  __syncthreads();
  out[threadIdx.x] = owner.values[blockDim.x - 1 - threadIdx.x];
  owner.values = nullptr; // of this thread's copy
}
template <class T> __global__ void first(T argument, int* out) { out[threadIdx.x] = argument.mutex != nullptr; }

// By reference, to what the device reaches.
struct Element {
  char name[16];
  int value;
};
__global__ void rename(Element& element, const int& by, Lock lock) {
  if (threadIdx.x == 0) {
    lock.lock();
    element.name[0] = 'd';
    element.value += by;
    lock.unlock();
  }
}

int main() {
  constexpr int n = 1000;
  int *in, *out;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, 64 * sizeof(int));
  for (int i = 0; i < n; ++i)
    in[i] = i;
  out[0] = 0;
  Lock lock;
  sum<<<16, 64>>>(lock, in, out, n);
  cudaDeviceSynchronize();
  std::printf("sum %d, ends as often as copies %d\n", *out, copies == ends);
  const int before = copies;
  first<<<2, 32>>>(lock, out);
  cudaDeviceSynchronize();
  std::printf("first %d %d, copied %d\n", out[0], out[31], copies > before);
  Element* element;
  cudaMallocManaged(&element, sizeof *element);
  *element = {"host", 10};
  *in = 5;
  rename<<<2, 32>>>(*element, *in, lock);
  cudaDeviceSynchronize();
  std::printf("rename %s %d\n", element->name, element->value);
  {
    Owner owner(64);
    use<<<1, 64>>>(owner, out);
    // Freed once behind the launch; again here, which is an error that says so.
    std::printf("behind launch %s\n", cudaGetErrorName(cudaGetLastError()));
  }
  cudaGetLastError();
  cudaDeviceSynchronize();
  std::printf("use %d %d %s\n", out[0], out[63], cudaGetErrorName(cudaGetLastError()));
  return 0;
}
