// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that are compiled at run time.
//
// NVRTC, 'User Interface'.
#include "driver/nvrtc_program.h"

#include <cstring>
#include <iterator>
#include <memory>
#include <new>

#include <cuda_runtime_api.h>

#include "core/module.h"
#include "core/process.h"

namespace {

using Program = _nvrtcProgram;

cu2cpp::rt::HandleTable<Program>& programs() {
  static auto& theTable = *new cu2cpp::rt::HandleTable<Program>;
  return theTable;
}

template <class Body> nvrtcResult programCall(nvrtcProgram handle, Body body) noexcept {
  try {
    const std::shared_ptr<Program> program = programs().find(handle);
    return program ? body(*program) : NVRTC_ERROR_INVALID_PROGRAM;
  } catch (const std::bad_alloc&) {
    return NVRTC_ERROR_OUT_OF_MEMORY;
  } catch (...) {
    return NVRTC_ERROR_INTERNAL_ERROR;
  }
}

nvrtcResult give(const std::string& text, bool terminated, char* out) {
  if (!out)
    return NVRTC_ERROR_INVALID_INPUT;
  std::memcpy(out, text.c_str(), text.size() + terminated);
  return NVRTC_SUCCESS;
}

} // namespace

extern "C" const char* nvrtcGetErrorString(nvrtcResult result) {
  static const char* const names[] = {"NVRTC_SUCCESS",
                                      "NVRTC_ERROR_OUT_OF_MEMORY",
                                      "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
                                      "NVRTC_ERROR_INVALID_INPUT",
                                      "NVRTC_ERROR_INVALID_PROGRAM",
                                      "NVRTC_ERROR_INVALID_OPTION",
                                      "NVRTC_ERROR_COMPILATION",
                                      "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
                                      "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
                                      "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
                                      "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
                                      "NVRTC_ERROR_INTERNAL_ERROR",
                                      "NVRTC_ERROR_TIME_FILE_WRITE_FAILED"};
  return unsigned(result) < std::size(names) ? names[result] : "NVRTC_ERROR unknown";
}

extern "C" nvrtcResult nvrtcVersion(int* major, int* minor) {
  if (!major || !minor)
    return NVRTC_ERROR_INVALID_INPUT;
  *major = CUDART_VERSION / 1000;
  *minor = CUDART_VERSION % 1000 / 10;
  return NVRTC_SUCCESS;
}

// One: the architecture that device code sees here.
extern "C" nvrtcResult nvrtcGetNumSupportedArchs(int* numArchs) {
  if (!numArchs)
    return NVRTC_ERROR_INVALID_INPUT;
  *numArchs = 1;
  return NVRTC_SUCCESS;
}
extern "C" nvrtcResult nvrtcGetSupportedArchs(int* supportedArchs) {
  if (!supportedArchs)
    return NVRTC_ERROR_INVALID_INPUT;
  *supportedArchs = 90;
  return NVRTC_SUCCESS;
}

extern "C" nvrtcResult nvrtcCreateProgram(nvrtcProgram* prog, const char* src, const char* name,
                                          int numHeaders, const char* const* headers,
                                          const char* const* includeNames) {
  if (!prog)
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (!src || numHeaders < 0 || (numHeaders > 0 && (!headers || !includeNames)))
    return NVRTC_ERROR_INVALID_INPUT;
  for (int i = 0; i < numHeaders; ++i)
    if (!headers[i] || !includeNames[i])
      return NVRTC_ERROR_INVALID_INPUT;
  try {
    auto program = std::make_shared<Program>();
    program->source = src;
    program->name = name && *name ? name : "default_program";
    for (int i = 0; i < numHeaders; ++i)
      program->headers[includeNames[i]] = headers[i];
    *prog = program.get();
    programs().add(std::move(program));
    return NVRTC_SUCCESS;
  } catch (const std::bad_alloc&) {
    return NVRTC_ERROR_OUT_OF_MEMORY;
  }
}

extern "C" nvrtcResult nvrtcDestroyProgram(nvrtcProgram* prog) {
  if (!prog || !programs().remove(*prog))
    return NVRTC_ERROR_INVALID_PROGRAM;
  *prog = nullptr;
  return NVRTC_SUCCESS;
}

extern "C" nvrtcResult nvrtcCompileProgram(nvrtcProgram prog, int numOptions,
                                           const char* const* options) {
  return programCall(prog, [=](Program& program) {
    if (numOptions < 0 || (numOptions > 0 && !options))
      return NVRTC_ERROR_INVALID_INPUT;
    return cu2cpp::rt::compileProgram(program, numOptions, options);
  });
}

extern "C" nvrtcResult nvrtcGetPTXSize(nvrtcProgram prog, size_t* ptxSizeRet) {
  return programCall(prog, [=](Program& program) {
    if (!ptxSizeRet)
      return NVRTC_ERROR_INVALID_INPUT;
    *ptxSizeRet = program.module.size() + 1;
    return NVRTC_SUCCESS;
  });
}
extern "C" nvrtcResult nvrtcGetPTX(nvrtcProgram prog, char* ptx) {
  return programCall(prog, [=](Program& program) {
    return program.compiled ? give(program.module, true, ptx) : NVRTC_ERROR_INVALID_PROGRAM;
  });
}
static std::string libraryOf(const Program& program) {
  std::string library, why;
  const auto status = cu2cpp::rt::Module::binaryOf(program.module.c_str(), library, why);
  return status == cu2cpp::rt::Status::Ok ? library : std::string();
}
extern "C" nvrtcResult nvrtcGetCUBINSize(nvrtcProgram prog, size_t* cubinSizeRet) {
  return programCall(prog, [=](Program& program) {
    if (!cubinSizeRet || !program.compiled)
      return cubinSizeRet ? NVRTC_ERROR_INVALID_PROGRAM : NVRTC_ERROR_INVALID_INPUT;
    *cubinSizeRet = libraryOf(program).size();
    return NVRTC_SUCCESS;
  });
}
extern "C" nvrtcResult nvrtcGetCUBIN(nvrtcProgram prog, char* cubin) {
  return programCall(prog, [=](Program& program) {
    return program.compiled ? give(libraryOf(program), false, cubin) : NVRTC_ERROR_INVALID_PROGRAM;
  });
}
extern "C" nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram prog, size_t* logSizeRet) {
  return programCall(prog, [=](Program& program) {
    if (!logSizeRet)
      return NVRTC_ERROR_INVALID_INPUT;
    *logSizeRet = program.log.size() + 1;
    return NVRTC_SUCCESS;
  });
}
extern "C" nvrtcResult nvrtcGetProgramLog(nvrtcProgram prog, char* log) {
  return programCall(prog, [=](Program& program) { return give(program.log, true, log); });
}

extern "C" nvrtcResult nvrtcAddNameExpression(nvrtcProgram prog, const char* const name) {
  return programCall(prog, [=](Program& program) {
    if (!name)
      return NVRTC_ERROR_INVALID_INPUT;
    if (program.compiled)
      return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    program.expressions.push_back(name);
    return NVRTC_SUCCESS;
  });
}
extern "C" nvrtcResult nvrtcGetLoweredName(nvrtcProgram prog, const char* const name,
                                           const char** lowered_name) {
  return programCall(prog, [=](Program& program) {
    if (!name || !lowered_name)
      return NVRTC_ERROR_INVALID_INPUT;
    if (!program.compiled)
      return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    const auto found = program.lowered.find(name);
    if (found == program.lowered.end())
      return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
    *lowered_name = found->second.c_str();
    return NVRTC_SUCCESS;
  });
}
