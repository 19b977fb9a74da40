// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes one text of what several units want of the same file: a header with many users, a source
// compiled with several sets of -D.
//
//   unit a (-DFAST)   edits below #ifdef FAST          one text with the edits of both sides
//   unit b            edits below #else           ->
//   unit c            does not use the template        the template's text as its users need it
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "project/unit_edits.h"

namespace cu2cpp {

/// conflictOf() is the offset of the first edit on which two units disagree, and nothing if their
/// edits can be merged. They disagree where one edits text that the other reads too and leaves, or
/// edits otherwise. What one skips by #if, and a template that one does not use, is the other's to
/// say. The block size that launches of one unit suggest for a kernel is a hint, not a conflict.
std::optional<unsigned> conflictOf(const FileEdits& a, const FileEdits& b);

/// mergeEdits() are the edits of files without conflicts between them.
std::vector<Edit> mergeEdits(const std::vector<const FileEdits*>& files);

/// groupEdits() divides what units want of a file into groups without conflicts; the result has a
/// group number for each. `at` is the first conflict's offset.
std::vector<std::size_t> groupEdits(const std::vector<const FileEdits*>& files,
                                    std::optional<unsigned>& at);

} // namespace cu2cpp
