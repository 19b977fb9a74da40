// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the next block, or the next warp of a block, will load is asked for beforehand.
#include "plan/splitter.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <optional>

#include "analyse/region_parts.h"
#include "analyse/slopes.h"
#include "plan/prefetch_parts.h"

namespace cu2cpp {

namespace {

/// Whether a place depends on a part of a built-in variable: in each row of a block's threads it
/// lies elsewhere if on threadIdx.y.
bool dependsOn(const clang::Expr* e, Builtin builtin, const char* part, unsigned depth = 0) {
  class Names : public SyntaxVisitor {
  public:
    Builtin builtin = ThreadIdx;
    const char* part = nullptr;
    bool found = false;
    unsigned depth = 0;
    bool VisitMemberExpr(clang::MemberExpr* member) override {
      return !(found |= isPart(member, builtin, part));
    }
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      return !(found |= variable && variable->hasLocalStorage() && variable->hasInit() &&
                        depth < 8 && dependsOn(variable->getInit(), builtin, part, depth + 1));
    }
  } names;
  names.builtin = builtin;
  names.part = part;
  names.depth = depth;
  names.TraverseStmt(const_cast<clang::Expr*>(e));
  return names.found;
}

/// What a region's threads declare for themselves: `const int i = threadIdx.x + q * THREADS;`
bool isOfRegion(const clang::VarDecl* variable, const Regions& regions) {
  return variable->hasLocalStorage() && !llvm::isa<clang::ParmVarDecl>(variable) &&
         !isNamedConstant(variable) && !regions.storage.count(variable);
}

} // namespace

std::optional<std::string> Splitter::forNextBlock(const clang::Expr* place,
                                                  const std::set<const clang::VarDecl*>& counters,
                                                  const std::string& array,
                                                  const clang::Expr* begin) const {
  RegionText named;
  named.add(place);
  if (begin)
    named.add(begin);
  // What the group declares is for this block; the next one starts with the same expression.
  std::map<unsigned, std::string> groups, own;
  std::set<const clang::VarDecl*> written;
  const auto isOwn = [&](const clang::VarDecl* variable) { return isOfRegion(variable, regions_); };
  for (bool grown = true; grown;) {
    grown = false;
    // What a region makes again comes before what it declares, and may not be made of that.
    RegionText again;
    llvm::copy_if(named.uses, std::inserter(again.uses, again.uses.end()),
                  [&](const auto* variable) { return isStored(variable, Storage::Recomputed); });
    bindings({}, again);
    if (llvm::any_of(again.uses, isOwn))
      return std::nullopt;
    named.uses.insert(again.uses.begin(), again.uses.end());
    for (const clang::VarDecl* variable : std::set<const clang::VarDecl*>(named.uses)) {
      if ((!isStored(variable, Storage::Block) && !isOwn(variable)) || !variable->hasInit() ||
          counters.count(variable) ||
          (!variable->getType()->isIntegerType() && !variable->getType()->isPointerType()) ||
          !plan_.text.isWhole(variable->getInit()) || !written.insert(variable).second)
        continue;
      std::string declaration;
      llvm::raw_string_ostream stream(declaration);
      if (variable->getType()->isPointerType())
        stream << "auto " << variable->getNameAsString();
      else
        variable->getType().getUnqualifiedType().print(stream, policy(),
                                                       variable->getNameAsString());
      (isOwn(variable) ? own : groups)[beginOf(variable->getLocation()).offset] =
          "const " + declaration + " = " + expressionText(variable->getInit()) + "; ";
      RegionText more;
      more.add(variable->getInit());
      for (const clang::VarDecl* other : more.uses)
        if (!isOwn(variable) && isStored(other, Storage::Recomputed))
          return std::nullopt; // it would have to come before
      named.add(variable->getInit());
      grown = true;
    }
  }
  std::string lines;
  for (const auto& [offset, line] : groups)
    lines += line;
  for (const std::string& line : bindings({}, named))
    if (line.find("cuStep_") == std::string::npos) // a counter's, which lies around
      lines += line + " ";
  for (const auto& [offset, line] : own)
    lines += line;
  std::string value =
      array.empty() ? expressionText(place) : array + " + (" + expressionText(place) + ")";
  if (begin)
    value = "(" + expressionText(begin) + ") + (" + value + ")";
  // What is not written here must be there: parameters and constants.
  for (const clang::VarDecl* variable : named.uses)
    if (variable->hasLocalStorage() && !llvm::isa<clang::ParmVarDecl>(variable) &&
        !counters.count(variable) && !isNamedConstant(variable) && !written.count(variable) &&
        !isStored(variable, Storage::Recomputed))
      return std::nullopt;
  // One scope has all of them.
  std::set<std::string> names;
  for (const clang::VarDecl* variable : named.uses)
    if (!names.insert(variable->getNameAsString()).second)
      return std::nullopt;
  // (A macro's name does not say so.)
  if ((lines + value).find("blockIdx.x") == std::string::npos && !dependsOn(place, BlockIdx, "x") &&
      !(begin && dependsOn(begin, BlockIdx, "x")))
    return std::nullopt;
  return "[&](const uint3 blockIdx, const uint3 threadIdx) { " + lines + "return " + value + "; }";
}

std::string Splitter::headOfRows(const clang::ForStmt* loop, std::string& value) const {
  const clang::VarDecl* counter = AccessesInBlock::counterOf(loop);
  const auto* test = llvm::cast<clang::BinaryOperator>(loop->getCond());
  const auto* step = llvm::cast<clang::BinaryOperator>(loop->getInc());
  const auto number = [&](const clang::Expr* e) {
    RegionText named;
    named.add(e);
    const auto known = constantOf(e, plan_.unit.context());
    return known                                         ? std::to_string(*known)
           : named.uses.empty() && plan_.text.isWhole(e) ? "(" + expressionText(e) + ")"
                                                         : std::string();
  };
  const std::string type = typeOf(counter), name = counter->getNameAsString();
  const std::string limit = number(test->getRHS()), by = number(step->getRHS());
  if (limit.empty() || by.empty())
    return "";
  value += "const " + type + " " + name + " = cuFrom_" + name + " + threadIdx.y; ";
  // A loop that never runs may have no step: `if constexpr (STEP > 0)`.
  return "for (" + type + " cuFrom_" + name + " = 0; " + by + " > 0 && cuFrom_" + name + " < " +
         limit + "; cuFrom_" + name + " += " + by + ") ";
}

std::optional<std::string> Splitter::headsFor(const clang::Expr* place,
                                              const std::vector<const clang::ForStmt*>& loops,
                                              std::set<const clang::VarDecl*>& counters,
                                              std::string& values) const {
  RegionText named;
  named.add(place);
  for (std::size_t before = 0; before != named.uses.size();) {
    before = named.uses.size();
    for (const clang::VarDecl* variable : std::set<const clang::VarDecl*>(named.uses))
      if (variable->hasLocalStorage() && variable->hasInit())
        named.add(variable->getInit());
  }
  std::string heads;
  for (const clang::ForStmt* loop : loops) {
    const clang::VarDecl* counter = AccessesInBlock::counterOf(loop);
    if (!named.uses.count(counter))
      continue;
    counters.insert(counter);
    if (AccessesInBlock::startsAtRow(loop)) {
      const std::string head = headOfRows(loop, values);
      if (head.empty())
        return std::nullopt;
      heads += head;
      continue;
    }
    const FilePosition begin = beginOf(loop->getBeginLoc());
    const FilePosition end = endOf(loop->getRParenLoc());
    heads += plan_.text.text(FileRange{begin.file, begin.offset, end.offset}) + " ";
  }
  return heads.find('\n') == std::string::npos ? std::optional<std::string>(heads) : std::nullopt;
}

std::vector<Splitter::PlaceAhead>
Splitter::placesOfNextBlock(const AccessesInBlock& accesses) const {
  Slopes slopes(body_, "x");
  std::vector<PlaceAhead> out;
  for (const AccessesInBlock::Access& access : accesses.all) {
    const GivenRow row = givenRow(access.element->getBase());
    const clang::Expr* place = access.element->getIdx();
    if (row.array.empty() || slopes.slope(place) != 1 || !isHarmless(place) ||
        !plan_.text.isWhole(place) || (row.begin && slopes.slope(row.begin) != 0))
      continue;
    std::set<const clang::VarDecl*> counters;
    std::string values;
    std::optional<std::string> heads = headsFor(place, access.loops, counters, values);
    std::optional<std::string> next =
        heads ? forNextBlock(place, counters, "", row.begin) : std::nullopt;
    if (next)
      next->insert(next->find("{ ") + 2, values);
    if (next)
      out.push_back({row.array, access.element, std::move(*heads), std::move(*next)});
  }
  return out;
}

std::string Splitter::prefetchesOfNextRow(const clang::ForStmt* loop) const {
  const clang::VarDecl* variable = variableOfHead(loop);
  const auto* step = llvm::cast<clang::BinaryOperator>(loop->getInc()->IgnoreParens());
  const auto* test =
      llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getCond()->IgnoreParenImpCasts());
  const LoopsAround around(body_, loop);
  if (!plan_.options.lineDirectives || publish_ || ofSeveralBlocks() || !inRunBlock() ||
      !around.known || !around.all.empty() || step->getOpcode() != clang::BO_AddAssign ||
      regions_.compared.count(step->getRHS()) || !test || test->getOpcode() != clang::BO_LT ||
      variableOf(test->getLHS()) != variable || !test->getRHS()->getType()->isIntegerType() ||
      !isGroupValue(test->getRHS()) || !isHarmless(test->getRHS()) ||
      !plan_.text.isWhole(test->getRHS()) ||
      (!strideOf(variable).base && !isThreadIndex(variable->getInit())))
    return "";
  constexpr std::size_t most = 3;
  std::set<std::string> rows;
  std::string out;
  for (const clang::ArraySubscriptExpr* load : Accesses(loop->getBody()).all) {
    const clang::Expr* base = arrayOf(load)->IgnoreParenImpCasts();
    const clang::VarDecl* array = namedBy(base);
    const clang::Expr* ahead = rowAhead(indexOf(load), variable, loop);
    if ((variableOf(indexOf(load)) != variable && !ahead) || !array ||
        !array->getType()->isPointerType() || isShared(array) || rows.size() == most)
      continue;
    const clang::Expr* place = ahead ? ahead : base;
    if ((ahead && !llvm::isa<clang::ParmVarDecl>(array)) || !isHarmless(place) ||
        !plan_.text.isWhole(place))
      continue;
    std::optional<std::string> next =
        forNextBlock(place, {}, ahead ? array->getNameAsString() : "");
    // Rows begin at one place for all threads.
    constexpr llvm::StringRef ofThread = ", const uint3 threadIdx";
    if (next)
      next->erase(next->find(ofThread), ofThread.size());
    if (next && !llvm::StringRef(*next).contains("threadIdx") && !nextRowsFetched_.count(*next) &&
        rows.insert(*next).second)
      out += ", cu2cpp::prefetchRowOfNextBlock(cuBlock, cuStep_" + variable->getNameAsString() +
             " - (" + expressionText(step->getRHS()) + "), " + expressionText(test->getRHS()) +
             ", " + *next + ")";
  }
  nextRowsFetched_.insert(rows.begin(), rows.end());
  return out;
}

std::string Splitter::prefetchesOfRows(const std::string& newline) const {
  AccessesInBlock accesses(plan_.unit.context(), true);
  accesses.TraverseStmt(const_cast<clang::CompoundStmt*>(body_));
  constexpr std::size_t most = 3;
  std::set<std::string> arrays;
  std::string out;
  for (const PlaceAhead& ahead : placesOfNextBlock(accesses))
    if (arrays.size() < most && dependsOn(ahead.access->getIdx(), ThreadIdx, "y") &&
        arrays.insert(ahead.array).second)
      out += ahead.heads + "cu2cpp::prefetchRowsOfNextBlock(cuBlock, " + ahead.array + ", " +
             ahead.next + ");" + newline;
  return out;
}

namespace {

/// Whether a value differs from warp to warp: it is made of threadIdx.
bool namesThread(const clang::Expr* e, unsigned depth = 0) {
  class Names : public SyntaxVisitor {
  public:
    bool found = false;
    unsigned depth = 0;
    bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
      return !(found |= builtinOf(use->getDecl()) == ThreadIdx ||
                        (variable && variable->hasLocalStorage() && variable->hasInit() &&
                         depth < 8 && namesThread(variable->getInit(), depth + 1)));
    }
  } names;
  names.depth = depth;
  names.TraverseStmt(const_cast<clang::Expr*>(e));
  return names.found;
}

} // namespace

std::string Splitter::prefetchesOfNextWarp(const RegionNode& region,
                                           const std::string& newline) const {
  if (!plan_.options.lineDirectives || !onlyWarps_ || regions_.rowParts || publish_ ||
      !inRunBlock())
    return "";
  const LoopsAround around(body_, region.statements.front());
  const clang::ForStmt* loop = around.all.empty() ? nullptr : around.all.back();
  if (!around.known || around.all.size() > 1 || (loop && !loop->getInc()))
    return "";
  AccessesInBlock accesses(plan_.unit.context());
  accesses.TraverseStmt(const_cast<clang::Stmt*>(loop ? loop->getBody() : body_));
  const clang::SourceLocation here = region.statements.front()->getBeginLoc();
  const auto isBefore = [&](clang::SourceLocation a, clang::SourceLocation b) {
    return plan_.text.sources().isBeforeInTranslationUnit(a, b);
  };
  // `row`, and what is made of it: `const float* in = a + row * width;`
  const auto isOfWarp = [&](const clang::VarDecl* variable) {
    return variable->hasLocalStorage() && !llvm::isa<clang::ParmVarDecl>(variable) &&
           isStored(variable, Storage::Block) && variable->hasInit() &&
           !isNamedConstant(variable) && namesThread(variable->getInit());
  };
  constexpr std::size_t most = 3;
  std::set<std::string> arrays;
  std::string out;
  for (const AccessesInBlock::Access& access : accesses.all) {
    const clang::Expr* array = access.element->getBase()->IgnoreParenImpCasts();
    const clang::VarDecl* own = variableOf(array);
    const bool isPointer = own && own->getType()->isPointerType() && !isShared(own);
    const std::string base = isPointer ? own->getNameAsString() : givenArray(array);
    const clang::Expr* place = access.element->getIdx();
    if (base.empty() || access.loops.empty() || arrays.size() == most || arrays.count(base) ||
        !plan_.text.isWhole(place) || isBefore(access.element->getBeginLoc(), here) ||
        !isHarmless(place))
      continue;
    RegionText named;
    named.add(place);
    named.add(array);
    std::string heads, lines;
    std::set<const clang::VarDecl*> counters;
    for (const clang::ForStmt* counted : access.loops) {
      const clang::VarDecl* counter = AccessesInBlock::counterOf(counted);
      if (!named.uses.count(counter))
        continue;
      counters.insert(counter);
      const FilePosition begin = beginOf(counted->getBeginLoc());
      const FilePosition end = endOf(counted->getRParenLoc());
      // Without the mark that asks to write the loop out.
      const std::string head = plan_.text.text(FileRange{begin.file, begin.offset, end.offset});
      heads += head.substr(std::min(head.find("for"), head.size())) + " ";
    }
    for (const std::string& line : bindings({}, named))
      lines += line + " ";
    // Values of the warp that are made of another one's, down to the one that is not.
    std::vector<const clang::VarDecl*> derived;
    const clang::VarDecl* row = nullptr;
    bool known = !heads.empty() && heads.find('\n') == std::string::npos;
    std::set<const clang::VarDecl*> seen;
    for (bool grown = true; grown && known;) {
      grown = false;
      for (const clang::VarDecl* variable : std::set<const clang::VarDecl*>(named.uses)) {
        if (!seen.insert(variable).second)
          continue;
        grown = true;
        // What this region alone computes: `const float4* in = a + row * width;`
        const bool isOwn =
            variable->hasInit() && !counters.count(variable) && isOfRegion(variable, regions_);
        if (!isOwn && !isOfWarp(variable)) {
          known &= !variable->hasLocalStorage() || counters.count(variable) ||
                   isNamedConstant(variable) || isStored(variable, Storage::Recomputed) ||
                   (llvm::isa<clang::ParmVarDecl>(variable) &&
                    !regions_.modifiedParameters.count(llvm::cast<clang::ParmVarDecl>(variable))) ||
                   (isStored(variable, Storage::Block) && isBefore(variable->getLocation(), here));
          continue;
        }
        RegionText made;
        made.add(variable->getInit());
        if (!isOwn && std::none_of(made.uses.begin(), made.uses.end(), isOfWarp)) {
          known &= !row && variable->getType()->isIntegerType() &&
                   isBefore(variable->getLocation(), here);
          row = variable;
        } else {
          known &= isHarmless(variable->getInit()) && plan_.text.isWhole(variable->getInit());
          derived.push_back(variable);
          for (const clang::VarDecl* use : made.uses) {
            known &= !isStored(use, Storage::Recomputed);
            named.uses.insert(use);
          }
        }
      }
    }
    if (!known || !row)
      continue;
    std::string step = "1";
    if (loop) {
      const auto* by = llvm::dyn_cast<clang::BinaryOperator>(loop->getInc()->IgnoreParens());
      if (!by || by->getOpcode() != clang::BO_AddAssign || namedBy(by->getLHS()) != row ||
          !isGroupValue(by->getRHS()) || !isHarmless(by->getRHS()))
        continue;
      step = expressionText(by->getRHS());
    }
    std::sort(derived.begin(), derived.end(), [&](const auto* a, const auto* b) {
      return isBefore(a->getLocation(), b->getLocation());
    });
    std::string values;
    for (const clang::VarDecl* variable : derived)
      values += "const auto " + variable->getNameAsString() + " = " +
                expressionText(variable->getInit()) + "; ";
    arrays.insert(base);
    const std::string name = row->getNameAsString();
    out += "{ cu2cpp::StretchesAhead cuAhead; " + heads + "cuAhead.add(cuWarp, " + name + " + (" +
           step + "), [&](const uint3 threadIdx, const auto " + name + ") { " + values + lines +
           "return " + base + " + (" + expressionText(place) + "); }); }" + newline;
  }
  return out;
}

namespace {

/// `*reinterpret_cast<const float4*>(x + place)`: neighbours of an array as one.
struct VectorAccess {
  const clang::Expr *array, *place;
  clang::QualType vector; ///< the type of the pointer to it
};

class VectorAccesses : public SyntaxVisitor {
public:
  explicit VectorAccesses(const clang::Stmt* s) { TraverseStmt(const_cast<clang::Stmt*>(s)); }
  std::vector<VectorAccess> all;
  bool VisitUnaryOperator(clang::UnaryOperator* op) override {
    const auto* cast =
        llvm::dyn_cast<clang::ExplicitCastExpr>(op->getSubExpr()->IgnoreParenImpCasts());
    const auto* sum = cast && op->getOpcode() == clang::UO_Deref
                          ? llvm::dyn_cast<clang::BinaryOperator>(
                                cast->getSubExprAsWritten()->IgnoreParenImpCasts())
                          : nullptr;
    if (sum && sum->getOpcode() == clang::BO_Add && !cast->getType()->isDependentType() &&
        cast->getType()->isPointerType() && sum->getLHS()->getType()->isPointerType() &&
        !sum->isTypeDependent())
      all.push_back({sum->getLHS(), sum->getRHS(), cast->getType()});
    return true;
  }
};

} // namespace

namespace {

bool holds(const std::vector<RegionNode>& nodes, RegionNode::Kind kind) {
  return llvm::any_of(nodes, [&](const RegionNode& node) {
    return node.kind == kind || holds(node.children, kind) || holds(node.otherwise, kind);
  });
}

/// What a node begins with, if it is work that takes some time: a block's loop, or, without
/// `loops`, warps that exchange values and what stands with a barrier in braces.
const clang::Stmt* workOf(const RegionNode& node, bool loops) {
  using Kind = RegionNode::Kind;
  if (loops)
    return node.kind == Kind::Loop && !node.masked ? node.statement : nullptr;
  const clang::Stmt* s = nullptr;
  if (node.kind == Kind::Block && holds(node.children, Kind::Barrier))
    s = node.statement;
  else if (node.kind == Kind::Warps && holds(node.children, Kind::Call))
    s = node.statements.front();
  return s && !s->getBeginLoc().isMacroID() ? s : nullptr;
}

} // namespace

const clang::Stmt* Splitter::placeInWork(const std::set<const clang::Expr*>& accesses, bool stored,
                                         bool loops) const {
  using Kind = RegionNode::Kind;
  const auto names = [&](const RegionNode& node) {
    return (node.kind == Kind::Region || (!loops && node.kind == Kind::Warps)) &&
           llvm::any_of(accesses, [&](const clang::Expr* access) {
             return llvm::any_of(node.statements,
                                 [&](const clang::Stmt* s) { return isInside(access, s); });
           });
  };
  const std::vector<RegionNode>& nodes = regions_.nodes;
  const auto first = llvm::find_if(nodes, names);
  const clang::Stmt* place = nullptr;
  if (first == nodes.end())
    return nullptr;
  for (auto node = stored ? nodes.begin() : std::next(first);
       node != (stored ? first : nodes.end()) && (stored || !place); ++node)
    if (const clang::Stmt* const work = workOf(*node, loops))
      place = work;
  return place;
}

std::string Splitter::prefetchesOfNextBlock(const std::string& newline) {
  if (!inRunBlock() || publish_)
    return "";
  if (plan_.options.lineDirectives)
    if (std::string rows = prefetchesOfRows(newline); !rows.empty())
      return rows;
  const Accesses accesses(body_);
  if (accesses.inLoop || inLoop_)
    return plan_.options.lineDirectives && !inLoop_ ? prefetchesOfItems(newline) : "";
  // All of an array's rows or none: they lie one behind the other, and where some are left out
  // processors take as long as without.
  constexpr std::size_t most = 8;
  const Stores stores(body_);
  std::vector<std::string> arrays;
  std::map<std::string, std::vector<std::string>> rows;
  std::map<std::string, std::set<const clang::Expr*>> places;
  std::set<std::string> elements;
  for (const clang::ArraySubscriptExpr* access : accesses.all) {
    const std::string array = givenArray(access->getBase());
    places[array].insert(access);
    const MovedPlace moved(body_, access);
    const clang::Expr* place = moved.start ? moved.start : access->getIdx();
    // Another stretch of the same array, where the region declares its place: `int j = i + 256; ...
    // in[j]`. That it may change behind that does no harm.
    if (const auto* own = variableOf(place);
        own && isOfRegion(own, regions_) && own->hasInit() && !rows[array].empty())
      place = own->getInit();
    if (array.empty() || !isHarmless(place) || !plan_.text.isWhole(place) ||
        isNearAnother(place, plan_.unit.context()))
      continue;
    // A thread's few elements, one behind the other: `in[2 * i]` and `in[2 * i + 1]`.
    constexpr std::int64_t widest = 4;
    const std::int64_t apart = isIndexInRow(place) ? 1 : stepInRow(place);
    if (apart < 1 || apart > widest ||
        (apart > 1 && (moved.start || stores.elements.count(access))))
      continue;
    std::string further;
    bool known = true;
    for (const clang::Expr* step : moved.start ? moved.steps : std::vector<const clang::Expr*>()) {
      known &= isGroupValue(step) && isHarmless(step) && plan_.text.isWhole(step) &&
               Contents(step).uses.empty();
      further += known ? " + (" + expressionText(step) + ")" : "";
    }
    if (!known)
      continue;
    const std::string text = expressionText(place) + further;
    if (!elements.insert(array + "[" + text).second)
      continue;
    std::optional<std::string> index = forNextBlock(place, {});
    if (!index)
      continue;
    if (rows[array].empty())
      arrays.push_back(array);
    const llvm::StringRef end = "; }";
    std::string value = ", " + index->substr(0, index->size() - end.size()) + further;
    rows[array].push_back(value + end.str());
    if (const std::size_t returned = value.rfind("return "); returned != std::string::npos)
      value.insert(returned + llvm::StringRef("return ").size(), "(");
    for (std::int64_t row = 1; row < apart; ++row)
      rows[array].push_back(value + ") + " + std::to_string(row) + " * cuBlock.blockDim.x" +
                            end.str());
  }
  for (const VectorAccess& access : VectorAccesses(body_).all) {
    const std::string array = givenArray(access.array);
    const clang::ASTContext& context = plan_.unit.context();
    const clang::QualType word = access.array->getType()->getPointeeType(),
                          vector = access.vector->getPointeeType();
    if (array.empty() || word->isIncompleteType() || vector->isIncompleteType() ||
        !isHarmless(access.place) || !plan_.text.isWhole(access.place))
      continue;
    const auto words = context.getTypeSizeInChars(vector) / context.getTypeSizeInChars(word);
    if (words < 1 || stepInRow(access.place) != words)
      continue;
    const std::string of = castTo(access.vector, array);
    std::optional<std::string> index = forNextBlock(access.place, {});
    const llvm::StringRef returned = "return ", end = "; }";
    const std::size_t value = index ? index->rfind(returned) : std::string::npos;
    if (value == std::string::npos ||
        !elements.insert(of + "[" + expressionText(access.place)).second)
      continue;
    const std::size_t from = value + returned.size();
    if (rows[of].empty())
      arrays.push_back(of);
    rows[of].push_back(", " + index->substr(0, from) + "(" +
                       index->substr(from, index->size() - end.size() - from) + ") / " +
                       std::to_string(words) + end.str());
  }
  const auto isStored = [&](const std::string& array) {
    return llvm::all_of(places[array], [&](const clang::Expr* access) {
      return stores.elements.count(access) != 0;
    });
  };
  // Where rows are loaded, worked on and stored, the next block's would wait beside a block's own
  // loads and stores, and these with them. What is only loaded has little work behind it, but many
  // stretches at once still let the block's own loads wait.
  const auto isInWork = [&](bool loops) {
    return plan_.options.lineDirectives && llvm::any_of(arrays, [&](const std::string& array) {
             return isStored(array) && placeInWork(places[array], true, loops);
           });
  };
  constexpr std::size_t many = 4;
  std::size_t stretches = 0;
  bool loadsOnly = plan_.options.lineDirectives;
  for (const std::string& array : arrays) {
    stretches += rows[array].size();
    loadsOnly &= !isStored(array);
  }
  const bool inLoops = isInWork(true) || (loadsOnly && stretches >= many && stretches <= most),
             inWork = inLoops || isInWork(false);
  // Without loops a block is done before a row has come. The first cache takes in few lines at a
  // time: the block's own would wait for the next one's.
  const std::string call =
      inWork && !inLoops ? "cu2cpp::prefetchNextBlockAfar" : "cu2cpp::prefetchNextBlock";
  std::size_t left = most;
  std::string out;
  for (const std::string& array : arrays) {
    if (rows[array].size() > left)
      continue;
    left -= rows[array].size();
    const clang::Stmt* const work =
        inWork ? placeInWork(places[array], isStored(array), inLoops) : nullptr;
    std::string& text = work ? aheadInFront_[work] : out;
    text += call + "(cuBlock, " + array;
    for (const std::string& row : rows[array])
      text += row;
    text += ");" + newline;
  }
  return out;
}

void Splitter::noteMatrix(const ElementLoop& loop) {
  if (matricesFetched_ || !plan_.options.lineDirectives || !inRunBlock() || publish_ ||
      level_ != Scope::Block || !(loop.width || loop.columns))
    return;
  // Arrays that the loop reads along its elements: `in[t]`, or `in[i * n + j]`.
  class Reads : public SyntaxVisitor {
  public:
    const ElementLoop* loop = nullptr;
    std::vector<const clang::ArraySubscriptExpr*> all;
    bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* element) override {
      const clang::VarDecl* array = namedBy(element->getBase());
      const clang::Expr* place = element->getIdx()->IgnoreParenImpCasts();
      const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(place);
      const bool alongElements = loop->columns ? sum && sum->getOpcode() == clang::BO_Add &&
                                                     (namedBy(sum->getRHS()) == loop->column ||
                                                      namedBy(sum->getLHS()) == loop->column)
                                               : namedBy(place) == loop->row;
      if (array && array->getType()->isPointerType() && alongElements)
        all.push_back(element);
      return true;
    }
    bool VisitBinaryOperator(clang::BinaryOperator* op) override {
      if (op->isAssignmentOp())
        stored.insert(op->getLHS()->IgnoreParens());
      return true;
    }
    std::set<const clang::Expr*> stored;
  } reads;
  reads.loop = &loop;
  reads.TraverseStmt(const_cast<clang::Stmt*>(loop.rows->getBody()));
  for (const clang::ArraySubscriptExpr* read : reads.all) {
    const clang::VarDecl* pointer = namedBy(read->getBase());
    if (reads.stored.count(read) || isShared(pointer) || !pointer->hasInit() ||
        !isStored(pointer, Storage::Block) || !plan_.text.isWhole(pointer->getInit()))
      continue;
    RegionText named;
    named.add(pointer->getInit());
    const bool isGiven =
        std::any_of(named.uses.begin(), named.uses.end(), [&](const clang::VarDecl* variable) {
          return llvm::isa<clang::ParmVarDecl>(variable) && variable->getType()->isPointerType();
        });
    const auto limit = [&](const clang::ForStmt* of) {
      const auto* test = llvm::cast<clang::BinaryOperator>(of->getCond()->IgnoreParenImpCasts());
      return isGroupValue(test->getRHS()) ? "(" + expressionText(test->getRHS()) + ")"
                                          : std::string();
    };
    const std::string rows = limit(loop.rows), columns = loop.columns ? limit(loop.columns) : "1";
    const auto place = isGiven ? forNextBlock(pointer->getInit(), {}) : std::nullopt;
    if (place && !rows.empty() && !columns.empty())
      matrices_.push_back(*place + ", " + rows + (loop.columns ? " * " + columns : ""));
  }
}

void Splitter::fetchNextMatrices(const clang::ForStmt* loop, const std::string& newline) {
  const auto* body = llvm::dyn_cast<clang::CompoundStmt>(loop->getBody());
  if (matricesFetched_ || matrices_.empty() || !body || body->getLBracLoc().isMacroID() ||
      loop->getBeginLoc().isMacroID())
    return;
  matricesFetched_ = true;
  constexpr std::size_t most = 2;
  matrices_.resize(std::min(matrices_.size(), most));
  std::string declared, fetched;
  for (std::size_t i = 0; i < matrices_.size(); ++i) {
    const std::string name = "cuNext" + std::to_string(i + 1);
    declared += "cu2cpp::NextMatrix " + name + "(cuBlock, " + matrices_[i] + ");" + newline;
    fetched += " " + name + ".fetchSome();";
  }
  insert(beginOf(loop->getBeginLoc()), declared);
  FilePosition inside = beginOf(body->getLBracLoc());
  ++inside.offset;
  insert(inside, fetched);
}

} // namespace cu2cpp
