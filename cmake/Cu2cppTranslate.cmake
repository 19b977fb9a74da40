# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# CUDA sources in CMake targets:
#
#   find_package(cu2cpp REQUIRED)
#   cu2cpp_add_executable(app main.cu host.cpp)             as add_executable
#   cu2cpp_add_library(kernels STATIC scan.cu sort.cu)      as add_library
#   cu2cpp_translate(target more.cu)                        adds sources to a target that exists
#   cu2cpp_use_kernel_compiler(target)                      for a target of translated sources that you keep
#
# Each .cu file is translated at build time with the include directories and definitions of its target (those of linked
# targets included), and translated again when it or a file that it includes changes. Keywords after the sources:
#   RDC                 separate compilation: device functions and variables are shared between the sources
#   OPTIONS option...   for the cu2cpp command, e.g. --form=fibers
# Variables: CU2CPP_TRANSLATED_OPTIONS (compiler options for translated sources), CU2CPP_LINE_DIRECTIVES (compiler
# messages and debuggers name the .cu file; default ON), CU2CPP_KEEP_COMPILER (CMAKE_CXX_COMPILER compiles translated
# sources too; default OFF: clang++, where it is there and understands the target's flags).

cmake_policy(PUSH)
cmake_policy(VERSION 3.22) # DEPFILE in all generators, paths in it rewritten (CMP0116)

set(CU2CPP_TRANSLATED_OPTIONS -march=native -fopenmp-simd -fno-math-errno -fno-trapping-math -fno-strict-aliasing
  -fwrapv
  CACHE STRING
  "Compiler options for translated CUDA sources: as cu2cc compiles them")
option(CU2CPP_KEEP_COMPILER
  "CMAKE_CXX_COMPILER compiles translated sources, even where clang++ is there, whose kernels are faster" OFF)
option(CU2CPP_LINE_DIRECTIVES "Translated sources carry #line, so that messages and debuggers name the .cu file" ON)

function(cu2cpp_add_executable target)
  _cu2cpp_split_arguments(${ARGN})
  add_executable(${target} ${_kind} ${_other})
  cu2cpp_translate(${target} ${_cuda} ${_forwarded})
endfunction()

function(cu2cpp_add_library target)
  _cu2cpp_split_arguments(${ARGN})
  # A library of CUDA sources alone has no source until they are translated.
  add_library(${target} ${_kind} ${_other})
  cu2cpp_translate(${target} ${_cuda} ${_forwarded})
endfunction()

function(cu2cpp_translate target)
  cmake_parse_arguments(PARSE_ARGV 1 _arg "RDC" "" "OPTIONS")
  if(NOT TARGET ${target})
    message(FATAL_ERROR "cu2cpp_translate: '${target}' is not a target")
  endif()
  target_link_libraries(${target} PRIVATE cu2cpp::runtime)
  target_compile_features(${target} PRIVATE cxx_std_17)
  cu2cpp_use_kernel_compiler(${target})

  set(options --absolute-includes --quiet ${_arg_OPTIONS})
  if(_arg_RDC)
    list(APPEND options --rdc)
  endif()
  if(CU2CPP_LINE_DIRECTIVES)
    list(APPEND options --line-directives)
  endif()
  set(directories "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  set(standard "$<TARGET_PROPERTY:${target},CXX_STANDARD>")

  foreach(source IN LISTS _arg_UNPARSED_ARGUMENTS)
    get_filename_component(source ${source} ABSOLUTE)
    get_filename_component(stem ${source} NAME_WE)
    # A directory for each source: translated headers are written beside it.
    string(MD5 place ${source})
    string(SUBSTRING ${place} 0 8 place)
    set(place ${CMAKE_CURRENT_BINARY_DIR}/${target}.cu2cpp/${stem}-${place})
    file(MAKE_DIRECTORY ${place})
    file(RELATIVE_PATH shown ${CMAKE_SOURCE_DIR} ${source})
    add_custom_command(
      OUTPUT ${place}/${stem}.cpp
      COMMAND cu2cpp::cu2cpp ${source} -o ${place}/${stem}.cpp --depfile ${place}/${stem}.d ${options} --
        "-std=c++$<IF:$<BOOL:${standard}>,${standard},17>"
        "$<$<BOOL:${directories}>:-I$<JOIN:${directories},;-I>>"
        "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
      # Where only a translated header beside it has changed, the source must count as changed too.
      COMMAND ${CMAKE_COMMAND} -E touch ${place}/${stem}.cpp
      DEPENDS ${source} cu2cpp::cu2cpp
      DEPFILE ${place}/${stem}.d
      COMMENT "Translating CUDA source ${shown}"
      COMMAND_EXPAND_LISTS VERBATIM)
    target_sources(${target} PRIVATE ${place}/${stem}.cpp ${source})
    set_source_files_properties(${source} PROPERTIES HEADER_FILE_ONLY ON) # shown in IDEs, not compiled
    get_filename_component(beside ${source} DIRECTORY)
    set_source_files_properties(${place}/${stem}.cpp PROPERTIES
      COMPILE_OPTIONS "${CU2CPP_TRANSLATED_OPTIONS};-Wno-register;-iquote;${beside}")
  endforeach()
endfunction()

# Lets cu2cc run the target's compile commands, which changes those of translated sources (of all of them, wherever they
# come from). In front of other launchers, since ccache must see what is run in the end.
function(cu2cpp_use_kernel_compiler target)
  get_filename_component(cu2cc "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../../bin/cu2cc" ABSOLUTE)
  get_target_property(launcher ${target} CXX_COMPILER_LAUNCHER)
  if(CU2CPP_KEEP_COMPILER OR "${launcher}" MATCHES "--cu2cpp-launcher=")
    return()
  endif()
  set(own ${cu2cc} --cu2cpp-launcher=${CMAKE_CXX_COMPILER})
  if(launcher)
    list(APPEND own ${launcher})
  endif()
  set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "${own}")
endfunction()

# Sets _cuda, _other, _kind (words such as STATIC) and _forwarded (keywords of cu2cpp_translate) in the caller.
macro(_cu2cpp_split_arguments)
  set(_cuda)
  set(_other)
  set(_kind)
  set(_forwarded)
  set(_in_options FALSE)
  foreach(_word ${ARGN})
    if(_word STREQUAL "RDC")
      list(APPEND _forwarded ${_word})
      set(_in_options FALSE)
    elseif(_word STREQUAL "OPTIONS")
      list(APPEND _forwarded ${_word})
      set(_in_options TRUE)
    elseif(_in_options)
      list(APPEND _forwarded ${_word})
    elseif("${_word}" MATCHES "^(STATIC|SHARED|MODULE|OBJECT|EXCLUDE_FROM_ALL)$")
      list(APPEND _kind ${_word})
    elseif("${_word}" MATCHES "\\.cu$")
      list(APPEND _cuda ${_word})
    else()
      list(APPEND _other ${_word})
    endif()
  endforeach()
endmacro()

cmake_policy(POP)
