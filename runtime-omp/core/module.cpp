// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules by dlopen(). The image goes into a file without a name first: the loader would take two
// loads of one file for the same library.
#include "core/module.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/memory_pool.h"
#include "core/module_compiler.h"
#include "core/process.h"

#include "exec/block_loop.h"

namespace cu2cpp::rt {
namespace {

// An ELF file ends with its table of sections.
std::size_t sizeOf(const void* image) {
  ElfW(Ehdr) header;
  std::memcpy(&header, image, sizeof header);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
    return 0;
  return std::size_t(header.e_shoff) + std::size_t(header.e_shentsize) * header.e_shnum;
}

// The value of a digit of base64 (RFC 4648); 64 for what is none.
unsigned digitOf(char c) {
  return c >= 'A' && c <= 'Z'   ? unsigned(c - 'A')
         : c >= 'a' && c <= 'z' ? unsigned(c - 'a') + 26
         : c >= '0' && c <= '9' ? unsigned(c - '0') + 52
         : c == '+'             ? 62
         : c == '/'             ? 63
                                : 64;
}

// PTX begins with a directive for its version, behind comments (PTX ISA, '.version').
bool isPtx(const char* text) {
  for (;;) {
    text += std::strspn(text, " \t\r\n");
    if (std::strncmp(text, "//", 2) == 0)
      text += std::strcspn(text, "\n");
    else if (std::strncmp(text, "/*", 2) != 0)
      return std::strncmp(text, ".version", 8) == 0;
    else if (!(text = std::strstr(text + 2, "*/")))
      return false;
    else
      text += 2;
  }
}

} // namespace

Status Module::binaryOf(const char* text, std::string& bytes, std::string& why) {
  const char head[] = "// cu2cpp module";
  if (std::strncmp(text, head, sizeof head - 1) != 0) {
    if (isPtx(text))
      return compilePtx(text, bytes, why);
    why = "not a module that cu2cc or NVRTC has made";
    return Status::InvalidImage;
  }
  text = std::strchr(text, '\n');
  unsigned bits = 0, held = 0;
  for (; text && *text && *text != '='; ++text) {
    const unsigned digit = digitOf(*text);
    if (digit == 64)
      continue; // the end of a line
    bits = bits << 6 | digit;
    held += 6;
    if (held < 8)
      continue;
    held -= 8;
    bytes += char(bits >> held & 255);
  }
  return Status::Ok;
}

Status Module::loadBytes(const void* bytes, std::size_t size, std::shared_ptr<Module>& out,
                         std::string& why) {
  if (size < sizeof(ElfW(Ehdr)) || sizeOf(bytes) == 0) {
    why = "not a module that cu2cc or NVRTC has made";
    return Status::InvalidImage;
  }
  const std::shared_ptr<SharedFile> file = SharedFile::create("cu2cpp-module", size);
  if (!file || write(file->fd(), bytes, size) != ssize_t(size)) {
    why = "no memory for the module";
    return Status::OutOfMemory;
  }
  const std::string path = "/proc/self/fd/" + std::to_string(file->fd());
  void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    why = dlerror();
    return Status::ModuleSymbolNotFound;
  }
  out = std::shared_ptr<Module>(new Module(handle, file));
  return Status::Ok;
}

Status Module::loadFile(const char* path, std::shared_ptr<Module>& out, std::string& why) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    why = std::string("can not open ") + path;
    return Status::FileNotFound;
  }
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  // As many bytes as the file has; what a broken header says may be more.
  return bytes.compare(0, SELFMAG, ELFMAG) == 0 ? loadBytes(bytes.data(), bytes.size(), out, why)
                                                : loadImage(bytes.c_str(), out, why);
}

Status Module::loadImage(const void* image, std::shared_ptr<Module>& out, std::string& why) {
  // A library's size is in its header; text ends with a zero.
  const char* const start = static_cast<const char*>(image);
  if (std::strncmp(start, ELFMAG, SELFMAG) == 0)
    return loadBytes(image, sizeOf(image), out, why);
  std::string bytes;
  if (const Status status = binaryOf(start, bytes, why); status != Status::Ok)
    return status;
  return loadBytes(bytes.data(), bytes.size(), out, why);
}

Module::~Module() {
  for (const void* kernel : entries())
    process().functions.remove(kernel);
  for (void* variable : inUse_)
    (void)process().allocations.remove(variable, MemoryKind::Symbol, MemoryKind::Symbol);
  forgetKernels();
  dlclose(handle_);
}

const void* Module::base() const {
  const link_map* map = nullptr;
  return dlinfo(handle_, RTLD_DI_LINKMAP, &map) == 0 ? reinterpret_cast<const void*>(map->l_addr)
                                                     : nullptr;
}

std::vector<const void*> Module::kernels() const {
  std::vector<const void*> result = entries();
  result.erase(std::remove_if(result.begin(), result.end(),
                              [](const void* kernel) { return !process().functions.find(kernel); }),
               result.end());
  return result;
}

std::vector<const void*> Module::entries() const {
  std::vector<const void*> result;
  const void* const own = base();
  for (const void* kernel : process().functions.all()) {
    Dl_info info{};
    if (dladdr(kernel, &info) && info.dli_fbase == own)
      result.push_back(kernel);
  }
  return result;
}

const void* Module::kernel(const char* name) const {
  const void* const found = dlsym(handle_, name);
  return found && process().functions.find(found) ? found : nullptr;
}

std::string Module::nameBehind(const std::string& variable) const {
  void* const* const pointer = static_cast<void* const*>(dlsym(handle_, variable.c_str()));
  Dl_info info{};
  return pointer && dladdr(*pointer, &info) && info.dli_sname ? info.dli_sname : "";
}

void* Module::function(const char* name) const {
  void* const found = dlsym(handle_, name);
  Dl_info info{};
  return found && dladdr(found, &info) && info.dli_fbase == base() ? found : nullptr;
}

void* Module::variable(const char* name, std::size_t& bytes) const {
  void* const found = dlsym(handle_, name);
  Dl_info info{};
  const ElfW(Sym)* symbol = nullptr;
  if (!found || !dladdr1(found, &info, const_cast<void**>(reinterpret_cast<const void**>(&symbol)),
                         RTLD_DL_SYMENT))
    return nullptr;
  if (!symbol || ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT || info.dli_fbase != base())
    return nullptr;
  bytes = symbol->st_size;
  return found;
}

} // namespace cu2cpp::rt
