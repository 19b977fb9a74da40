// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies to and from variables of device code.
#include "runtime_test.h"

namespace {

float table[16];
const volatile int constantValue = 5;
int* pointer;
extern int unsized[];

using Symbols = RuntimeTest;

TEST_F(Symbols, CopyBothWays) {
  float in[16], out[16] = {};
  for (int i = 0; i < 16; ++i)
    in[i] = float(i);
  EXPECT_EQ(cudaMemcpyToSymbol(table, in, sizeof in), cudaSuccess);
  EXPECT_EQ(cudaMemcpyFromSymbol(out, table, sizeof out), cudaSuccess);
  EXPECT_EQ(out[15], 15.0f);
  EXPECT_EQ(cudaMemcpyFromSymbol(out, table, 4, 5 * sizeof(float)), cudaSuccess);
  EXPECT_EQ(out[0], 5.0f);
  int value = 0;
  EXPECT_EQ(cudaMemcpyFromSymbol(&value, constantValue, sizeof value), cudaSuccess);
  EXPECT_EQ(value, 5);
}

TEST_F(Symbols, BeyondTheVariableIsAnError) {
  float in[17] = {};
  EXPECT_CUDA_ERROR(cudaMemcpyToSymbol(table, in, sizeof in), cudaErrorInvalidValue);
  EXPECT_CUDA_ERROR(cudaMemcpyToSymbol(table, in, 4, 64), cudaErrorInvalidValue);
  EXPECT_CUDA_ERROR(cudaMemcpyFromSymbol(in, table, 4, SIZE_MAX), cudaErrorInvalidValue);
}

TEST_F(Symbols, WhatIsNoVariableIsRefused) {
  int local = 0, value = 1;
  EXPECT_CUDA_ERROR(cudaMemcpyToSymbol(local, &value, 4), cudaErrorInvalidSymbol);
  EXPECT_CUDA_ERROR(cudaMemcpyToSymbol(table, &value, 4, 0, cudaMemcpyDeviceToHost),
                    cudaErrorInvalidMemcpyDirection);
}

TEST_F(Symbols, AddressAndSize) {
  float* address = nullptr;
  void* untyped = nullptr;
  std::size_t size = 0;
  EXPECT_EQ(cudaGetSymbolAddress(&address, table), cudaSuccess);
  EXPECT_EQ(address, table);
  EXPECT_EQ(cudaGetSymbolAddress((void**)&untyped, table), cudaSuccess);
  EXPECT_EQ(untyped, table);
  EXPECT_EQ(cudaGetSymbolSize(&size, table), cudaSuccess);
  EXPECT_EQ(size, sizeof table);
  // The address is device memory from now on.
  float one = 1.0f;
  EXPECT_EQ(cudaMemcpy(address + 3, &one, 4, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(table[3], 1.0f);
  EXPECT_CUDA_ERROR(cudaMemcpy(address + 15, table, 8, cudaMemcpyDeviceToDevice),
                    cudaErrorInvalidValue);
}

TEST_F(Symbols, APointerVariableIsCopiedAsAPointer) {
  DeviceArray<int> a(4);
  int* value = a;
  EXPECT_EQ(cudaMemcpyToSymbol(pointer, &value, sizeof value), cudaSuccess);
  EXPECT_EQ(pointer, value);
}

TEST_F(Symbols, ArraysOfUnknownSizeCanBeCopied) {
  int in[3] = {1, 2, 3};
  EXPECT_EQ(cudaMemcpyToSymbol(unsized, in, sizeof in), cudaSuccess);
  std::size_t size = 0;
  EXPECT_CUDA_ERROR(cudaGetSymbolSize(&size, unsized), cudaErrorInvalidSymbol);
}

int unsized[3];

} // namespace
