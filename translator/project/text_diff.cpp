// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Myers' greedy algorithm ("An O(ND) Difference Algorithm and Its Variations", 1986): the shortest
// script of removed and added lines.
#include "project/text_diff.h"

#include <algorithm>
#include <vector>

namespace cu2cpp {
namespace {

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1);
    lines.push_back(text.substr(at, end + 1 - at));
    at = end + 1;
  }
  return lines;
}

struct Step {
  char kind; ///< ' ', '-' or '+'
  const std::string* line;
};

std::vector<Step> shortestScript(const std::vector<std::string>& a,
                                 const std::vector<std::string>& b) {
  const int n = int(a.size()), m = int(b.size()), most = n + m;
  std::vector<int> furthest(std::size_t(2 * most + 2), 0);
  std::vector<std::vector<int>> trace; // of each d, the part of `furthest` that it used
  const auto at = [&](int k) -> int& { return furthest[std::size_t(k + most)]; };
  int d = 0;
  for (bool found = false; !found; ++d) {
    trace.emplace_back(furthest.begin() + (most - d), furthest.begin() + (most + d + 1));
    for (int k = -d; k <= d && !found; k += 2) {
      int x = k == -d || (k != d && at(k - 1) < at(k + 1)) ? at(k + 1) : at(k - 1) + 1;
      while (x < n && x - k < m && a[std::size_t(x)] == b[std::size_t(x - k)])
        ++x;
      at(k) = x;
      found = x >= n && x - k >= m;
    }
  }
  std::vector<Step> script;
  int x = n, y = m;
  while (--d >= 0) {
    const std::vector<int>& before = trace[std::size_t(d)]; // index k + d
    const auto old = [&](int k) { return before[std::size_t(k + d)]; };
    const int k = x - y;
    const bool down = k == -d || (k != d && old(k - 1) < old(k + 1));
    const int fromK = down ? k + 1 : k - 1;
    const int fromX = d == 0 ? 0 : old(fromK), fromY = d == 0 ? 0 : fromX - fromK;
    while (x > fromX && y > fromY &&
           (d == 0 || x > (down ? fromX : fromX + 1) || y > (down ? fromY + 1 : fromY))) {
      script.push_back({' ', &a[std::size_t(--x)]});
      --y;
    }
    if (d == 0)
      break;
    if (down)
      script.push_back({'+', &b[std::size_t(--y)]});
    else
      script.push_back({'-', &a[std::size_t(--x)]});
  }
  std::reverse(script.begin(), script.end());
  return script;
}

} // namespace

std::string unifiedDiff(const std::string& oldName, const std::string& oldText,
                        const std::string& newName, const std::string& newText) {
  if (oldText == newText)
    return {};
  const std::vector<std::string> a = linesOf(oldText), b = linesOf(newText);
  const std::vector<Step> script = shortestScript(a, b);
  constexpr std::size_t context = 3;
  std::string out = "--- " + oldName + "\n+++ " + newName + "\n";
  std::size_t oldLine = 1, newLine = 1;
  for (std::size_t i = 0; i < script.size();) {
    if (script[i].kind == ' ') {
      ++i, ++oldLine, ++newLine;
      continue;
    }
    // A hunk ends where more than twice the context follows without a change.
    const std::size_t begin = i - std::min({i, context, oldLine - 1});
    std::size_t end = i, same = 0;
    for (std::size_t j = i; j < script.size() && same <= 2 * context; ++j) {
      same = script[j].kind == ' ' ? same + 1 : 0;
      if (script[j].kind != ' ')
        end = j + 1;
    }
    end = std::min(end + context, script.size());
    std::string body;
    std::size_t oldCount = 0, newCount = 0;
    for (std::size_t j = begin; j < end; ++j) {
      oldCount += script[j].kind != '+';
      newCount += script[j].kind != '-';
      body += script[j].kind + *script[j].line;
      if (script[j].line->back() != '\n')
        body += "\n\\ No newline at end of file\n";
    }
    const std::size_t before = i - begin;
    out += "@@ -" + std::to_string(oldLine - before) + "," + std::to_string(oldCount) + " +" +
           std::to_string(newLine - before) + "," + std::to_string(newCount) + " @@\n" + body;
    oldLine += oldCount - before;
    newLine += newCount - before;
    i = end;
  }
  return out;
}

} // namespace cu2cpp
