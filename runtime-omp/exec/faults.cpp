// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Faults of the processor in kernels: see faults.h.
#include "exec/faults.h"

#include <csignal>
#include <cstdio>
#include <memory>
#include <mutex>
#include <utility>

#include <unistd.h>

#include "exec/fibers.h"
#include "exec/kernel_names.h"
#include "exec/resident_grid.h"

namespace cu2cpp::rt {
namespace {

constexpr std::size_t signalStackBytes = std::size_t(64) << 10;
constexpr int watched[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};

/// previousFor() is where the process's former handler for a watched signal is kept.
struct sigaction& previousFor(int signal) {
  static struct sigaction all[sizeof watched / sizeof *watched];
  std::size_t index = 0;
  while (watched[index] != signal)
    ++index;
  return all[index];
}

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

/// Fault is what the handler keeps for tellFault(): names are not to be had in a handler.
struct Fault {
  int signal = 0;
  const void* address = nullptr;
  const void* kernel = nullptr;
  ::uint3 block{}, thread{};
  bool knowsThread = false; // loops over the threads of a block keep it to themselves
};
thread_local Fault lastFault;

cudaError_t errorOf(int signal, const siginfo_t& info) {
  switch (signal) {
  case SIGBUS:
    return info.si_code == BUS_ADRALN ? cudaErrorMisalignedAddress : cudaErrorIllegalAddress;
  case SIGFPE:
    return cudaErrorLaunchFailure;
  case SIGILL:
    return cudaErrorIllegalInstruction;
  default:
    return cudaErrorIllegalAddress;
  }
}

// Leaves the handler for good, so the mask that the system set for its duration must go.
[[noreturn]] void leaveKernel(int signal, cudaError_t error) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  endKernel(error);
}

void onFault(int signal, siginfo_t* info, void* machine) {
  FiberBlock* fibers = currentFibers();
  if (signal == SIGSEGV && fibers && fibers->running() && fibers->stacks().guards(info->si_addr)) {
    reportOverflow(*fibers);
    leaveKernel(signal, cudaErrorHardwareStackError);
  }
  // si_code is positive for what the processor has found, and not for kill().
  if (detail::context.block && runningCall && info->si_code > 0) {
    lastFault = {signal, info->si_addr, runningCall->kernel(), detail::context.block->blockIdx};
    if (detail::context.thread) {
      lastFault.thread = detail::context.thread->threadIdx;
      lastFault.knowsThread = true;
    }
    leaveKernel(signal, errorOf(signal, *info));
  }
  const struct sigaction& previous = previousFor(signal);
  if (previous.sa_flags & SA_SIGINFO) {
    previous.sa_sigaction(signal, info, machine);
  } else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
    previous.sa_handler(signal);
  } else {
    // Back to the default: the faulting instruction runs again and ends the process as it would
    // have.
    std::signal(signal, SIG_DFL);
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
  watchFaults();
  thread_local const SignalStack signalStack;
  (void)signalStack;
}

void watchFaults() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action{};
    action.sa_sigaction = onFault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (const int signal : watched)
      sigaction(signal, &action, &previousFor(signal));
  });
}

void tellFault() {
  const Fault fault = std::exchange(lastFault, {});
  if (fault.signal == 0)
    return;
  char what[128];
  if (fault.signal == SIGFPE)
    std::snprintf(what, sizeof what, "integer division by zero (undefined on a GPU)");
  else if (fault.signal == SIGILL)
    std::snprintf(what, sizeof what, "illegal instruction");
  else
    std::snprintf(what, sizeof what, "illegal memory access, address %p", fault.address);
  char thread[64] = "";
  if (fault.knowsThread)
    std::snprintf(thread, sizeof thread, ", thread (%u,%u,%u)", fault.thread.x, fault.thread.y,
                  fault.thread.z);
  std::fprintf(stderr, "cu2cpp: kernel '%s', block (%u,%u,%u)%s: %s\n",
               kernelName(fault.kernel).c_str(), fault.block.x, fault.block.y, fault.block.z,
               thread, what);
}

} // namespace cu2cpp::rt
