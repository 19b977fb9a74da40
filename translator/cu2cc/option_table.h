// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc's options as a table: spelling, how the value is written, and what the option means to
// cu2cc. To teach cu2cc an option, add a row here; a new meaning also needs a case in
// parse_options.cpp.
#ifndef CU2CPP_CU2CC_OPTION_TABLE_H
#define CU2CPP_CU2CC_OPTION_TABLE_H

#include <string>

namespace cu2cpp::cu2cc {

enum class Meaning {
  Ignored,  ///< about GPU code or NVIDIA's own phases: nothing to do on a CPU
  NoDevice, ///< asks for GPU code: refused
  Module,   ///< asks for a file to be loaded at run time: a shared library
  Allow32,  ///< -m: only 64 is possible
  Compile,
  CompileRelocatable,
  CompileWhole,
  DeviceLink,
  LinkPhase,
  Library,
  Translate,
  Preprocess,
  Dependencies,
  UserDependencies,
  WriteDependencies,
  WriteUserDependencies,
  DependencyFile,
  PhonyDependencies,
  DependencyTarget,
  Output,
  OutputDirectory,
  PreInclude,
  Define,
  Undefine,
  Include,
  SystemInclude,
  LinkLibrary,
  LibraryPath,
  HostCompiler,
  Archiver,
  Standard,
  Optimize,
  Debug,
  DeviceDebug,
  FastMath,
  Contract,
  Relocatable,
  Shared,
  LanguageOf,
  HostOptions,
  LinkerOptions,
  HostFlag,               ///< handed to the host compiler as it is written
  HostFlagValue,          ///< the same with its value
  ForwardUnknown,         ///< the host compiler gets what cu2cc does not know
  ForwardUnknownToLinker, ///< the linker gets it
  NoWarnings,
  NoExceptions,
  Werror,
  DefaultStream,
  Threads,
  Keep,
  KeepDirectory,
  TimeFile,
  Verbose,
  DryRun,
  Run,
  RunArguments,
  Help,
  Version,
  ListArchitectures,
  CudaVersion,
  Form,
  Report,
  LineDirectives,
  AllowUnsupported,
  ExplainVectorisation,
};

enum class Value {
  None,
  Separate, ///< `-opt value`, `-opt=value`
  Joined,   ///< also `-optvalue`
  Optional, ///< `-opt` or `-opt=value`
};

struct OptionRow {
  const char* shortName; ///< without dashes; may be null
  const char* longName;
  Value value;
  Meaning meaning;
};

/// findOption() looks up a word that begins with a dash. On success value is what is attached to
/// the option in the same word, and hasValue tells whether anything is.
const OptionRow* findOption(const std::string& word, std::string& value, bool& hasValue);

} // namespace cu2cpp::cu2cc

#endif
