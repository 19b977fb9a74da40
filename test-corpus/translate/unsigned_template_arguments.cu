// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers in a deduced kernel's name that only unsigned types hold say so; compilers warn
// otherwise.
template <unsigned long long count, int plain> struct Sized {};
template <class T> __global__ void use(T) {}

void run() {
  use<<<1, 32>>>(Sized<~0ull, 32>());
  // CHECK: cu2cpp::launch(use<Sized<18446744073709551615u, 32>>, 1, 32)(Sized<~0ull, 32>());
}
