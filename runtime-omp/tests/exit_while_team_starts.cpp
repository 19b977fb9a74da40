// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process that exits just after its first launch ends without a crash, although the OpenMP
// library shuts down while the runtime's team is on its way into its parallel region. Delays make
// the two meet: the team's threads start late, and the last step of exit() writes to a pipe that
// nobody reads yet. With an argument the team gets work first; a thread of it that calls the
// library later would meet one that has shut down.
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include <dlfcn.h>
#include <unistd.h>

#include <cu2cpp/launch.h>

namespace {

void sleepMilliseconds(long count) {
  const timespec time{0, count * 1'000'000};
  nanosleep(&time, nullptr);
}

void someWork() { sleepMilliseconds(5); }

struct Region {
  void (*body)(void*);
  void* data;
};

void startLate(void* argument) {
  const Region& region = *static_cast<const Region*>(argument);
  sleepMilliseconds(100);
  region.body(region.data);
}

} // namespace

// What g++ calls for `#pragma omp parallel`; libomp has it too.
extern "C" void GOMP_parallel(void (*body)(void*), void* data, unsigned threads, unsigned flags) {
  const auto original = reinterpret_cast<void (*)(void (*)(void*), void*, unsigned, unsigned)>(
      dlsym(RTLD_NEXT, "GOMP_parallel"));
  Region region{body, data};
  original(startLate, &region, threads, flags);
}

// What the runtime asks for when it starts the team.
extern "C" int omp_get_num_procs() {
  if (gettid() == getpid())
    return 64;
  std::fputs("a thread of the team calls the OpenMP library\n", stderr);
  _exit(2);
}

int main(int argc, char**) {
  int ends[2];
  if (pipe(ends) != 0)
    return 1;
  const pid_t child = fork();
  if (child < 0)
    return 1;
  if (child == 0) {
    close(ends[1]);
    sleepMilliseconds(500);
    static char buffer[65536];
    while (read(ends[0], buffer, sizeof buffer) > 0)
      ;
    _exit(0);
  }
  std::FILE* const slow = fdopen(ends[1], "w");
  static char text[1 << 20], buffer[2 * sizeof text];
  std::setvbuf(slow, buffer, _IOFBF, sizeof buffer);
  std::fwrite(text, 1, sizeof text, slow);

  cu2cpp::launch(someWork, argc > 1 ? 64 : 1, 1)();
  const cudaError_t result = cudaDeviceSynchronize();
  sleepMilliseconds(50); // the region is entered now
  return result == cudaSuccess ? 0 : 1;
}
