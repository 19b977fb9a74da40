// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Snippet: a few lines of CUDA code, parsed and analysed, asked by name. Answers are plain text, so
// that tests need none of clang's headers:
//
//   EXPECT_EQ(Snippet("__global__ void k(int* p) { p[threadIdx.x] = 1; }").form("k"), "loop");
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace cu2cpp::test {

/// A folder for one test's files, removed with it.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string path(const std::string& name) const { return path_ + "/" + name; }
  /// write() makes a file with this text and returns its path.
  std::string write(const std::string& name, const std::string& text) const;
  std::vector<std::string> files() const; ///< names of all files, sorted

private:
  std::string path_;
};

std::string readFile(const std::string& path);

class Snippet {
public:
  explicit Snippet(const std::string& code);
  ~Snippet();
  Snippet(const Snippet&) = delete;
  Snippet& operator=(const Snippet&) = delete;

  bool parsed() const; ///< else messages() says why not
  const std::string& messages() const;

  // Facts of a function, by its unqualified name.
  std::string
  builtins(const std::string& function) const; ///< "threadIdx blockDim", in CUDA's order
  std::string
  modifiedParameters(const std::string& function) const;  ///< names, with a space between
  std::string reached(const std::string& function) const; ///< "block __syncthreads"; empty if none
  bool publishesThread(const std::string& function) const;
  bool isKernel(const std::string& function) const;
  /// "movable", "in place" or "dynamic" for a shared variable of a function.
  std::string shared(const std::string& function, const std::string& variable) const;
  std::size_t launches() const;
  std::size_t kernelAddresses() const;
  std::vector<std::string> unsupported() const; ///< "name: why"

  // Of a local variable or parameter of a kernel.
  bool isUniform(const std::string& kernel, const std::string& variable) const;
  bool isUniformValue(const std::string& kernel,
                      const std::string& variable) const; ///< of its initialiser
  /// "block", "recomputed", "per thread"; "region" for a local that one region has to itself.
  std::string storage(const std::string& kernel, const std::string& variable) const;
  /// "region barrier loop(region barrier)": the tree of regions; "obstacle: ..." where there is
  /// none.
  std::string regions(const std::string& kernel) const;

  // The choice, with nothing forced, or with --form=fibers, --form=fibers-all.
  std::string form(const std::string& kernel, const std::string& forced = "auto") const;
  std::string reason(const std::string& kernel) const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

/// formOf() is the form of the only kernel, "k".
inline std::string formOf(const std::string& code) { return Snippet(code).form("k"); }

/// Translated: what the whole command makes of a file.
struct Translated {
  int exitCode = 0;
  std::string text;
  std::string report; ///< JSON
};
Translated translateText(const std::string& code, const std::vector<std::string>& options = {});

} // namespace cu2cpp::test
