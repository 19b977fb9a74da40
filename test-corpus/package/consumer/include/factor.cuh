// The test changes FACTOR: both .cu files that include this header must be translated again.
#pragma once

#define FACTOR 3

__device__ inline int times(int x) { return x * FACTOR; }
