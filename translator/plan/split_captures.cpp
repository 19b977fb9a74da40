// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lambdas that outlive the piece of code that makes them for one thread copy what that piece
// declares.
//
//   both([&](int i) { s[threadIdx.x] = i; });
//   ->  both(cuBlock, ..., cu2cpp::perThread(cuBlock, ..., [&](const uint3 threadIdx) {
//         return [&, threadIdx](int i) { s[threadIdx.x] = i; }; }));
//
// What is kept per thread, for the block or in shared memory lives on and is referred to.
#include "plan/splitter.h"

namespace cu2cpp {
namespace {

/// The lambdas of a body, with those inside of others.
class Lambdas : public SyntaxVisitor {
public:
  explicit Lambdas(const clang::Stmt* body) { TraverseStmt(const_cast<clang::Stmt*>(body)); }
  std::vector<const clang::LambdaExpr*> all;
  bool VisitLambdaExpr(clang::LambdaExpr* lambda) override {
    all.push_back(lambda);
    return true;
  }
};

} // namespace

bool Splitter::isOfPiece(const clang::VarDecl* variable) const {
  const auto found = regions_.storage.find(variable);
  if (found == regions_.storage.end())
    return false;
  switch (found->second) {
  case Storage::PerThread:
  case Storage::PerLane:
    return regions_.rows.count(variable) ||
           (variable == tile_ && variable->getType()->isArrayType());
  case Storage::Strided:
  case Storage::Restated:
  case Storage::Fresh:
  case Storage::Recomputed:
    return !isReferenceLocal(variable);
  default:
    return false;
  }
}

void Splitter::findCaptures() {
  const clang::SourceManager& sm = plan_.text.sources();
  for (const clang::LambdaExpr* lambda : Lambdas(body_).all) {
    RegionText inner;
    inner.add(lambda->getBody());
    const auto change = [&](std::optional<FilePosition> at, unsigned back,
                            const std::string& text) {
      if (at && !plan_.text.inMacro(lambda->getBeginLoc()))
        captures_.push_back({FileRange{at->file, at->offset - back, at->offset}, text});
      else
        uneditable_.insert(lambda);
    };
    std::set<const clang::VarDecl*> listed;
    for (const clang::LambdaCapture& capture : lambda->explicit_captures()) {
      const auto* variable = capture.capturesVariable()
                                 ? llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar())
                                 : nullptr;
      if (!variable)
        continue;
      listed.insert(variable);
      if (capture.getCaptureKind() != clang::LCK_ByRef || !isOfPiece(variable))
        continue;
      // `&x` or `&r = x`
      const auto name = plan_.text.positionOf(capture.getLocation());
      const llvm::StringRef before =
          name ? plan_.text.buffer(name->file).substr(0, name->offset) : llvm::StringRef();
      const std::size_t mark = before.rtrim().size();
      if (name && before.rtrim().ends_with("&"))
        change(name, name->offset - static_cast<unsigned>(mark) + 1, "");
      else
        uneditable_.insert(lambda);
    }
    std::string copies;
    if (lambda->getCaptureDefault() == clang::LCD_ByRef) {
      if (inner.namesThread)
        copies += ", threadIdx";
      std::map<std::string, const clang::VarDecl*> byName;
      for (const clang::VarDecl* variable : inner.uses)
        if (isOfPiece(variable) && !listed.count(variable) &&
            sm.isBeforeInTranslationUnit(variable->getLocation(), lambda->getBeginLoc()))
          byName[variable->getNameAsString()] = variable;
      for (const auto& [name, variable] : byName)
        copies += ", " + name;
      if (!copies.empty())
        change(plan_.text.endOf(lambda->getCaptureDefaultLoc()), 0, copies);
      continue;
    }
    // A lambda without a capture default names what it is given at its head
    // (rewrite_device_functions.cpp), except for the thread, which need not run it itself.
    const FunctionFacts* own = nullptr;
    if (const auto found = plan_.facts.functions.find(lambda->getCallOperator()->getLocation());
        found != plan_.facts.functions.end())
      own = &found->second;
    if (!own)
      continue;
    unsigned builtins = own->builtins;
    if ((builtins & ThreadIdx) && !listed.empty()) {
      builtins &= ~ThreadIdx;
      change(plan_.text.positionOf(lambda->getIntroducerRange().getEnd()), 0, ", threadIdx");
    }
    std::string head;
    for (const std::string& line : linesAtHead(plan_, *own, builtins))
      head += " " + line;
    if (!head.empty())
      change(plan_.text.endOf(lambda->getBody()->getBeginLoc()), 0, head);
    plan_.movedLambdas.insert(own);
  }
}

void Splitter::reportCaptures(const clang::Expr* e, const RegionText& text) const {
  for (const clang::LambdaExpr* lambda : uneditable_)
    if (isInside(lambda, e) || llvm::any_of(text.uses, [&](const clang::VarDecl* variable) {
          return isOfPiece(variable) && variable->hasInit() &&
                 isInside(lambda, variable->getInit());
        }))
      plan_.diagnostics.report(DiagId::NotEditable, plan_.unit.placeOf(lambda->getBeginLoc()),
                               {"a lambda that a function with barriers calls"});
}

} // namespace cu2cpp
