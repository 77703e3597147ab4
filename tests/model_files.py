# SPDX-License-Identifier: MIT
"""Model files taken apart and put together again, with a right checksum: what somebody who means harm could write."""
import json
import struct
import zlib

import numpy as np


def load(path):
    """The header and the arrays."""
    data = path.read_bytes()
    size = struct.unpack("<Q", data[12:20])[0]
    header, at, arrays = json.loads(data[20:20 + size]), 20 + size, {}
    for entry in header["arrays"]:
        count = entry["rows"] * entry["cols"]
        arrays[entry["name"]] = np.frombuffer(data[at:at + 8 * count]).reshape(entry["cols"], entry["rows"]).T.copy()
        at += 8 * count
    return header, arrays


def save(path, header, arrays, text=None):
    header = {**header, "arrays": [{"name": name, "rows": a.shape[0], "cols": a.shape[1]} for name, a in arrays.items()]}
    text = json.dumps(header).encode() if text is None else text
    data = b"RITZMODL" + struct.pack("<IQ", 1, len(text)) + text + b"".join(np.asarray(a, float).tobytes(order="F") for a in arrays.values())
    path.write_bytes(data + struct.pack("<I", zlib.crc32(data)))
    return path
