// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launch bounds and shared variables count for each instance of a template, for overloaded kernels,
// and with the shared variables of functions that a kernel calls.
#include <cstdio>

constexpr int bound = 96;
enum class Order { Up, Down };
struct Pair {
  short key;
  double value;
};
namespace parts {
template <class Value> struct Box {
  Value value;
};
} // namespace parts

template <int threads, class Value> __global__ void __launch_bounds__(threads) both(Value* out) {
  __shared__ Value held[threads];
  held[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = held[(threadIdx.x + 1) % blockDim.x];
}
template <Order order> __global__ void __launch_bounds__(order == Order::Up ? 64 : 128) ordered(int* out) {
  out[threadIdx.x] = order == Order::Up ? 1 : 2;
}
namespace parts {
namespace {
__global__ void __launch_bounds__(bound, 2) hidden(int* out) { out[threadIdx.x] = 3; }
} // namespace
} // namespace parts
static __global__ void __launch_bounds__(2 * bound) own(int* out) { out[threadIdx.x] = 4; }

__global__ void overloaded(int* out) {
  __shared__ int few[8];
  few[threadIdx.x % 8] = out[0];
  __syncthreads();
  out[threadIdx.x] = few[(threadIdx.x + 1) % 8];
}
__global__ void overloaded(double* out) {
  __shared__ double many[100];
  many[threadIdx.x % 100] = out[0];
  __syncthreads();
  out[threadIdx.x] = many[(threadIdx.x + 1) % 100];
}

__shared__ int common[16];
__device__ int throughCommon(int value) {
  __shared__ char small[3];
  common[threadIdx.x % 16] = value;
  small[threadIdx.x % 3] = char(value);
  __syncthreads();
  return common[(value + 1) % 16] + small[value % 3];
}
__global__ void calls(int* out) {
  __shared__ double own[4];
  own[threadIdx.x % 4] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = throughCommon(int(own[(threadIdx.x + 1) % 4]));
}
extern __shared__ int dynamic[];
__global__ void onlyDynamic(int* out) {
  dynamic[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = dynamic[(threadIdx.x + 1) % blockDim.x];
}
__global__ void __launch_bounds__(32) declaredOnce(int* out);
__global__ void declaredOnce(int* out) { out[threadIdx.x] = 5; }

template <class Kernel> void show(const char* name, Kernel kernel) {
  cudaFuncAttributes a;
  const cudaError_t error = cudaFuncGetAttributes(&a, kernel);
  printf("%-14s %s threads %d, shared %zu, dynamic at most %d\n", name, cudaGetErrorName(error),
         a.maxThreadsPerBlock, a.sharedSizeBytes, a.maxDynamicSharedSizeBytes);
}
void tell(const char* name) {
  const cudaError_t error = cudaGetLastError();
  printf("%-14s %s %s\n", name, cudaGetErrorName(error), cudaGetErrorName(cudaDeviceSynchronize()));
}
template <class Value> void launchDeduced(Value* out, int threads) {
  both<50><<<1, threads>>>(out);
  tell("deduced");
}

int main() {
  int* ints;
  double* doubles;
  Pair* pairs;
  parts::Box<float>* boxes;
  cudaMalloc(&ints, 4096 * sizeof(int));
  cudaMalloc(&doubles, 4096 * sizeof(double));
  cudaMalloc(&pairs, 4096 * sizeof(Pair));
  cudaMalloc(&boxes, 4096 * sizeof(parts::Box<float>));
  cudaMemset(ints, 0, 4096 * sizeof(int));
  cudaMemset(doubles, 0, 4096 * sizeof(double));

  show("both 64 int", both<64, int>);
  show("both 64 Pair", both<64, Pair>);
  show("both 32 Box", both<32, parts::Box<float>>);
  show("up", ordered<Order::Up>);
  show("down", ordered<Order::Down>);
  show("hidden", parts::hidden);
  show("own", own);
  show("int", static_cast<void (*)(int*)>(overloaded));
  show("double", static_cast<void (*)(double*)>(overloaded));
  show("calls", calls);
  show("dynamic", onlyDynamic);
  show("declared", declaredOnce);

  both<64><<<1, 64>>>(ints);
  tell("both 64");
  both<64><<<1, 65>>>(ints);
  tell("both 65");
  both<64, Pair><<<1, dim3(8, 8, 2)>>>(pairs);
  tell("both 8 x 8 x 2");
  both<32><<<1, 33>>>(boxes);
  tell("box 33");
  ordered<Order::Up><<<1, 65>>>(ints);
  tell("up 65");
  ordered<Order::Down><<<1, 65>>>(ints);
  tell("down 65");
  parts::hidden<<<1, 97>>>(ints);
  tell("hidden 97");
  own<<<1, 192>>>(ints);
  tell("own 192");
  own<<<1, 193>>>(ints);
  tell("own 193");
  declaredOnce<<<1, 33>>>(ints);
  tell("declared 33");
  launchDeduced(ints, 50);

  // Dynamic shared memory shares the 48 KB with the variables, until the program asks for more.
  const int most = 48 * 1024;
  overloaded<<<1, 32, most - 800>>>(doubles);
  tell("800 left");
  overloaded<<<1, 32, most - 799>>>(doubles);
  tell("799 left");
  onlyDynamic<<<1, 32, most>>>(ints);
  tell("all");
  onlyDynamic<<<1, 32, most + 1>>>(ints);
  tell("more");
  const auto raised = static_cast<void (*)(double*)>(overloaded);
  const int optIn = 227 * 1024;
  for (int bytes : {optIn, optIn - 799, optIn - 800, 60000, 1000}) {
    printf("%d %s, ", bytes,
           cudaGetErrorName(cudaFuncSetAttribute(raised, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)));
    cudaGetLastError();
    cudaFuncAttributes a;
    cudaFuncGetAttributes(&a, raised);
    printf("now %d\n", a.maxDynamicSharedSizeBytes);
  }
  cudaFuncSetAttribute(raised, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000);
  overloaded<<<1, 32, 60000>>>(doubles);
  tell("60000");
  overloaded<<<1, 32, 60001>>>(doubles);
  tell("60001");
  return 0;
}
