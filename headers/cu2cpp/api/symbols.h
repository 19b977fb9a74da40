// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The symbol functions as templates over the variable: in translated code a __device__,
// __constant__ or __managed__ variable is an ordinary global, so its address and size are known at
// the call.
//
// CUDA C++ Programming Guide, 'Device Memory' (symbol copies).
#ifndef CU2CPP_API_SYMBOLS_H
#define CU2CPP_API_SYMBOLS_H

#include <cstddef>
#include <type_traits>

#include <cuda_runtime_api.h>

namespace cu2cpp {
namespace detail {

/// Symbol is a global variable as the runtime sees it; bytes is 0 where the size is not known
/// (`extern int x[]`).
struct Symbol {
  void* address;
  std::size_t bytes;
};

template <class Type> Symbol symbolOf(Type& variable) {
  void* address =
      const_cast<void*>(static_cast<const volatile void*>(__builtin_addressof(variable)));
  if constexpr (std::is_array<Type>::value && std::extent<Type>::value == 0)
    return {address, 0};
  else
    return {address, sizeof(Type)};
}

cudaError_t copyToSymbol(Symbol symbol, const void* src, std::size_t count, std::size_t offset,
                         cudaMemcpyKind kind, cudaStream_t stream, bool wait) noexcept;
cudaError_t copyFromSymbol(void* dst, Symbol symbol, std::size_t count, std::size_t offset,
                           cudaMemcpyKind kind, cudaStream_t stream, bool wait) noexcept;
cudaError_t symbolAddress(void** address, Symbol symbol) noexcept;
cudaError_t symbolSize(std::size_t* size, Symbol symbol) noexcept;

/// manageVariable() makes a variable known as managed memory.
bool manageVariable(void* address, std::size_t bytes) noexcept;

} // namespace detail

/// manageVariable() is what a `__managed__` variable's definition becomes besides the variable.
template <class Type> bool manageVariable(Type& variable) {
  return detail::manageVariable(detail::symbolOf(variable).address, sizeof(Type));
}

} // namespace cu2cpp

// The parameter is Type&, not NVIDIA's const Type&: a temporary (`&variable`) is no symbol and must
// not be written to.
template <class Type>
inline cudaError_t cudaMemcpyToSymbol(Type& symbol, const void* src, std::size_t count,
                                      std::size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cu2cpp::detail::copyToSymbol(cu2cpp::detail::symbolOf(symbol), src, count, offset, kind,
                                      nullptr, true);
}
template <class Type>
inline cudaError_t cudaMemcpyToSymbolAsync(Type& symbol, const void* src, std::size_t count,
                                           std::size_t offset = 0,
                                           cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                           cudaStream_t stream = nullptr) {
  return cu2cpp::detail::copyToSymbol(cu2cpp::detail::symbolOf(symbol), src, count, offset, kind,
                                      stream, false);
}
template <class Type>
inline cudaError_t cudaMemcpyFromSymbol(void* dst, Type& symbol, std::size_t count,
                                        std::size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cu2cpp::detail::copyFromSymbol(dst, cu2cpp::detail::symbolOf(symbol), count, offset, kind,
                                        nullptr, true);
}
template <class Type>
inline cudaError_t cudaMemcpyFromSymbolAsync(void* dst, Type& symbol, std::size_t count,
                                             std::size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                             cudaStream_t stream = nullptr) {
  return cu2cpp::detail::copyFromSymbol(dst, cu2cpp::detail::symbolOf(symbol), count, offset, kind,
                                        stream, false);
}
template <class Pointee, class Type>
inline cudaError_t cudaGetSymbolAddress(Pointee** devPtr, Type& symbol) {
  void* address = nullptr;
  const cudaError_t error =
      cu2cpp::detail::symbolAddress(&address, cu2cpp::detail::symbolOf(symbol));
  if (devPtr && error == cudaSuccess)
    *devPtr = static_cast<Pointee*>(address);
  return error;
}
template <class Type> inline cudaError_t cudaGetSymbolSize(std::size_t* size, Type& symbol) {
  return cu2cpp::detail::symbolSize(size, cu2cpp::detail::symbolOf(symbol));
}

#endif
