# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installation, and find_package(cu2cpp) from the build tree (CMAKE_PREFIX_PATH=<build>) and from an installation.
# Everything that could shadow another toolchain's file lies under lib/cu2cpp: our cuda_runtime.h is not in include/.
include(CMakePackageConfigHelpers)

set(_cu2cpp_config_dir lib/cmake/cu2cpp)

if(TARGET cu2cpp_cublas)
  set(_cu2cpp_libraries cu2cpp_cublas)
endif()
install(TARGETS cu2cpp cu2cc cu2cpp_runtime ${_cu2cpp_libraries} EXPORT cu2cppTargets
  RUNTIME DESTINATION bin
  ARCHIVE DESTINATION lib/cu2cpp)
install(DIRECTORY headers/ DESTINATION lib/cu2cpp/include)
install(DIRECTORY ${CMAKE_BINARY_DIR}/lib/cu2cpp/toolkit DESTINATION lib/cu2cpp)
install(FILES LICENSE README.md CHANGELOG.md DESTINATION share/doc/cu2cpp)
install(EXPORT cu2cppTargets NAMESPACE cu2cpp:: DESTINATION ${_cu2cpp_config_dir})

configure_package_config_file(cmake/cu2cppConfig.cmake.in
  ${CMAKE_BINARY_DIR}/${_cu2cpp_config_dir}/cu2cppConfig.cmake
  INSTALL_DESTINATION ${_cu2cpp_config_dir})
# 0.x: a minor version may change what a package sees.
write_basic_package_version_file(${CMAKE_BINARY_DIR}/${_cu2cpp_config_dir}/cu2cppConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
configure_file(cmake/Cu2cppTranslate.cmake ${CMAKE_BINARY_DIR}/${_cu2cpp_config_dir}/ COPYONLY)
export(EXPORT cu2cppTargets NAMESPACE cu2cpp::
  FILE ${CMAKE_BINARY_DIR}/${_cu2cpp_config_dir}/cu2cppTargets.cmake)

install(FILES
  ${CMAKE_BINARY_DIR}/${_cu2cpp_config_dir}/cu2cppConfig.cmake
  ${CMAKE_BINARY_DIR}/${_cu2cpp_config_dir}/cu2cppConfigVersion.cmake
  cmake/Cu2cppTranslate.cmake
  DESTINATION ${_cu2cpp_config_dir})
