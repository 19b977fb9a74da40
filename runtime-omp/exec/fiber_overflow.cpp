// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stack overflow of a fiber: see fiber_overflow.h.
#include "exec/fiber_overflow.h"

#include <csignal>
#include <cstdio>
#include <memory>
#include <mutex>

#include <unistd.h>

#include "exec/fibers.h"

namespace cu2cpp::rt {
namespace {

constexpr std::size_t signalStackBytes = std::size_t(64) << 10;
struct sigaction previous;

// The fault may have hit anywhere, so only async-signal-safe calls; snprintf of integers and
// strings allocates nothing.
void reportOverflow(const FiberBlock& fibers) {
  const ::uint3 block = fibers.block().blockIdx;
  const ::uint3 thread = fibers.running()->thread.threadIdx;
  char line[512];
  const int length =
      std::snprintf(line, sizeof line,
                    "cu2cpp: kernel '%s', block (%u,%u,%u), thread (%u,%u,%u): stack overflow (%zu "
                    "bytes for each "
                    "thread; cudaDeviceSetLimit(cudaLimitStackSize, ...) gives more)\n",
                    fibers.kernel(), block.x, block.y, block.z, thread.x, thread.y, thread.z,
                    fibers.stacks().bytes());
  if (length > 0)
    (void)!write(STDERR_FILENO, line,
                 std::size_t(length) < sizeof line ? std::size_t(length) : sizeof line - 1);
}

void onFault(int signal, siginfo_t* info, void* machine) {
  FiberBlock* fibers = currentFibers();
  if (fibers && fibers->running() && fibers->stacks().guards(info->si_addr)) {
    reportOverflow(*fibers);
    // Leaves this handler for good, so the kernel's mask for its duration must go.
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGSEGV);
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
    fibers->leave(cudaErrorHardwareStackError);
  }
  if (previous.sa_flags & SA_SIGINFO) {
    previous.sa_sigaction(signal, info, machine);
  } else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
    previous.sa_handler(signal);
  } else {
    // Back to the default: the faulting instruction runs again and ends the process as it would
    // have.
    std::signal(SIGSEGV, SIG_DFL);
  }
}

/// SignalStack is this OS thread's alternate stack, unless it has one already.
class SignalStack {
public:
  SignalStack() {
    stack_t old{};
    if (sigaltstack(nullptr, &old) == 0 && !(old.ss_flags & SS_DISABLE))
      return;
    memory_ = std::make_unique<char[]>(signalStackBytes);
    stack_t mine{};
    mine.ss_sp = memory_.get();
    mine.ss_size = signalStackBytes;
    sigaltstack(&mine, nullptr);
  }
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;
  ~SignalStack() {
    if (!memory_)
      return;
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
  }

private:
  std::unique_ptr<char[]> memory_;
};

} // namespace

void watchStackOverflow() {
  thread_local const SignalStack signalStack;
  (void)signalStack;
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action{};
    action.sa_sigaction = onFault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &previous);
  });
}

} // namespace cu2cpp::rt
