// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one place that chooses how a kernel runs. The choice is made once, from facts, and recorded
// with its reason.
#pragma once

#include <map>
#include <string>

#include "analyse/facts.h"
#include "options.h"

namespace cu2cpp {

/// Lanes is the loop form with the kernel's own loops outside of the loop over a row of threads.
enum class Form { Loop, Lanes, Split, Fibers };

struct FormChoice {
  Form form = Form::Loop;
  bool publishThread = false; ///< loop form: functions that the kernel calls ask for thisThread()
  std::string reason;
};

const char* nameOf(Form form);

/// chooseForm() picks the fastest legal form for a kernel, or the one forced on the command line
/// where that is legal.
FormChoice chooseForm(const FunctionFacts& kernel, ForcedForm forced);

} // namespace cu2cpp
