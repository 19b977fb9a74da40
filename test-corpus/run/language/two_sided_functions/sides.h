// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Qualifiers behind macros and at declarations apart from the definitions.
#pragma once
#ifdef __CUDACC__
#define BOTH __host__ __device__
#define BOTH_INLINE BOTH inline
#define DEVICE_ONLY static __device__
#else
#define BOTH
#define BOTH_INLINE inline
#define DEVICE_ONLY static
#endif

BOTH_INLINE int inHeader(int x) {
#ifdef __CUDA_ARCH__
  return x + 1;
#else
  return x + 2;
#endif
}

struct Scale {
  int by;
  template <class T> BOTH T operator()(T x) const;
};

template <class T> T Scale::operator()(T x) const {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  return x * by;
#else
  return -x * by;
#endif
}
