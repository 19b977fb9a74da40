# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -DCU2CC=... -DSOURCE=x.cu -DWORK=dir -P RunSample.cmake: builds one sample with cu2cc and runs it.
get_filename_component(name ${SOURCE} NAME_WE)
file(MAKE_DIRECTORY ${WORK})
execute_process(COMMAND ${CU2CC} ${SOURCE} -o ${WORK}/${name} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${WORK}/${name} COMMAND_ERROR_IS_FATAL ANY)
