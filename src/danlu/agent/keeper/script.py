"""A command of several lines is a script."""

from __future__ import annotations


def script_of(command: str) -> str | None:
    """The text of the script when the command is one: it has a line's end, or begins with a shebang."""
    text = command.replace("\r\n", "\n").lstrip("\n")
    if "\n" not in text and not text.startswith("#!"):
        return None
    return text if text.endswith("\n") else f"{text}\n"
