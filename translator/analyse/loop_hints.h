// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `#pragma unroll` in front of loops that are written anew.
#pragma once

#include "clang/AST/Stmt.h"

#include "analyse/plain_body.h"

namespace cu2cpp {

/// removeHint() adds to edits that no `#pragma unroll` stands in front of a loop that is no more,
/// and begins at `range`; false if something else stands there.
bool removeHint(const PlainBody& body, const clang::ForStmt* loop, const FileRange& range,
                std::map<unsigned, std::pair<unsigned, std::string>>& edits);

} // namespace cu2cpp
