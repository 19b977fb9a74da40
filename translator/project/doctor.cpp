// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "project/doctor.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include <unistd.h>

#include "parse/cuda_invocation.h"

#include "build_config.h"

namespace fs = std::filesystem;

namespace cu2cpp {
namespace {

/// Runs a shell command; the first line of what it printed, and whether it succeeded.
bool run(const std::string& command, std::string* firstLine = nullptr) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (!pipe)
    return false;
  std::string text;
  char buffer[4096];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe))
    text.append(buffer, n);
  if (firstLine)
    *firstLine = text.substr(0, text.find('\n'));
  return pclose(pipe) == 0;
}

class Report {
public:
  void ok(const std::string& what) { std::printf("  ok       %s\n", what.c_str()); }
  void note(const std::string& what) {
    std::printf("  missing  %s\n", what.c_str());
    worst_ = std::max(worst_, 1);
  }
  void fail(const std::string& what) {
    std::printf("  FAILED   %s\n", what.c_str());
    worst_ = 2;
  }
  int worst() const { return worst_; }

private:
  int worst_ = 0;
};

class Folder {
public:
  Folder() : path_((fs::temp_directory_path() / "cu2cpp-doctor-XXXXXX").string()) {
    if (!mkdtemp(path_.data()))
      path_.clear();
  }
  ~Folder() {
    std::error_code ignored;
    if (!path_.empty())
      fs::remove_all(path_, ignored);
  }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ + "/" + name) << text;
    return path_ + "/" + name;
  }
  std::string path(const std::string& name) const { return path_ + "/" + name; }

private:
  std::string path_;
};

const char openMpProgram[] = "#include <omp.h>\n#include <cstdio>\nint main() {\n  int n = 0;\n"
                             "#pragma omp parallel reduction(+ : n)\n  n += 1;\n"
                             "  std::printf(\"%d\\n\", n);\n}\n";

const char cudaProgram[] = "#include <cstdio>\n"
                           "__global__ void twice(int* p) { p[threadIdx.x] *= 2; }\n"
                           "int main() {\n"
                           "  int *d = nullptr, h[4] = {1, 2, 3, 4};\n"
                           "  cudaMalloc(&d, sizeof h);\n"
                           "  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);\n"
                           "  twice<<<1, 4>>>(d);\n"
                           "  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);\n"
                           "  std::puts(h[0] == 2 && h[3] == 8 ? \"right\" : \"wrong\");\n"
                           "}\n";

/// builds() says whether a compiler makes a file of the program.
bool builds(const Folder& folder, const std::string& compiler, const std::string& options,
            const std::string& program) {
  return run(compiler + " -std=c++17 " + options + " " + folder.write("probe.cpp", program) +
             " -o " + folder.path("probe"));
}

/// g++ makes whole programs.
void checkGcc(Report& report, const Folder& folder) {
  std::string version;
  if (!run("command -v g++"))
    return report.fail("no g++: install a C++ compiler");
  run("g++ --version", &version);
  if (!builds(folder, "g++", "-fopenmp", openMpProgram) || !run(folder.path("probe")))
    return report.fail(version + ": cannot build a program with -std=c++17 -fopenmp");
  report.ok(version + ", with OpenMP");
}

/// clang++ makes kernels, for which it needs no OpenMP library; `-ccbin clang++` makes whole
/// programs with it, for which it does.
void checkClang(Report& report, const Folder& folder, const std::string& compiler) {
  std::string version;
  if (!run("command -v " + compiler))
    return report.note("no " + compiler + ": kernels run faster where clang++ compiles them");
  run(compiler + " --version", &version);
  if (!builds(folder, compiler, "-fopenmp-simd -c", "#include <vector>\nstd::vector<int> v(4);\n"))
    return report.note(version + ": cannot compile for kernels with -std=c++17 -fopenmp-simd");
  report.ok(version + (builds(folder, compiler, "-fopenmp", openMpProgram)
                           ? ", for kernels and whole programs"
                           : ", for kernels (whole programs, -ccbin, need its OpenMP library too: "
                             "libomp-dev)"));
}

void checkMachine(Report& report) {
  const unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  const double gigabytes =
      double(sysconf(_SC_PHYS_PAGES)) * double(sysconf(_SC_PAGE_SIZE)) / (1 << 30);
  char text[128];
  std::snprintf(text, sizeof text, "%u processors, %.1f GiB of memory", threads, gigabytes);
  report.ok(text);
#if defined(__x86_64__)
  std::string features;
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2"))
    features += " AVX2";
  if (__builtin_cpu_supports("fma"))
    features += " FMA";
  if (__builtin_cpu_supports("avx512f"))
    features += " AVX-512";
  if (__builtin_cpu_supports("avx2"))
    report.ok("vector instructions:" + features);
  else
    report.note("no AVX2: programs run, in narrower vectors");
#endif
}

} // namespace

int doctor(const std::string& program) {
  Report report;
  const Folder folder;
  std::printf("cu2cpp %s, built with LLVM's headers in %s\n", CU2CPP_VERSION,
              CU2CPP_CLANG_RESOURCE_DIR);
  const InstallLayout install = findInstallLayout(program);
  if (fs::exists(install.headers + "/cu2cpp/launch.h"))
    report.ok("headers: " + install.headers);
  else
    report.fail("no headers in " + install.headers);
  if (fs::exists(install.clangResources + "/include/stddef.h"))
    report.ok("clang's own headers: " + install.clangResources);
  else
    report.fail("no clang headers in " + install.clangResources +
                ": install the LLVM that cu2cpp was built with");
  const fs::path prefix = fs::path(program).parent_path().parent_path();
  const std::string runtime = (prefix / "lib" / "cu2cpp" / "libcu2cpp_runtime.a").string();
  if (fs::exists(runtime))
    report.ok("runtime library: " + runtime);
  else
    report.fail("no runtime library " + runtime);
  if (fs::exists(prefix / "lib" / "cu2cpp" / "libcu2cpp_cublas.a"))
    report.ok("cuBLAS over CBLAS");
  else
    report.note("no cuBLAS: built without a CBLAS");

  checkGcc(report, folder);
  // The names that cu2cc looks for.
  std::string clang = "clang++";
  for (int version = 22; version >= 15; --version)
    if (run("command -v clang++-" + std::to_string(version))) {
      clang = "clang++-" + std::to_string(version);
      break;
    }
  checkClang(report, folder, clang);

  const std::string cu2cc = (fs::path(program).parent_path() / "cu2cc").string();
  const std::string source = folder.write("check.cu", cudaProgram);
  std::string said;
  if (!run("'" + cu2cc + "' " + source + " -o " + folder.path("check"), &said))
    report.fail("cu2cc cannot build a program: " + said);
  else if (!run(folder.path("check"), &said) || said != "right")
    report.fail("a translated program does not run right: " + said);
  else
    report.ok("a translated program builds and runs");
  checkMachine(report);
  std::puts(report.worst() == 0   ? "All is there."
            : report.worst() == 1 ? "Programs can be made; see what is missing above."
                                  : "Programs cannot be made here; see FAILED above.");
  return report.worst();
}

} // namespace cu2cpp
