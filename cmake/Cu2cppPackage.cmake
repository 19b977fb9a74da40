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
install(TARGETS cu2cpp_driver LIBRARY DESTINATION lib/cu2cpp/driver)
install(TARGETS cu2cpp_kernel_passes LIBRARY DESTINATION lib/cu2cpp)
install(DIRECTORY headers/ DESTINATION lib/cu2cpp/include)
install(DIRECTORY ${CMAKE_BINARY_DIR}/lib/cu2cpp/toolkit DESTINATION lib/cu2cpp)

# Manual pages and the completion of command lines, both from --help.
set(_cu2cpp_manual_dir ${CMAKE_BINARY_DIR}/share/man/man1)
file(MAKE_DIRECTORY ${_cu2cpp_manual_dir})
set(_cu2cpp_title_cu2cpp "translates CUDA C++ to C++17 with OpenMP")
set(_cu2cpp_title_cu2cc "compiles CUDA C++ for the CPU with nvcc's command line")
foreach(_command cu2cpp cu2cc)
  set(_other cu2cc)
  if(_command STREQUAL "cu2cc")
    set(_other cu2cpp)
  endif()
  add_custom_command(OUTPUT ${_cu2cpp_manual_dir}/${_command}.1
    COMMAND ${CMAKE_COMMAND} -DCOMMAND=$<TARGET_FILE:${_command}> -DNAME=${_command} "-DTITLE=${_cu2cpp_title_${_command}}"
            -DVERSION=${PROJECT_VERSION} -DSEE=${_other} -DOUT=${_cu2cpp_manual_dir}/${_command}.1
            -P ${PROJECT_SOURCE_DIR}/cmake/MakeManual.cmake
    DEPENDS ${_command} cmake/MakeManual.cmake
    VERBATIM)
  list(APPEND _cu2cpp_manuals ${_cu2cpp_manual_dir}/${_command}.1)
  # Shells look for a file of the command's name.
  install(FILES cmake/completion/cu2cpp.bash DESTINATION share/bash-completion/completions RENAME ${_command})
  install(FILES cmake/completion/cu2cpp.fish DESTINATION share/fish/vendor_completions.d RENAME ${_command}.fish)
endforeach()
add_custom_target(cu2cpp_manuals ALL DEPENDS ${_cu2cpp_manuals})
install(FILES ${_cu2cpp_manuals} DESTINATION share/man/man1)

# All that is installed: what scripts/quickstart.sh builds, without the tests.
add_custom_target(cu2cpp_product)
add_dependencies(cu2cpp_product cu2cpp cu2cc cu2cpp_kernel_passes cu2cpp_runtime cu2cpp_driver ${_cu2cpp_libraries} cu2cpp_toolkit cu2cpp_manuals cu2cpp_headers_read)
install(FILES cmake/completion/_cu2cpp DESTINATION share/zsh/site-functions)

install(DIRECTORY docs/ DESTINATION share/doc/cu2cpp FILES_MATCHING PATTERN "*.md")
install(FILES LICENSE README.md CHANGELOG.md DESTINATION share/doc/cu2cpp)
install(EXPORT cu2cppTargets NAMESPACE cu2cpp:: DESTINATION ${_cu2cpp_config_dir})

configure_package_config_file(cmake/cu2cppConfig.cmake.in
  ${CMAKE_BINARY_DIR}/${_cu2cpp_config_dir}/cu2cppConfig.cmake
  INSTALL_DESTINATION ${_cu2cpp_config_dir})
# 0.x: a minor version may change what a package sees.
write_basic_package_version_file(${CMAKE_BINARY_DIR}/${_cu2cpp_config_dir}/cu2cppConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
configure_file(cmake/Cu2cppTranslate.cmake ${CMAKE_BINARY_DIR}/${_cu2cpp_config_dir}/ COPYONLY)
configure_file(cmake/toolchain.cmake ${CMAKE_BINARY_DIR}/${_cu2cpp_config_dir}/ COPYONLY)
export(EXPORT cu2cppTargets NAMESPACE cu2cpp::
  FILE ${CMAKE_BINARY_DIR}/${_cu2cpp_config_dir}/cu2cppTargets.cmake)

install(FILES
  ${CMAKE_BINARY_DIR}/${_cu2cpp_config_dir}/cu2cppConfig.cmake
  ${CMAKE_BINARY_DIR}/${_cu2cpp_config_dir}/cu2cppConfigVersion.cmake
  cmake/Cu2cppTranslate.cmake
  cmake/toolchain.cmake
  DESTINATION ${_cu2cpp_config_dir})

# Headers as clang++ has read them belong to a place and a processor: they are made where cu2cpp is to stay.
install(CODE [[
  if("$ENV{DESTDIR}" STREQUAL "" AND NOT CMAKE_INSTALL_PREFIX MATCHES "/_CPack_Packages/")
    execute_process(COMMAND "${CMAKE_INSTALL_PREFIX}/bin/cu2cc" --cu2cpp-read-headers)
  endif()
]])

# cpack: a tarball to unpack anywhere and a Debian package, which says what translated programs are built with.
set(CPACK_GENERATOR TGZ DEB)
set(CPACK_PACKAGE_CONTACT "The cu2cpp project")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
  "Translates CUDA C++ to readable C++17 with OpenMP, and compiles CUDA programs\n for the CPU in nvcc's place. Needs neither a GPU nor a CUDA Toolkit.")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "g++, libboost-context-dev, libclang-common-${CU2CPP_LLVM_MAJOR}-dev")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "clang-${CU2CPP_LLVM_MAJOR}")
if(TARGET cu2cpp_cublas)
  string(APPEND CPACK_DEBIAN_PACKAGE_RECOMMENDS ", libopenblas-dev")
endif()
include(CPack)
