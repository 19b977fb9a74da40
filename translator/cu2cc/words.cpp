// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splitting and joining of command lines.
#include "words.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace cu2cpp::cu2cc {
namespace {

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// splitQuoted() is the shell's rule with a choice of separators.
Words splitQuoted(const std::string& text, bool atCommas) {
  Words words;
  std::string word;
  bool inWord = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote) {
      if (c == quote)
        quote = 0;
      else if (c == '\\' && quote == '"' && i + 1 < text.size() &&
               (text[i + 1] == '"' || text[i + 1] == '\\'))
        word += text[++i];
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      inWord = true;
    } else if (c == '\\' && i + 1 < text.size()) {
      word += text[++i];
      inWord = true;
    } else if (isBlank(c) || (atCommas && c == ',')) {
      if (inWord)
        words.push_back(word);
      word.clear();
      inWord = false;
    } else {
      word += c;
      inWord = true;
    }
  }
  if (inWord)
    words.push_back(word);
  return words;
}

bool expandInto(const Words& arguments, Words& expanded, std::string& error,
                const std::string& directory, int depth) {
  if (depth > 16) {
    error = "response files include each other without end";
    return false;
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    std::string files;
    if (word.size() > 1 && word[0] == '@')
      files = word.substr(1);
    else if (word == "-optf" || word == "--options-file") {
      if (i + 1 == arguments.size()) {
        error = "option '" + word + "' needs a file name";
        return false;
      }
      files = arguments[++i];
    } else if (word.rfind("-optf=", 0) == 0 || word.rfind("--options-file=", 0) == 0)
      files = word.substr(word.find('=') + 1);
    else {
      expanded.push_back(word);
      continue;
    }
    for (const std::string& file : splitList(files)) {
      std::ifstream stream(file[0] == '/' || directory.empty() ? file : directory + "/" + file);
      std::stringstream content;
      if (!stream || !(content << stream.rdbuf())) {
        error = "cannot read the response file '" + file + "'";
        return false;
      }
      if (!expandInto(splitShell(content.str()), expanded, error, directory, depth + 1))
        return false;
    }
  }
  return true;
}

Words environmentWords(const char* name) {
  const char* value = std::getenv(name);
  return value ? splitShell(value) : Words{};
}

} // namespace

Words splitShell(const std::string& text) { return splitQuoted(text, false); }

Words splitHostOptions(const std::string& text) { return splitQuoted(text, true); }

Words splitList(const std::string& text) {
  Words parts;
  std::string part;
  int parentheses = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size() && text[i + 1] == ',') {
      part += text[++i];
      continue;
    }
    if (c == '"')
      quoted = !quoted;
    else if (c == '(')
      ++parentheses;
    else if (c == ')')
      --parentheses;
    if (c == ',' && !quoted && parentheses <= 0) {
      parts.push_back(part);
      part.clear();
    } else
      part += c;
  }
  if (!part.empty() || parts.empty())
    parts.push_back(part);
  return parts;
}

std::string joinForShell(const Words& words) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty())
      line += ' ';
    const bool plain =
        !word.empty() && word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJ"
                                                "KLMNOPQRSTUVWXYZ0123456789_-+=./:,"
                                                "@%^") == std::string::npos;
    if (plain) {
      line += word;
      continue;
    }
    line += '\'';
    for (char c : word)
      c == '\'' ? line += "'\\''" : line += c;
    line += '\'';
  }
  return line;
}

bool expandWords(const Words& arguments, Words& expanded, std::string& error,
                 const std::string& directory) {
  Words all = environmentWords("NVCC_PREPEND_FLAGS");
  all.insert(all.end(), arguments.begin(), arguments.end());
  const Words appended = environmentWords("NVCC_APPEND_FLAGS");
  all.insert(all.end(), appended.begin(), appended.end());
  return expandInto(all, expanded, error, directory, 0);
}

} // namespace cu2cpp::cu2cc
