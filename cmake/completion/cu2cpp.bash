# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# bash completion of cu2cpp and cu2cc: their options as --help of the very command lists them, else files.
_cu2cpp() {
  local word=${COMP_WORDS[COMP_CWORD]}
  if [[ $word == -* ]]; then
    local options
    options=$("$1" --help 2>/dev/null | grep -oE '(^|[ (|,])--?[A-Za-z][A-Za-z0-9-]*=?' | tr -d ' (|,')
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}
complete -o filenames -F _cu2cpp cu2cpp cu2cc
