/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions that cross the language borders of this program. */
#ifndef API_H
#define API_H
#ifdef __cplusplus
extern "C" {
#endif
float* makeBuffer(int n, float value);
float dotOnDevice(const float* a, const float* b, int n);
int plainC(void);
#ifdef __cplusplus
}
#endif
int hostCpp();
#endif
