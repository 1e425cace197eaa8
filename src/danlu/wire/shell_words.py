"""The words of a command line as a shell would see them, as far as they are known before it runs. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

_ENDS_COMMAND = ";&|()\n"
_BLANK = " \t\r"
_ENDS_WORD = frozenset(_ENDS_COMMAND + _BLANK + "<>")
_EXPANSIONS = ("$(", "${")
_OPENERS = (*_EXPANSIONS, "$'")
_CLOSERS = {"(": ")", "{": "}", '"': '"'}
_ESCAPED = re.compile(r"\$'(?:[^'\\]|\\.)*'", re.DOTALL)


def simple_commands(text: str) -> Iterator[list[str]]:
    """Each command of a line or script as its words, without redirections. It ends at what it cannot follow:
    a quote that is not closed, a text that is written behind `<<`."""
    words: list[str] = []
    redirected = False
    for piece in _pieces(text):
        if piece == "<>":
            redirected = True
        elif piece != ";":
            if not redirected:
                words.append(piece[1:])
            redirected = False
        elif words:
            yield words
            words, redirected = [], False
    if words:
        yield words


def _pieces(text: str) -> Iterator[str]:
    """`;` for the end of a command, `<>` for a redirection, and each word behind a space."""
    at = 0
    while at < len(text):
        char = text[at]
        if char in _BLANK or text.startswith("\\\n", at):
            at += 1 if char in _BLANK else 2
        elif char == "#":
            at = _end_of_line(text, at)
        elif char in _ENDS_COMMAND:
            yield ";"
            at += 1
        elif char in "<>":
            if text.startswith("<<", at) and not text.startswith("<<<", at):
                return
            yield "<>"
            while at < len(text) and text[at] in "<>&|":
                at += 1
        else:
            word, at = _word(text, at)
            if word is None:
                return
            # The number before a redirection is no word.
            if not (word.isdigit() and text[at : at + 1] in ("<", ">")):
                yield f" {word}"


def _end_of_line(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _word(text: str, at: int) -> tuple[str | None, int]:
    """The word that begins at `at`, unquoted, and where it ends; None for one that is not finished."""
    parts: list[str] = []
    while at < len(text):
        char = text[at]
        values = char == "(" and parts[-1:] == ["="]  # `NAMES=(one two)`
        if not values and char in _ENDS_WORD:
            break
        if char == "\\":
            parts.append(text[at + 1 : at + 2].replace("\n", ""))
            at += 2
        elif values or char in "'\"`" or text.startswith(_OPENERS, at):
            end = _closing(text, at)
            if end is None:
                return None, len(text)
            parts.append(_unquoted(text[at:end]))
            at = end
        else:
            parts.append(char)
            at += 1
    return "".join(parts), at


def _closing(text: str, at: int) -> int | None:
    """Where what is opened at `at` has ended: a quote, or an expansion with all that is within it."""
    if text[at] in "'`":
        end = text.find(text[at], at + 1)
        return None if end < 0 else end + 1
    if text.startswith("$'", at):
        escaped = _ESCAPED.match(text, at)
        return escaped.end() if escaped else None
    if text[at] == "$":
        at += 1
    closer, at = _CLOSERS[text[at]], at + 1
    # What is still open, the innermost last: without recursion, since a script may nest as deep as it likes.
    open_ones = [closer]
    while at < len(text):
        char = text[at]
        if char == "\\":
            at += 2
            continue
        if char == open_ones[-1]:
            open_ones.pop()
            if not open_ones:
                return at + 1
        elif text.startswith(_EXPANSIONS, at):
            open_ones.append(_CLOSERS[text[at + 1]])
            at += 1
        elif open_ones[-1] != '"' and char == "'":
            end = text.find("'", at + 1)
            if end < 0:
                return None
            at = end
        elif char == '"':
            open_ones.append('"')
        elif char == "(" and open_ones[-1] == ")":
            open_ones.append(")")
        at += 1
    return None


def _unquoted(piece: str) -> str:
    if piece[0] == "'":
        return piece[1:-1]
    if piece[0] == '"':
        return piece[1:-1].replace('\\"', '"').replace("\\$", "$").replace("\\\\", "\\")
    # What an expansion becomes is known to the shell alone.
    return "$"
