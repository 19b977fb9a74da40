#include "parts.cuh"

__device__ int offset = 7;

__device__ int withOffset(int value) { return value + offset; }
