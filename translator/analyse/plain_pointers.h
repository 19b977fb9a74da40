// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <optional>
#include <string>

#include "analyse/plain_body.h"

namespace cu2cpp {

/// placePointers() makes pointers that move through a kernel's array places in it.
void placePointers(const PlainBody& body);
/// placeOwnPointers() makes pointers into arrays of a thread's own places in them.
void placeOwnPointers(const PlainBody& body);

/// A place in an array of a thread's own; its start if there is no index.
struct OwnPlace {
  const clang::VarDecl* array;
  const clang::Expr* index;
};
/// ownPlaceAt() is the place that an address is: `values + p * 4`, `&values[p * 4]`, `values`.
std::optional<OwnPlace> ownPlaceAt(const clang::Expr* address);

/// PlacedPointer is a pointer that becomes a place in an array, and the edits for that.
class PlacedPointer {
protected:
  PlacedPointer(const PlainBody& body, const clang::VarDecl* pointer)
      : body_(body), pointer_(pointer), place_("cuAt_" + pointer->getNameAsString()) {}

  /// Whether something else in the function has the array's name.
  bool isHidden() const;
  bool replace(clang::SourceRange where, const std::string& text);
  /// `p[i]` is the array's element.
  bool replaceElement(const clang::DeclRefExpr* use, const clang::ArraySubscriptExpr* element);
  /// `*p` is the array's element.
  bool replaceFollowed(const clang::UnaryOperator* op);

  const PlainBody& body_;
  const clang::VarDecl* const pointer_;
  const std::string place_;
  const clang::VarDecl* array_ = nullptr;
  bool saysConst_ = false; ///< of the elements, where the array does not
  std::string file_;
  std::map<unsigned, std::pair<unsigned, std::string>> edits_;

private:
  bool insert(unsigned at, const std::string& text);
  bool isLoadedOrAlike(const clang::Expr* e) const;
};

} // namespace cu2cpp
