// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structures that lanes keep through a loop stay packed as they lie in memory:
//
//   for (...) { const float2 v = in[...]; sum.x = sum.x * c + p * v.x; sum.y = sum.y * c + p * v.y;
//   }
//
// Vectorisers keep one vector for each part, and take what each step loads apart into such. Where
// all parts change alike their words change in the order in which they lie. They are taken apart
// behind the loop, where that is asked for.
#include "kernel_passes.h"
#include "packed_parts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/Local.h"

namespace {

using cu2cpp::Packing, cu2cpp::Parts, cu2cpp::vectorType;

/// A vector of which a shuffle takes one part of each structure.
struct Taken {
  llvm::Value* whole = nullptr;
  unsigned count = 0, part = 0;
};

/// A loop that is one block, which is entered in one way and left in one.
class OneBlockLoop {
public:
  explicit OneBlockLoop(llvm::BasicBlock& block) : block_(block) {}

  bool run() {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block_.getTerminator());
    if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
      return false;
    const unsigned again = branch->getSuccessor(0) == &block_ ? 0 : 1;
    exit_ = branch->getSuccessor(1 - again);
    if (branch->getSuccessor(again) != &block_)
      return false;
    std::vector<Candidate> all;
    for (const Parts& variable : variables())
      if (Candidate candidate(variable, block_); fits(candidate))
        all.push_back(std::move(candidate));
    // Those for which nothing is taken apart any more, if all of them are packed.
    for (std::size_t before = 0; before != all.size();) {
      before = all.size();
      std::set<llvm::Value*> made;
      for (const Candidate& candidate : all)
        made.insert(candidate.packing.made().begin(), candidate.packing.made().end());
      llvm::erase_if(all, [&](const Candidate& candidate) {
        return llvm::none_of(candidate.packing.taken(), [&](const Parts& parts) {
          return llvm::all_of(parts, [&](llvm::Value* part) {
            return llvm::all_of(part->users(),
                                [&](llvm::User* user) { return made.count(user) != 0; });
          });
        });
      });
    }
    for (Candidate& candidate : all)
      build(candidate);
    return !all.empty();
  }

private:
  struct Candidate {
    Candidate(const Parts& variable, llvm::BasicBlock& block)
        : variable(variable), packing(unsigned(variable.size()), block.getTerminator()),
          behind(variable.size(), nullptr) {
      for (llvm::Value* part : variable)
        next.push_back(llvm::cast<llvm::PHINode>(part)->getIncomingValueForBlock(&block));
    }
    Parts variable, next; ///< next: what it is in the next step
    Packing packing;
    std::vector<llvm::PHINode*> behind; ///< where parts go to behind the loop, if anywhere
  };

  /// Variables of which neighbouring parts of one load become part.
  std::vector<Parts> variables() const {
    using Whole = std::pair<llvm::Value*, unsigned>;
    std::vector<Whole> order;
    std::map<Whole, std::map<unsigned, std::vector<llvm::Value*>>> found;
    for (llvm::PHINode& phi : block_.phis()) {
      if (phi.getNumIncomingValues() != 2 || !vectorType(&phi) ||
          vectorType(&phi)->getNumElements() < 4)
        continue;
      std::set<llvm::Value*> seen;
      const Taken taken = takenFor(phi.getIncomingValueForBlock(&block_), seen);
      if (!taken.whole)
        continue;
      const Whole whole(taken.whole, taken.count);
      if (!found.count(whole))
        order.push_back(whole);
      found[whole][taken.part].push_back(&phi);
    }
    std::vector<Parts> out;
    for (const Whole& whole : order) {
      const auto& parts = found.at(whole);
      for (std::size_t number = 0; parts.size() == whole.second; ++number) {
        Parts variable;
        for (const auto& [part, phis] : parts)
          if (number < phis.size() &&
              (variable.empty() || variable[0]->getType() == phis[number]->getType()))
            variable.push_back(phis[number]);
        if (variable.size() != whole.second)
          break;
        out.push_back(variable);
      }
    }
    return out;
  }

  /// The first part of a structure that a value of this step is made of.
  Taken takenFor(llvm::Value* value, std::set<llvm::Value*>& seen) const {
    constexpr std::size_t most = 100;
    auto* const made = llvm::dyn_cast<llvm::Instruction>(value);
    if (!made || made->getParent() != &block_ || llvm::isa<llvm::PHINode>(made) ||
        seen.size() > most || !seen.insert(value).second)
      return {};
    if (auto* const shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(made)) {
      const llvm::ArrayRef<int> mask = shuffle->getShuffleMask();
      const unsigned all = vectorType(shuffle->getOperand(0))->getNumElements();
      const unsigned lanes = unsigned(mask.size()), count = all / lanes;
      if (count < 2 || count > 4 || all != lanes * count || mask[0] < 0 || mask[0] >= int(count))
        return {};
      for (unsigned lane = 0; lane < lanes; ++lane)
        if (mask[lane] != int(lane * count) + mask[0])
          return {};
      return {shuffle->getOperand(0), count, unsigned(mask[0])};
    }
    for (llvm::Value* operand : made->operands())
      if (const Taken taken = takenFor(operand, seen); taken.whole)
        return taken;
    return {};
  }

  /// Whether all parts of a variable change alike, and nobody asks for one inside of the loop.
  bool fits(Candidate& candidate) const {
    const Parts &variable = candidate.variable, &next = candidate.next;
    Packing& packing = candidate.packing;
    packing.know(variable, variable[0]); // for now
    if (next == variable || !packing.look(next) || packing.leaves() > 0 || packing.repeats() > 0)
      return false;
    for (llvm::Value* made : packing.made())
      if (llvm::cast<llvm::Instruction>(made)->getParent() != &block_)
        return false;
    if (llvm::any_of(next, [&](llvm::Value* part) { return !packing.made().count(part); }))
      return false;
    std::vector<llvm::PHINode*>& behind = candidate.behind;
    const auto isOneOf = [](const Parts& parts, const llvm::Value* value) {
      return std::find(parts.begin(), parts.end(), value) != parts.end();
    };
    for (llvm::Value* part : variable)
      for (llvm::User* user : part->users())
        if (!packing.made().count(user))
          return false;
    for (llvm::Value* made : packing.made())
      for (llvm::User* user : made->users()) {
        if (packing.made().count(user) || (isOneOf(next, made) && isOneOf(variable, user)))
          continue;
        // A way that only leads from here: whatever lies behind it may ask for parts.
        if (exit_->getSinglePredecessor() && isOneOf(next, made) &&
            llvm::cast<llvm::Instruction>(user)->getParent() != &block_)
          continue;
        auto* const phi = llvm::dyn_cast<llvm::PHINode>(user);
        const auto at = std::find(next.begin(), next.end(), made) - next.begin();
        if (!phi || phi->getParent() != exit_ || at == std::ptrdiff_t(next.size()) ||
            phi->getIncomingValueForBlock(&block_) != made || (behind[at] && behind[at] != phi) ||
            llvm::count(phi->incoming_values(), made) != 1)
          return false;
        behind[at] = phi;
      }
    return true;
  }

  void build(Candidate& candidate) const {
    const Parts &variable = candidate.variable, &next = candidate.next;
    const std::vector<llvm::PHINode*>& behind = candidate.behind;
    Packing& packing = candidate.packing;
    auto* const first = llvm::cast<llvm::PHINode>(variable[0]);
    const unsigned lanes = vectorType(first)->getNumElements(), count = unsigned(variable.size());
    auto* const type =
        llvm::FixedVectorType::get(vectorType(first)->getElementType(), lanes * count);
    llvm::PHINode* const whole = llvm::PHINode::Create(type, 2, "", first->getIterator());
    packing.know(variable, whole);
    std::map<llvm::Value*, llvm::Value*> repeated;
    llvm::Value* const wholeNext = packing.build(next, repeated);
    for (llvm::BasicBlock* from : first->blocks())
      whole->addIncoming(from == &block_ ? wholeNext : startFrom(variable, from), from);

    if (exit_->getSinglePredecessor())
      takeApart(wholeNext, next, lanes);
    else if (llvm::any_of(behind, [](auto* phi) { return phi != nullptr; }))
      takeApart(wholeNext, behind, lanes);
    llvm::SmallVector<llvm::WeakTrackingVH, 8> unused(next.begin(), next.end());
    for (llvm::Value* part : variable) {
      part->replaceAllUsesWith(llvm::PoisonValue::get(part->getType()));
      llvm::cast<llvm::PHINode>(part)->eraseFromParent();
    }
    llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(unused);
  }

  /// What phis have that come from a block, put together; a part without one is nobody's.
  static llvm::Value* startFrom(const Parts& phis, llvm::BasicBlock* from) {
    Parts parts;
    for (llvm::Value* phi : phis)
      parts.push_back(llvm::cast<llvm::PHINode>(phi)->getIncomingValueForBlock(from));
    llvm::IRBuilder<> at(from->getTerminator());
    return Packing::putTogether(at, parts);
  }

  /// Behind the loop each part that somebody asks for is taken out of the words.
  void takeApart(llvm::Value* words, const Parts& next, unsigned lanes) const {
    for (llvm::PHINode& phi : llvm::make_early_inc_range(exit_->phis()))
      if (llvm::is_contained(next, phi.getIncomingValue(0))) {
        phi.replaceAllUsesWith(phi.getIncomingValue(0));
        phi.eraseFromParent();
      }
    llvm::IRBuilder<> at(exit_, exit_->getFirstInsertionPt());
    for (unsigned part = 0; part < next.size(); ++part) {
      const auto isBehind = [&](const llvm::Use& use) {
        return llvm::cast<llvm::Instruction>(use.getUser())->getParent() != &block_;
      };
      if (llvm::any_of(next[part]->uses(), isBehind))
        next[part]->replaceUsesWithIf(takenFrom(words, part, unsigned(next.size()), lanes, at),
                                      isBehind);
    }
  }
  void takeApart(llvm::Value* words, const std::vector<llvm::PHINode*>& behind,
                 unsigned lanes) const {
    const auto one = std::find_if(behind.begin(), behind.end(), [](auto* phi) { return phi; });
    llvm::PHINode* const known = *one;
    llvm::PHINode* const whole =
        llvm::PHINode::Create(words->getType(), 2, "", known->getIterator());
    std::map<llvm::BasicBlock*, llvm::Value*> from;
    for (llvm::BasicBlock* block : known->blocks()) {
      llvm::Value*& value = from[block];
      if (block == &block_) {
        value = words;
      } else if (!value) {
        Parts parts;
        for (llvm::PHINode* phi : behind)
          parts.push_back(phi ? phi->getIncomingValueForBlock(block)
                              : llvm::PoisonValue::get(known->getType()));
        llvm::IRBuilder<> at(block->getTerminator());
        value = Packing::putTogether(at, parts);
      }
      whole->addIncoming(value, block);
    }
    llvm::IRBuilder<> at(exit_, exit_->getFirstInsertionPt());
    for (unsigned part = 0; part < behind.size(); ++part)
      if (llvm::PHINode* const phi = behind[part]) {
        phi->replaceAllUsesWith(takenFrom(whole, part, unsigned(behind.size()), lanes, at));
        phi->eraseFromParent();
      }
  }
  static llvm::Value* takenFrom(llvm::Value* words, unsigned part, unsigned count, unsigned lanes,
                                llvm::IRBuilder<>& at) {
    std::vector<int> mask;
    for (unsigned lane = 0; lane < lanes; ++lane)
      mask.push_back(int(lane * count + part));
    return at.CreateShuffleVector(words, mask);
  }

  llvm::BasicBlock& block_;
  llvm::BasicBlock* exit_ = nullptr;
};

} // namespace

llvm::PreservedAnalyses cu2cpp::PackedVariables::run(llvm::Function& f,
                                                     llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::BasicBlock& block : f)
    changed |= OneBlockLoop(block).run();
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}
