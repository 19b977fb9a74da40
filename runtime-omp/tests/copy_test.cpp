// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and fills: every shape against a plain loop, ranges, directions, and when the caller may
// reuse its memory.
#include <numeric>

#include "runtime_test.h"

namespace {

using Copy = RuntimeTest;

std::vector<int> ascending(std::size_t count) {
  std::vector<int> v(count);
  std::iota(v.begin(), v.end(), 1);
  return v;
}

TEST_F(Copy, ThereAndBack) {
  for (std::size_t count : {std::size_t(1), std::size_t(1000), std::size_t(5) << 20}) {
    const std::vector<int> in = ascending(count);
    DeviceArray<int> a(count), b(count);
    ASSERT_EQ(cudaMemcpy(a, in.data(), count * 4, cudaMemcpyHostToDevice), cudaSuccess);
    ASSERT_EQ(cudaMemcpy(b, a, count * 4, cudaMemcpyDeviceToDevice), cudaSuccess);
    EXPECT_EQ(b.toHost(), in);
    std::vector<int> out(count);
    ASSERT_EQ(cudaMemcpy(out.data(), b, count * 4, cudaMemcpyDefault), cudaSuccess);
    EXPECT_EQ(out, in);
  }
}

TEST_F(Copy, BeyondAnAllocationIsAnError) {
  DeviceArray<int> a(100);
  std::vector<int> host(200);
  EXPECT_CUDA_ERROR(cudaMemcpy(a, host.data(), 404, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_CUDA_ERROR(cudaMemcpy(host.data(), a + 1, 400, cudaMemcpyDeviceToHost),
                    cudaErrorInvalidValue);
  EXPECT_CUDA_ERROR(cudaMemset(a, 0, 401), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(a + 99, host.data(), 4, cudaMemcpyHostToDevice), cudaSuccess);
}

TEST_F(Copy, NullFreedAndWrongDirectionsAreErrors) {
  DeviceArray<int> a(100);
  std::vector<int> host(100);
  EXPECT_CUDA_ERROR(cudaMemcpy(nullptr, host.data(), 4, cudaMemcpyHostToDevice),
                    cudaErrorInvalidValue);
  EXPECT_CUDA_ERROR(cudaMemcpy(a, nullptr, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_CUDA_ERROR(cudaMemcpy(host.data(), a, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_CUDA_ERROR(cudaMemcpy(a, host.data(), 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_CUDA_ERROR(cudaMemcpy(a, host.data(), 4, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
  EXPECT_CUDA_ERROR(cudaMemcpy(a, host.data(), 4, static_cast<cudaMemcpyKind>(17)),
                    cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice), cudaSuccess);
}

TEST_F(Copy, WhatIsCalledHostMemoryMayBeTheDevices) {
  DeviceArray<int> a(10), b(10);
  const int value = 42;
  ASSERT_EQ(cudaMemcpy(a, &value, sizeof value, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(b, a, sizeof value, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(b.toHost()[0], 42);
  EXPECT_EQ(cudaMemcpyAsync(b + 1, b, sizeof value, cudaMemcpyDeviceToHost, nullptr), cudaSuccess);
  EXPECT_EQ(b.toHost()[1], 42);
}

struct Shape {
  std::size_t width, height, depth, toPitch, fromPitch, toRows, fromRows;
};

TEST_F(Copy, BoxesLikeAPlainLoop) {
  for (const Shape& s :
       {Shape{10, 4, 1, 16, 32, 4, 4}, Shape{16, 4, 1, 16, 16, 4, 4}, Shape{7, 5, 3, 8, 9, 6, 5},
        Shape{8, 5, 3, 8, 8, 5, 5}, Shape{8, 1, 9, 8, 8, 2, 3}, Shape{1, 1, 1, 1, 1, 1, 1},
        Shape{700, 3000, 2, 704, 1024, 3000, 3001}}) {
    const std::size_t toBytes = s.toPitch * s.toRows * s.depth,
                      fromBytes = s.fromPitch * s.fromRows * s.depth;
    std::vector<unsigned char> from(fromBytes), expected(toBytes, 0);
    for (std::size_t i = 0; i < fromBytes; ++i)
      from[i] = static_cast<unsigned char>(i * 7 + i / 251);
    for (std::size_t z = 0; z < s.depth; ++z)
      for (std::size_t y = 0; y < s.height; ++y)
        for (std::size_t x = 0; x < s.width; ++x)
          expected[(z * s.toRows + y) * s.toPitch + x] =
              from[(z * s.fromRows + y) * s.fromPitch + x];
    DeviceArray<unsigned char> to(toBytes);
    cudaMemcpy3DParms p{};
    p.dstPtr = make_cudaPitchedPtr(to, s.toPitch, s.width, s.toRows);
    p.srcPtr = make_cudaPitchedPtr(from.data(), s.fromPitch, s.width, s.fromRows);
    p.extent = make_cudaExtent(s.width, s.height, s.depth);
    p.kind = cudaMemcpyHostToDevice;
    ASSERT_EQ(cudaMemcpy3D(&p), cudaSuccess);
    EXPECT_EQ(to.toHost(), expected) << s.width << "x" << s.height << "x" << s.depth;
    if (s.depth == 1) {
      ASSERT_EQ(cudaMemset(to, 0, toBytes), cudaSuccess);
      ASSERT_EQ(cudaMemcpy2D(to, s.toPitch, from.data(), s.fromPitch, s.width, s.height,
                             cudaMemcpyHostToDevice),
                cudaSuccess);
      EXPECT_EQ(to.toHost(), expected);
    }
  }
}

TEST_F(Copy, PositionsInBoxesAreBytesRowsAndSlices) {
  std::vector<char> from(10 * 4 * 3);
  std::iota(from.begin(), from.end(), char(0));
  DeviceArray<char> to(20 * 5 * 3);
  cudaMemcpy3DParms p{};
  p.srcPtr = make_cudaPitchedPtr(from.data(), 10, 10, 4);
  p.srcPos = make_cudaPos(2, 1, 1);
  p.dstPtr = make_cudaPitchedPtr(to, 20, 20, 5);
  p.dstPos = make_cudaPos(3, 2, 1);
  p.extent = make_cudaExtent(4, 2, 2);
  p.kind = cudaMemcpyHostToDevice;
  ASSERT_EQ(cudaMemcpy3D(&p), cudaSuccess);
  const std::vector<char> result = to.toHost();
  for (std::size_t z = 0; z < 3; ++z)
    for (std::size_t y = 0; y < 5; ++y)
      for (std::size_t x = 0; x < 20; ++x) {
        const bool inside = z >= 1 && y >= 2 && y < 4 && x >= 3 && x < 7;
        const char expected = inside ? from[z * 40 + (y - 1) * 10 + (x - 1)] : char(0);
        ASSERT_EQ(result[z * 100 + y * 20 + x], expected) << x << "," << y << "," << z;
      }
}

TEST_F(Copy, RowsWiderThanTheirPitchAreRefused) {
  DeviceArray<char> a(1000);
  std::vector<char> host(1000);
  EXPECT_CUDA_ERROR(cudaMemcpy2D(a, 10, host.data(), 20, 11, 2, cudaMemcpyHostToDevice),
                    cudaErrorInvalidPitchValue);
  EXPECT_CUDA_ERROR(cudaMemcpy2D(a, 100, host.data(), 100, 100, 11, cudaMemcpyHostToDevice),
                    cudaErrorInvalidValue);
}

TEST_F(Copy, FillsLikeAPlainLoop) {
  DeviceArray<unsigned char> a(3 << 20);
  ASSERT_EQ(cudaMemset(a, 0x1a5, 3 << 20), cudaSuccess); // only the low byte counts
  for (unsigned char c : a.toHost())
    ASSERT_EQ(c, 0xa5);
  ASSERT_EQ(cudaMemset2D(a + 5, 100, 7, 10, 3), cudaSuccess);
  ASSERT_EQ(cudaMemset3D(make_cudaPitchedPtr(a + 1000, 20, 20, 4), 9, make_cudaExtent(5, 2, 3)),
            cudaSuccess);
  const std::vector<unsigned char> result = a.toHost();
  for (std::size_t i = 0; i < 2000; ++i) {
    unsigned char expected = 0xa5;
    if (i >= 5 && (i - 5) / 100 < 3 && (i - 5) % 100 < 10)
      expected = 7;
    if (i >= 1000 && (i - 1000) / 80 < 3 && (i - 1000) % 80 / 20 < 2 && (i - 1000) % 20 < 5)
      expected = 9;
    ASSERT_EQ(result[i], expected) << i;
  }
}

TEST_F(Copy, PageableMemoryMayChangeAfterAnAsynchronousCopy) {
  Stream stream;
  Gate gate;
  DeviceArray<int> a(1000);
  gate.close(stream);
  std::vector<int> host = ascending(1000);
  const std::vector<int> before = host;
  ASSERT_EQ(cudaMemcpyAsync(a, host.data(), 4000, cudaMemcpyHostToDevice, stream), cudaSuccess);
  std::fill(host.begin(), host.end(), -1);
  gate.open();
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(a.toHost(), before);
}

TEST_F(Copy, BetweenDevicesNumbersAreChecked) {
  DeviceArray<int> a(10), b(10);
  EXPECT_EQ(cudaMemcpyPeer(a, 0, b, 0, 40), cudaSuccess);
  EXPECT_CUDA_ERROR(cudaMemcpyPeer(a, 0, b, 77, 40), cudaErrorInvalidDevice);
}

} // namespace
