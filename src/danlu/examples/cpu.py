#!/usr/bin/env python3
"""Estimates pi with two processes side by side: a job that needs CPUs and no GPU."""

import math
import multiprocessing
import os
import random

WORKERS, BATCHES, POINTS = 2, 120, 200_000


def count_inside(seed: int) -> int:
    """How many of so many random points of a square lie in its quarter circle."""
    throw = random.Random(seed).random
    return sum(throw() ** 2 + throw() ** 2 < 1 for _ in range(POINTS))


def main() -> None:
    print(f"{WORKERS} processes on a machine with {os.cpu_count()} CPUs, {BATCHES * POINTS:,} points")
    inside = 0
    with multiprocessing.get_context("fork").Pool(WORKERS) as pool:
        for done, found in enumerate(pool.imap_unordered(count_inside, range(BATCHES)), 1):
            inside += found
            print(f"\r{100 * done // BATCHES:3d} %  pi is about {4 * inside / (done * POINTS):.5f}", end="")
            if done % (BATCHES // 6) == 0:
                print()
    estimate = 4 * inside / (BATCHES * POINTS)
    print(f"pi is about {estimate:.6f}, which is {abs(estimate - math.pi):.6f} off")


if __name__ == "__main__":
    main()
