// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structures that are nothing but a few numbers and pointers, and can be put together from them:
//
//   struct Complex {                             Complex{re, im}, if it had no constructor
//     float re, im;
//     Complex(float r, float i) : re(r), im(i) {}        Complex(re, im)
//     Complex operator+(const Complex& other) const;
//   };
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "clang/AST/DeclCXX.h"

namespace cu2cpp {

/// partsOf() are the fields of such a structure; none of any other type.
std::vector<const clang::FieldDecl*> partsOf(clang::QualType type);

/// StructurePart is a field of a structure, or an element of a field that is an array.
struct StructurePart {
  const clang::FieldDecl* field;
  std::optional<std::uint64_t> element;
  clang::QualType type;
};

/// scalarsOf() are the parts of such a structure, or of one that may be put together from lists and
/// holds small arrays of numbers beside numbers and pointers.
std::vector<StructurePart> scalarsOf(clang::QualType type);

/// declarationOf() declares a variable with the type of a part: what a class or a namespace calls a
/// number has another name outside.
std::string declarationOf(clang::QualType type, const clang::ASTContext& context,
                          const std::string& name);

/// hidesParts() tells whether a class would be such a structure if others could name its fields.
bool hidesParts(clang::QualType type);

/// isOfNumbers() tells whether a type is such a structure and all its parts are numbers.
bool isOfNumbers(clang::QualType type);

/// isPlain() finds numbers, and such structures of them.
inline bool isPlain(clang::QualType type) { return type->isArithmeticType() || isOfNumbers(type); }

/// isOfValues() tells whether a class, whatever it lets others see of itself, holds numbers and
/// structures of numbers alone: one copy is as good as another.
bool isOfValues(clang::QualType type);

/// holdsNumbers() tells whether all that lies in a type are numbers, in arrays, bases and members
/// of whatever structure, which nothing but an assignment or a method that may change it changes.
bool holdsNumbers(clang::QualType type);

/// storesParts() tells whether all that a constructor does is to store its parameters as the parts
/// of its structure, each as it is.
bool storesParts(const clang::CXXConstructorDecl* constructor);

} // namespace cu2cpp
