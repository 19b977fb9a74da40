// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A header of Thrust that is not installed: the message names the package.
// EXPECT: 'thrust/no_such_header.h' file not found @+2
// EXPECT: package libthrust-dev @+1
#include <thrust/no_such_header.h>
int main() {}
