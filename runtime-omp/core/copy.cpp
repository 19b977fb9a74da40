// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of copies, and the copying.
#include "core/copy.h"

#include <algorithm>
#include <cstring>

namespace cu2cpp::rt {
namespace {

// A thread moves this much in about the time that it takes to wake another.
constexpr std::size_t partBytes = std::size_t(1) << 20;

// Rows that follow each other without a gap on both sides are one long row.
void joinRows(Extent& extent, std::initializer_list<Box*> sides) {
  const auto all = [&](auto condition) {
    return std::all_of(sides.begin(), sides.end(), condition);
  };
  if (extent.height > 1 && all([&](const Box* b) { return b->pitch == extent.width; })) {
    extent.width *= extent.height;
    extent.height = 1;
  }
  if (extent.height == 1 && extent.depth > 1) {
    if (all([&](const Box* b) { return b->slice == extent.width; })) {
      extent.width *= extent.depth;
      extent.depth = 1;
    } else {
      // One row in each slice: slices are rows.
      for (Box* side : sides)
        side->pitch = side->slice;
      extent.height = extent.depth;
      extent.depth = 1;
    }
  }
}

// One long row is cut into pieces of bytes, a box into groups of rows.
std::uint64_t cut(const Extent& extent, std::size_t& step) {
  const std::size_t rows = extent.height * extent.depth;
  const std::size_t units = rows == 1 ? extent.width : rows;
  step = rows == 1 ? partBytes
                   : std::max<std::size_t>(1, partBytes / std::max<std::size_t>(1, extent.width));
  return std::max<std::uint64_t>(1, (units + step - 1) / step);
}

std::size_t offsetOfRow(const Box& box, const Extent& extent, std::size_t row) {
  return row / extent.height * box.slice + row % extent.height * box.pitch;
}

} // namespace

Place placeOf(const AllocationTable& table, const void* p) {
  Place place;
  if (const std::optional<Allocation> found = table.find(p)) {
    place.known = true;
    place.allocation = *found;
    // Memory mapped piece by piece side by side is one to those who use it.
    Allocation& all = place.allocation;
    while (all.kind == MemoryKind::Virtual) {
      const auto next = table.find(reinterpret_cast<const void*>(all.address + all.bytes));
      if (!next || next->kind != MemoryKind::Virtual)
        break;
      all.bytes += next->bytes;
    }
  } else {
    place.variable = isStaticVariable(p);
  }
  return place;
}

Status checkBox(const Place& place, const Box& box, const Extent& extent) {
  if (!box.start)
    return Status::InvalidValue;
  if (!place.known)
    return Status::Ok;
  const Allocation& a = place.allocation;
  const std::size_t offset = reinterpret_cast<std::uintptr_t>(box.start) - a.address;
  const std::size_t reach =
      (extent.depth - 1) * box.slice + (extent.height - 1) * box.pitch + extent.width;
  return reach <= a.bytes - offset ? Status::Ok : Status::InvalidValue;
}

// What the caller calls device memory must be known to the device. What it calls host memory may be
// the device's all the same: a GPU sees by the address what it is, and only the copy between two
// places of the host does without it.
Status checkDirection(Direction direction, const Place& to, const Place& from) {
  bool fits = true;
  switch (direction) {
  case Direction::HostToHost:
    fits = to.mayBeHost() && from.mayBeHost();
    break;
  case Direction::HostToDevice:
    fits = to.mayBeDevice();
    break;
  case Direction::DeviceToHost:
    fits = from.mayBeDevice();
    break;
  case Direction::DeviceToDevice:
    fits = to.mayBeDevice() && from.mayBeDevice();
    break;
  case Direction::Default:
    break;
  }
  return fits ? Status::Ok : Status::InvalidValue;
}

CopyWork::CopyWork(const Box& to, const Box& from, const Extent& extent)
    : to_(to), from_(from), extent_(extent) {
  joinRows(extent_, {&to_, &from_});
  parts_ = cut(extent_, step_);
}

void CopyWork::stage() {
  staged_.resize(extent_.bytes());
  const Box inner{staged_.data(), extent_.width, extent_.width * extent_.height};
  CopyWork now(inner, from_, extent_);
  now.run(0, now.parts());
  from_ = inner;
}

void CopyWork::run(std::uint64_t first, std::uint64_t last) noexcept {
  const std::size_t rows = extent_.height * extent_.depth;
  if (rows == 1) {
    const std::size_t begin = first * step_, end = std::min(last * step_, extent_.width);
    std::memmove(to_.start + begin, from_.start + begin, end - begin);
    return;
  }
  for (std::size_t row = first * step_; row < std::min<std::size_t>(last * step_, rows); ++row)
    std::memmove(to_.start + offsetOfRow(to_, extent_, row),
                 from_.start + offsetOfRow(from_, extent_, row), extent_.width);
}

FillWork::FillWork(const Box& to, unsigned value, const Extent& extent, unsigned elementBytes)
    : to_(to), value_(value), elementBytes_(elementBytes), extent_(extent) {
  joinRows(extent_, {&to_});
  parts_ = cut(extent_, step_);
}

void FillWork::fill(char* p, std::size_t bytes) const {
  switch (elementBytes_) {
  case 4:
    std::fill_n(reinterpret_cast<std::uint32_t*>(p), bytes / 4, value_);
    break;
  case 2:
    std::fill_n(reinterpret_cast<std::uint16_t*>(p), bytes / 2, std::uint16_t(value_));
    break;
  default:
    std::memset(p, int(value_ & 0xff), bytes);
  }
}

void FillWork::run(std::uint64_t first, std::uint64_t last) noexcept {
  const std::size_t rows = extent_.height * extent_.depth;
  if (rows == 1) {
    const std::size_t begin = first * step_, end = std::min(last * step_, extent_.width);
    fill(to_.start + begin, end - begin);
    return;
  }
  for (std::size_t row = first * step_; row < std::min<std::size_t>(last * step_, rows); ++row)
    fill(to_.start + offsetOfRow(to_, extent_, row), extent_.width);
}

} // namespace cu2cpp::rt
