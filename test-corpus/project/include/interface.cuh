// What the parts of the project offer each other.
#pragma once

#include <cuda_runtime.h>

int sumOf(const int* device, int n);
void scaleBy2(int* device, int n);
void scaleBy3(int* device, int n);
void addPairs(int* device, int n);
