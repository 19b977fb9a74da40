// Device code of one source, called from another.
#ifndef PARTS_CUH
#define PARTS_CUH
#define FACTOR 3

#ifdef __CUDACC__
extern __device__ int offset;
__device__ int withOffset(int value);
#endif

// Fills data with i * FACTOR + 7.
int fillAll(int* data, int n);
#endif
