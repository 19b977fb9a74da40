// A device variable and a device function for another source.
__device__ int table[4] = {1, 2, 3, 4};

__device__ int entry(int i) { return table[i % 4]; }
