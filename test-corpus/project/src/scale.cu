// Compiled twice, see the Makefile.
#include "interface.cuh"
#include "blocks.cuh"

void NAME(int* device, int n) {
  multiply<int><<<(n + 255) / 256, 256>>>(device, FACTOR, n);
#ifdef BACKWARDS
  reverse<<<(n + 255) / 256, 256>>>(device, n);
#endif
}
