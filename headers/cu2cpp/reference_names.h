// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of texture and surface references. CUDA 12 has taken them away, so a program may give
// them to something of its own: it defines CU2CPP_OWN_TEXTURE or CU2CPP_OWN_SURFACE then. Only
// translated code that names references includes this.
//
// CUDA C++ Programming Guide (until CUDA 11), 'Texture Reference API', 'Surface Reference API'.
#ifndef CU2CPP_REFERENCE_NAMES_H
#define CU2CPP_REFERENCE_NAMES_H

#include <cu2cpp/device/surface_access.h>
#include <cu2cpp/device/texture_fetch.h>

#ifndef CU2CPP_OWN_TEXTURE
template <class Value, int type = cudaTextureType1D,
          cudaTextureReadMode readMode = cudaReadModeElementType>
using texture = cu2cpp::TextureReference<Value, type, readMode>;
#endif

#ifndef CU2CPP_OWN_SURFACE
template <class Type, int type = cudaSurfaceType1D>
using surface = cu2cpp::SurfaceReference<Type, type>;
#endif

#endif
