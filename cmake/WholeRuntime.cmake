# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -DNM=nm -DARCHIVE=libcu2cpp_runtime.a -DINPUT=libraries -DOUT=dir -P WholeRuntime.cmake: writes libcuda.so and
# libnvrtc.so, which ask for every name of the archive, so that modules find all functions in the program that loads them.
execute_process(COMMAND ${NM} --defined-only --extern-only --format=posix ${ARCHIVE}
  OUTPUT_VARIABLE listing COMMAND_ERROR_IS_FATAL ANY)
# Strong functions and variables; weak ones are templates, of which each module has copies.
string(REGEX MATCHALL "[A-Za-z0-9_]+ [TDBR] " rows "${listing}")
list(TRANSFORM rows REPLACE " [TDBR] $" "")
list(REMOVE_DUPLICATES rows)
list(LENGTH rows count)
if(count LESS 100)
  message(FATAL_ERROR "only ${count} names in ${ARCHIVE}")
endif()
list(JOIN rows "\n  " names)
foreach(library libnvrtc.so libnvrtc_static.a libcuda.so)
  file(WRITE ${OUT}/${library} "/* The whole runtime of cu2cpp under NVIDIA's name. */\nEXTERN(\n  ${names})\nINPUT(${INPUT})\n")
endforeach()
file(MAKE_DIRECTORY ${OUT}/stubs)
