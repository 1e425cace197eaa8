#!/usr/bin/env python3
"""Works on a GPU that others may use at the same time. With PyTorch it really computes there."""

import importlib
import os
import sys
import time
from typing import Any

MEGABYTES = 256
SECONDS = 6


def find_torch() -> Any:
    """PyTorch, if this Python has one that sees a GPU."""
    try:
        torch = importlib.import_module("torch")
    except ImportError:
        print("This Python has no PyTorch: choose an environment that has it to compute for real.")
        return None
    if not torch.cuda.is_available():
        print(f"PyTorch {torch.__version__} is here, but sees no GPU.")
        return None
    return torch


def compute(torch: Any) -> None:
    """Multiply matrices that together take the memory we asked for at most."""
    side = int((MEGABYTES * 2**20 / 3 / 4) ** 0.5)
    print(f"{torch.cuda.get_device_name(0)}: multiplying matrices of {side} x {side}")
    left, right = torch.rand(side, side, device="cuda"), torch.rand(side, side, device="cuda")
    began, rounds = time.monotonic(), 0
    while time.monotonic() - began < SECONDS:
        torch.mm(left, right)
        torch.cuda.synchronize()
        rounds += 1
    used_mb = torch.cuda.max_memory_allocated() / 2**20
    speed = 2 * side**3 * rounds / (time.monotonic() - began) / 1e12
    print(f"{rounds} products, {speed:.2f} TFLOP/s, {used_mb:.0f} MB of the card in use")


def pretend() -> None:
    for second in range(1, SECONDS // 2 + 1):
        print(f"\rwould use {MEGABYTES} MB of the card for a while: {second}/{SECONDS // 2}", end="")
        time.sleep(1)
    print()


def main() -> None:
    print(f"node {os.environ.get('DANLU_NODE')}, job {os.environ.get('DANLU_JOB_ID')}")
    print(f"CUDA_VISIBLE_DEVICES={os.environ.get('CUDA_VISIBLE_DEVICES')}: the GPU that this job may use")
    torch = find_torch()
    try:
        if torch is None:
            pretend()
        else:
            compute(torch)
    except RuntimeError as problem:
        print(f"The GPU could not do it; perhaps others left too little of its memory: {problem}")
        sys.exit(1)
    print("done")


if __name__ == "__main__":
    main()
