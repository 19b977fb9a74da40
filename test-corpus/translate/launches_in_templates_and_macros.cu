// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches inside templates, macros and through pointers; places that take a kernel's address.
__global__ void kernel(int* p) { *p = 1; }
template <class T> __global__ void typed(T* p) { *p = 1; }

// CHECK: { cu2cpp::launch(typed<T>, 1, 32)(p); cu2cpp::launch(typed<T>, n, 32)(p); }
template <class T> void run(T* p, int n) { typed<T><<<1, 32>>>(p); typed<T><<<n, 32>>>(p); }
// CHECK: { cu2cpp::launch(k, 1, 1)(a...); }
template <class K, class... A> void any(K k, A... a) { k<<<1, 1>>>(a...); }
// CHECK: #define LAUNCH(k, g, b, ...) cu2cpp::launch(k, g, b)(__VA_ARGS__)
#define LAUNCH(k, g, b, ...) k<<<g, b>>>(__VA_ARGS__)
// CHECK: #define NAMED(a) cu2cpp::launch(a##nel, 1, 1)(nullptr)
#define NAMED(a) a##nel<<<1, 1>>>(nullptr)
// Never used, so never changed.
// CHECK: #define UNUSED(k) k<<<1, 1>>>()
#define UNUSED(k) k<<<1, 1>>>()
// CHECK: #define SHOW(...) (__VA_ARGS__, report("ran " #__VA_ARGS__), report(cu2cpp::asWritten(#__VA_ARGS__)))
#define SHOW(...) (__VA_ARGS__, report("ran " #__VA_ARGS__), report(#__VA_ARGS__))
// Gets no launch.
// CHECK: #define OTHER(x) report(#x)
#define OTHER(x) report(#x)
void report(const char*);

void host(int* p) {
  OTHER(p);
  // CHECK: SHOW(cu2cpp::launch(kernel, 1, 2)(p));
  SHOW(kernel<<<1, 2>>>(p));
  // CHECK: SHOW(cu2cpp::launch(typed <int> , 1, 2 )(p));
  SHOW(typed<<< 1, 2 >>>(p));
  // CHECK: LAUNCH(kernel, 1, 2, p);
  LAUNCH(kernel, 1, 2, p);
  // CHECK: LAUNCH((typed<int>), dim3(1, 2), 2, p);
  LAUNCH((typed<int>), dim3(1, 2), 2, p);
  NAMED(ker);
  run(p, 3);
  // CHECK: any(cu2cpp::kernelAddress(kernel), p);
  any(kernel, p);
  void (*pointer)(int*) = kernel;
  // CHECK: cu2cpp::launch(pointer, 1, 1)(p);
  pointer<<<1, 1>>>(p);
  void* args[] = {&p};
  // CHECK: cudaLaunchKernel((void*)cu2cpp::kernelAddress(kernel), dim3(1), dim3(1), args, 0, 0);
  cudaLaunchKernel((void*)kernel, dim3(1), dim3(1), args, 0, 0);
  // CHECK: cudaFuncSetCacheConfig(kernel, cudaFuncCachePreferL1);
  cudaFuncSetCacheConfig(kernel, cudaFuncCachePreferL1);
  // CHECK: cudaFuncSetCacheConfig(typed<int>, cudaFuncCachePreferL1);
  cudaFuncSetCacheConfig(typed<int>, cudaFuncCachePreferL1);
  // CHECK: cu2cpp::kernelAddress(typed<int>)
  cudaLaunchKernel((const void*)typed<int>, dim3(1), dim3(1), args, 0, 0);
}
