// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By which loop over threads a region runs: bounds stand in place of guards where a guard only
// compares the thread's index.
#include "plan/splitter.h"

#include "analyse/marks.h"
#include "analyse/region_parts.h"
#include "plan/split_inside_conditions.h"

namespace cu2cpp {

namespace {

/// What must hold for any of a statement to run: the parts of the conditions of nested ifs.
class Guards {
public:
  explicit Guards(const clang::Stmt* s) {
    const auto* branch = llvm::dyn_cast<clang::IfStmt>(s);
    while (branch && !branch->getElse() && !branch->getInit() && !branch->getConditionVariable() &&
           !branch->isConstexpr() && !branch->getBeginLoc().isMacroID()) {
      add(branch->getCond());
      const clang::Stmt* then = branch->getThen();
      if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(then))
        then = list->size() == 1 ? list->body_front() : nullptr;
      branch = llvm::dyn_cast_or_null<clang::IfStmt>(then);
    }
  }
  /// In the order in which they are asked, up to the first that does more than to ask.
  std::vector<const clang::BinaryOperator*> comparisons;
  /// The flags among them.
  std::vector<const clang::VarDecl*> flags;

private:
  void add(const clang::Expr* condition) {
    condition = condition->IgnoreParenImpCasts();
    const auto* op = llvm::dyn_cast<clang::BinaryOperator>(condition);
    if (op && op->getOpcode() == clang::BO_LAnd) {
      add(op->getLHS());
      add(op->getRHS());
      return;
    }
    if (op && pure_)
      comparisons.push_back(op);
    const clang::VarDecl* flag = namedBy(condition);
    if (flag && pure_ && flag->getType()->isBooleanType())
      flags.push_back(flag);
    Effects effects;
    effects.TraverseStmt(const_cast<clang::Expr*>(condition));
    pure_ &= !effects.found;
  }
  class Effects : public SyntaxVisitor {
  public:
    bool found = false;
    bool VisitCallExpr(clang::CallExpr*) override { return !(found = true); }
    bool VisitCXXConstructExpr(clang::CXXConstructExpr*) override { return !(found = true); }
    bool VisitUnaryOperator(clang::UnaryOperator* op) override {
      return !(found |= op->isIncrementDecrementOp());
    }
    bool VisitBinaryOperator(clang::BinaryOperator* op) override {
      return !(found |= op->isAssignmentOp());
    }
  };
  bool pure_ = true;
};

} // namespace

std::vector<const clang::BinaryOperator*> Splitter::guardsOf(const clang::Stmt* s) {
  return Guards(s).comparisons;
}

std::vector<const clang::VarDecl*> Splitter::flagsOf(const clang::Stmt* s) {
  return Guards(s).flags;
}

std::optional<long long> Splitter::behindIndex(const clang::Expr* e, llvm::StringRef part) const {
  e = e->IgnoreParenImpCasts();
  if (isThreadIndex(e, part))
    return 0;
  if (const clang::VarDecl* variable = namedBy(e))
    return isStored(variable, Storage::Recomputed) && variable->hasInit() &&
                   variable->getType()->isIntegerType() &&
                   !variable->getType()->isDependentType() &&
                   plan_.unit.context().getTypeSize(variable->getType()) >= 32
               ? behindIndex(variable->getInit(), part)
               : std::nullopt;
  const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(e);
  if (!sum || sum->getOpcode() != clang::BO_Add)
    return std::nullopt;
  for (const bool first : {false, true}) {
    const clang::Expr* number = first ? sum->getLHS() : sum->getRHS();
    const auto known = constantOf(number, plan_.unit.context());
    // None below 0 and none that could make a sum pass the end of its type.
    constexpr long long most = 1 << 16;
    if (known && *known >= 0 && *known <= most)
      if (const auto rest = behindIndex(first ? sum->getRHS() : sum->getLHS(), part))
        return *rest + *known;
  }
  return std::nullopt;
}

bool Splitter::isSumOfThread(const clang::Expr* e, std::set<char>& parts, unsigned depth) const {
  constexpr unsigned deepest = 12;
  e = e->IgnoreParenImpCasts();
  if (depth > deepest || e->getType()->isDependentType() || !e->getType()->isIntegerType() ||
      plan_.unit.context().getTypeSize(e->getType()) < 32)
    return false;
  for (const char* part : {"x", "y", "z"})
    if (isThreadIndex(e, part)) {
      parts.insert(*part);
      return true;
    }
  if (isRankInBlock(e)) {
    parts = {'x', 'y', 'z'};
    return true;
  }
  if (const clang::VarDecl* variable = namedBy(e))
    return isStored(variable, Storage::Recomputed) && variable->hasInit() &&
           isSumOfThread(variable->getInit(), parts, depth + 1);
  const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e);
  if (!op)
    return false;
  const clang::Expr *left = op->getLHS(), *right = op->getRHS();
  if (op->getOpcode() == clang::BO_Mul)
    return (isGroupValue(left) && isSumOfThread(right, parts, depth + 1)) ||
           (isGroupValue(right) && isSumOfThread(left, parts, depth + 1));
  return op->getOpcode() == clang::BO_Add && isSumOfThread(left, parts, depth + 1) &&
         isSumOfThread(right, parts, depth + 1);
}

Splitter::ThreadBound
Splitter::threadBound(const std::vector<const clang::Stmt*>& statements) const {
  if (statements.empty())
    return {};
  // What is declared before the branch is nothing to the threads that do not take it.
  const clang::Stmt* const branch = statements.back();
  if (!std::all_of(statements.begin(), statements.end() - 1,
                   [&](const clang::Stmt* s) { return isBeforeGuard(s); }))
    return {};
  ThreadBound out;
  for (const clang::BinaryOperator* compare : guardsOf(branch)) {
    // `tid % (2 * s) == 0`
    const auto* rest =
        llvm::dyn_cast<clang::BinaryOperator>(compare->getLHS()->IgnoreParenImpCasts());
    clang::Expr::EvalResult none;
    if (rest && rest->getOpcode() == clang::BO_Rem && compare->getOpcode() == clang::BO_EQ &&
        level_ == Scope::Block && out.text.empty() && isThreadIndex(rest->getLHS()) &&
        isGroupValue(rest->getRHS()) && plan_.text.isWhole(rest->getRHS()) &&
        !compare->getRHS()->isValueDependent() &&
        compare->getRHS()->EvaluateAsInt(none, plan_.unit.context()) && none.Val.getInt() == 0) {
      out = {"Every", expressionText(rest->getRHS()), false, compare};
      continue;
    }
    const clang::QualType type = compare->getLHS()->getType();
    const auto behindRow = level_ == Scope::Block && compare->getOpcode() == clang::BO_EQ
                               ? behindIndex(compare->getLHS(), "y")
                               : std::nullopt;
    const bool row = behindRow.has_value();
    const auto behind = row                         ? behindRow
                        : level_ == Scope::Block    ? behindIndex(compare->getLHS(), "x")
                        : isLane(compare->getLHS()) ? std::optional<long long>(0)
                                                    : std::nullopt;
    // Lanes of the grid are those of the warp only where its blocks are whole warps.
    if (!behind && level_ == Scope::Warp && out.text.empty() && isLaneOfGrid(compare->getLHS()) &&
        compare->getOpcode() == clang::BO_EQ &&
        constantOf(compare->getRHS(), plan_.unit.context()) == 0) {
      const std::string lanes = std::to_string(kernel_.lanesTogether);
      return {"Below", "(blockDim.x % " + lanes + " == 0 ? 1 : " + lanes + ")", true};
    }
    if (level_ == Scope::Warp && compare->getOpcode() == clang::BO_EQ)
      if (std::string lane = onlyLane(statements, compare); !lane.empty())
        return {"At", std::move(lane)};
    std::set<char> parts;
    // The block's first thread: the first lane of a warp, or none.
    if (level_ == Scope::Warp && !publish_ && !behind && out.text.empty() &&
        compare->getOpcode() == clang::BO_EQ &&
        constantOf(compare->getRHS(), plan_.unit.context()) == 0 &&
        isSumOfThread(compare->getLHS(), parts) && parts.count('x') && parts.size() > 1)
      return {"OfRank", valueLambda(compare->getLHS()) + ", 0"};
    const bool rank = !behind && level_ == Scope::Block &&
                      isSumOfThread(compare->getLHS(), parts) && parts.count('x') &&
                      parts.size() > 1;
    if ((!behind && !rank) || !isGroupValue(compare->getRHS()) ||
        !plan_.text.isWhole(compare->getRHS()) || !type->isIntegerType() || type->isDependentType())
      continue;
    std::string bound = expressionText(compare->getRHS());
    const std::string asUnsigned = "static_cast<unsigned>(" + bound + ")";
    std::string compared = type->isUnsignedIntegerType() ? asUnsigned : bound;
    if (rank) {
      const auto opcode = compare->getOpcode();
      if (opcode == clang::BO_LE)
        compared = "1ll + (" + compared + ")";
      const std::string place = valueLambda(compare->getLHS()) + ", ";
      if (opcode == clang::BO_EQ)
        return {"OfRank", place + (isLiteral(compare->getRHS()) ? bound : compared)};
      if (out.text.empty() && (opcode == clang::BO_LT || opcode == clang::BO_LE))
        out = {"BelowRank", place + compared};
      continue;
    }
    // `tx == 1`, tx being threadIdx.x + 1
    if (*behind > 0)
      bound = compared = "static_cast<long long>(" + compared + ") - " + std::to_string(*behind);
    if (row && std::string(out.kind) != "At")
      out = {"InRow", isLiteral(compare->getRHS()) ? bound : compared};
    else if (compare->getOpcode() == clang::BO_EQ)
      return level_ == Scope::Block
                 ? ThreadBound{"At", isLiteral(compare->getRHS()) ? bound : compared}
                 : ThreadBound{"Below", "1ll + (" + compared + ")",
                               constantOf(compare->getRHS(), plan_.unit.context()) == 0, nullptr,
                               *behind == 0 &&
                                   constantOf(compare->getRHS(), plan_.unit.context()) == 0};
    if (!out.text.empty())
      continue;
    if (compare->getOpcode() == clang::BO_LT) {
      clang::Expr::EvalResult bound;
      const bool few = compare->getRHS()->isValueDependent() ||
                       (compare->getRHS()->EvaluateAsInt(bound, plan_.unit.context()) &&
                        bound.Val.getInt() <= 8 + *behind);
      out = {"Below", compared, few};
    }
    if (compare->getOpcode() == clang::BO_LE)
      out = {"Below", "1ll + (" + compared + ")"};
  }
  return out;
}

std::string Splitter::onlyLane(const std::vector<const clang::Stmt*>& statements,
                               const clang::BinaryOperator* compare) const {
  const clang::Expr *place = compare->getLHS(), *at = compare->getRHS();
  const clang::QualType type = place->getType();
  const bool isNumber = isLane(place);
  if (!type->isIntegerType() || type->isDependentType() || !isGroupValue(at) ||
      !plan_.text.isWhole(at) || (!isNumber && behindIndex(place, "x") != 0))
    return "";
  // Numbers that a lane's has not the width of would be cut.
  if (isNumber && plan_.unit.context().getTypeSize(type) > 32)
    return "";
  const bool isFirst = constantOf(at, plan_.unit.context()) == 0;
  RegionText text;
  for (const clang::Stmt* s : statements)
    text.add(s);
  bindings({}, text);
  // A lane that is not known to compilers would have what all keep lie in memory. That is worth a
  // quotient of each lane.
  if (isFirst ? isNumber : needsThread(text) && !takesLong(statements))
    return "";
  const std::string asUnsigned = "static_cast<unsigned>(" + expressionText(at) + ")";
  return isNumber                        ? "cuWarp.first.x + " + asUnsigned
         : type->isUnsignedIntegerType() ? asUnsigned
                                         : expressionText(at);
}

bool Splitter::takesLong(const std::vector<const clang::Stmt*>& statements) const {
  class Finder : public SyntaxVisitor {
  public:
    explicit Finder(const clang::ASTContext& context) : context_(context) {}
    bool found = false;
    bool VisitBinaryOperator(clang::BinaryOperator* op) override {
      const auto opcode = op->getOpcode();
      return !(found |=
               (opcode == clang::BO_Div || opcode == clang::BO_DivAssign ||
                opcode == clang::BO_Rem || opcode == clang::BO_RemAssign) &&
               (op->getLHS()->getType()->isFloatingType() || !constantOf(op->getRHS(), context_)));
    }
    bool VisitCallExpr(clang::CallExpr* call) override {
      const clang::FunctionDecl* callee = call->getDirectCallee();
      const llvm::StringRef name =
          callee && callee->getIdentifier() ? callee->getName() : llvm::StringRef();
      return !(found |= name.contains("sqrt") || name.contains("div") || name.contains("rcp"));
    }

  private:
    const clang::ASTContext& context_;
  } finder(plan_.unit.context());
  for (const clang::Stmt* s : statements)
    finder.TraverseStmt(const_cast<clang::Stmt*>(s));
  return finder.found || callsLibrary(statements);
}

bool Splitter::loadsForOne(const std::vector<const clang::Stmt*>& statements) const {
  class Finder : public SyntaxVisitor {
  public:
    explicit Finder(const Splitter& splitter) : splitter_(splitter) {}
    bool found = false;
    bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
      const auto* element =
          llvm::dyn_cast<clang::ArraySubscriptExpr>(cast->getSubExpr()->IgnoreParens());
      return !(found |= cast->getCastKind() == clang::CK_LValueToRValue && element &&
                        element->getBase()->IgnoreParenCasts()->getType()->isPointerType() &&
                        splitter_.isGroupValue(element->getIdx()));
    }

  private:
    const Splitter& splitter_;
  } finder(*this);
  for (const clang::Stmt* s : statements)
    finder.TraverseStmt(const_cast<clang::Stmt*>(s));
  return finder.found;
}

bool Splitter::isLiteral(const clang::Expr* e) {
  return llvm::isa<clang::IntegerLiteral>(e->IgnoreParenImpCasts());
}

const clang::IfStmt* Splitter::onlyBranch(const RegionNode& region) const {
  const auto* only = region.statements.size() == 1
                         ? llvm::dyn_cast<clang::IfStmt>(region.statements.front())
                         : nullptr;
  return only && !only->getElse() && !only->getInit() && !only->getConditionVariable() &&
                 !only->getCond()->HasSideEffects(plan_.unit.context())
             ? only
             : nullptr;
}

bool Splitter::loopsByThread(const clang::IfStmt* branch) const {
  class Loops : public SyntaxVisitor {
  public:
    const clang::ASTContext* context = nullptr;
    bool found = false;
    bool VisitStmt(clang::Stmt* s) override {
      const auto* loop = llvm::dyn_cast<clang::ForStmt>(s);
      return !(found |= isLoop(s) && !(loop && isWrittenOut(loop)));
    }

  private:
    bool isConstant(const clang::Expr* e) const {
      clang::Expr::EvalResult value;
      return e && (e->isValueDependent() || e->EvaluateAsInt(value, *context));
    }
    bool isWrittenOut(const clang::ForStmt* loop) const {
      const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
      const auto* counter = declared && declared->isSingleDecl()
                                ? llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl())
                                : nullptr;
      const auto* test = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getCond());
      return counter && test && isConstant(counter->getInit()) &&
             (isConstant(test->getLHS()) || isConstant(test->getRHS()));
    }
  } loops;
  loops.context = &plan_.unit.context();
  loops.TraverseStmt(const_cast<clang::Stmt*>(branch->getThen()));
  return loops.found;
}

bool Splitter::isForRangeOfThreads(const clang::IfStmt* branch) const {
  bool begins = false, ends = false;
  for (const clang::BinaryOperator* compare : guardsOf(branch)) {
    if (!behindIndex(compare->getLHS(), "x") || !isGroupValue(compare->getRHS(), true))
      continue;
    begins |= compare->getOpcode() == clang::BO_GE || compare->getOpcode() == clang::BO_GT;
    ends |= compare->getOpcode() == clang::BO_LE || compare->getOpcode() == clang::BO_LT;
  }
  return begins && ends;
}

bool Splitter::isForRangeOnly(const RegionNode& region) const {
  const clang::IfStmt* const only = onlyBranch(region);
  if (!only)
    return false;
  class Loads : public SyntaxVisitor {
  public:
    const Splitter* splitter = nullptr;
    bool ofRow = false, others = false;
    bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* e) override {
      ofRow |= !e->getType()->isArrayType() && !splitter->variesInRow(e);
      return true;
    }
    bool VisitStmt(clang::Stmt* s) override {
      others |= llvm::isa<clang::IfStmt, clang::ConditionalOperator, clang::DeclStmt>(s);
      return true;
    }
  } loads;
  loads.splitter = this;
  loads.TraverseStmt(const_cast<clang::Stmt*>(only->getThen()));
  return loads.ofRow && !loads.others;
}

std::string Splitter::narrowSizes(const RegionNode& region, const RegionText& text) const {
  class Elements : public SyntaxVisitor {
  public:
    const clang::ASTContext* context = nullptr;
    std::set<std::string> sizes;
    bool known = true;
    bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* e) override {
      // Of an array whose size depends on the template nothing but the array has a type.
      const clang::Expr* root = e;
      while (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(root))
        root = element->getBase()->IgnoreParenImpCasts();
      const clang::VarDecl* array = namedBy(root);
      return add(e->getType()->isDependentType() && array && array->getType()->isArrayType()
                     ? context->getBaseElementType(array->getType())
                     : e->getType());
    }
    bool VisitUnaryOperator(clang::UnaryOperator* op) override {
      return op->getOpcode() != clang::UO_Deref || add(op->getType());
    }
    bool VisitMemberExpr(clang::MemberExpr* member) override {
      return !member->isArrow() || add(member->getType());
    }
    bool VisitCallExpr(clang::CallExpr* call) override {
      for (const clang::Expr* argument : call->arguments())
        known &= !argument->IgnoreParenImpCasts()->getType()->isAnyPointerType() &&
                 !argument->IgnoreParenImpCasts()->getType()->isArrayType();
      return known;
    }

  private:
    bool add(clang::QualType type) {
      constexpr std::uint64_t widest = 2;
      if (type->isArrayType())
        return true;
      if (type->getAs<clang::TemplateTypeParmType>()) {
        sizes.insert("sizeof(" + type.getUnqualifiedType().getAsString() + ")");
        return true;
      }
      if (type->isDependentType() || type->isIncompleteType() ||
          context->getTypeSizeInChars(type).getQuantity() > std::int64_t(widest))
        return known = false;
      sizes.insert(std::to_string(context->getTypeSizeInChars(type).getQuantity()));
      return true;
    }
  } elements;
  elements.context = &plan_.unit.context();
  for (const clang::Stmt* s : region.statements)
    elements.TraverseStmt(const_cast<clang::Stmt*>(s));
  std::string out;
  for (const std::string& size : elements.sizes)
    out += (out.empty() ? "<" : ", ") + size;
  // What is kept for each thread lies in memory, too.
  return elements.known && !out.empty() && !needsThread(text) ? out + ">" : "";
}

Splitter::RegionLoop Splitter::loopOfBlock(const RegionNode& region, const RegionText& text) {
  const bool allThreads = rising_.empty() && !publish_ && !region.oneByOne;
  const ThreadBound bound = allThreads && !ofSeveralBlocks() && !region.returns
                                ? threadBound(region.statements)
                                : ThreadBound();
  const bool bounded = !bound.text.empty();
  RegionLoop loop;
  if (tile_) {
    loop.isInlined = true;
    return loop;
  }
  if (!bounded)
    loop.updates = deferredUpdates(region);
  const std::string newline =
      "\n    " + plan_.text.indentation(position(rangeOf(region.statements.front())));
  const char* insideKind = "";
  if (elements_ && elements_->inTurn) {
    loop.parameter = elements_->columns ? "const auto& cuColumns, " : "";
    loop.isInlined = true;
    return loop;
  }
  if (elements_) {
    loop.argument = insideText(region, text, newline, insideKind);
    loop.parameter = loop.argument.empty() ? "const auto, " : "const auto cuInside, ";
    if (loop.argument.empty())
      loop.argument = "cu2cpp::Inside(), ";
    loop.isInlined = true;
    return loop;
  }
  if (!loop.updates.empty()) {
    loop.kind = "Then";
    loop.where = whereUpdates(region, loop.updates);
    if (!loop.where.empty())
      loop.parameter = "const auto cuInside, ";
    return loop;
  }
  // Steps of a loop that goes along an array, of which the last may end within a row.
  if (runsRising() && !publish_ && !region.oneByOne && !region.returns && inRunBlock() &&
      plan_.options.lineDirectives)
    if (std::string range = insideOnlyText(region, text, newline); !range.empty()) {
      // Steps abreast ask where each of them begins.
      constexpr llvm::StringRef once = "(uint3{}),";
      if (const std::size_t asked = range.rfind(once); runsAbreast() && asked != std::string::npos)
        range.replace(asked, once.size(), ",");
      return {"Inside", range, "const auto cuInside, ", true, {}};
    }
  if (llvm::StringRef(rising_).contains("cu2cpp::eachThreadRising(") && fours_.empty() &&
      !publish_ && !region.oneByOne && !region.returns && !ofBlocksInRow() && !ofKeptRow())
    if (const std::string bits = bitRunsText(region, text, newline); !bits.empty())
      return {"ByBits", bits, "const auto cuBits, ", true, {}};
  // A loop over the threads of one block: those of several blocks are in no runBlock().
  const bool overBlock = inRunBlock() && allThreads;
  if (overBlock && !region.returns && (!bounded || llvm::StringRef(bound.kind) == "Below"))
    if (const std::string box = boxText(region, newline); !box.empty())
      return {"InBox" + narrowSizes(region, text), box, "const auto cuInside, ", true, {}};
  if (bounded && bound.decided) {
    if (plan_.text.isWhole(bound.decided))
      decide(bound.decided);
    return {bound.kind, bound.text + ", ", "const auto cuInside, ", true, {}};
  }
  if (overBlock && llvm::StringRef(bound.kind) == "InRow" && plan_.options.lineDirectives) {
    // A branch for a range of the row, within which nothing else asks for one.
    InsideConditions guard(*this), all(*this);
    if (const clang::IfStmt* only = onlyBranch(region); only && !regions_.printed.count(only)) {
      guard.addGuard(only->getCond());
      all.visit(region.statements);
      for (const clang::VarDecl* variable : repeatedFor(text))
        all.TraverseStmt(const_cast<clang::Expr*>(variable->getInit()));
    }
    if (!guard.leaves.empty() && guard.leaves.size() == all.leaves.size())
      return {"InPartOfRow",
              bound.text + ", " + threadsOf(guard, newline),
              "const auto cuInside, ",
              true,
              {}};
  }
  if (overBlock && llvm::StringRef(bound.kind) == "InRow")
    if (const std::string range = insideOnlyText(region, text, newline); !range.empty())
      return {bound.kind, bound.text + ", " + range, "const auto cuInside, ", true, {}};
  if (overBlock && plan_.options.lineDirectives && llvm::StringRef(bound.kind) == "Below")
    if (const clang::IfStmt* const only = onlyBranch(region); only && isForRangeOfThreads(only))
      if (const std::string range = withinText(region, newline); !range.empty())
        return {"Within", range, "const auto cuInside, ", true, {}};
  if (bounded)
    return {bound.kind, bound.text + ", ", "", false, {}};
  // Long rows of several blocks, of which a range is asked for piece by piece.
  if (kernel_.longRows && allThreads && !region.returns && plan_.options.lineDirectives &&
      active() == "cu2cpp::noneExited")
    if (std::string range = insideOnlyText(region, text, newline); !range.empty()) {
      constexpr llvm::StringRef once = "(uint3{}),";
      if (const std::size_t asked = range.rfind(once); asked != std::string::npos)
        range.replace(asked, once.size(), ",");
      return {"Inside", range, "const auto cuInside, ", true, {}};
    }
  if (!overBlock)
    return loop;
  if (const std::string inside = insideText(region, text, newline, insideKind); !inside.empty()) {
    const bool mayBeNarrow = llvm::StringRef(insideKind) == "Inside";
    return {insideKind + (mayBeNarrow ? narrowSizes(region, text) : ""),
            inside,
            "const auto cuInside, ",
            true,
            {}};
  }
  if (const std::string bits = bitRunsText(region, text, newline); !bits.empty())
    return {"ByBits", bits, "const auto cuBits, ", true, {}};
  const std::string divisors = divisorsOf(region, text);
  if (plan_.options.lineDirectives && movesApart(region))
    loop.kind = "Singly" + (divisors.empty() ? "" : "<" + divisors + ">");
  else if (!divisors.empty())
    loop.kind = "ByParts<" + divisors + ">";
  return loop;
}

Splitter::RegionLoop Splitter::loopOfWarp(const RegionNode& region, const RegionText& text,
                                          bool copies) {
  RegionLoop loop;
  if (publish_ || region.oneByOne)
    return loop;
  // Loops over rows are written out: long bodies, which must not stay functions of their own.
  loop.isInlined = std::any_of(text.uses.begin(), text.uses.end(), [&](const clang::VarDecl* used) {
    return regions_.rows.count(used) != 0;
  });
  // Loops that give lanes copies of variables have no bounds but where one lane's body takes long.
  const bool loads = copies && loadsForOne(region.statements);
  const ThreadBound bound = rising_.empty() && !ofSeveralBlocks() && !region.returns &&
                                    (!copies || loads || takesLong(region.statements))
                                ? threadBound(region.statements)
                                : ThreadBound();
  if (!bound.text.empty() &&
      (!copies || llvm::StringRef(bound.kind) == "At" || (loads && bound.isFirst)))
    return {bound.kind, bound.text + ", ", "", false, {}};
  if (rising_.empty() && !copies)
    loop.updates = deferredUpdates(region);
  if (!loop.updates.empty()) {
    loop.kind = "Then";
    return loop;
  }
  if (callsLibrary(region.statements)) {
    loop.kind = "InParts";
    return loop;
  }
  if (region.runsInAnyLane && copies) {
    loop.kind = "EvenPastExits";
    return loop;
  }
  if (takesStructures(region.statements))
    loop.kind = "OfStructures";
  if (!rising_.empty() || region.returns || !inRunBlock() || ofSeveralBlocks())
    return loop;
  const std::string newline =
      "\n    " + plan_.text.indentation(position(rangeOf(region.statements.front())));
  if (!copies)
    if (const std::string range = withinText(region, newline); !range.empty())
      return {"Within", range, "const auto cuInside, ", true, {}};
  if (plan_.options.lineDirectives)
    if (const std::string range = insideOnlyText(region, text, newline); !range.empty())
      // What lanes get for the first time is one vector of all: those of some lanes one after the
      // other would be put into what was there before.
      return {copies || !needsThread(text) ? "InsideByVectors" : "Inside",
              range,
              "const auto cuInside, ",
              true,
              {}};
  return loop;
}

} // namespace cu2cpp
