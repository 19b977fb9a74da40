// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A raw token scan with a stack of scopes, and a file system that applies its result to each file
// read.
#include "parse/dialect_overlay.h"

#include <algorithm>
#include <optional>

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include "parse/raw_tokens.h"
#include "report/diagnostics.h"

namespace cu2cpp {
namespace {

/// What a `{` opened, as far as these rewrites care.
enum class Scope { Namespace, Class, HostBody, KernelBody, DeviceBody, TwoSidedBody, Other };

class Scanner {
public:
  Scanner(Overlay& out, const DeviceBodies& known)
      : out_(out), known_(known), original_(out.text), tokens_(rawTokens(original_)) {}

  void run() {
    std::string directive;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const RawToken& t = tokens_[i];
      if (t.startsLine)
        directive =
            t.text == "#" && i + 1 < tokens_.size() ? tokens_[i + 1].text.str() : std::string();
      if (joinAngles(i))
        continue;
      if (t.text == "<<<" || t.text == ">>>") {
        inConfiguration_ = t.text == "<<<";
        if (inConfiguration_ && inside(Scope::KernelBody))
          noteLaunch(i);
      } else if (inConfiguration_ && (t.text == "{" || t.text == "}")) {
        out_.text[t.offset] = t.text == "{" ? '(' : ')';
      } else if (t.text == "{") {
        scopes_.push_back(scopeOpenedAt(i));
        if (scopes_.back() == Scope::TwoSidedBody)
          body_ = {t.offset, 0};
        head_ = i + 1;
      } else if (t.text == "}") {
        if (!scopes_.empty()) {
          if (scopes_.back() == Scope::TwoSidedBody && bodyTestsArch_)
            out_.twoSided.push_back({body_.begin, t.offset + 1});
          if (scopes_.back() == Scope::TwoSidedBody)
            bodyTestsArch_ = false;
          scopes_.pop_back();
        }
        head_ = i + 1;
      } else if (t.text == ";") {
        head_ = i + 1;
      } else if (t.text == "__shared__" && inFunction()) {
        if (!rewriteDynamicShared(i))
          alignFirst(i);
      } else if (t.text == "__CUDA_ARCH__" && readsAsDevice(i, directive)) {
        out_.text.replace(t.offset, t.text.size(), "CU2CPP_ARCH__");
        out_.archOffsets.push_back(t.offset);
        bodyTestsArch_ |= inside(Scope::TwoSidedBody);
      } else if (t.text == "asm" || t.text == "__asm__" || t.text == "__asm") {
        separateOperands(i);
      }
    }
  }

  /// launches() are the launches in kernels: from the kernel's name through the closing
  /// parenthesis.
  const std::vector<BodyRange>& launches() const { return launches_; }

private:
  bool inside(Scope scope) const {
    return std::find(scopes_.begin(), scopes_.end(), scope) != scopes_.end();
  }
  bool inFunction() const {
    return inside(Scope::HostBody) || inside(Scope::KernelBody) || inside(Scope::DeviceBody) ||
           inside(Scope::TwoSidedBody);
  }

  /// The first token of the name that ends at `at`: `ns::child<T, 3>`.
  std::size_t nameBefore(std::size_t at) const {
    for (;;) {
      int depth = 0;
      do {
        const llvm::StringRef text = tokens_[at].text;
        depth += text == ">" ? 1 : text == ">>" ? 2 : text == "<" ? -1 : 0;
      } while (depth > 0 && at-- > 0);
      if (tokens_[at].text == "<" && at > 0)
        --at;
      if (at < 2 || tokens_[at - 1].text != "::")
        return at;
      at -= 2;
    }
  }
  void noteLaunch(std::size_t open) {
    if (open == 0 || tokens_[open - 1].text == ")")
      return; // by a pointer
    const std::size_t first = nameBefore(open - 1);
    if (first > 0 && tokens_[first - 1].text == "CU2_BEGIN_")
      return;
    std::size_t close = open;
    while (close < tokens_.size() && tokens_[close].text != ">>>" && tokens_[close].text != ";")
      ++close;
    int depth = 0;
    for (++close; close < tokens_.size(); ++close) {
      depth += tokens_[close].text == "(";
      depth -= tokens_[close].text == ")";
      if (depth <= 0)
        break;
    }
    if (close < tokens_.size() && tokens_[close].text == ")")
      launches_.push_back({tokens_[first].offset, tokens_[close].offset + 1});
  }

  /// `<< <` and, inside a launch's configuration, `>> >` are launch brackets to nvcc.
  bool joinAngles(std::size_t i) {
    if (i + 1 >= tokens_.size())
      return false;
    const RawToken &a = tokens_[i], &b = tokens_[i + 1];
    const bool opens = a.text == "<<" && b.text == "<";
    const bool closes = inConfiguration_ && a.text == ">>" && b.text == ">";
    if (!opens && !closes)
      return false;
    for (unsigned at = a.offset + 2; at < b.offset; ++at)
      if (original_[at] != ' ')
        return false;
    out_.text[b.offset] = ' ';
    out_.text[a.offset + 2] = a.text[0];
    inConfiguration_ = opens;
    return true;
  }

  /// Whether __CUDA_ARCH__ has the device's value here: in device code, and where a directive at
  /// namespace scope compares it (what it guards is device code; `defined(__CUDA_ARCH__)` there
  /// tells the two compilations apart and stays).
  bool readsAsDevice(std::size_t at, const std::string& directive) const {
    if (inside(Scope::KernelBody) || inside(Scope::DeviceBody) || inside(Scope::TwoSidedBody))
      return true;
    if (inFunction() || (directive != "if" && directive != "elif"))
      return false;
    for (std::size_t i = at; i-- > 0 && !tokens_[i].startsLine;)
      if (tokens_[i].text == "defined")
        return false;
    bool compared = false;
    for (std::size_t i = at + 1; i < tokens_.size() && !tokens_[i].startsLine; ++i) {
      if (tokens_[i].text == "defined")
        return false;
      compared |= i == at + 1 &&
                  (tokens_[i].text == ">=" || tokens_[i].text == ">" || tokens_[i].text == "<" ||
                   tokens_[i].text == "<=" || tokens_[i].text == "==");
    }
    return compared;
  }

  Scope scopeOpenedAt(std::size_t brace) const {
    if (const auto known = known_.find(tokens_[brace].offset); known != known_.end())
      return known->second ? Scope::TwoSidedBody : Scope::DeviceBody;
    if (inFunction())
      return Scope::Other;
    bool device = false, kernel = false, host = false, parenthesis = false, directive = false;
    for (std::size_t i = head_; i < brace; ++i) {
      const llvm::StringRef text = tokens_[i].text;
      // What a #define in front of the declaration says is not said of the declaration.
      if (tokens_[i].startsLine)
        directive = text == "#";
      if (directive)
        continue;
      if (text == "namespace" || (text == "extern" && i + 2 == brace))
        return Scope::Namespace;
      if (!parenthesis &&
          (text == "class" || text == "struct" || text == "union" || text == "enum"))
        if (i == head_ || tokens_[i - 1].text != "<")
          if (tokens_[head_].text != "template" || i + 1 >= brace || !hasParameterList(i, brace))
            return Scope::Class;
      device |= text == "__device__" || text == "__global__";
      kernel |= text == "__global__";
      host |= text == "__host__";
      parenthesis |= text == "(";
    }
    if (!parenthesis && !device)
      return Scope::Other;
    return !device  ? Scope::HostBody
           : kernel ? Scope::KernelBody
           : host   ? Scope::TwoSidedBody
                    : Scope::DeviceBody;
  }
  /// Whether what follows a `class` keyword still has a parameter list: then it was `template
  /// <class T> void f(...) {`.
  bool hasParameterList(std::size_t from, std::size_t to) const {
    for (std::size_t i = from; i < to; ++i)
      if (tokens_[i].text == "(")
        return true;
    return false;
  }

  /// `: "r"(a) "l"(b)` are two operands to nvcc; clang wants the comma between them.
  void separateOperands(std::size_t at) {
    int depth = 0;
    for (std::size_t i = at + 1; i + 1 < tokens_.size() && tokens_[i].text != ";"; ++i) {
      depth += tokens_[i].text == "(";
      if (tokens_[i].text != ")")
        continue;
      if (--depth <= 0)
        return;
      const unsigned behind = tokens_[i].offset + 1;
      if (depth == 1 && tokens_[i + 1].text.starts_with("\"") && original_[behind] == ' ')
        out_.text[behind] = ',';
    }
  }

  /// `__shared__ alignas(16) T x` is `alignas(16) __shared__ T x` to clang.
  void alignFirst(std::size_t at) {
    if (at + 2 >= tokens_.size() || tokens_[at + 1].text != "alignas" ||
        tokens_[at + 2].text != "(")
      return;
    std::size_t close = at + 2;
    for (int depth = 0; close < tokens_.size(); ++close) {
      depth += tokens_[close].text == "(";
      depth -= tokens_[close].text == ")";
      if (!depth)
        break;
    }
    if (close == tokens_.size())
      return;
    const unsigned begin = tokens_[at].offset, middle = tokens_[at + 1].offset,
                   end = tokens_[close].offset + 1;
    const std::string shared = original_.substr(begin, middle - begin);
    out_.text.replace(begin, end - begin,
                      original_.substr(middle, end - middle) +
                          std::string(shared.size() - llvm::StringRef(shared).trim().size(), ' ') +
                          llvm::StringRef(shared).trim().str());
  }

  bool rewriteDynamicShared(std::size_t at) {
    std::size_t end = at;
    while (end < tokens_.size() && tokens_[end].text != ";" && tokens_[end].text != "{" &&
           tokens_[end].text != "}")
      ++end;
    std::size_t externToken = tokens_.size();
    for (std::size_t i = head_; i < end; ++i)
      if (tokens_[i].text == "extern")
        externToken = i;
    if (end == tokens_.size() || tokens_[end].text != ";" || externToken == tokens_.size())
      return false;
    const unsigned from = tokens_[std::min(externToken, at)].offset;
    const unsigned to = tokens_[end].offset;
    // The mark comes first, so that the declaration still begins where the user's does.
    std::string changed;
    unsigned position = from;
    const auto copyTo = [&](unsigned offset) {
      changed += original_.substr(position, offset - position);
      position = offset;
    };
    for (std::size_t i = std::min(externToken, at); i < end; ++i) {
      const RawToken& t = tokens_[i];
      if (i == externToken) {
        copyTo(t.offset);
        position += t.text.size();
      } else if (t.text == "__shared__") {
        copyTo(t.offset);
        position += t.text.size();
      } else if (t.text == "[" && i + 1 < end && tokens_[i + 1].text == "]") {
        copyTo(t.offset);
        changed += "[1]";
        position = tokens_[i + 1].offset + 1;
      }
    }
    copyTo(to);
    const std::string mark = "CU2_DYNSH_ ";
    if (mark.size() + changed.size() > to - from)
      return true;
    // `alignas(16)` stands before attributes of the older kind.
    const std::string blanks(to - from - mark.size() - changed.size(), ' ');
    const llvm::StringRef declaration = llvm::StringRef(changed).ltrim();
    if (declaration.starts_with("alignas")) {
      std::size_t close = declaration.find('(');
      for (int depth = 0; close < declaration.size(); ++close) {
        depth += declaration[close] == '(';
        depth -= declaration[close] == ')';
        if (!depth)
          break;
      }
      const std::string space(changed.size() - declaration.size(), ' ');
      out_.text.replace(from, to - from,
                        declaration.substr(0, close + 1).str() + " " +
                            mark.substr(0, mark.size() - 1) + blanks + space +
                            declaration.substr(close + 1).str());
      return true;
    }
    out_.text.replace(from, to - from, mark + blanks + changed);
    return true;
  }

  Overlay& out_;
  const DeviceBodies& known_;
  const std::string original_;
  std::vector<RawToken> tokens_;
  std::vector<Scope> scopes_;
  std::vector<BodyRange> launches_;
  bool inConfiguration_ = false; ///< between `<<<` and `>>>`
  BodyRange body_{};             ///< of the two-sided function being scanned
  bool bodyTestsArch_ = false;
  std::size_t head_ = 0; ///< first token of the current declaration or statement
};

class OverlayFile : public llvm::vfs::File {
public:
  OverlayFile(std::unique_ptr<llvm::vfs::File> file, const std::string& path,
              const DeviceBodiesByFile& known, TextsByFile& texts)
      : file_(std::move(file)), path_(path), known_(known), texts_(texts) {}
  llvm::ErrorOr<llvm::vfs::Status> status() override {
    auto status = file_->status();
    if (!status || !status->isRegularFile() || !read())
      return status;
    return llvm::vfs::Status::copyWithNewSize(*status, text_->size());
  }
  std::error_code close() override { return file_->close(); }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
  getBuffer(const llvm::Twine& name, int64_t size, bool nullTerminated, bool isVolatile) override {
    if (!read())
      return file_->getBuffer(name, size, nullTerminated, isVolatile);
    return llvm::MemoryBuffer::getMemBufferCopy(*text_, name.str());
  }

private:
  /// Makes the text, once; false where it is the file's own.
  bool read() {
    if (looked_)
      return text_.has_value();
    looked_ = true;
    const auto buffer = llvm::MemoryBuffer::getFile(path_);
    if (!buffer)
      return false;
    const llvm::StringRef text = (*buffer)->getBuffer();
    if (text.starts_with("CPCH")) // a precompiled header
      return false;
    const bool mayHaveSuffixes = text.contains("\"__") || text.contains("\"PRI");
    if (!text.contains("__shared__") && !text.contains("__CUDA_ARCH__") && !text.contains("<<") &&
        !mayHaveSuffixes && !(text.contains("asm") && text.contains(") \"")))
      return false;
    const std::string real = realPath();
    const auto known = known_.find(real);
    const DeviceBodies bodies = known == known_.end() ? DeviceBodies() : known->second;
    std::string wrapped = mayHaveSuffixes ? separateSuffixes(text) : text.str();
    if (text.contains("<<") && text.contains("__global__"))
      wrapped = wrapLaunches(wrapped);
    if (wrapped != text)
      texts_[real] = wrapped;
    text_ = overlayDialect(wrapped, bodies).text;
    return true;
  }
  std::string realPath() const {
    llvm::SmallString<256> real;
    return llvm::sys::fs::real_path(path_, real) ? path_ : std::string(real);
  }

  std::unique_ptr<llvm::vfs::File> file_;
  const std::string path_;
  const DeviceBodiesByFile& known_;
  TextsByFile& texts_;
  bool looked_ = false;
  std::optional<std::string> text_;
};

class OverlayFileSystem : public llvm::vfs::ProxyFileSystem {
public:
  OverlayFileSystem(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> base, DeviceBodiesByFile known,
                    TextsByFile& texts)
      : ProxyFileSystem(std::move(base)), known_(std::move(known)), texts_(texts) {}
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine& path) override {
    auto file = ProxyFileSystem::openFileForRead(path);
    if (!file)
      return file;
    return std::unique_ptr<llvm::vfs::File>(
        new OverlayFile(std::move(*file), path.str(), known_, texts_));
  }

private:
  const DeviceBodiesByFile known_;
  TextsByFile& texts_;
};

} // namespace

std::string separateSuffixes(llvm::StringRef text) {
  std::string separated;
  std::size_t position = 0, endOfString = 0;
  const auto separateAt = [&](std::size_t offset) {
    separated += text.substr(position, offset - position).str() + " ";
    position = offset;
  };
  for (const RawToken& t : rawTokens(text)) {
    // A suffix without an underscore is a token of its own already.
    if (t.offset == endOfString && endOfString > 0 && t.text.starts_with("PRI"))
      separateAt(t.offset);
    if (t.kind != clang::tok::string_literal)
      continue;
    const std::size_t quote = t.text.rfind('"') + 1;
    const llvm::StringRef suffix = t.text.substr(quote);
    if (suffix.starts_with("__") && suffix.ends_with("__"))
      separateAt(t.offset + quote);
    endOfString = t.offset + t.text.size();
  }
  return separated + text.substr(position).str();
}

std::string wrapLaunches(llvm::StringRef text) {
  Overlay overlay{text.str(), {}, {}};
  const DeviceBodies none;
  Scanner scanner(overlay, none);
  scanner.run();
  std::string wrapped;
  unsigned position = 0;
  for (const BodyRange& launch : scanner.launches()) {
    wrapped += text.substr(position, launch.begin - position).str() + "CU2_BEGIN_ " +
               text.substr(launch.begin, launch.end - launch.begin).str() + " CU2_END_";
    position = launch.end;
  }
  return wrapped + text.substr(position).str();
}

Overlay overlayDialect(llvm::StringRef text, const DeviceBodies& known) {
  Overlay overlay{text.str(), {}, {}};
  Scanner(overlay, known).run();
  CU2CPP_CHECK(overlay.text.size() == text.size());
  return overlay;
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
dialectFileSystem(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> base, DeviceBodiesByFile known,
                  TextsByFile& texts) {
  return new OverlayFileSystem(std::move(base), std::move(known), texts);
}

} // namespace cu2cpp
