"""The job whose log is followed: it grows at a steady rate, and a record says when each byte came."""

from __future__ import annotations

import os
import sys
import time

BEAT_S = 0.02
LINE = 200

if __name__ == "__main__":
    bytes_per_s, seconds, record = float(sys.argv[1]), float(sys.argv[2]), sys.argv[3]
    lines = max(1, int(bytes_per_s * BEAT_S / LINE))
    written, started = 0, time.time()
    with open(record, "w", buffering=1) as notes:  # noqa: PTH123 (as little as possible in here)
        for beat in range(int(seconds / BEAT_S)):
            time.sleep(max(0.0, started + beat * BEAT_S - time.time()))
            stamp = f"{time.time():.6f} ".encode()
            block = (stamp + b"x" * (LINE - len(stamp) - 1) + b"\n") * lines
            while block:
                block = block[os.write(1, block) :]
            written += lines * LINE
            notes.write(f"{written} {time.time():.6f}\n")
