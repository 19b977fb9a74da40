// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device-side assert(), __trap() and __brkpt(). The library answers the C library's __assert_fail()
// itself: inside a kernel as CUDA does, with block and thread, and the launch fails; outside as the
// C library does.
//
// CUDA C++ Programming Guide, 'Assertion', 'Trap function', 'Breakpoint Function'.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <cu2cpp/block.h>
#include <cu2cpp/device/control.h>
#include <cu2cpp/split.h>

#include "exec/fibers.h"

namespace {

// functionName() strips what the translation adds to a kernel's name: the lambda that is its body.
std::string functionName(const char* pretty) {
  std::string name = pretty ? pretty : "?";
  for (const char* lambda : {"::<lambda", "::(anonymous class)", "::(lambda"}) {
    const std::size_t at = name.find(lambda);
    if (at == std::string::npos)
      continue;
    name.resize(at);
    // clang writes the lambda's own result type first.
    if (name.compare(0, 5, "auto ") == 0)
      name.replace(0, 5, "void ");
  }
  return name;
}

std::string indices(const char* what, const uint3& v) {
  return std::string(what) + ": [" + std::to_string(v.x) + ',' + std::to_string(v.y) + ',' +
         std::to_string(v.z) + ']';
}

[[noreturn]] void endByAssert(const uint3* thread, const char* expression, const char* file,
                              unsigned line, const char* function) {
  { // The text goes before the kernel ends: its stack is left as it is.
    std::string text = std::string(file) + ':' + std::to_string(line) + ": " +
                       functionName(function) + ": " +
                       indices("block", cu2cpp::detail::context.block->blockIdx);
    if (thread)
      text += ", " + indices("thread", *thread);
    text += " Assertion `" + std::string(expression) + "` failed.\n";
    std::fputs(text.c_str(), stderr);
  }
  cu2cpp::rt::endKernel(cudaErrorAssert);
}

} // namespace

extern "C" __attribute__((noreturn)) void __assert_fail(const char* expression, const char* file,
                                                        unsigned line,
                                                        const char* function) noexcept {
  using cu2cpp::detail::context;
  if (!context.block) {
    std::fprintf(stderr, "%s%s%s:%u: %s%sAssertion `%s' failed.\n", program_invocation_short_name,
                 *program_invocation_short_name ? ": " : "", file, line, function ? function : "",
                 function ? ": " : "", expression);
    std::fflush(nullptr);
    std::abort();
  }
  endByAssert(context.thread ? &context.thread->threadIdx : nullptr, expression, file, line,
              function);
}

void cu2cpp::assertFails(uint3 thread, const char* expression, const char* file, unsigned line,
                         const char* function) noexcept {
  endByAssert(&thread, expression, file, line, function);
}

void __trap() { cu2cpp::rt::endKernel(cudaErrorLaunchFailure); }

void cu2cpp::detail::valuesDiffer(const char* group, const char* file, int line) {
  std::fprintf(
      stderr,
      "cu2cpp: %s:%d: the threads of a %s disagree on a value that steers a barrier or "
      "collective.\n"
      "cu2cpp: Translate this kernel with --form=fibers, where threads go their own ways.\n",
      file, line, group);
  std::fflush(nullptr);
  std::abort();
}

void __brkpt() { std::raise(SIGTRAP); }
