// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parts of makePlain() share: one function's body, and the changes to its text.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analyse/analyses.h"
#include "analyse/uniformity.h"
#include "parse/source_text.h"
#include "parse/syntax_visitor.h"

namespace cu2cpp {

inline const clang::Expr* plainly(const clang::Expr* e) { return e->IgnoreParenImpCasts(); }

/// `__syncthreads()`, as the plain forms look for it: before it is known what meets there.
inline bool isBarrier(const clang::Stmt* s) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(s);
  return call && call->getDirectCallee() && call->getDirectCallee()->getName() == "__syncthreads";
}

/// What a function's body says of its variables and loops.
class PlainVisitor : public SyntaxVisitor {
public:
  std::map<const clang::VarDecl*, std::vector<const clang::DeclRefExpr*>> references;
  std::size_t usesOf(const clang::VarDecl* variable) const {
    const auto found = references.find(variable);
    return found == references.end() ? 0 : found->second.size();
  }
  bool lambdas = false;
  std::vector<const clang::DeclStmt*> declarations;
  std::vector<const clang::Stmt*> loops;
  std::vector<const clang::IfStmt*> branches;
  std::vector<const clang::CallExpr*> calls;
  bool jumps = false; ///< by goto, or into the middle of a block

  bool VisitDeclRefExpr(clang::DeclRefExpr* use) override {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl()))
      references[variable].push_back(use);
    return true;
  }
  bool VisitDeclStmt(clang::DeclStmt* s) override {
    declarations.push_back(s);
    return true;
  }
  bool VisitIfStmt(clang::IfStmt* s) override {
    branches.push_back(s);
    return true;
  }
  bool VisitForStmt(clang::ForStmt* s) override {
    loops.push_back(s);
    return true;
  }
  bool VisitWhileStmt(clang::WhileStmt* s) override {
    loops.push_back(s);
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    calls.push_back(call);
    return true;
  }
  bool VisitLambdaExpr(clang::LambdaExpr*) override { return lambdas = true; }
  bool VisitLabelStmt(clang::LabelStmt*) override { return jumps = true; }
  bool VisitSwitchStmt(clang::SwitchStmt* s) override {
    jumps |= !llvm::isa<clang::CompoundStmt>(s->getBody());
    return true;
  }
};

/// Texts to put in the place of others, by file and offset.
using PlainChanges = std::map<std::string, std::map<unsigned, std::pair<unsigned, std::string>>>;

/// behindSemicolon() is the place behind the semicolon that follows a range.
std::optional<unsigned> behindSemicolon(const SourceText& text, const FileRange& range);

/// withLinesOf() adds to a text the ends of lines that the text in whose place it stands has more:
/// changes keep each line's number.
std::string withLinesOf(llvm::StringRef before, std::string text);

/// PlainBody is the body of a function that is being rewritten.
struct PlainBody {
  const SourceUnit& unit;
  const SourceText& text;
  const Uniformity& variables;
  const PlainVisitor& contents;
  PlainChanges& changes;
  const clang::FunctionDecl* function;

  /// put() adds edits of a file, by where they begin, unless one of them overlaps a change there;
  /// one that begins at `besides` may stand in what another replaces. False where it adds none:
  /// a later round will.
  bool put(const std::string& file, std::map<unsigned, std::pair<unsigned, std::string>> edits,
           std::optional<unsigned> besides = std::nullopt) const;
  /// changeCount() is the number of changes so far, those of other functions too.
  std::size_t changeCount() const;
  /// mayBeHidden() tells whether code that #if hides may name a variable.
  bool mayBeHidden(const clang::VarDecl* variable) const;
  /// placesOf() is where each use of a variable is spelled, if no macro and no hidden code names
  /// it.
  std::optional<std::map<unsigned, const clang::DeclRefExpr*>>
  placesOf(const clang::VarDecl* variable) const;
  /// isSpelled() tells whether a piece of code stands in the text as it is: a macro may be the last
  /// thing in it (`i += WIDTH`), if nothing else comes of that.
  bool isSpelled(const clang::Stmt* s) const;
  /// behindStatement() is the place behind the semicolon of an expression that is a statement of
  /// its own and begins at `start`.
  std::optional<unsigned> behindStatement(const clang::Expr* e, const FilePosition& start) const;
  /// continues() tells whether a loop's body goes on with the next round from elsewhere than its
  /// end.
  static bool continues(const clang::Stmt* s);
  /// isFixed() tells whether an expression has the same value wherever the function asks for it.
  bool isFixed(const clang::Expr* e) const;
  /// declaredNames() are all names that the function declares, with those of its template's
  /// parameters.
  std::set<std::string> declaredNames() const;
};

/// Texts in the place of some tokens, or behind them, by the tokens' places in their file.
struct TokenChanges {
  std::map<unsigned, std::string> instead, behind;
};
/// onOneLine() is a piece of a file on one line, with other texts for some tokens. Nothing where a
/// directive stands in it that may mean something.
std::optional<std::string> onOneLine(const SourceText& text, const FileRange& range,
                                     const TokenChanges& changes);
/// The same of any text.
std::optional<std::string> onOneLine(const std::string& text);

/// nameBoundObjects() gives the objects of structured bindings names, and their parts these.
void nameBoundObjects(const PlainBody& body);
/// lambdaOf() is the lambda that a local variable is.
const clang::LambdaExpr* lambdaOf(const clang::VarDecl* variable);
/// meetsInside() tells whether threads meet in a lambda of the function's.
bool meetsInside(const clang::LambdaExpr* lambda, const PlainBody& body, const Facts& facts,
                 unsigned depth = 0);
/// writeOutLambdas() writes lambdas where they are called: those in which threads meet, or else
/// those that statements of their own call.
void writeOutLambdas(const PlainBody& body, const Facts& facts, bool meetings);
/// writeOutReturns() writes functions, methods and lambdas that say where something lies, ask
/// whether it does or load it, and return that, where they are called.
void writeOutReturns(const PlainBody& body);
/// readThroughMarches() rewrites a kernel that marches through a volume with a shared tile and
/// planes in registers, so that it reads the array; true if it does.
bool readThroughMarches(const PlainBody& body, const FunctionFacts& function);
/// writeOutMethods() writes methods in which threads meet where they are called.
void writeOutMethods(const PlainBody& body, const Facts& facts);
/// writeOutCalls() writes functions with loops that are better outside of the loop over threads
/// where they are called.
void writeOutCalls(const PlainBody& body, const Facts& facts, const SharedWithOthers& shared);
/// writeOutMeetings() writes functions in which threads meet where a kernel calls them.
void writeOutMeetings(const PlainBody& body, const Facts& facts, const SharedWithOthers& shared);
/// writeOutOwners() writes functions that are given arrays of a thread's own where they are called.
void writeOutOwners(const PlainBody& body, const Facts& facts, const SharedWithOthers& shared);
/// writeOutGiven() writes functions that are given lambdas where they are called.
void writeOutGiven(const PlainBody& body, const Facts& facts, const SharedWithOthers& shared);
/// writeOutConditions() writes out macros that compare something which differs between threads.
void writeOutConditions(const PlainBody& body);
/// writeOutStatements() writes out macros that compute with structures of numbers.
void writeOutStatements(const PlainBody& body);
/// leaveAtOnce() parts branches that set numbers and leave a loop which only computes.
void leaveAtOnce(const PlainBody& body, const Facts& facts);
/// guardSteps() takes guards that a row of threads passes alike into the conditions of loops by
/// which it fills shared memory.
void guardSteps(const PlainBody& body);
/// updateWithin() has threads change values of their own in the branch that alone asks for them, if
/// fewer threads take it from step to step.
void updateWithin(const PlainBody& body);
/// chooseDefaults() has threads choose what they store in shared memory where they declare it, if a
/// branch sets it over a number.
void chooseDefaults(const PlainBody& body);
/// guardColumns() takes guards on threads' columns into loops in whose steps rows of threads change
/// rows of shared memory.
void guardColumns(const PlainBody& body, const Facts& facts, const FunctionFacts& function);
/// stepColumns() makes columns of a shared matrix that are remainders of threads' places loops.
void stepColumns(const PlainBody& body, const Facts& facts, const FunctionFacts& function);
/// writeElements() writes references to elements of shared arrays as these elements.
void writeElements(const PlainBody& body);
/// elementReferred() is the element of a shared array that a reference of that type is to an
/// expression, if no conversion makes it something else.
const clang::ArraySubscriptExpr* elementReferred(const PlainBody& body, clang::QualType type,
                                                 const clang::Expr* e);
/// runByLayers() has a kernel whose blocks' layers of threads work on a matrix each run as blocks
/// of one layer, whose threads do what those of all layers would.
void runByLayers(const PlainBody& body, const Facts& facts);
/// layOutInRows() has a kernel that divides threads' places by the length of a shared matrix's rows
/// run as blocks of such rows.
void layOutInRows(const PlainBody& body, const Facts& facts);
/// askAgain() asks a condition again where a flag that threads keep says how it was; `ranges`: also
/// one that is a range of a row's threads.
void askAgain(const PlainBody& body, bool ranges);
/// declareFlagsOfSteps() declares flags where the only list of statements that names them sets them,
/// and leaves out first values that nobody asks for.
void declareFlagsOfSteps(const PlainBody& body);
/// makePlacesPlain() rewrites variables that are set anew once, or else those that move on alike
/// for all threads.
void makePlacesPlain(const PlainBody& body);
/// partMovingPlaces() rewrites only the latter, and no variable by which a loop counts.
void partMovingPlaces(const PlainBody& body);
/// partStructures() makes a structure that threads keep through loops or collectives its parts.
void partStructures(const PlainBody& body, const Facts& all, const FunctionFacts* facts);
/// partArrays() makes an array of structures that threads keep where they meet an array of each
/// part.
void partArrays(const PlainBody& body, const Facts& facts, const FunctionFacts& function);
/// partSharedArrays() does so with shared arrays of which threads combine elements.
void partSharedArrays(const PlainBody& body, const Facts& facts, const FunctionFacts& function);
/// writeOutShortLoops() writes out the loops of a kernel that are all short, where they pass over
/// small arrays of a thread.
void writeOutShortLoops(const PlainBody& body);
/// writeOutHandingOn() writes out the short loops beside others that hand on values from one
/// element of a small array to the next, unless threads meet in them.
void writeOutHandingOn(const PlainBody& body, const std::vector<clang::SourceLocation>& places);
/// writeOutBehindSums() writes out the short loops over what a longer loop of a kernel in which
/// threads meet adds up element by element.
void writeOutBehindSums(const PlainBody& body);
/// writeOutOverParts() writes out the short loops that pass over small arrays of structures.
void writeOutOverParts(const PlainBody& body);
/// declaresOwnArray() tells whether a statement declares such an array among other variables.
bool declaresOwnArray(const PlainBody& body, const clang::DeclStmt* s);
/// writeOutTables() writes elements of constant memory that nobody has written as their numbers.
void writeOutTables(const PlainBody& body, const SharedWithOthers& shared);
/// keepWraps() makes integers that are kept within bounds by changing them one constant for each
/// change.
void keepWraps(const PlainBody& body);
/// declaresWraps() tells whether a statement declares one of them beside other variables.
bool declaresWraps(const PlainBody& body, const clang::DeclStmt* s);
/// partOwnArrays() makes small arrays of a thread of which each element is named by its number
/// variables.
void partOwnArrays(const PlainBody& body);
/// partSteps() makes what a loop's head changes besides the loop's own variable the body's end.
void partSteps(const PlainBody& body);
/// nestSteps() makes branches of what passes over elements in loops that step by a stride.
void nestSteps(const PlainBody& body, const FunctionFacts* facts);
/// countStructures() makes loops that take several numbers at a time count those times.
void countStructures(const PlainBody& body);
/// strideTogether() has all threads of a block take the steps of nests of loops by which those of a
/// grid share rows and columns.
void strideTogether(const PlainBody& body, const Facts& facts);
/// copyOneByOne() copies neighbours from shared memory into a thread's array one by one.
void copyOneByOne(const PlainBody& body);
/// countApart() gives a counter that is read behind a loop which threads leave one by one a counter
/// of its own in the loop.
void countApart(const PlainBody& body);
/// takeOutPaddings() takes out of a shared array's places by which they are moved on for a GPU's
/// memory banks.
void takeOutPaddings(const PlainBody& body, const Facts& facts, const FunctionFacts& function);
/// setWhereDeclared() declares variables that a branch and its else set alike for all threads with
/// the choice between the two values.
void setWhereDeclared(const PlainBody& body);
/// storeSwaps() makes exchanges under a condition store in any case.
void storeSwaps(const PlainBody& body);
/// isOfValues() tells whether an index is computed from values only: no exchange changes it.
bool isOfValues(const clang::Expr* index);
/// returnFirst() makes a branch that is the rest of a kernel a return of the other threads.
void returnFirst(const PlainBody& body);
/// returnBeforeSteps() does so with the branch that is all that a kernel's last loop does.
void returnBeforeSteps(const PlainBody& body);
/// guardWithin() puts the branch that ends a kernel with barriers into the loops that it holds.
void guardWithin(const PlainBody& body);
/// partEdges() parts what one thread of a row, or one row, does from what all threads do.
void partEdges(const PlainBody& body);

} // namespace cu2cpp
