// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all launches have in common: those of streams, of graph nodes and of the driver API.
//
// CUDA C++ Programming Guide, 'Execution Configuration'.
#ifndef CU2CPP_API_LAUNCHING_H
#define CU2CPP_API_LAUNCHING_H

#include <memory>

#include <cu2cpp/kernel_call.h>

#include "api/call.h"

namespace cu2cpp::rt {

/// Togetherness is which blocks of a launch must run at the same time.
struct Togetherness {
  ::dim3 cluster{0, 0, 0}; // 0: as the kernel says
  bool cooperative = false;
  bool programmatic = false; // may begin before the kernel in front of it ends; only graphs tell
};

/// checkLaunch() finds out whether the kernel can be launched so, and fills in the cluster's size.
Status checkLaunch(const void* kernel, const detail::LaunchShape& shape, Togetherness& together);

/// makeGrid() is the launch as work.
std::unique_ptr<Work> makeGrid(const detail::LaunchShape& shape, const Togetherness& together,
                               std::unique_ptr<detail::KernelCall> call);

/// readCall() takes the arguments from an array of pointers, or from cuLaunchKernel()'s buffer;
/// InvalidDeviceFunction for a kernel that is not known.
Status readCall(const void* kernel, void** arguments, void** extra,
                std::unique_ptr<detail::KernelCall>& out);

/// launchByAddress() launches a kernel that is known by its address.
Status launchByAddress(const void* kernel, const detail::LaunchShape& shape, void** arguments,
                       void** extra, Togetherness together = {});

} // namespace cu2cpp::rt

#endif
