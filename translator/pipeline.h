// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The flat list of stages: parse, analyse, plan, apply, report.
#pragma once

#include "options.h"
#include "parse/cuda_invocation.h"
#include "project/unit_edits.h"

namespace cu2cpp {

/// translate() does what the options ask for and returns the exit code: 0 done, 1 done with
/// unsupported parts, 2 failed and nothing written.
int translate(const Options& options);

/// translateUnit() translates one file and writes nothing: the result can be merged with that of
/// other files.
UnitEdits translateUnit(const std::string& input, const Options& options,
                        const InstallLayout& install);

/// namesOfHeaders() lists the functions that our headers declare, with the reasons why some are not
/// supported.
std::map<std::string, std::string> namesOfHeaders(const InstallLayout& install);

/// originLine() is the one line that says what a file is, and by which a later run knows that it
/// may write over it.
std::string originLine(const std::string& input);

} // namespace cu2cpp
