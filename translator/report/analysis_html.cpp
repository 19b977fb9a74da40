// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report of --analyze as one page: no script, no other file, light or dark as the reader's
// system is, and readable on a telephone. Findings link to excerpts of the sources below.
#include <algorithm>
#include <cstdio>

#include "report/analysis.h"

#include "build_config.h"

namespace cu2cpp {
namespace {

const char style[] = R"css(
:root { color-scheme: light dark; --paper: #fff; --ink: #1c2330; --soft: #5b6675; --line: #d9dee6;
  --card: #f5f7fa; --link: #1257b0; --good: #2e8b57; --fair: #b7791f; --bad: #c0392b; --third: #3b74c4; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #14181f; --ink: #e4e8ee; --soft: #9aa6b5; --line: #333c49; --card: #1d232d;
    --link: #7fb2f5; --good: #4fb783; --fair: #dba647; --bad: #ee7565; --third: #6f9fe0; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: .5rem 0; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
a { color: var(--link); } code, pre { font: .86em/1.5 ui-monospace, monospace; }
.soft { color: var(--soft); }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: .6rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .8rem; }
.card b { display: block; font-size: 1.4rem; line-height: 1.3; }
.bar { display: flex; height: 1rem; border-radius: .5rem; overflow: hidden; background: var(--line); margin: .3rem 0; }
.bar i { display: block; min-width: 2px; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; margin: 0; padding: 0; list-style: none; }
.legend i { display: inline-block; width: .8rem; height: .8rem; border-radius: .2rem; margin-right: .35rem; }
.good { background: var(--good); } .fair { background: var(--fair); } .bad { background: var(--bad); } .third { background: var(--third); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .25rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--soft); font-weight: 600; } td.n, th.n { text-align: right; white-space: nowrap; }
.tag { display: inline-block; border-radius: .3rem; padding: 0 .4rem; color: var(--paper); font-size: .85em; }
details { border: 1px solid var(--line); border-radius: .5rem; margin: .5rem 0; padding: .4rem .8rem; }
summary { cursor: pointer; } details[open] > summary { margin-bottom: .5rem; }
pre { background: var(--card); border-radius: .4rem; padding: .4rem; overflow-x: auto; margin: .5rem 0; }
pre span { display: block; white-space: pre; } pre span:target { background: var(--fair); color: var(--paper); }
pre b { color: var(--soft); font-weight: normal; user-select: none; }
ul { padding-left: 1.2rem; margin: .3rem 0; }
@media (max-width: 40rem) { .wide { display: none; } body { padding: .6rem; } th, td { padding: .25rem .35rem; } }
)css";

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '&'   ? std::string("&amp;")
           : c == '<' ? "&lt;"
           : c == '>' ? "&gt;"
           : c == '"' ? "&quot;"
                      : std::string(1, c);
  return out;
}

std::string text(std::size_t n) { return std::to_string(n); }

struct Part {
  std::string name;
  std::size_t count;
  const char* colour;
};

/// A bar of coloured parts with its legend.
std::string bar(const std::vector<Part>& parts) {
  std::size_t total = 0;
  for (const Part& p : parts)
    total += p.count;
  if (!total)
    return "<p class=\"soft\">none</p>";
  std::string out = "<div class=\"bar\" role=\"img\" aria-label=\"";
  for (const Part& p : parts)
    out += escaped(p.name) + " " + text(p.count) + " ";
  out += "\">";
  for (const Part& p : parts) {
    char share[32];
    std::snprintf(share, sizeof share, "%.2f", 100.0 * double(p.count) / double(total));
    if (p.count)
      out += std::string("<i class=\"") + p.colour + "\" style=\"width:" + share + "%\"></i>";
  }
  out += "</div><ul class=\"legend\">";
  for (const Part& p : parts)
    if (p.count)
      out += std::string("<li><i class=\"") + p.colour + "\"></i>" + escaped(p.name) + " " +
             text(p.count) + "</li>";
  return out + "</ul>";
}

const char* colourOf(const std::string& form) {
  return form == "fibers" ? "bad" : form == "split" ? "third" : form == "?" ? "fair" : "good";
}
const char* colourOf(NameUse::State state) {
  return state == NameUse::State::Done ? "good" : state == NameUse::State::Caveat ? "fair" : "bad";
}

std::string tag(const std::string& word, const char* colour) {
  return std::string("<span class=\"tag ") + colour + "\">" + escaped(word) + "</span>";
}

std::string lineLink(std::size_t file, unsigned line) {
  const std::string n = std::to_string(line);
  return "<a href=\"#f" + text(file) + "l" + n + "\">line " + n + "</a>";
}

std::string namesTable(const std::vector<NameUse>& names) {
  std::string out = "<div class=\"scroll\"><table><tr><th>name<th>state<th class=\"n\">uses"
                    "<th class=\"wide\">of<th>remark</tr>";
  for (const NameUse& use : names)
    out += "<tr><td><code>" + escaped(use.name) + "</code><td>" +
           tag(nameOf(use.state), colourOf(use.state)) + "<td class=\"n\">" +
           text(use.lines.size()) + "<td class=\"wide\">" + escaped(use.library) + "<td>" +
           escaped(use.why) + "</tr>";
  return out + "</table></div>";
}

/// The lines that findings name, with their neighbours.
std::string excerpt(const AnalysedFile& file, std::size_t index) {
  if (file.excerpt.empty())
    return {};
  std::string out = "<pre>";
  unsigned last = 0;
  for (const auto& [line, code] : file.excerpt) {
    if (last && line != last + 1)
      out += "<span class=\"soft\">...</span>";
    char number[16];
    std::snprintf(number, sizeof number, "%5u  ", line);
    out += "<span id=\"f" + text(index) + "l" + std::to_string(line) + "\"><b>" + number + "</b>" +
           escaped(code) + "</span>";
    last = line;
  }
  return out + "</pre>";
}

std::string fileSection(const AnalysedFile& file, std::size_t index) {
  std::string out = "<details id=\"f" + text(index) + "\"><summary><b>" + escaped(file.path) +
                    "</b> <span class=\"soft\">" + text(file.usage.lines) + " lines, " +
                    text(file.kernels.size()) +
                    (file.kernels.size() == 1 ? " kernel" : " kernels") + "</span></summary>";
  if (file.failed)
    out += "<p>" + tag("does not compile", "bad") + " " + escaped(file.whyFailed) + "</p>";
  if (!file.kernels.empty()) {
    out += "<ul>";
    for (const KernelSummary& k : file.kernels)
      out += "<li><code>" + escaped(k.name) + "</code> " + lineLink(index, k.place.line) + " " +
             tag(k.form, colourOf(k.form)) + " <span class=\"soft\">" + escaped(k.reason) +
             "</span></li>";
    out += "</ul>";
  }
  std::string rest;
  for (const NameUse& use : file.usage.names)
    if (use.state == NameUse::State::Missing)
      rest += "<li>" + tag("missing", "bad") + " <code>" + escaped(use.name) + "</code> " +
              lineLink(index, use.lines.front()) + " " + escaped(use.why) + "</li>";
  for (const Diagnostic& d : file.diagnostics)
    if (d.id != DiagId::NameMissing && d.id != DiagId::NameCaveat && d.place.line)
      rest += "<li>" + tag(d.code(), d.severity == Severity::Note ? "fair" : "bad") + " " +
              lineLink(index, d.place.line) + " " + escaped(d.text) +
              (d.hint.empty() ? "" : " <span class=\"soft\">" + escaped(d.hint) + "</span>") +
              "</li>";
  if (!rest.empty())
    out += "<ul>" + rest + "</ul>";
  return out + excerpt(file, index) + "</details>";
}

} // namespace

std::string analysisAsHtml(const Analysis& analysis) {
  const auto states = [&](const char* state) {
    const auto found = analysis.byState.find(state);
    return found == analysis.byState.end() ? std::size_t(0) : std::size_t(found->second);
  };
  std::string out = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
                    "<link rel=\"icon\" href=\"data:,\">"
                    "<title>cu2cpp: what a port takes</title><style>" +
                    std::string(style) +
                    "</style></head><body>\n<h1>What a port takes</h1>"
                    "<p class=\"soft\">" +
                    escaped(analysis.root) +
                    ", by cu2cpp " CU2CPP_VERSION "</p>\n<div class=\"cards\">";
  const auto card = [&](const std::string& value, const char* what) {
    out += "<div class=\"card\"><b>" + escaped(value) + "</b>" + what + "</div>";
  };
  card(text(analysis.files.size()), "files");
  card(text(analysis.lines), "lines");
  card(text(analysis.kernels), "kernels");
  card(text(analysis.failed), "do not compile");
  card(hoursText(analysis.portMinutes), "to port");
  card(hoursText(analysis.tuneMinutes), "to tune");
  if (analysis.unread)
    out += "</div><p>" + tag("stopped", "bad") + " " + unreadText(analysis) + "</p><div>";
  out +=
      "</div><p class=\"soft\">Times are rules of thumb: what has to be changed by hand until it "
      "runs, and places to look at where it should be faster.</p>\n<h2>Kernels by form</h2>";
  std::vector<Part> forms;
  for (const auto& [form, count] : analysis.forms)
    forms.push_back({form, count, colourOf(form)});
  out += bar(forms) + "\n<h2>Functions of CUDA and its libraries</h2>" +
         bar({{"done", states("done"), "good"},
              {"done, with a difference", states("caveat"), "fair"},
              {"missing", states("missing"), "bad"}});
  if (!analysis.libraries.empty()) {
    out += "<p>Libraries: ";
    for (const NameUse& l : analysis.libraries)
      out += tag(l.name + (l.state == NameUse::State::Missing ? " (not there yet)" : ""),
                 colourOf(l.state)) +
             " ";
    out += "</p>";
  }
  if (!analysis.names.empty())
    out += "<details><summary>" + text(analysis.names.size()) + " functions in all</summary>" +
           namesTable(analysis.names) + "</details>";
  out += "\n<h2>Files</h2><div class=\"scroll\"><table><tr><th>file<th class=\"n wide\">lines"
         "<th class=\"n\">kernels<th class=\"n\">missing<th class=\"n\">to port<th class=\"n "
         "wide\">to tune</tr>";
  for (std::size_t i = 0; i < analysis.files.size(); ++i) {
    const AnalysedFile& file = analysis.files[i];
    const auto missing =
        std::count_if(file.usage.names.begin(), file.usage.names.end(),
                      [](const NameUse& n) { return n.state == NameUse::State::Missing; });
    out += "<tr><td><a href=\"#f" + text(i) + "\">" + escaped(file.path) + "</a>" +
           (file.failed ? " " + tag("!", "bad") : "") + "<td class=\"n wide\">" +
           text(file.usage.lines) + "<td class=\"n\">" + text(file.kernels.size()) +
           "<td class=\"n\">" + std::to_string(missing) + "<td class=\"n\">" +
           hoursText(file.portMinutes) + "<td class=\"n wide\">" + hoursText(file.tuneMinutes) +
           "</tr>";
  }
  out += "</table></div>\n<h2>Findings</h2>";
  for (std::size_t i = 0; i < analysis.files.size(); ++i)
    out += fileSection(analysis.files[i], i) + "\n";
  return out + "</body></html>\n";
}

} // namespace cu2cpp
