// Finds the driver API by dlopen(), under names that it has itself, and loads PTX by it.
#include <cstdio>

#include <cuda_runtime_api.h>
#include <dlfcn.h>

extern "C" int (*cuModuleLoadData)(void**, const char*);
int (*cuModuleLoadData)(void**, const char*) = nullptr;
extern "C" const char* cuInit(int number) { return number == 7 ? "own" : "not own"; }

int main() {
  void* const driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (!driver) {
    std::puts(dlerror());
    return 1;
  }
  cudaFree(nullptr);
  cuModuleLoadData = reinterpret_cast<int (*)(void**, const char*)>(dlsym(driver, "cuModuleLoadData"));
  const auto find = reinterpret_cast<int (*)(unsigned long long*, size_t*, void*, const char*)>(
      dlsym(driver, "cuModuleGetGlobal_v2"));
  void* module = nullptr;
  unsigned long long address = 0;
  size_t size = 0;
  int value = 0;
  const int loaded = cuModuleLoadData(&module, ".version 7.0\n.target sm_70\n.address_size 64\n"
                                               ".visible .global .align 4 .u32 number = 29;\n");
  const int found = find(&address, &size, module, "number");
  const int copied =
      cudaMemcpy(&value, reinterpret_cast<void*>(address), sizeof value, cudaMemcpyDeviceToHost);
  std::printf("%s %d %d %d value %d\n", cuInit(7), loaded, found, copied, value);
}
