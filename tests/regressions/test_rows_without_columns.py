# SPDX-License-Identifier: MIT
"""A MAT matrix of 2,147,483,647 rows and no columns, 56 bytes, had the reader ask for 17 GB. It asks for nothing now."""
import resource
import struct
import subprocess

from conftest import PROGRAM


def test_a_matrix_without_columns_costs_nothing(tmp_path):
    inner = (struct.pack("<4I", 6, 8, 6, 0) + struct.pack("<2I2i", 5, 8, 2**31 - 1, 0) + struct.pack("<HH4s", 1, 1, b"X") + struct.pack("<2I", 9, 0))
    (tmp_path / "x.mat").write_bytes(b"MATLAB 5.0 MAT-file".ljust(124) + b"\0\1IM" + struct.pack("<2I", 14, len(inner)) + inner)
    run = subprocess.run([PROGRAM, "describe", tmp_path / "x.mat"], capture_output=True, text=True, timeout=60,
                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30)))
    assert run.returncode == 2 and "no column" in run.stderr, run
