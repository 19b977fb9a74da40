// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows, in the order of `nvcc --help`, then cu2cc's own.
#include "option_table.h"

#include <cstring>

namespace cu2cpp::cu2cc {
namespace {

const OptionRow rows[] = {
    // Phases.
    {"cuda", "cuda", Value::None, Meaning::Translate},
    {"cubin", "cubin", Value::None, Meaning::Module},
    {"fatbin", "fatbin", Value::None, Meaning::Module},
    {"ptx", "ptx", Value::None, Meaning::Module},
    {"optix-ir", "optix-ir", Value::None, Meaning::NoDevice},
    {"fdevice-syntax-only", "fdevice-syntax-only", Value::None, Meaning::NoDevice},
    {"r", "relocatable-link", Value::None, Meaning::NoDevice},
    {"ltoir", "ltoir", Value::None, Meaning::NoDevice},
    {"E", "preprocess", Value::None, Meaning::Preprocess},
    {"M", "generate-dependencies", Value::None, Meaning::Dependencies},
    {"MM", "generate-nonsystem-dependencies", Value::None, Meaning::UserDependencies},
    {"MD", "generate-dependencies-with-compile", Value::None, Meaning::WriteDependencies},
    {"MMD", "generate-nonsystem-dependencies-with-compile", Value::None,
     Meaning::WriteUserDependencies},
    {"MF", "dependency-output", Value::Separate, Meaning::DependencyFile},
    {"MP", "generate-dependency-targets", Value::None, Meaning::PhonyDependencies},
    {"MT", "dependency-target-name", Value::Separate, Meaning::DependencyTarget},
    {"MQ", nullptr, Value::Separate, Meaning::DependencyTarget},
    {"c", "compile", Value::None, Meaning::Compile},
    {"dc", "device-c", Value::None, Meaning::CompileRelocatable},
    {"dw", "device-w", Value::None, Meaning::CompileWhole},
    {"dlink", "device-link", Value::None, Meaning::DeviceLink},
    {"link", "link", Value::None, Meaning::LinkPhase},
    {"lib", "lib", Value::None, Meaning::Library},
    {"run", "run", Value::None, Meaning::Run},
    // Files and paths.
    {"o", "output-file", Value::Joined, Meaning::Output},
    {"odir", "output-directory", Value::Separate, Meaning::OutputDirectory},
    {"include", "pre-include", Value::Separate, Meaning::PreInclude},
    {"objtemp", "objdir-as-tempdir", Value::None, Meaning::Ignored},
    {"l", "library", Value::Joined, Meaning::LinkLibrary},
    {"D", "define-macro", Value::Joined, Meaning::Define},
    {"U", "undefine-macro", Value::Joined, Meaning::Undefine},
    {"I", "include-path", Value::Joined, Meaning::Include},
    {"isystem", "system-include", Value::Joined, Meaning::SystemInclude},
    {"L", "library-path", Value::Joined, Meaning::LibraryPath},
    {"ccbin", "compiler-bindir", Value::Separate, Meaning::HostCompiler},
    {"allow-unsupported-compiler", "allow-unsupported-compiler", Value::None, Meaning::Ignored},
    {"arbin", "archiver-binary", Value::Separate, Meaning::Archiver},
    {"cudart", "cudart", Value::Separate, Meaning::Ignored},
    {"cudadevrt", "cudadevrt", Value::Separate, Meaning::Ignored},
    {"ldir", "libdevice-directory", Value::Separate, Meaning::Ignored},
    {"target-dir", "target-directory", Value::Separate, Meaning::Ignored},
    // The host compiler and the code it makes.
    {"pg", "profile", Value::None, Meaning::HostFlag},
    {"g", "debug", Value::None, Meaning::Debug},
    {"G", "device-debug", Value::None, Meaning::DeviceDebug},
    {"lineinfo", "generate-line-info", Value::None, Meaning::Ignored},
    {"opt-info", "optimization-info", Value::Separate, Meaning::Ignored},
    {"O", "optimize", Value::Joined, Meaning::Optimize},
    {"Ofc", "Ofast-compile", Value::Separate, Meaning::Ignored},
    {"dopt", "dopt", Value::Optional, Meaning::Ignored},
    {"dlto", "dlink-time-opt", Value::None, Meaning::Ignored},
    {"lto", "lto", Value::None, Meaning::Ignored},
    {"gen-opt-lto", "gen-opt-lto", Value::None, Meaning::Ignored},
    {"ftemplate-backtrace-limit", "ftemplate-backtrace-limit", Value::Separate,
     Meaning::HostFlagValue},
    {"ftemplate-depth", "ftemplate-depth", Value::Separate, Meaning::HostFlagValue},
    {"noeh", "no-exceptions", Value::None, Meaning::NoExceptions},
    {"shared", "shared", Value::None, Meaning::Shared},
    {"x", "x", Value::Joined, Meaning::LanguageOf},
    {"std", "std", Value::Separate, Meaning::Standard},
    {"nohdinitlist", "no-host-device-initializer-list", Value::None, Meaning::Ignored},
    {"nohdmoveforward", "no-host-device-move-forward", Value::None, Meaning::Ignored},
    {"expt-relaxed-constexpr", "expt-relaxed-constexpr", Value::None, Meaning::Ignored},
    {"extended-lambda", "extended-lambda", Value::None, Meaning::Ignored},
    {"expt-extended-lambda", "expt-extended-lambda", Value::None, Meaning::Ignored},
    {"m", "machine", Value::Joined, Meaning::Allow32},
    {"m64", "m64", Value::None, Meaning::Ignored},
    {"Xcompiler", "compiler-options", Value::Separate, Meaning::HostOptions},
    {"Xlinker", "linker-options", Value::Separate, Meaning::LinkerOptions},
    {"Xarchive", "archive-options", Value::Separate, Meaning::Ignored},
    {"Xptxas", "ptxas-options", Value::Separate, Meaning::Ignored},
    {"Xcudafe", "cudafe-options", Value::Separate, Meaning::Ignored},
    {"Xopencc", "opencc-options", Value::Separate, Meaning::Ignored},
    {"Xcicc", "cicc-options", Value::Separate, Meaning::Ignored},
    {"Xnvlink", "nvlink-options", Value::Separate, Meaning::Ignored},
    {"Xfatbin", "fatbin-options", Value::Separate, Meaning::Ignored},
    {"static-global-template-stub", "static-global-template-stub", Value::Separate,
     Meaning::Ignored},
    {"device-entity-has-hidden-visibility", "device-entity-has-hidden-visibility", Value::Separate,
     Meaning::Ignored},
    // Unknown -f, -m and -W options reach the host compiler anyway, see parse_options.cpp.
    {"forward-unknown-to-host-compiler", "forward-unknown-to-host-compiler", Value::None,
     Meaning::ForwardUnknown},
    {"forward-unknown-to-host-linker", "forward-unknown-to-host-linker", Value::None,
     Meaning::ForwardUnknownToLinker},
    {"forward-unknown-opts", "forward-unknown-opts", Value::None, Meaning::ForwardUnknown},
    {"noprof", "dont-use-profile", Value::None, Meaning::Ignored},
    {"pthread", "pthread", Value::None, Meaning::HostFlag},
    // The driver.
    {"dryrun", "dryrun", Value::None, Meaning::DryRun},
    {"v", "verbose", Value::None, Meaning::Verbose},
    {"t", "threads", Value::Joined, Meaning::Threads},
    {"split-compile", "split-compile", Value::Separate, Meaning::Ignored},
    {"split-compile-extended", "split-compile-extended", Value::Separate, Meaning::Ignored},
    {"keep", "keep", Value::None, Meaning::Keep},
    {"keep-dir", "keep-dir", Value::Separate, Meaning::KeepDirectory},
    {"time", "time", Value::Separate, Meaning::TimeFile},
    // Windows only.
    {"use-local-env", "use-local-env", Value::None, Meaning::Ignored},
    {"force-cl-env-setup", "force-cl-env-setup", Value::None, Meaning::Ignored},
    {"idp", "input-drive-prefix", Value::Separate, Meaning::Ignored},
    {"ddp", "dependency-drive-prefix", Value::Separate, Meaning::Ignored},
    {"dp", "drive-prefix", Value::Separate, Meaning::Ignored},
    {"save-temps", "save-temps", Value::None, Meaning::Keep},
    {"run-args", "run-args", Value::Separate, Meaning::RunArguments},
    {"nodlink", "no-device-link", Value::None, Meaning::Ignored},
    {"no-align-double", "no-align-double", Value::None, Meaning::Ignored},
    {"h", "help", Value::None, Meaning::Help},
    {"V", "version", Value::None, Meaning::Version},
    // GPU code.
    {"arch", "gpu-architecture", Value::Separate, Meaning::Ignored},
    {"code", "gpu-code", Value::Separate, Meaning::Ignored},
    {"gencode", "generate-code", Value::Separate, Meaning::Ignored},
    {nullptr, "gpu-name", Value::Separate, Meaning::Ignored},
    {"rdc", "relocatable-device-code", Value::Separate, Meaning::Relocatable},
    {"e", "entries", Value::Separate, Meaning::Ignored},
    {"maxrregcount", "maxrregcount", Value::Separate, Meaning::Ignored},
    {"use_fast_math", "use_fast_math", Value::None, Meaning::FastMath},
    {"ftz", "ftz", Value::Separate, Meaning::Ignored},
    {"prec-div", "prec-div", Value::Separate, Meaning::Ignored},
    {"prec-sqrt", "prec-sqrt", Value::Separate, Meaning::Ignored},
    {"fmad", "fmad", Value::Separate, Meaning::Contract},
    {"extra-device-vectorization", "extra-device-vectorization", Value::None, Meaning::Ignored},
    {"default-stream", "default-stream", Value::Separate, Meaning::DefaultStream},
    {"keep-device-functions", "keep-device-functions", Value::None, Meaning::Ignored},
    {"src-in-ptx", "source-in-ptx", Value::None, Meaning::Ignored},
    {"restrict", "restrict", Value::None, Meaning::Ignored},
    {"res-usage", "resource-usage", Value::None, Meaning::Ignored},
    {"ewp", "extensible-whole-program", Value::None, Meaning::Ignored},
    {"no-compress", "no-compress", Value::None, Meaning::Ignored},
    {"compress-mode", "compress-mode", Value::Separate, Meaning::Ignored},
    {"arch-ls", "list-gpu-arch", Value::None, Meaning::ListArchitectures},
    {"code-ls", "list-gpu-code", Value::None, Meaning::ListArchitectures},
    {"jtd", "jump-table-density", Value::Separate, Meaning::Ignored},
    {"reloc-ptx", "relocatable-ptx", Value::None, Meaning::Ignored},
    {"fdevice-time-trace", "fdevice-time-trace", Value::Separate, Meaning::Ignored},
    {"astoolspatch", "compile-as-tools-patch", Value::None, Meaning::NoDevice},
    {"sanitize", "sanitize", Value::Separate, Meaning::NoDevice},
    {"device-stack-protector", "device-stack-protector", Value::Separate, Meaning::Ignored},
    {"frandom-seed", "frandom-seed", Value::Separate, Meaning::HostFlagValue},
    {"jobserver", "jobserver", Value::None, Meaning::Ignored},
    {"hls", "host-linker-script", Value::Separate, Meaning::Ignored},
    {"aug-hls", "augment-host-linker-script", Value::None, Meaning::Ignored},
    // Warnings of NVIDIA's front end.
    {"w", "disable-warnings", Value::None, Meaning::NoWarnings},
    {"Werror", "Werror", Value::Optional, Meaning::Werror},
    {"Wreorder", "Wreorder", Value::None, Meaning::HostFlag},
    {"Wno-deprecated-declarations", "Wno-deprecated-declarations", Value::None, Meaning::HostFlag},
    {"Wdefault-stream-launch", "Wdefault-stream-launch", Value::None, Meaning::Ignored},
    {"Wmissing-launch-bounds", "Wmissing-launch-bounds", Value::None, Meaning::Ignored},
    {"Wext-lambda-captures-this", "Wext-lambda-captures-this", Value::None, Meaning::Ignored},
    {"Wno-deprecated-gpu-targets", "Wno-deprecated-gpu-targets", Value::None, Meaning::Ignored},
    {"err-no", "display-error-number", Value::None, Meaning::Ignored},
    {"no-err-no", "no-display-error-number", Value::None, Meaning::Ignored},
    {"diag-error", "diag-error", Value::Separate, Meaning::Ignored},
    {"diag-suppress", "diag-suppress", Value::Separate, Meaning::Ignored},
    {"diag-warn", "diag-warn", Value::Separate, Meaning::Ignored},
    {"brief-diag", "brief-diagnostics", Value::Separate, Meaning::Ignored},
    // cu2cc's own.
    {nullptr, "cuda-version", Value::Separate, Meaning::CudaVersion},
    {nullptr, "cu2cpp-form", Value::Separate, Meaning::Form},
    {nullptr, "cu2cpp-report", Value::Separate, Meaning::Report},
    {nullptr, "cu2cpp-line-directives", Value::Separate, Meaning::LineDirectives},
    {nullptr, "cu2cpp-allow-unsupported", Value::None, Meaning::AllowUnsupported},
    {nullptr, "cu2cpp-explain-vectorisation", Value::None, Meaning::ExplainVectorisation},
};

bool matches(const char* name, const std::string& text) { return name && text == name; }

} // namespace

const OptionRow* findOption(const std::string& word, std::string& value, bool& hasValue) {
  const std::string name = word.substr(word.rfind("--", 0) == 0 ? 2 : 1);
  hasValue = false;
  for (const OptionRow& row : rows)
    if (matches(row.shortName, name) || matches(row.longName, name))
      return &row;

  hasValue = true;
  const std::size_t equals = name.find('=');
  if (equals != std::string::npos) {
    const std::string before = name.substr(0, equals);
    for (const OptionRow& row : rows)
      if (row.value != Value::None &&
          (matches(row.shortName, before) || matches(row.longName, before))) {
        value = name.substr(equals + 1);
        return &row;
      }
  }
  // `-Idir`: the longest name wins, and only one dash is possible.
  const OptionRow* best = nullptr;
  if (word.rfind("--", 0) != 0)
    for (const OptionRow& row : rows)
      if (row.value == Value::Joined && name.rfind(row.shortName, 0) == 0 &&
          (!best || std::strlen(row.shortName) > std::strlen(best->shortName)))
        best = &row;
  if (best)
    value = name.substr(std::strlen(best->shortName));
  return best;
}

} // namespace cu2cpp::cu2cc
