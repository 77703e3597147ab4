#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The library never prints, ends the process, or changes what belongs to all of it: it does not even ask for what could.
# usage: keeps_to_itself.sh ARCHIVE [ARCHIVE…]
set -euo pipefail
ends='exit|_exit|_Exit|quick_exit|abort|raise|__assert_fail'
prints='(v?f?|__v?f?)printf(_chk)?|puts|fputs|putchar|putc|fputc|fwrite|perror|stdout|stderr|_ZSt4(cout|cerr|clog)'
changes='setlocale|uselocale|setenv|unsetenv|putenv|clearenv|signal|sigaction|pthread_sigmask|chdir|fchdir|umask|s?rand|s?random'
changes+='|setrlimit|prctl|mallopt|atexit|alarm|setitimer|fesetround|fesetenv|feenableexcept|omp_set_[a-z_]+'
changes+='|_ZSt13set_terminate.*|_ZSt15set_new_handler.*|_ZNSt6locale6global.*'
asked=$(nm --undefined-only --print-file-name "$@" 2>/dev/null)
found=$(awk -v words="^($ends|$prints|$changes)(@.*)?$" '$NF ~ words {print $1, $NF}' <<<"$asked")
if [[ $found ]]; then
  echo "$found"
  echo "the library asks for the functions above; what it says belongs into an Error, what it changes is the caller's"
  exit 1
fi
# A list that finds nothing anywhere would find nothing here either.
[[ $asked == *openblas_get_num_threads* ]] || { echo "nothing was looked at"; exit 1; }
