# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# fish completion of cu2cpp and cu2cc: their options as --help of the very command lists them; files otherwise.
for command in cu2cpp cu2cc
    complete -c $command -n 'string match -q -- "-*" (commandline -ct)' \
        -a "($command --help 2>/dev/null | string match -ra -- '(?<=^|[ (|,])--?[A-Za-z][A-Za-z0-9-]*=?')"
end
