"""What is wrong with a value, and where."""

from __future__ import annotations

from typing import Any

_SHOWN = 60


class BadValue(ValueError):
    """It is not what it was said to be. `where` is the way to what is wrong, from the outside in."""

    def __init__(self, why: str, where: tuple[str, ...] = ()) -> None:
        super().__init__(why, where)
        self.why = why
        self.where = where

    def __str__(self) -> str:
        return f"{'.'.join(self.where)}: {self.why}" if self.where else self.why

    def within(self, name: str | int) -> BadValue:
        return BadValue(self.why, (str(name), *self.where))


class UnknownWord(BadValue):
    """A word that an enum does not have; a newer version may. Further out it is a bad value like others."""


def not_a(wanted: str, value: Any) -> BadValue:
    return BadValue(f"{show(value)} is not {wanted}")


def show(value: Any) -> str:
    """Short, and in plain characters: it goes into logs and onto pages."""
    if isinstance(value, dict | list | tuple):
        return "an object" if isinstance(value, dict) else "a list"
    text = ascii(value[:_SHOWN] if isinstance(value, str) else value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
