// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Surface functions for surface objects and surface references. x counts bytes.
//
// CUDA C++ Programming Guide, 'Surface Functions'.
#ifndef CU2CPP_DEVICE_SURFACE_ACCESS_H
#define CU2CPP_DEVICE_SURFACE_ACCESS_H

#include <cu2cpp/device/texture_view.h>

namespace cu2cpp {

/// SurfaceReference is what programs call surface<void, type>, see cudaBindSurfaceToArray().
template <class Type, int type = cudaSurfaceType1D> struct SurfaceReference : surfaceReference {
  SurfaceReference() : surfaceReference{} {}
  mutable cudaSurfaceObject_t cu2cppObject = 0; // what is bound
};

namespace detail {

inline const SurfaceView& surfaceOf(cudaSurfaceObject_t object) {
  return *reinterpret_cast<const SurfaceView*>(object);
}
template <class Type>
inline Type readSurface(cudaSurfaceObject_t object, int x, int y, int z,
                        cudaSurfaceBoundaryMode mode) {
  Type value{};
  if (const unsigned char* p = surfaceTexel(surfaceOf(object), sizeof(Type), x, y, z, mode))
    __builtin_memcpy(&value, p, sizeof(Type));
  return value;
}
template <class Type>
inline void writeSurface(const Type& value, cudaSurfaceObject_t object, int x, int y, int z,
                         cudaSurfaceBoundaryMode mode) {
  if (unsigned char* p = surfaceTexel(surfaceOf(object), sizeof(Type), x, y, z, mode))
    __builtin_memcpy(p, &value, sizeof(Type));
}

} // namespace detail
} // namespace cu2cpp

#define CU2CPP_LIST(...) __VA_ARGS__
#define CU2CPP_SURFACE(dims, parameters, arguments, place)                                         \
  template <class Type>                                                                            \
  inline Type surf##dims##read(cudaSurfaceObject_t object, CU2CPP_LIST parameters,                 \
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {              \
    return cu2cpp::detail::readSurface<Type>(object, CU2CPP_LIST place, mode);                     \
  }                                                                                                \
  template <class Type>                                                                            \
  inline void surf##dims##read(Type* data, cudaSurfaceObject_t object, CU2CPP_LIST parameters,     \
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {              \
    *data = cu2cpp::detail::readSurface<Type>(object, CU2CPP_LIST place, mode);                    \
  }                                                                                                \
  template <class Type>                                                                            \
  inline void surf##dims##write(Type data, cudaSurfaceObject_t object, CU2CPP_LIST parameters,     \
                                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {             \
    cu2cpp::detail::writeSurface(data, object, CU2CPP_LIST place, mode);                           \
  }                                                                                                \
  template <class Type>                                                                            \
  inline Type surf##dims##read(                                                                    \
      const cu2cpp::SurfaceReference<void, cudaSurfaceType##dims>& reference,                      \
      CU2CPP_LIST parameters, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {               \
    return cu2cpp::detail::readSurface<Type>(reference.cu2cppObject, CU2CPP_LIST place, mode);     \
  }                                                                                                \
  template <class Type>                                                                            \
  inline void surf##dims##read(                                                                    \
      Type* data, const cu2cpp::SurfaceReference<void, cudaSurfaceType##dims>& reference,          \
      CU2CPP_LIST parameters, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {               \
    *data = cu2cpp::detail::readSurface<Type>(reference.cu2cppObject, CU2CPP_LIST place, mode);    \
  }                                                                                                \
  template <class Type>                                                                            \
  inline void surf##dims##write(                                                                   \
      Type data, const cu2cpp::SurfaceReference<void, cudaSurfaceType##dims>& reference,           \
      CU2CPP_LIST parameters, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {               \
    cu2cpp::detail::writeSurface(data, reference.cu2cppObject, CU2CPP_LIST place, mode);           \
  }
CU2CPP_SURFACE(1D, (int x), (x), (x, 0, 0))
CU2CPP_SURFACE(2D, (int x, int y), (x, y), (x, y, 0))
CU2CPP_SURFACE(3D, (int x, int y, int z), (x, y, z), (x, y, z))
CU2CPP_SURFACE(1DLayered, (int x, int layer), (x, layer), (x, 0, layer))
CU2CPP_SURFACE(2DLayered, (int x, int y, int layer), (x, y, layer), (x, y, layer))
CU2CPP_SURFACE(Cubemap, (int x, int y, int face), (x, y, face), (x, y, face))
CU2CPP_SURFACE(CubemapLayered, (int x, int y, int layerFace), (x, y, layerFace), (x, y, layerFace))
#undef CU2CPP_SURFACE

#endif
