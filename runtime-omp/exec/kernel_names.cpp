// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of kernels, from the program's file.
#include "exec/kernel_names.h"

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <vector>

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

namespace cu2cpp::rt {
namespace {

std::string demangled(const char* name) {
  int status = 0;
  char* const text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string result = text ? text : name;
  std::free(text);
  return result;
}

// The names of the program's own functions, static ones too, from its file: the loader knows only
// those that are exported.
std::map<std::uintptr_t, std::string> namesOfProgram() {
  std::map<std::uintptr_t, std::string> names;
  std::ifstream in("/proc/self/exe", std::ios::binary);
  ElfW(Ehdr) header{};
  if (!in.read(reinterpret_cast<char*>(&header), sizeof header))
    return names;
  std::vector<ElfW(Shdr)> sections(header.e_shnum);
  in.seekg(std::streamoff(header.e_shoff));
  in.read(reinterpret_cast<char*>(sections.data()),
          std::streamsize(sections.size() * sizeof sections[0]));
  std::uintptr_t base = 0;
  if (header.e_type == ET_DYN)
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* out) {
          *static_cast<std::uintptr_t*>(out) = info->dlpi_addr;
          return 1; // the program comes first
        },
        &base);
  for (const ElfW(Shdr) & section : sections) {
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size())
      continue;
    std::vector<ElfW(Sym)> symbols(section.sh_size / sizeof(ElfW(Sym)));
    std::string texts(sections[section.sh_link].sh_size, 0);
    in.seekg(std::streamoff(section.sh_offset));
    in.read(reinterpret_cast<char*>(symbols.data()),
            std::streamsize(symbols.size() * sizeof symbols[0]));
    in.seekg(std::streamoff(sections[section.sh_link].sh_offset));
    in.read(texts.data(), std::streamsize(texts.size()));
    for (const ElfW(Sym) & symbol : symbols)
      if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_name < texts.size())
        names[base + symbol.st_value] = texts.c_str() + symbol.st_name;
  }
  return names;
}

} // namespace

std::string kernelName(const void* kernel) {
  static const std::map<std::uintptr_t, std::string> own = namesOfProgram();
  const auto found = own.find(reinterpret_cast<std::uintptr_t>(kernel));
  if (found != own.end())
    return demangled(found->second.c_str());
  Dl_info info{};
  return kernel && dladdr(kernel, &info) && info.dli_sname ? demangled(info.dli_sname) : "kernel";
}

} // namespace cu2cpp::rt
