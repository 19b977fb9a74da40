// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/execution_form.h"

namespace cu2cpp {

const char* nameOf(Form form) {
  switch (form) {
  case Form::Loop:
    return "loop";
  case Form::Split:
    return "split";
  case Form::Fibers:
    return "fibers";
  }
  return "";
}

FormChoice chooseForm(const FunctionFacts& kernel, ForcedForm forced) {
  FormChoice choice;
  if (kernel.reached.scope == Scope::None) {
    choice.publishThread = kernel.publishesThread;
    if (forced == ForcedForm::FibersAll) {
      choice.form = Form::Fibers;
      choice.reason = "forced on the command line";
    } else {
      choice.form = Form::Loop;
      choice.reason = "reaches no collective";
    }
    return choice;
  }
  choice.form = Form::Fibers;
  choice.reason = kernel.reached.name == kernel.own.name ? "calls " + kernel.reached.name
                                                         : "reaches a collective through " + kernel.reached.name;
  return choice;
}

} // namespace cu2cpp
