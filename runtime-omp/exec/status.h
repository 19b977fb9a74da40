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
  InvalidFilterSetting = 26,
  InvalidDeviceFunction = 98,
  NoDevice = 100,
  InvalidDevice = 101,
  InvalidImage = 200,
  UnsupportedLimit = 215,
  InvalidPtx = 218,
  CompilerNotFound = 221,
  FileNotFound = 301,
  ModuleSymbolNotFound = 302,
  InvalidHandle = 400,
  IllegalState = 401,
  NotReady = 600,
  PeerAccessAlreadyEnabled = 704,
  PeerAccessNotEnabled = 705,
  HostMemoryAlreadyRegistered = 712,
  HostMemoryNotRegistered = 713,
  LaunchFailure = 719,
  NotPermitted = 800,
  NotSupported = 801,
  CaptureUnsupported = 900,
  CaptureInvalidated = 901,
  CaptureMerge = 902,
  CaptureUnmatched = 903,
  CaptureUnjoined = 904,
  CaptureIsolation = 905,
  CaptureImplicit = 906,
  CapturedEvent = 907,
  CaptureWrongThread = 908,
  GraphUpdateFailure = 910,
  Unknown = 999,
};

} // namespace cu2cpp::rt

#endif
