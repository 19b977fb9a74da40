// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analyse/slow_spots.h"

#include <algorithm>
#include <optional>
#include <set>

#include "parse/syntax_visitor.h"

namespace cu2cpp {
namespace {

bool startsWith(const std::string& name, llvm::StringRef start) {
  return llvm::StringRef(name).starts_with(start);
}

/// Whether an expression reads memory, the place of which is then known only when it is computed.
bool readsElement(const clang::Expr* e) {
  e = e->IgnoreParenImpCasts();
  if (const auto* access = llvm::dyn_cast<clang::ArraySubscriptExpr>(e))
    return access->getBase()->IgnoreParenImpCasts()->getType()->isPointerType();
  if (const auto* op = llvm::dyn_cast<clang::BinaryOperator>(e))
    return readsElement(op->getLHS()) || readsElement(op->getRHS());
  return false;
}

class Finder : public SyntaxVisitor {
public:
  Finder(const Facts& facts, std::vector<SlowSpot>& spots) : spots_(spots) {
    for (const clang::DeclRefExpr* use : facts.sharedAtomics)
      inBlock_.insert(use->getLocation());
  }

  void look(const clang::Stmt* body) {
    seen_.clear();
    TraverseStmt(const_cast<clang::Stmt*>(body));
  }

  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* access) override {
    if (readsElement(access->getIdx()))
      add(access->getExprLoc(), "an index that is read from memory: neighbouring threads touch "
                                "places far apart, and loads are not vectorised");
    return true;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(use->getDecl());
    if (!function || !function->getDeclName().isIdentifier())
      return true;
    const std::string name = function->getName().str();
    if (startsWith(name, "atomic") && name.size() > 6 && name[6] >= 'A' && name[6] <= 'Z' &&
        !inBlock_.count(use->getLocation()))
      add(use->getLocation(), "'" + name +
                                  "' on global memory: a locked operation for each thread; "
                                  "sum up within the block first");
    else if (startsWith(name, "tex1D") || startsWith(name, "tex2D") || startsWith(name, "tex3D") ||
             startsWith(name, "texCubemap"))
      add(use->getLocation(), "'" + name + "': a CPU filters textures in software");
    else if (name == "malloc" || name == "free")
      add(use->getLocation(), "'" + name + "' in device code, once for each thread");
    else if (name == "printf")
      add(use->getLocation(), "printf in device code: each call is an output of its own");
    else if (name == "__threadfence_system")
      add(use->getLocation(), "a fence for each thread");
    return true;
  }

  bool VisitVarDecl(clang::VarDecl* variable) override {
    const clang::QualType type = variable->getType();
    if (type.isVolatileQualified() ||
        (type->isPointerType() && type->getPointeeType().isVolatileQualified()))
      add(variable->getLocation(), "volatile accesses: loops around them are not vectorised");
    return true;
  }

private:
  void add(clang::SourceLocation at, const std::string& what) {
    // Once a function for each kind, at its first place.
    if (at.isValid() && seen_.insert(what).second)
      spots_.push_back({at, what});
  }

  std::vector<SlowSpot>& spots_;
  std::set<clang::SourceLocation> inBlock_;
  std::set<std::string> seen_;
};

/// A launch of one thread, or of blocks too small for a vector.
void lookAtLaunches(const Facts& facts, const clang::ASTContext& context,
                    std::vector<SlowSpot>& spots) {
  for (const LaunchFacts& launch : facts.launches) {
    const clang::CallExpr* config = launch.call->getConfig();
    if (!config || config->getNumArgs() < 2 || launch.call->isTypeDependent())
      continue;
    const auto sizeOf = [&](const clang::Expr* e) -> std::optional<std::int64_t> {
      e = e->IgnoreImplicit();
      while (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(e)) {
        if (made->getNumArgs() == 0 ||
            (made->getNumArgs() > 1 && !made->getArg(1)->isDefaultArgument()))
          return std::nullopt;
        e = made->getArg(0)->IgnoreImplicit();
      }
      clang::Expr::EvalResult value;
      if (e->isValueDependent() || !e->EvaluateAsInt(value, context))
        return std::nullopt;
      return value.Val.getInt().getExtValue();
    };
    const auto blocks = sizeOf(config->getArg(0)), threads = sizeOf(config->getArg(1));
    if (blocks && threads && *blocks == 1 && *threads == 1)
      spots.push_back({launch.call->getBeginLoc(),
                       "a launch of one thread: the rest of the machine "
                       "waits for it"});
    else if (blocks && *blocks == 1)
      spots.push_back({launch.call->getBeginLoc(), "a launch of one block: it runs on one core"});
  }
}

} // namespace

std::vector<SlowSpot> findSlowSpots(const SourceUnit& unit, const Facts& facts) {
  std::vector<SlowSpot> spots;
  Finder finder(facts, spots);
  for (const auto& [place, function] : facts.functions)
    if (function.device && unit.isUser(function.decl->getLocation()) && function.decl->getBody())
      finder.look(function.decl->getBody());
  lookAtLaunches(facts, unit.context(), spots);
  spots.erase(std::remove_if(spots.begin(), spots.end(),
                             [&](const SlowSpot& s) { return !unit.isUser(s.at); }),
              spots.end());
  return spots;
}

} // namespace cu2cpp
