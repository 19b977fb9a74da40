// Each user chooses what stands between the steps: one header cannot be translated for both.
#pragma once

__global__ void neighbours(int* p) {
  __shared__ int s[64];
  s[threadIdx.x] = p[threadIdx.x];
  BETWEEN;
  p[threadIdx.x] = s[threadIdx.x] + OTHER;
}
