// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and fills as checked boxes of memory: rows of `width` bytes, `height` rows, `depth`
// slices. 1-D copies are one row. Large ones have many parts, which the team's threads share.
//
// CUDA C++ Programming Guide, 'Device Memory'.
#ifndef CU2CPP_CORE_COPY_H
#define CU2CPP_CORE_COPY_H

#include <cstddef>
#include <vector>

#include "core/allocation_table.h"
#include "exec/work.h"

namespace cu2cpp::rt {

/// Box is one side of a copy: the first byte and the distances between rows and between slices.
struct Box {
  char* start = nullptr;
  std::size_t pitch = 0;
  std::size_t slice = 0;
};

struct Extent {
  std::size_t width = 0, height = 1, depth = 1;
  bool empty() const { return width == 0 || height == 0 || depth == 0; }
  std::size_t bytes() const { return width * height * depth; }
};

enum class Direction { HostToHost, HostToDevice, DeviceToHost, DeviceToDevice, Default };

/// Place says what a pointer points at, as far as the runtime knows.
struct Place {
  bool known = false;    // in an allocation
  bool variable = false; // in the image of the program: host data or a variable of device code
  Allocation allocation;

  bool mayBeHost() const { return !known || allocation.hostReaches(); }
  bool mayBeDevice() const { return known || variable; }
  /// isPageable() is true for ordinary host memory.
  bool isPageable() const { return !known && !variable; }
};
Place placeOf(const AllocationTable& table, const void* p);

/// checkBox() finds out whether the box lies within the allocation that it starts in.
Status checkBox(const Place& place, const Box& box, const Extent& extent);
/// checkDirection() compares the direction that the caller named with what is known of the two
/// sides.
Status checkDirection(Direction direction, const Place& to, const Place& from);

class CopyWork final : public Work {
public:
  CopyWork(const Box& to, const Box& from, const Extent& extent);
  /// stage() copies the source now, so that the caller may change it before the copy's turn comes.
  void stage();

  std::uint64_t parts() const override { return parts_; }
  bool anyOrder() const override { return true; }
  void run(std::uint64_t first, std::uint64_t last) noexcept override;
  Description describe() const override { return {"memcpy", nullptr, 0, extent_.bytes()}; }

private:
  Box to_, from_;
  Extent extent_;
  std::uint64_t parts_ = 1;
  std::size_t step_ = 0; // bytes of a row, or rows, in a part
  std::vector<char> staged_;
};

class FillWork final : public Work {
public:
  /// The value fills elements of 1, 2 or 4 bytes.
  FillWork(const Box& to, unsigned value, const Extent& extent, unsigned elementBytes = 1);

  std::uint64_t parts() const override { return parts_; }
  bool anyOrder() const override { return true; }
  void run(std::uint64_t first, std::uint64_t last) noexcept override;
  Description describe() const override { return {"memset", nullptr, 0, extent_.bytes()}; }

private:
  void fill(char* p, std::size_t bytes) const;
  Box to_;
  unsigned value_, elementBytes_;
  Extent extent_;
  std::uint64_t parts_ = 1;
  std::size_t step_ = 0;
};

} // namespace cu2cpp::rt

#endif
