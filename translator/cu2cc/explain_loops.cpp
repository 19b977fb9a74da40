// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explain_loops.h"

#include <cstdlib>
#include <cxxabi.h>
#include <map>
#include <set>
#include <sstream>
#include <vector>

namespace cu2cpp::cu2cc {
namespace {

/// One entry of the record.
struct Remark {
  std::string kind; ///< Passed, Missed or Analysis
  std::string file, function, text, width;
  unsigned line = 0, column = 0;
};

/// 'a ''quoted'' text' or plain text.
std::string unquoted(std::string text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r'))
    text.pop_back();
  if (text.size() < 2 || (text.front() != '\'' && text.front() != '"'))
    return text;
  const char quote = text.front();
  std::string out;
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    out += text[i];
    if (text[i] == quote && text[i + 1] == quote)
      ++i;
  }
  return out;
}

std::string behind(const std::string& line, const std::string& key) {
  const std::size_t at = line.find(key);
  if (at == std::string::npos)
    return "";
  std::size_t from = at + key.size();
  while (from < line.size() && line[from] == ' ')
    ++from;
  return line.substr(from);
}

/// Up to the next comma or brace that is not quoted.
std::string field(const std::string& text) {
  std::size_t end = 0;
  if (!text.empty() && text[0] == '\'')
    end = text.find('\'', 1) + 1;
  else
    end = text.find_first_of(",}");
  std::string out = text.substr(0, end);
  return unquoted(out);
}

std::vector<Remark> parse(const std::string& record) {
  std::vector<Remark> out;
  std::istringstream lines(record);
  bool inArguments = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("--- !", 0) == 0) {
      out.emplace_back();
      out.back().kind = line.substr(5);
      inArguments = false;
    } else if (out.empty()) {
      continue;
    } else if (line.rfind("Function:", 0) == 0) {
      out.back().function = unquoted(behind(line, "Function:"));
    } else if (line.rfind("Args:", 0) == 0) {
      inArguments = true;
    } else if (inArguments && line.rfind("  - ", 0) == 0) {
      const std::size_t colon = line.find(':');
      if (colon == std::string::npos)
        continue;
      const std::string value = unquoted(behind(line.substr(colon), ":"));
      if (line.find("VectorizationFactor") != std::string::npos)
        out.back().width = value;
      out.back().text += value;
    } else if (!inArguments) {
      // DebugLoc may go on in a second line.
      if (const std::string file = behind(line, "File:"); !file.empty())
        out.back().file = field(file);
      if (const std::string number = behind(line, "Line:"); !number.empty())
        out.back().line = unsigned(std::strtoul(number.c_str(), nullptr, 10));
      if (const std::string number = behind(line, "Column:"); !number.empty())
        out.back().column = unsigned(std::strtoul(number.c_str(), nullptr, 10));
    }
  }
  return out;
}

std::string demangled(const std::string& name) {
  int status = 0;
  char* text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  std::string out = status == 0 && text ? text : name;
  std::free(text);
  return out;
}

/// Loops over threads stand in our headers, all others in the user's files.
bool isThreadLoop(const Remark& remark) {
  const std::string headers = "include/cu2cpp/";
  const std::size_t at = remark.file.rfind(headers);
  return at != std::string::npos && remark.file.find('/', at + headers.size()) == std::string::npos;
}

/// "loop not vectorized: reason" -> "reason"
std::string reasonIn(const std::string& text) {
  const std::string start = "loop not vectorized: ";
  const std::size_t at = text.find(start);
  return at == std::string::npos ? text : text.substr(at + start.size());
}

struct Loops {
  unsigned vectorised = 0, kept = 0;
  std::set<std::string> widths;
  std::map<std::string, unsigned> reasons;
};

void print(std::ostream& out, const std::string& what, const Loops& loops) {
  if (loops.vectorised == 0 && loops.kept == 0)
    return;
  out << "  " << what << ": ";
  if (loops.vectorised != 0) {
    out << loops.vectorised << " vectorised (";
    const char* separator = "";
    for (const std::string& width : loops.widths) {
      out << separator << width;
      separator = ", ";
    }
    out << " threads or steps at once)";
  }
  if (loops.kept != 0)
    out << (loops.vectorised != 0 ? ", " : "") << loops.kept << " not";
  out << "\n";
  for (const auto& [reason, count] : loops.reasons)
    out << "    not: " << reason << (count > 1 ? " (" + std::to_string(count) + " times)" : "")
        << "\n";
}

} // namespace

std::string explainLoops(const std::string& record) {
  struct Function {
    Loops threads;
    std::map<std::string, Loops> others; // by place
    std::string reason;                  // of the analysis before a Missed
    bool kernel = false;
  };
  std::map<std::string, Function> functions;
  std::vector<std::string> order;
  for (const Remark& remark : parse(record)) {
    if (remark.line == 0)
      continue;
    const auto [found, isNew] = functions.try_emplace(remark.function);
    if (isNew)
      order.push_back(remark.function);
    Function& function = found->second;
    const bool thread = isThreadLoop(remark);
    // Loops over threads become vectors whatever that costs, but for those that are told not to,
    // and those that store to places which are no neighbours (translator/backend).
    if (thread && remark.kind == "Missed" && remark.text.find("cost-model") != std::string::npos)
      continue;
    function.kernel |= thread;
    if (remark.kind == "Analysis") {
      if (remark.text.find("not vectorized") != std::string::npos)
        function.reason = reasonIn(remark.text);
      continue;
    }
    Loops& loops = thread ? function.threads
                          : function.others[remark.file + ":" + std::to_string(remark.line) + ":" +
                                            std::to_string(remark.column)];
    if (remark.kind == "Passed" && !remark.width.empty()) {
      ++loops.vectorised;
      loops.widths.insert(remark.width);
    } else if (remark.kind == "Missed") {
      ++loops.kept;
      ++loops.reasons[function.reason.empty() ? remark.text : function.reason];
      function.reason.clear();
    }
  }
  std::ostringstream out;
  for (const std::string& name : order) {
    const Function& function = functions.at(name);
    if (!function.kernel)
      continue;
    out << demangled(name) << "\n";
    print(out, "loops over threads", function.threads);
    for (const auto& [place, loops] : function.others)
      print(out, "loop at " + place, loops);
  }
  return out.str();
}

} // namespace cu2cpp::cu2cc
