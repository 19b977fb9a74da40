// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exec/waiting_blocks.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace cu2cpp::rt {
namespace {

// A block that has not moved for this long waits, or is a long one, which more threads don't harm.
constexpr auto patience = std::chrono::milliseconds(2);
// About what a large GPU keeps resident.
constexpr std::size_t mostHelpers = 1024;

} // namespace

WaitingBlocks::WaitingBlocks(std::atomic<std::uint64_t>& next, std::uint64_t count,
                             std::function<void(std::uint64_t)> run)
    : next_(next), count_(count), run_(std::move(run)) {}

void WaitingBlocks::start() {
  watcher_ = std::thread([this] { watch(); });
}

WaitingBlocks::~WaitingBlocks() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  if (watcher_.joinable())
    watcher_.join(); // adds no more threads from here on
  for (std::thread& helper : helpers_)
    helper.join();
}

void WaitingBlocks::giveBack(std::uint64_t first, std::uint64_t last) {
  const std::lock_guard<std::mutex> lock(mutex_);
  given_[first] = last;
}

bool WaitingBlocks::take(std::uint64_t& block) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (given_.empty())
    return false;
  const auto lowest = given_.begin();
  block = lowest->first;
  const std::uint64_t last = lowest->second;
  given_.erase(lowest);
  if (block + 1 < last)
    given_[block + 1] = last;
  return true;
}

bool WaitingBlocks::takeAny(std::uint64_t& block) {
  if (take(block))
    return true;
  if (next_.load(std::memory_order_relaxed) >= count_)
    return false;
  block = next_.fetch_add(1, std::memory_order_relaxed);
  return block < count_;
}

// Each time that nothing has moved, as many threads are added as there are already, so that
// thousands of blocks are there soon.
void WaitingBlocks::watch() {
  std::uint64_t seen = moved_.load(std::memory_order_relaxed);
  std::unique_lock<std::mutex> lock(mutex_);
  while (!changed_.wait_for(lock, patience, [this] { return over_; })) {
    const std::uint64_t moved = moved_.load(std::memory_order_relaxed);
    if (std::exchange(seen, moved) != moved)
      continue;
    if (given_.empty() && next_.load(std::memory_order_relaxed) >= count_)
      continue;
    const std::size_t wanted = std::clamp<std::size_t>(helpers_.size(), 2, 64);
    for (std::size_t i = 0; i < wanted && helpers_.size() < mostHelpers; ++i)
      helpers_.emplace_back([this] { help(); });
  }
}

void WaitingBlocks::help() {
  std::uint64_t block = 0;
  while (takeAny(block))
    run_(block);
}

} // namespace cu2cpp::rt
