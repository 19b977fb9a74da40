// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Faults of the processor in kernels: an access to memory that is not there, a division by zero, an
// overflow of a fiber's stack. They end the kernel with an error that sticks to the device and one
// line that names kernel, block and thread; the process goes on, as it would with a GPU.
//
// CUDA C++ Programming Guide, 'Error Checking'.
#ifndef CU2CPP_EXEC_FAULTS_H
#define CU2CPP_EXEC_FAULTS_H

namespace cu2cpp::rt {

/// watchFaults() prepares the process. Faults outside of kernels go to the handlers that were there
/// before.
void watchFaults();

/// watchStackOverflow() gives this OS thread the stack on which an overflow can be handled.
void watchStackOverflow();

/// tellFault() prints what has ended the kernel that this OS thread ran, if that was a fault.
void tellFault();

} // namespace cu2cpp::rt

#endif
