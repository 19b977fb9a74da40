// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lnvrtc
//
// A program that NVRTC compiles may include a file that lies beside it, where the process runs.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

#include <nvrtc.h>

int main() {
  char folder[] = "/tmp/nvrtc_includes_XXXXXX";
  if (!mkdtemp(folder) || chdir(folder) != 0)
    return 1;
  const std::string header = std::string(folder) + "/beside.h";
  if (FILE* file = std::fopen(header.c_str(), "w")) {
    std::fputs("#define BESIDE 7\n", file);
    std::fclose(file);
  }
  const char* text = "#include \"beside.h\"\n"
                     "extern \"C\" __global__ void k(int* p) { *p = BESIDE; }\n";
  nvrtcProgram program;
  nvrtcCreateProgram(&program, text, "./program.cu", 0, nullptr, nullptr);
  std::printf("%s\n", nvrtcGetErrorString(nvrtcCompileProgram(program, 0, nullptr)));
  nvrtcDestroyProgram(&program);
  unlink(header.c_str());
  rmdir(folder);
  return 0;
}
