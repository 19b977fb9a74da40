// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels and variables that are loaded at run time: a shared library that `cu2cc -cubin`,
// `-fatbin` or `-ptx` has written, or that NVRTC has made. Each load is a copy of its own, as on a
// GPU.
//
// CUDA Driver API, 'Module Management'.
#ifndef CU2CPP_CORE_MODULE_H
#define CU2CPP_CORE_MODULE_H

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "exec/status.h"

namespace cu2cpp::rt {

class SharedFile;

class Module {
public:
  /// loadFile() and loadImage() give a reason where they fail.
  static Status loadFile(const char* path, std::shared_ptr<Module>& out, std::string& why);
  static Status loadImage(const void* image, std::shared_ptr<Module>& out, std::string& why);
  /// binaryOf() is the library in the text that `cu2cc -ptx` writes, or that PTX compiles to.
  static Status binaryOf(const char* text, std::string& library, std::string& why);
  ~Module();
  Module(const Module&) = delete;

  /// kernel() is the kernel of that (linker's) name, null if there is none.
  const void* kernel(const char* name) const;
  /// variable() is the variable of that name and its size.
  void* variable(const char* name, std::size_t& bytes) const;
  /// function() is a function for both sides of that name.
  void* function(const char* name) const;
  /// nameBehind() is the name of what a variable of that name points at.
  std::string nameBehind(const std::string& variable) const;
  std::vector<const void*> kernels() const;
  /// noteVariable() is for a variable that the table of allocations knows: it goes with the module.
  void noteVariable(void* address) { inUse_.push_back(address); }

private:
  Module(void* handle, std::shared_ptr<SharedFile> file)
      : handle_(handle), file_(std::move(file)) {}
  static Status loadBytes(const void* bytes, std::size_t size, std::shared_ptr<Module>& out,
                          std::string& why);
  const void* base() const;
  /// entries() is what the table of functions has of this module: its kernels, and those that only
  /// have limits.
  std::vector<const void*> entries() const;
  void* handle_;
  // Open as long as the module: the loader knows libraries by path, and the path has its number.
  std::shared_ptr<SharedFile> file_;
  std::vector<void*> inUse_;
};

} // namespace cu2cpp::rt

#endif
