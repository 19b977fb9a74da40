# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# lib/cu2cpp/toolkit looks like a CUDA Toolkit to build systems that want one: bin/nvcc, include, lib64. CMake's own
# FindCUDAToolkit and `make CUDA_DIR=...` take it. Libraries are linker scripts under NVIDIA's names, for GNU ld and lld:
#   lib64/libcudart.so ...        parts of our runtime
#   lib64/libcuda.so, libnvrtc.so the same whole: a module loaded at run time may call any function of it
#   lib64/stubs/libcufft.so ...   not there yet: CMake finds them, so that a project configures, and linking says why not;
#                               only what every Toolkit has, as a project asks whether others (cuDNN, NCCL) are there
function(cu2cpp_make_toolkit place cblas_flag)
  set(toolkit ${place}/toolkit)
  file(MAKE_DIRECTORY ${toolkit}/bin ${toolkit}/lib64/stubs ${toolkit}/nvvm/libdevice)
  file(CREATE_LINK ../../../../bin/cu2cc ${toolkit}/bin/nvcc SYMBOLIC)
  file(CREATE_LINK ../include ${toolkit}/include SYMBOLIC)
  file(CREATE_LINK lib64 ${toolkit}/lib SYMBOLIC)
  file(CREATE_LINK ../../libcu2cpp_runtime.a ${toolkit}/lib64/libcu2cpp_runtime.a SYMBOLIC)
  # CMake takes the directory above this one for the place of NVIDIA's device libraries.
  file(WRITE ${toolkit}/nvvm/libdevice/README "Device libraries are not needed: kernels run on the CPU.\n")

  set(runtime "libcu2cpp_runtime.a -lgomp -lstdc++ ${CU2CPP_RUNTIME_LIBRARIES}")
  foreach(library libcudart.so libcudart_static.a libcurand.so libcurand_static.a)
    file(WRITE ${toolkit}/lib64/${library} "/* The runtime of cu2cpp under NVIDIA's name. */\nEXTERN(cu2cppDriverFunction)\nINPUT(${runtime})\n")
  endforeach()
  foreach(library libcudadevrt.a libculibos.a libnvToolsExt.so libnvrtc-builtins.so)
    file(WRITE ${toolkit}/lib64/${library} "/* Nothing is left to link for a CPU. */\n")
  endforeach()

  set(missing
    cufft cufft_static cufft_static_nocallback cufftw cufftw_static cufile cupti cusolver cusolver_static cusolverMg
    cusparse cusparse_static nvJitLink nvJitLink_static nvblas nvfatbin nvfatbin_static nvgraph nvidia-ml nvjpeg
    nvjpeg_static nvptxcompiler_static nvvm)
  foreach(part c ial icc icom idei if ig im ist isu itc s)
    list(APPEND missing npp${part} npp${part}_static)
  endforeach()
  if(TARGET cu2cpp_cublas)
    file(CREATE_LINK ../libcu2cpp_cublas.a ${place}/libcu2cpp_cublas.a SYMBOLIC)
    file(CREATE_LINK ../../libcu2cpp_cublas.a ${toolkit}/lib64/libcu2cpp_cublas.a SYMBOLIC)
    foreach(library libcublas.so libcublas_static.a libcublasLt.so libcublasLt_static.a)
      file(WRITE ${toolkit}/lib64/${library}
        "/* cuBLAS of cu2cpp under NVIDIA's name. */\nINPUT(libcu2cpp_cublas.a ${cblas_flag} ${runtime})\n")
    endforeach()
  else()
    list(APPEND missing cublas cublas_static cublasLt cublasLt_static)
  endif()
  foreach(library IN LISTS missing)
    set(end so)
    if(library MATCHES "_static")
      set(end a)
    endif()
    file(WRITE ${toolkit}/lib64/stubs/lib${library}.${end}
      "ASSERT(0, \"lib${library}: cu2cpp does not provide this library yet\")\n")
  endforeach()

  file(MAKE_DIRECTORY ${toolkit}/nvvm/lib64)
  file(CREATE_LINK ../../lib64/stubs/libnvvm.so ${toolkit}/nvvm/lib64/libnvvm.so SYMBOLIC)

  # The names of the runtime's functions are known when it is built.
  set(whole ${toolkit}/lib64/libcuda.so)
  add_custom_command(OUTPUT ${whole}
    COMMAND ${CMAKE_COMMAND} -DNM=${CMAKE_NM} -DARCHIVE=$<TARGET_FILE:cu2cpp_runtime> "-DINPUT=${runtime}" -DOUT=${toolkit}/lib64
            -P ${PROJECT_SOURCE_DIR}/cmake/WholeRuntime.cmake
    DEPENDS cu2cpp_runtime ${PROJECT_SOURCE_DIR}/cmake/WholeRuntime.cmake
    VERBATIM)
  add_custom_target(cu2cpp_toolkit ALL DEPENDS ${whole})
endfunction()
