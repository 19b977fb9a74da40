// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How an operation ended. The numbers are those of CUDA's error codes, so that api/ converts by a
// cast; core/ and exec/ use no other way to report failure.
#ifndef CU2CPP_EXEC_STATUS_H
#define CU2CPP_EXEC_STATUS_H

namespace cu2cpp::rt {

enum class [[nodiscard]] Status : int {
  Ok = 0,
  InvalidValue = 1,
  OutOfMemory = 2,
  Unloading = 4, // the process is exiting
  InvalidPitch = 12,
  InvalidSymbol = 13,
  InvalidCopyDirection = 21,
  InvalidDeviceFunction = 98,
  NoDevice = 100,
  InvalidDevice = 101,
  UnsupportedLimit = 215,
  InvalidHandle = 400,
  NotReady = 600,
  PeerAccessAlreadyEnabled = 704,
  PeerAccessNotEnabled = 705,
  HostMemoryAlreadyRegistered = 712,
  HostMemoryNotRegistered = 713,
  LaunchFailure = 719,
  NotPermitted = 800,
  NotSupported = 801,
  Unknown = 999,
};

} // namespace cu2cpp::rt

#endif
