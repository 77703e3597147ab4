# SPDX-License-Identifier: MIT
"""Peak memory of a command alone. A child begins with the peak of whoever starts it, and a process that has NumPy and has
run some tests is larger than many a fit: a bare interpreter starts it."""
import os
import subprocess
import sys

STARTER = """import os, subprocess, sys
process = subprocess.Popen(sys.argv[2:], stdin=subprocess.DEVNULL, stdout=open(sys.argv[1], "wb"))
_, status, usage = os.wait4(process.pid, 0)
print(os.waitstatus_to_exitcode(status), 1024 * usage.ru_maxrss)"""


def peak_of(command, output=os.devnull, **how):
    """(peak in bytes, exit status, standard error); standard output goes to the file `output`; `how`, cwd and env, to subprocess.run."""
    run = subprocess.run([sys.executable, "-I", "-S", "-c", STARTER, output, *map(str, command)], capture_output=True, text=True,
                         check=True, **how)
    status, peak = map(int, run.stdout.split())
    return peak, status, run.stderr
