"""A command of several lines is a script; so is a line too long for the kernel to take as one word."""

from __future__ import annotations

import shlex
from typing import NamedTuple

from danlu.agent.keeper.spec import Order

LONGEST_LINE = 24_000
"""In bytes. The kernel takes 128 KiB, but a launcher quotes the line once more, which may make it five times
as long."""


class Script(NamedTuple):
    text: str
    is_whole: bool = False
    """The arguments of the command are in it already."""


def script_of(order: Order) -> Script | None:
    """The script when the command is one: it has a line's end, begins with a shebang, or is too long."""
    text = order["command"].replace("\r\n", "\n").lstrip("\n")
    if "\n" in text or text.startswith("#!"):
        return Script(text if text.endswith("\n") else f"{text}\n")
    line = line_of(order)
    return Script(f"{line}\n", is_whole=True) if len(line.encode(errors="replace")) > LONGEST_LINE else None


def line_of(order: Order) -> str:
    """The command line with all that belongs to it, for a shell."""
    line = order["command"].strip()
    if order["arguments"]:
        line += f" {shlex.join(order['arguments'])}"
    if order["gpu_arg"] is not None and order["gpu_ids"]:
        line += f" {order['gpu_arg']} {joined(order['gpu_ids'])}"
    return line


def joined(gpu_ids: list[int]) -> str:
    return ",".join(str(gpu_id) for gpu_id in gpu_ids)
