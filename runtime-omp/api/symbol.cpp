// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies to and from variables of device code, which are global variables of the translated
// program.
//
// CUDA Runtime API, 'Memory Management': cudaMemcpyToSymbol and its kin.
#include <cu2cpp/api/symbols.h>

#include "api/copying.h"

using namespace cu2cpp::rt;
using cu2cpp::detail::Symbol;

namespace {

Status checkSymbol(const Symbol& symbol) {
  return symbol.address && isStaticVariable(symbol.address) ? Status::Ok : Status::InvalidSymbol;
}

Status checkRange(const Symbol& symbol, std::size_t count, std::size_t offset) {
  if (const Status status = checkSymbol(symbol); status != Status::Ok)
    return status;
  if (symbol.bytes != 0 && (offset > symbol.bytes || count > symbol.bytes - offset))
    return Status::InvalidValue;
  return Status::Ok;
}

Box boxAt(const void* p, std::size_t offset) {
  return {static_cast<char*>(const_cast<void*>(p)) + offset, 0, 0};
}

Mode modeOf(bool wait) { return wait ? Mode::Sync : Mode::Async; }

// From now on copies of its address are checked against its size, and pointer queries call it
// device memory.
void remember(const Symbol& symbol) {
  if (symbol.bytes != 0 && !process().allocations.find(symbol.address))
    (void)process().allocations.insert({reinterpret_cast<std::uintptr_t>(symbol.address),
                                        symbol.bytes, MemoryKind::Symbol, currentDevice().number(),
                                        0});
}

} // namespace

void cu2cpp::rt::noteVariable(void* address, std::size_t bytes) { remember({address, bytes}); }

namespace cu2cpp::detail {

bool manageVariable(void* address, std::size_t bytes) noexcept {
  return allocationTable().insert({reinterpret_cast<std::uintptr_t>(address), bytes,
                                   MemoryKind::ManagedSymbol, 0, 0}) == Status::Ok;
}

cudaError_t copyToSymbol(Symbol symbol, const void* src, std::size_t count, std::size_t offset,
                         cudaMemcpyKind kind, cudaStream_t stream, bool wait) noexcept {
  return deviceCall([=] {
    if (const Status status = checkRange(symbol, count, offset); status != Status::Ok)
      return status;
    if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost)
      return Status::InvalidCopyDirection;
    return copyBox(streamOf(stream), boxAt(symbol.address, offset), boxAt(src, 0), {count, 1, 1},
                   kind, modeOf(wait));
  });
}

cudaError_t copyFromSymbol(void* dst, Symbol symbol, std::size_t count, std::size_t offset,
                           cudaMemcpyKind kind, cudaStream_t stream, bool wait) noexcept {
  return deviceCall([=] {
    if (const Status status = checkRange(symbol, count, offset); status != Status::Ok)
      return status;
    if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost)
      return Status::InvalidCopyDirection;
    return copyBox(streamOf(stream), boxAt(dst, 0), boxAt(symbol.address, offset), {count, 1, 1},
                   kind, modeOf(wait));
  });
}

cudaError_t symbolAddress(void** address, Symbol symbol) noexcept {
  return deviceCall([=] {
    if (!address)
      return Status::InvalidValue;
    if (const Status status = checkSymbol(symbol); status != Status::Ok)
      return status;
    remember(symbol);
    *address = symbol.address;
    return Status::Ok;
  });
}

cudaError_t symbolSize(std::size_t* size, Symbol symbol) noexcept {
  return deviceCall([=] {
    if (!size)
      return Status::InvalidValue;
    if (checkSymbol(symbol) != Status::Ok || symbol.bytes == 0)
      return Status::InvalidSymbol;
    *size = symbol.bytes;
    return Status::Ok;
  });
}

} // namespace cu2cpp::detail

namespace {

// By address alone: the size is known if cudaGetSymbolAddress() has been called for the variable.
Symbol symbolAt(const void* address) {
  const std::optional<Allocation> found = process().allocations.find(address);
  const bool starts = found && found->address == reinterpret_cast<std::uintptr_t>(address);
  return {const_cast<void*>(address), starts ? found->bytes : 0};
}

} // namespace

extern "C" cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* src, size_t count,
                                          size_t offset, cudaMemcpyKind kind) {
  return cu2cpp::detail::copyToSymbol(symbolAt(symbol), src, count, offset, kind, nullptr, true);
}

extern "C" cudaError_t cudaMemcpyFromSymbol(void* dst, const void* symbol, size_t count,
                                            size_t offset, cudaMemcpyKind kind) {
  return cu2cpp::detail::copyFromSymbol(dst, symbolAt(symbol), count, offset, kind, nullptr, true);
}

extern "C" cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* src, size_t count,
                                               size_t offset, cudaMemcpyKind kind,
                                               cudaStream_t stream) {
  return cu2cpp::detail::copyToSymbol(symbolAt(symbol), src, count, offset, kind, stream, false);
}

extern "C" cudaError_t cudaMemcpyFromSymbolAsync(void* dst, const void* symbol, size_t count,
                                                 size_t offset, cudaMemcpyKind kind,
                                                 cudaStream_t stream) {
  return cu2cpp::detail::copyFromSymbol(dst, symbolAt(symbol), count, offset, kind, stream, false);
}

extern "C" cudaError_t cudaGetSymbolAddress(void** devPtr, const void* symbol) {
  return cu2cpp::detail::symbolAddress(devPtr, symbolAt(symbol));
}

extern "C" cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol) {
  return cu2cpp::detail::symbolSize(size, symbolAt(symbol));
}
