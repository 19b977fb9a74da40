// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/execution_form.h"

#include "analyse/regions.h"

namespace cu2cpp {

const char* nameOf(Form form) {
  switch (form) {
  case Form::Loop:
    return "loop";
  case Form::Lanes:
    return "lanes";
  case Form::Split:
    return "split";
  case Form::Fibers:
    return "fibers";
  }
  return "";
}

FormChoice chooseForm(const FunctionFacts& kernel, ForcedForm forced) {
  FormChoice choice;
  // Threads that wait for each other in loops of their own need stacks of their own. Where a kernel
  // has barriers, the loops are mostly one thread's, for other blocks.
  if (kernel.awaitsOthers && forced != ForcedForm::Loop &&
      (kernel.reached.scope == Scope::None || kernel.pollsSharedAt.isValid())) {
    choice.form = Form::Fibers;
    choice.reason = "threads wait in a loop for what others write";
    return choice;
  }
  // A block's threads wait for the clock all at once.
  if (kernel.awaitsTime && forced != ForcedForm::Loop && kernel.reached.scope == Scope::None) {
    choice.form = Form::Fibers;
    choice.reason = "threads wait in a loop for time to pass";
    return choice;
  }
  if (kernel.reached.scope == Scope::None) {
    choice.publishThread = kernel.publishesThread;
    if (forced == ForcedForm::FibersAll) {
      choice.form = Form::Fibers;
      choice.reason = "forced on the command line";
    } else if (kernel.regions && forced != ForcedForm::Loop && forced != ForcedForm::Fibers) {
      choice.form = Form::Lanes;
      choice.reason =
          "reaches no collective; its loops run outside of the loop over a row of threads";
    } else {
      choice.form = Form::Loop;
      choice.reason = "reaches no collective";
    }
    return choice;
  }
  const bool splits = kernel.regions && kernel.regions->obstacle.empty();
  if (splits && forced != ForcedForm::Fibers && forced != ForcedForm::FibersAll) {
    choice.form = Form::Split;
    choice.publishThread = kernel.publishesThread;
    choice.reason = kernel.regions->scope == Scope::Warp ? "its warps meet in collectives"
                                                         : "its barriers stand in uniform flow";
    return choice;
  }
  choice.form = Form::Fibers;
  if (splits)
    choice.reason = "forced on the command line";
  else if (kernel.regions)
    choice.reason = kernel.regions->obstacle;
  else
    choice.reason = kernel.reached.name == kernel.own.name
                        ? "calls " + kernel.reached.name
                        : "reaches a collective through " + kernel.reached.name;
  return choice;
}

} // namespace cu2cpp
