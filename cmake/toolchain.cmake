# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -DCMAKE_TOOLCHAIN_FILE=<prefix>/lib/cmake/cu2cpp/toolchain.cmake builds a CUDA project for the CPU as it is:
# LANGUAGES CUDA is compiled by cu2cc, and find_package(CUDAToolkit) finds cu2cpp's stand-in for the Toolkit.
#   CU2CPP_CUDA_VERSION   version of CUDA that the project sees, such as 13.0 (default: that of cu2cpp's headers)
get_filename_component(CU2CPP_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(_cu2cpp_toolkit ${CU2CPP_PREFIX}/lib/cu2cpp/toolkit)

set(CMAKE_CUDA_COMPILER ${_cu2cpp_toolkit}/bin/nvcc)
set(CUDAToolkit_ROOT ${_cu2cpp_toolkit})
set(CUDA_TOOLKIT_ROOT_DIR ${_cu2cpp_toolkit}) # find_package(CUDA), as older projects say it
list(APPEND CMAKE_PREFIX_PATH ${CU2CPP_PREFIX}) # find_package(cu2cpp)
# Libraries of the Toolkit that cu2cpp lacks: linking says so. A project that finds nothing would not configure at all.
list(APPEND CMAKE_LIBRARY_PATH ${_cu2cpp_toolkit}/lib64/stubs)

if(CU2CPP_CUDA_VERSION)
  # Everything that compiles or asks for the version sees it, host files too.
  list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CU2CPP_CUDA_VERSION)
  list(APPEND CMAKE_CUDA_COMPILER --cuda-version=${CU2CPP_CUDA_VERSION})
  string(REGEX REPLACE "^([0-9]+)\\.([0-9]+).*" "\\10\\20" _cu2cpp_number ${CU2CPP_CUDA_VERSION})
  foreach(_cu2cpp_language C CXX)
    set(CMAKE_${_cu2cpp_language}_FLAGS_INIT "-DCUDART_VERSION=${_cu2cpp_number} -DCUDA_VERSION=${_cu2cpp_number}")
  endforeach()
endif()

# -rdynamic: modules that a program loads (cuModuleLoad) call the runtime that is in the program.
foreach(_cu2cpp_kind EXE SHARED MODULE)
  set(CMAKE_${_cu2cpp_kind}_LINKER_FLAGS_INIT "-L${_cu2cpp_toolkit}/lib64")
endforeach()
# The path is that of libcuda.so.1, for dlopen().
string(APPEND CMAKE_EXE_LINKER_FLAGS_INIT " -rdynamic -Wl,-rpath,${CU2CPP_PREFIX}/lib/cu2cpp/driver")
