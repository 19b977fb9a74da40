// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/name_usage.h"

#include <algorithm>
#include <cctype>

namespace cu2cpp {
namespace {

struct Caveat {
  const char* name;
  const char* how;
};
constexpr Caveat caveats[] = {
#define CAVEAT(name, how) {#name, how},
#include "report/name_caveats.def"
#undef CAVEAT
};

/// Libraries by the start of their functions' names, headers and namespaces.
struct Library {
  const char* name;
  const char* prefix; ///< of functions; empty for libraries of templates
  const char* header; ///< start of the header's name
  const char* space;  ///< namespace
};
constexpr Library libraries[] = {
    {"cuBLAS", "cublas", "cublas", nullptr},
    {"cuFFT", "cufft", "cufft", nullptr},
    {"cuRAND", "curand", "curand", nullptr},
    {"cuSPARSE", "cusparse", "cusparse", nullptr},
    {"cuSOLVER", "cusolver", "cusolver", nullptr},
    {"cuDNN", "cudnn", "cudnn", nullptr},
    {"cuTENSOR", "cutensor", "cutensor", nullptr},
    {"NPP", "npp", "npp", nullptr},
    {"NCCL", "nccl", "nccl", nullptr},
    {"NVML", "nvml", "nvml", nullptr},
    {"NVRTC", "nvrtc", "nvrtc", nullptr},
    {"NVTX", "nvtx", "nvToolsExt", nullptr},
    {"nvJPEG", "nvjpeg", "nvjpeg", nullptr},
    {"CUPTI", "cupti", "cupti", nullptr},
    {"Thrust", "", "thrust/", "thrust"},
    {"CUB", "", "cub/", "cub"},
    {"CUTLASS", "", "cutlass/", "cutlass"},
    {"cooperative groups", "", "cooperative_groups", "cooperative_groups"},
    {"libcu++", "", "cuda/", nullptr},
};

bool startsWith(const std::string& text, const std::string& start) {
  return text.rfind(start, 0) == 0;
}
bool isUpper(const std::string& text, std::size_t at) {
  return at < text.size() && std::isupper(static_cast<unsigned char>(text[at]));
}

/// The library that a function's name belongs to; empty for names that are not CUDA's.
std::string libraryOf(const std::string& name) {
  if (startsWith(name, "cuda") && isUpper(name, 4))
    return "CUDA runtime";
  for (const Library& l : libraries)
    if (*l.prefix && startsWith(name, l.prefix) && name.size() > std::string(l.prefix).size())
      return l.name;
  if (startsWith(name, "cu") && isUpper(name, 2))
    return "CUDA driver";
  const bool device = (startsWith(name, "atomic") && isUpper(name, 6)) ||
                      (startsWith(name, "__") && name.size() > 3 && name[2] != '_' &&
                       name.find("__", 2) == std::string::npos) ||
                      startsWith(name, "tex1D") || startsWith(name, "tex2D") ||
                      startsWith(name, "tex3D") || startsWith(name, "surf") || name == "clock" ||
                      name == "clock64";
  return device ? "device functions" : "";
}

/// Walks over a text's words, without comments and strings.
class Words {
public:
  explicit Words(const std::string& text) : text_(text) {}

  bool next() {
    before_ = word_;
    word_.clear();
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        ++line_;
        ++at_;
        lineStart_ = at_;
      } else if (c == '/' && at_ + 1 < text_.size() && text_[at_ + 1] == '/') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == '/' && at_ + 1 < text_.size() && text_[at_ + 1] == '*') {
        const std::size_t end = std::min(text_.find("*/", at_ + 2), text_.size() - 2) + 2;
        line_ += unsigned(std::count(text_.begin() + std::ptrdiff_t(at_),
                                     text_.begin() + std::ptrdiff_t(end), '\n'));
        at_ = end;
      } else if (c == '#' && text_.find_first_not_of(" \t", lineStart_) == at_) {
        const std::size_t word = text_.find_first_not_of(" \t", at_ + 1);
        if (word != std::string::npos && text_.compare(word, 7, "include") == 0)
          return readInclude(word + 7);
        ++at_;
      } else if (c == '"' || c == '\'') {
        skipString(c);
      } else if (std::isalpha(static_cast<unsigned char>(c)) || c == '_') {
        const std::size_t begin = at_;
        while (at_ < text_.size() &&
               (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_'))
          ++at_;
        word_ = text_.substr(begin, at_ - begin);
        include_ = false;
        return true;
      } else if (std::isdigit(static_cast<unsigned char>(c))) {
        while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) ||
                                      text_[at_] == '.' || text_[at_] == '\''))
          ++at_;
      } else {
        ++at_;
      }
    }
    return false;
  }
  const std::string& word() const { return word_; }
  const std::string& before() const { return before_; }
  bool isInclude() const { return include_; }
  unsigned line() const { return line_; }
  bool followedBy(const char* what) const {
    const std::size_t next = text_.find_first_not_of(" \t\n\\", at_);
    return next != std::string::npos && text_.compare(next, std::string(what).size(), what) == 0;
  }

private:
  bool readInclude(std::size_t from) {
    const std::size_t newline = std::min(text_.find('\n', from), text_.size());
    const std::size_t begin = text_.find_first_of("\"<", from);
    at_ = newline;
    if (begin >= newline)
      return next();
    const std::size_t end = std::min(text_.find_first_of("\">", begin + 1), newline);
    word_ = text_.substr(begin + 1, end - begin - 1);
    include_ = true;
    return true;
  }
  void skipString(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_)
      if (text_[at_] == '\\')
        ++at_;
    if (at_ < text_.size() && text_[at_] == quote)
      ++at_;
  }

  const std::string& text_;
  std::size_t at_ = 0, lineStart_ = 0;
  unsigned line_ = 1;
  std::string word_, before_;
  bool include_ = false;
};

NameUse& useOf(std::vector<NameUse>& uses, const std::string& name, const std::string& library) {
  const auto found =
      std::find_if(uses.begin(), uses.end(), [&](const NameUse& u) { return u.name == name; });
  if (found != uses.end())
    return *found;
  uses.push_back({name, library, NameUse::State::Done, {}, {}});
  return uses.back();
}

void judge(NameUse& use, const std::map<std::string, std::string>& known) {
  const auto entry = known.find(use.name);
  if (entry == known.end() || !entry->second.empty()) {
    use.state = NameUse::State::Missing;
    use.why = entry == known.end() ? use.library + " is not there yet" : entry->second;
    if (entry == known.end() && use.library.rfind("CUDA", 0) == 0)
      use.why = "cu2cpp's headers do not declare it";
    return;
  }
  for (const Caveat& caveat : caveats)
    if (use.name == caveat.name) {
      use.state = NameUse::State::Caveat;
      use.why = caveat.how;
    }
}

void noteLibrary(const Library& library, bool there, unsigned line, TextUsage& usage) {
  NameUse& use = useOf(usage.libraries, library.name, library.name);
  if (use.lines.empty() || use.lines.back() != line)
    use.lines.push_back(line);
  if (!there && use.state == NameUse::State::Done) {
    use.state = NameUse::State::Missing;
    use.why = "not there yet";
  }
}

/// Whether a library of templates is there: our headers may stand before those of its package, of
/// which we have not each one.
bool isThere(const Library& library, const std::set<std::string>& headers) {
  return !*library.prefix &&
         std::any_of(headers.begin(), headers.end(),
                     [&](const std::string& header) { return startsWith(header, library.header); });
}

} // namespace

TextUsage findUsage(const std::string& text, const std::map<std::string, std::string>& known,
                    const std::set<std::string>& headers, bool complete) {
  TextUsage usage;
  usage.lines = unsigned(std::count(text.begin(), text.end(), '\n'));
  std::set<std::string> own; // macros and functions that the text defines itself
  bool inKernelHead = false;
  for (Words words(text); words.next();) {
    const std::string& word = words.word();
    if (words.isInclude()) {
      for (const Library& l : libraries)
        if (startsWith(word, l.header))
          noteLibrary(l, headers.count(word) || isThere(l, headers), words.line(), usage);
      continue;
    }
    if (words.before() == "define" || words.before() == "using") {
      own.insert(word);
      continue;
    }
    if (word == "__global__") {
      inKernelHead = true;
      continue;
    }
    for (const Library& l : libraries)
      if (l.space && word == l.space && words.followedBy("::")) {
        noteLibrary(l, isThere(l, headers), words.line(), usage);
      }
    if (!words.followedBy("(") && !words.followedBy("<"))
      continue;
    if (inKernelHead && word != "__launch_bounds__" && words.followedBy("(") &&
        word != "__attribute__" && word != "__cluster_dims__") {
      usage.kernels.emplace_back(word, words.line());
      inKernelHead = false;
      continue;
    }
    const std::string library = libraryOf(word);
    if (library.empty() || own.count(word))
      continue;
    const bool isKnown = known.count(word) != 0;
    if (!isKnown && (complete || library == "device functions" || !words.followedBy("(")))
      continue;
    NameUse& use = useOf(usage.names, word, library);
    use.lines.push_back(words.line());
    if (use.lines.size() == 1)
      judge(use, known);
  }
  return usage;
}

} // namespace cu2cpp
