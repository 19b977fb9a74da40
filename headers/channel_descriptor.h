// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaCreateChannelDesc<Type>(): how a texel of type Type is made up.
//
// CUDA Runtime API, 'C++ API Routines'.
#ifndef CU2CPP_CHANNEL_DESCRIPTOR_H
#define CU2CPP_CHANNEL_DESCRIPTOR_H

#include <cuda_runtime_api.h>
#include <driver_types.h>
#include <vector_types.h>

#ifdef __cplusplus

namespace cu2cpp {
namespace detail {
inline cudaChannelFormatDesc channels(int count, int bits, cudaChannelFormatKind kind) {
  return {bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0, kind};
}
} // namespace detail
} // namespace cu2cpp

// A type that no texture can have gets no channels.
template <class Type> inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  return ::cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}
#define CU2CPP_CHANNELS(T, n, kind)                                                                \
  template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<T>() {                            \
    return cu2cpp::detail::channels(n, int(8 * sizeof(T) / n), cudaChannelFormatKind##kind);       \
  }
#define CU2CPP_CHANNELS_OF(T, base, kind)                                                          \
  CU2CPP_CHANNELS(T, 1, kind)                                                                      \
  CU2CPP_CHANNELS(base##1, 1, kind)                                                                \
  CU2CPP_CHANNELS(base##2, 2, kind)                                                                \
  CU2CPP_CHANNELS(base##4, 4, kind)
CU2CPP_CHANNELS(char, 1, Signed)
CU2CPP_CHANNELS_OF(signed char, char, Signed)
CU2CPP_CHANNELS_OF(unsigned char, uchar, Unsigned)
CU2CPP_CHANNELS_OF(short, short, Signed)
CU2CPP_CHANNELS_OF(unsigned short, ushort, Unsigned)
CU2CPP_CHANNELS_OF(int, int, Signed)
CU2CPP_CHANNELS_OF(unsigned int, uint, Unsigned)
CU2CPP_CHANNELS_OF(float, float, Float)
#undef CU2CPP_CHANNELS_OF
#undef CU2CPP_CHANNELS

inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return cu2cpp::detail::channels(1, 16, cudaChannelFormatKindFloat);
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() { return cudaCreateChannelDescHalf(); }
inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
  return cu2cpp::detail::channels(2, 16, cudaChannelFormatKindFloat);
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
  return cu2cpp::detail::channels(4, 16, cudaChannelFormatKindFloat);
}

#endif

#endif
