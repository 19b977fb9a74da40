// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the driver API that CUDA keeps for old programs: launches with one call for each
// argument, devices' properties as a structure. Texture references are refused
// (CUDA_ERROR_NOT_SUPPORTED): modules have none. cuda.h includes this inside extern "C".
//
// CUDA Driver API, 'Execution Control [DEPRECATED]', 'Texture Reference Management [DEPRECATED]'.
#ifndef CU2CPP_API_DRIVER_LEGACY_FUNCTIONS_H
#define CU2CPP_API_DRIVER_LEGACY_FUNCTIONS_H

#include <cu2cpp/attributes.h>

typedef struct CUtexref_st* CUtexref;
typedef struct CUsurfref_st* CUsurfref;

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice dev);
CUresult cuDeviceGetProperties(CUdevprop* prop, CUdevice dev);

CUresult cuCtxAttach(CUcontext* pctx, unsigned int flags);
CUresult cuCtxDetach(CUcontext ctx);
CUresult cuCtxGetSharedMemConfig(CUsharedconfig* pConfig);
CUresult cuCtxSetSharedMemConfig(CUsharedconfig config);
CUresult cuFuncSetSharedMemConfig(CUfunction hfunc, CUsharedconfig config);

/* A launch takes the block's shape, the shared memory and the arguments that were set last. */
CUresult cuFuncSetBlockShape(CUfunction hfunc, int x, int y, int z);
CUresult cuFuncSetSharedSize(CUfunction hfunc, unsigned int bytes);
CUresult cuParamSetSize(CUfunction hfunc, unsigned int numbytes);
CUresult cuParamSeti(CUfunction hfunc, int offset, unsigned int value);
CUresult cuParamSetf(CUfunction hfunc, int offset, float value);
CUresult cuParamSetv(CUfunction hfunc, int offset, void* ptr, unsigned int numbytes);
CUresult cuLaunch(CUfunction f);
CUresult cuLaunchGrid(CUfunction f, int grid_width, int grid_height);
CUresult cuLaunchGridAsync(CUfunction f, int grid_width, int grid_height, CUstream hStream);

#define CU2CPP_NO_REFERENCES CU2CPP_UNSUPPORTED("modules have no texture references: use objects")
CU2CPP_NO_REFERENCES CUresult cuModuleGetTexRef(CUtexref* pTexRef, CUmodule hmod, const char* name);
CU2CPP_NO_REFERENCES CUresult cuModuleGetSurfRef(CUsurfref* pSurfRef, CUmodule hmod,
                                                 const char* name);
CU2CPP_NO_REFERENCES CUresult cuParamSetTexRef(CUfunction hfunc, int texunit, CUtexref hTexRef);
CU2CPP_NO_REFERENCES CUresult cuTexRefCreate(CUtexref* pTexRef);
CU2CPP_NO_REFERENCES CUresult cuTexRefDestroy(CUtexref hTexRef);
CU2CPP_NO_REFERENCES CUresult cuTexRefGetAddress(CUdeviceptr* pdptr, CUtexref hTexRef);
CU2CPP_NO_REFERENCES CUresult cuTexRefGetAddressMode(CUaddress_mode* pam, CUtexref hTexRef,
                                                     int dim);
CU2CPP_NO_REFERENCES CUresult cuTexRefGetArray(CUarray* phArray, CUtexref hTexRef);
CU2CPP_NO_REFERENCES CUresult cuTexRefGetFilterMode(CUfilter_mode* pfm, CUtexref hTexRef);
CU2CPP_NO_REFERENCES CUresult cuTexRefGetFlags(unsigned int* pFlags, CUtexref hTexRef);
CU2CPP_NO_REFERENCES CUresult cuTexRefGetFormat(CUarray_format* pFormat, int* pNumChannels,
                                                CUtexref hTexRef);
CU2CPP_NO_REFERENCES CUresult cuTexRefSetAddress(size_t* ByteOffset, CUtexref hTexRef,
                                                 CUdeviceptr dptr, size_t bytes);
CU2CPP_NO_REFERENCES CUresult cuTexRefSetAddress2D(CUtexref hTexRef,
                                                   const CUDA_ARRAY_DESCRIPTOR* desc,
                                                   CUdeviceptr dptr, size_t Pitch);
CU2CPP_NO_REFERENCES CUresult cuTexRefSetAddressMode(CUtexref hTexRef, int dim, CUaddress_mode am);
CU2CPP_NO_REFERENCES CUresult cuTexRefSetArray(CUtexref hTexRef, CUarray hArray,
                                               unsigned int Flags);
CU2CPP_NO_REFERENCES CUresult cuTexRefSetFilterMode(CUtexref hTexRef, CUfilter_mode fm);
CU2CPP_NO_REFERENCES CUresult cuTexRefSetFlags(CUtexref hTexRef, unsigned int Flags);
CU2CPP_NO_REFERENCES CUresult cuTexRefSetFormat(CUtexref hTexRef, CUarray_format fmt,
                                                int NumPackedComponents);
CU2CPP_NO_REFERENCES CUresult cuSurfRefGetArray(CUarray* phArray, CUsurfref hSurfRef);
CU2CPP_NO_REFERENCES CUresult cuSurfRefSetArray(CUsurfref hSurfRef, CUarray hArray,
                                                unsigned int Flags);

/* No graphics interface gives resources, and the driver's inside is not open. */
typedef struct CUgraphicsResource_st* CUgraphicsResource;
CU2CPP_UNSUPPORTED("resources of graphics APIs can not be reached")
CUresult cuGraphicsUnregisterResource(CUgraphicsResource resource);
CU2CPP_UNSUPPORTED("resources of graphics APIs can not be reached")
CUresult
    cuGraphicsMapResources(unsigned int count, CUgraphicsResource* resources, CUstream hStream);
CU2CPP_UNSUPPORTED("resources of graphics APIs can not be reached")
CUresult
    cuGraphicsUnmapResources(unsigned int count, CUgraphicsResource* resources, CUstream hStream);
CU2CPP_UNSUPPORTED("resources of graphics APIs can not be reached")
CUresult cuGraphicsResourceSetMapFlags(CUgraphicsResource resource, unsigned int flags);
CU2CPP_UNSUPPORTED("resources of graphics APIs can not be reached")
CUresult cuGraphicsResourceGetMappedPointer(CUdeviceptr* pDevPtr, size_t* pSize,
                                            CUgraphicsResource resource);
CU2CPP_UNSUPPORTED("resources of graphics APIs can not be reached")
CUresult cuGraphicsSubResourceGetMappedArray(CUarray* pArray, CUgraphicsResource resource,
                                             unsigned int arrayIndex, unsigned int mipLevel);
CU2CPP_UNSUPPORTED("tables of NVIDIA's own libraries do not exist")
CUresult cuGetExportTable(const void** ppExportTable, const CUuuid* pExportTableId);

#undef CU2CPP_NO_REFERENCES

#endif
