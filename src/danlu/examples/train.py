#!/usr/bin/env python3
"""Second of two jobs: learns from what the first one wrote. It starts once that has succeeded."""

import json
import math
import os
import tempfile
import time
from pathlib import Path

EPOCHS, RATE = 40, 0.0008


def read_rows() -> list[list[float]]:
    places = [Path.home() / "danlu-examples", Path(tempfile.gettempdir()) / f"danlu-examples-{os.getuid()}"]
    for place in places:
        path = place / "students.json"
        if path.is_file() and path.stat().st_uid == os.getuid():
            print(f"reading {path}")
            rows: list[list[float]] = json.loads(path.read_text())
            return rows
    raise SystemExit("The data is not there: run the job that prepares it first.")


def main() -> None:
    rows = read_rows()
    training, testing = rows[:300], rows[300:]
    a = b = c = 0.0

    def chance_of(hours: float, sleep: float) -> float:
        return 1 / (1 + math.exp(-(a * (hours - 5) + b * (sleep - 6) + c)))

    for epoch in range(1, EPOCHS + 1):
        loss = 0.0
        for hours, sleep, passed in training:
            said = chance_of(hours, sleep)
            loss -= math.log(max(said if passed else 1 - said, 1e-12))
            error = RATE * (said - passed)
            a, b, c = a - error * (hours - 5), b - error * (sleep - 6), c - error
        print(f"epoch {epoch:2d}/{EPOCHS}  loss {loss / len(training):.4f}")
        time.sleep(0.1)
    right = sum((chance_of(hours, sleep) > 0.5) == bool(passed) for hours, sleep, passed in testing)
    print(f"accuracy {100 * right / len(testing):.1f} %")


if __name__ == "__main__":
    main()
