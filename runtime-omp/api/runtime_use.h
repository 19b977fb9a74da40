// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a host thread has used the runtime API: its device's primary context is the thread's
// current one from then on, for functions of the driver API.
//
// CUDA Driver API, 'Interoperability between Runtime and Driver APIs'.
#ifndef CU2CPP_API_RUNTIME_USE_H
#define CU2CPP_API_RUNTIME_USE_H

namespace cu2cpp::rt {

/// usesRuntime is set by what every program does before anything else.
extern thread_local bool usesRuntime;

} // namespace cu2cpp::rt

#endif
