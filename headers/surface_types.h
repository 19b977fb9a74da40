// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The settings of surfaces. Valid C and C++.
//
// CUDA C++ Programming Guide, 'Surface Memory'.
#ifndef CU2CPP_SURFACE_TYPES_H
#define CU2CPP_SURFACE_TYPES_H
#define __SURFACE_TYPES_H__ /* NVIDIA's guard, which programs test */

#include <driver_types.h>

#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03
#define cudaSurfaceTypeCubemap 0x0c
#define cudaSurfaceType1DLayered 0xf1
#define cudaSurfaceType2DLayered 0xf2
#define cudaSurfaceTypeCubemapLayered 0xfc

enum cudaSurfaceBoundaryMode {
  cudaBoundaryModeZero = 0,
  cudaBoundaryModeClamp = 1,
  cudaBoundaryModeTrap = 2
};

enum cudaSurfaceFormatMode { cudaFormatModeForced = 0, cudaFormatModeAuto = 1 };

/* A surface reference: dropped by CUDA 12, kept here for older programs. */
struct surfaceReference {
  struct cudaChannelFormatDesc channelDesc;
};

typedef unsigned long long cudaSurfaceObject_t;

#endif
