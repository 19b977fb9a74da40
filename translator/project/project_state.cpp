// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "project/project_state.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MD5.h"
#include <nlohmann/json.hpp>

namespace fs = std::filesystem;

namespace cu2cpp {
namespace {

constexpr int formatVersion = 1;

std::optional<std::string> contentOf(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream whole;
  whole << in.rdbuf();
  return in ? std::optional<std::string>(whole.str()) : std::nullopt;
}

/// A reader never sees half a file.
bool replaceFile(const std::string& path, const std::string& text) {
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  {
    std::ofstream out(path + ".new", std::ios::binary);
    out << text;
    if (!out.flush())
      return false;
  }
  fs::rename(path + ".new", path, error);
  return !error;
}

} // namespace

std::string hashOf(const std::string& text) {
  llvm::MD5 md5;
  md5.update(text);
  llvm::MD5::MD5Result result;
  md5.final(result);
  return std::string(result.digest());
}

std::string hashOfFile(const std::string& path) {
  const auto text = contentOf(path);
  return text ? hashOf(*text) : std::string();
}

ProjectState StateFolder::read() const {
  ProjectState state;
  const auto text = contentOf(folder_ + "/state.json");
  if (!text)
    return state;
  try {
    const auto all = nlohmann::json::parse(*text);
    if (all.at("format") != formatVersion)
      return {};
    state.settings = all.at("settings");
    state.units = all.at("units").get<std::map<std::string, HashByPath>>();
    state.hostFiles = all.at("hostFiles").get<HashByPath>();
    state.outputs = all.at("outputs").get<HashByPath>();
    state.pending = all.at("pending").get<HashByPath>();
    state.kernels = all.at("kernels");
    state.exitCode = all.at("exitCode");
  } catch (const nlohmann::json::exception&) {
    return {};
  }
  return state;
}

bool StateFolder::write(const ProjectState& state) const {
  const nlohmann::json all = {{"format", formatVersion},  {"settings", state.settings},
                              {"units", state.units},     {"hostFiles", state.hostFiles},
                              {"outputs", state.outputs}, {"pending", state.pending},
                              {"kernels", state.kernels}, {"exitCode", state.exitCode}};
  return replaceFile(folder_ + "/state.json", all.dump(1) + "\n");
}

std::optional<UnitEdits> StateFolder::readUnit(const std::string& key) const {
  const auto bytes = contentOf(folder_ + "/units/" + key);
  UnitEdits unit;
  if (!bytes || !unpackUnit(*bytes, unit))
    return std::nullopt;
  return unit;
}

bool StateFolder::writeUnit(const std::string& key, const std::string& bytes) const {
  return replaceFile(folder_ + "/units/" + key, bytes);
}

void StateFolder::removeOtherUnits(const ProjectState& state) const {
  std::error_code error;
  for (fs::directory_iterator it(folder_ + "/units", error), end; !error && it != end;
       it.increment(error))
    if (!state.units.count(it->path().filename().string())) {
      std::error_code ignored;
      fs::remove(it->path(), ignored);
    }
}

} // namespace cu2cpp
