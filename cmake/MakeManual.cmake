# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -DCOMMAND=program -DNAME=cu2cc -DTITLE=... -DVERSION=x -DSEE=cu2cpp -DOUT=cu2cc.1 -P MakeManual.cmake: the manual
# page of a command, made from its --help, so that the two cannot differ.
execute_process(COMMAND ${COMMAND} --help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\\" "\\e" help "${help}")
string(REPLACE "-" "\\-" help "${help}")
string(REGEX REPLACE "(^|\n)([.'])" "\\1\\\\&\\2" help "${help}")
string(REPLACE "-" "\\-" title "${TITLE}")
file(WRITE ${OUT} ".TH ${NAME} 1 \"\" \"cu2cpp ${VERSION}\" \"User commands\"
.SH NAME
${NAME} \\- ${title}
.SH DESCRIPTION
.nf
${help}.fi
.SH EXIT STATUS
0 where all was done, 1 where the translator reports unsupported parts, 2 where a file or an option is wrong;
.B cu2cc
passes on the code of a compiler or linker that failed.
.SH SEE ALSO
.BR ${SEE} (1),
the pages in share/doc/cu2cpp beside this installation.
")
