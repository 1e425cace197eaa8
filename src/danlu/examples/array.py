#!/usr/bin/env python3
"""One element of an array: each has an index of its own, and so a learning rate of its own."""

import os
import time

RATES = (0.001, 0.01, 0.1, 0.5, 0.9, 1.1)


def main() -> None:
    index = int(os.environ.get("DANLU_ARRAY_INDEX", "0"))
    rate = RATES[index % len(RATES)]
    print(f"task {index}: walking downhill with a learning rate of {rate}")
    place = 10.0
    for step in range(1, 31):
        place -= rate * 2 * place
        print(f"step {step:2d}  loss {place * place:.6g}")
        time.sleep(0.1)
    print("it ran away: the rate is too large" if abs(place) > 10 else f"it ended at {place:.6f}")


if __name__ == "__main__":
    main()
