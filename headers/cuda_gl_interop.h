// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenGL buffers and images as CUDA's memory. There is no GPU that both could share, so each
// function returns cudaErrorNotSupported and each call in a .cu file is reported. Programs include
// this file without need, too.
//
// CUDA Runtime API, 'OpenGL Interoperability'.
#ifndef CU2CPP_CUDA_GL_INTEROP_H
#define CU2CPP_CUDA_GL_INTEROP_H

#if defined(__has_include)
#if __has_include(<GL/gl.h>)
#include <GL/gl.h>
#endif
#endif
#include <cuda_runtime_api.h>

// The same as in OpenGL's own header, for machines without it.
typedef unsigned int GLenum;
typedef unsigned int GLuint;

#define CU2CPP_NO_OPENGL CU2CPP_UNSUPPORTED("a CPU shares no memory with OpenGL") static inline

enum cudaGLDeviceList {
  cudaGLDeviceListAll = 1,
  cudaGLDeviceListCurrentFrame = 2,
  cudaGLDeviceListNextFrame = 3
};

CU2CPP_NO_OPENGL cudaError_t cudaGLGetDevices(unsigned int* count, int* devices, unsigned int size,
                                              enum cudaGLDeviceList list) {
  (void)count, (void)devices, (void)size, (void)list;
  return cudaErrorNotSupported;
}
CU2CPP_NO_OPENGL cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource_t* resource,
                                                          GLuint buffer, unsigned int flags) {
  (void)resource, (void)buffer, (void)flags;
  return cudaErrorNotSupported;
}
CU2CPP_NO_OPENGL cudaError_t cudaGraphicsGLRegisterImage(cudaGraphicsResource_t* resource,
                                                         GLuint image, GLenum target,
                                                         unsigned int flags) {
  (void)resource, (void)image, (void)target, (void)flags;
  return cudaErrorNotSupported;
}

#undef CU2CPP_NO_OPENGL

#endif
