// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The places and the text of what is written: ranges, expressions with what group calls gave in
// their place, names and types of variables.
#include "plan/splitter.h"

#include <algorithm>

namespace cu2cpp {

clang::PrintingPolicy Splitter::policy() const {
  clang::PrintingPolicy p(plan_.unit.context().getPrintingPolicy());
  p.FullyQualifiedName = true;
  return p;
}

FileRange Splitter::rangeOf(const clang::Stmt* s) const {
  // A loop's `#pragma unroll` stays above what is put around the loop.
  if (const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(s))
    return rangeOf(attributed->getSubStmt());
  const clang::SourceLocation anchor = body_->getLBracLoc();
  const auto begin = plan_.text.positionOf(plan_.text.lift(s->getBeginLoc(), anchor));
  auto end = plan_.text.endOf(plan_.text.lift(s->getEndLoc(), anchor, true));
  CU2CPP_CHECK(begin && end && begin->file == end->file);
  const llvm::StringRef buffer = plan_.text.buffer(begin->file);
  const char last = end->offset ? buffer[end->offset - 1] : '\0';
  if (last != ';' && !(last == '}' && endsWithBrace(s)))
    while (end->offset < buffer.size() && buffer[end->offset - 1] != ';')
      ++end->offset;
  return {begin->file, begin->offset, end->offset};
}

FileRange Splitter::expressionRange(const clang::Expr* e) const {
  const clang::SourceLocation anchor = body_->getLBracLoc();
  const auto begin = plan_.text.positionOf(plan_.text.lift(e->getBeginLoc(), anchor));
  const auto end = plan_.text.endOf(plan_.text.lift(e->getEndLoc(), anchor, true));
  CU2CPP_CHECK(begin && end && begin->file == end->file);
  return {begin->file, begin->offset, end->offset};
}

FilePosition Splitter::beginOf(clang::SourceLocation at) const {
  const auto position = plan_.text.positionOf(plan_.text.lift(at, body_->getLBracLoc()));
  CU2CPP_CHECK(position);
  return *position;
}

FilePosition Splitter::endOf(clang::SourceLocation at) const {
  const auto position = plan_.text.endOf(plan_.text.lift(at, body_->getLBracLoc(), true));
  CU2CPP_CHECK(position);
  return *position;
}

bool Splitter::endsWithBrace(const clang::Stmt* s) {
  if (llvm::isa<clang::CompoundStmt, clang::SwitchStmt, clang::CXXTryStmt>(s))
    return true;
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(s))
    return endsWithBrace(branch->getElse() ? branch->getElse() : branch->getThen());
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(s))
    return endsWithBrace(loop->getBody());
  if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(s))
    return endsWithBrace(loop->getBody());
  if (const auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(s))
    return endsWithBrace(loop->getBody());
  if (const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(s))
    return endsWithBrace(attributed->getSubStmt());
  return false;
}

unsigned Splitter::behindComment(const FileRange& range) const {
  const llvm::StringRef buffer = plan_.text.buffer(range.file);
  unsigned at = range.end;
  while (at < buffer.size() && (buffer[at] == ' ' || buffer[at] == '\t'))
    ++at;
  if (!buffer.substr(at).starts_with("//"))
    return range.end;
  const std::size_t newline = buffer.find('\n', at);
  return newline == llvm::StringRef::npos ? static_cast<unsigned>(buffer.size())
                                          : static_cast<unsigned>(newline);
}

bool Splitter::canBeComment(const FileRange& range) const {
  const std::string text = plan_.text.text(range);
  if (text.find('\n') != std::string::npos)
    return false;
  return behindComment(range) != range.end || restOfLineIsBlank(range) ||
         (plan_.options.lineDirectives && text.find("*/") == std::string::npos &&
          text.find("/*") == std::string::npos);
}

std::string Splitter::asComment(const FileRange& range, const std::string& note) const {
  const std::string text = plan_.text.text(range);
  return behindComment(range) != range.end || restOfLineIsBlank(range)
             ? "// " + text + " (" + note + ")"
             : "/* " + text + " */";
}

FileRange Splitter::wholeLine(FileRange range) const {
  const llvm::StringRef buffer = plan_.text.buffer(range.file);
  unsigned begin = range.begin, end = behindComment(range);
  while (begin > 0 && (buffer[begin - 1] == ' ' || buffer[begin - 1] == '\t'))
    --begin;
  while (end < buffer.size() && (buffer[end] == ' ' || buffer[end] == '\t'))
    ++end;
  if ((begin == 0 || buffer[begin - 1] == '\n') && end < buffer.size() && buffer[end] == '\n')
    return {range.file, begin, end + 1};
  return range;
}

bool Splitter::isInside(const clang::Stmt* inner, const clang::Stmt* outer) const {
  for (const clang::Stmt* at = inner; at; at = parents_->getParent(at))
    if (at == outer)
      return true;
  return false;
}

std::vector<unsigned> Splitter::callsIn(const clang::Stmt* s) const {
  std::vector<unsigned> out;
  for (const auto& [call, index] : callIndex_) {
    if (!isInside(call, s))
      continue;
    bool outermost = true;
    for (const clang::Stmt* at = parents_->getParent(call); outermost && at && call != s;
         at = parents_->getParent(at)) {
      if (const auto* other = llvm::dyn_cast<clang::CallExpr>(at))
        outermost &= !callIndex_.count(other);
      if (at == s)
        break;
    }
    if (outermost)
      out.push_back(index);
  }
  return out;
}

std::string Splitter::print(const clang::Stmt* s) const {
  class Helper : public clang::PrinterHelper {
  public:
    const Splitter* splitter = nullptr;
    bool handledStmt(clang::Stmt* s, llvm::raw_ostream& out) override {
      const auto* call = llvm::dyn_cast<clang::CallExpr>(s);
      const auto found = call ? splitter->callIndex_.find(call) : splitter->callIndex_.end();
      if (found == splitter->callIndex_.end())
        return false;
      out << splitter->resultOf(found->second);
      return true;
    }
  } helper;
  helper.splitter = this;
  std::string text;
  llvm::raw_string_ostream stream(text);
  s->printPretty(stream, &helper, plan_.unit.context().getPrintingPolicy());
  return text;
}

std::string Splitter::expressionText(const clang::Expr* e) const {
  const std::vector<unsigned> calls = callsIn(e);
  bool plain = plan_.text.isWhole(e);
  for (const unsigned index : calls)
    plain &= plan_.text.isWhole(regions_.calls[index].call);
  if (!plain)
    return print(e);
  const FileRange range = expressionRange(e);
  Parts parts;
  for (const unsigned index : calls)
    parts.push_back({expressionRange(regions_.calls[index].call), resultOf(index)});
  for (const auto& [part, name] : replaced_)
    if (isInside(part, e))
      parts.push_back({expressionRange(part), name});
  return textWith(range, std::move(parts));
}

std::string Splitter::textWith(const FileRange& range, Parts parts) const {
  if (makesValue_)
    for (const auto& part : captures_)
      if (part.first.file == range.file && part.first.begin >= range.begin &&
          part.first.end <= range.end)
        parts.push_back(part);
  std::sort(parts.begin(), parts.end(),
            [](const auto& a, const auto& b) { return a.first.begin < b.first.begin; });
  std::string out;
  unsigned at = range.begin;
  for (const auto& [part, words] : parts) {
    out += plan_.text.text(FileRange{range.file, at, part.begin}) + words;
    at = part.end;
  }
  return out + plan_.text.text(FileRange{range.file, at, range.end});
}

std::string Splitter::textOf(const FileRange& range) const {
  Parts parts;
  for (const auto& [part, name] : replaced_)
    if (const FileRange at = expressionRange(part);
        at.file == range.file && at.begin >= range.begin && at.end <= range.end)
      parts.push_back({at, name});
  return textWith(range, std::move(parts));
}

std::string Splitter::typeOf(const clang::VarDecl* variable) const {
  clang::PrintingPolicy p(policy());
  // Without names of local types; a template parameter has no other name than its own.
  const clang::QualType type = variable->getType().getNonReferenceType();
  clang::Qualifiers qualifiers; // of an array, its elements'
  return plan_.unit.context()
      .getUnqualifiedArrayType(
          type->isDependentType() || isLocalType(type) ? type : type.getCanonicalType(), qualifiers)
      .getUnqualifiedType()
      .getAsString(p);
}

std::string Splitter::pointerTo(const clang::VarDecl* variable) const {
  const clang::QualType type = variable->getType().getNonReferenceType();
  const std::string text = typeOf(variable);
  return (type->isArrayType() || type->isFunctionType() ? "cu2cpp::Type<" + text + ">" : text) +
         (isReferenceToConst(variable) ? " const*" : "*");
}

bool Splitter::isLocalType(clang::QualType type) {
  const clang::Type* base = type->getBaseElementTypeUnsafe();
  while (base->isPointerType())
    base = base->getPointeeType()->getBaseElementTypeUnsafe();
  const clang::TagDecl* tag = base->getAsTagDecl();
  return tag && tag->getDeclContext() && tag->getDeclContext()->isFunctionOrMethod();
}

void Splitter::nameStorage() {
  class Names : public SyntaxVisitor {
  public:
    std::set<std::string> names;
    bool VisitNamedDecl(clang::NamedDecl* decl) override {
      names.insert(decl->getNameAsString());
      return true;
    }
  } taken;
  taken.TraverseStmt(const_cast<clang::CompoundStmt*>(body_));
  for (const clang::ParmVarDecl* parameter : kernel_.decl->parameters())
    taken.names.insert(parameter->getNameAsString());
  for (const auto& [variable, storage] : inOrder()) {
    if (storage != Storage::PerThread && storage != Storage::PerLane)
      continue;
    std::string name = "cuEach_" + variable->getNameAsString();
    while (!taken.names.insert(name).second)
      name += "_";
    perThreadName_[variable] = name;
  }
}

std::vector<std::pair<const clang::VarDecl*, Storage>> Splitter::inOrder() const {
  std::vector<std::pair<const clang::VarDecl*, Storage>> out(regions_.storage.begin(),
                                                             regions_.storage.end());
  const clang::SourceManager& sm = plan_.text.sources();
  std::sort(out.begin(), out.end(), [&](const auto& a, const auto& b) {
    return sm.isBeforeInTranslationUnit(a.first->getLocation(), b.first->getLocation());
  });
  return out;
}

bool Splitter::isDeclaredInPlace(const clang::VarDecl* variable) const {
  if (!regions_.statements.count(variable) || !regions_.statements.at(variable))
    return false;
  const clang::CXXRecordDecl* record =
      variable->getType()->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  const bool constructs =
      record && record->hasDefinition() && !record->hasTrivialDefaultConstructor();
  return isStored(variable, Storage::PerLane) || isLocalType(variable->getType()) || constructs ||
         (variable->getType()->isDependentType() &&
          !llvm::isa<clang::TemplateTypeParmType>(
              variable->getType()->isPointerType()
                  ? variable->getType()->getPointeeType().getTypePtr()
                  : variable->getType().getTypePtr()));
}

} // namespace cu2cpp
