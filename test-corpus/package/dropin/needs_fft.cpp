// Linked with a library that is not there.
#include <cuda_runtime.h>

bool hostSide(float4 value);

int main() { return hostSide(make_float4(1, 2, 3, 4)) ? 0 : 1; }
