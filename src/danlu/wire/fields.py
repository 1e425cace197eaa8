"""The kinds of values that requests are made of, each with its bounds.

Plain annotations: the server reads them as validation rules, the SDK carries them at no cost.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from annotated_types import Ge, Le, MaxLen, MinLen, Predicate


def no_control_characters(text: str) -> bool:
    """One line of text: nothing that could forge a log line or a terminal's state."""
    return text.isprintable()


def no_nul(text: str) -> bool:
    return "\0" not in text


def is_not_blank(text: str) -> bool:
    return bool(text.strip())


def are_different(values: list[Any]) -> bool:
    """Named once each."""
    return len(set(values)) == len(values)


def is_variable_name(text: str) -> bool:
    return text.isascii() and text.isidentifier()


def is_node_name(text: str) -> bool:
    """One word of a list of names."""
    return text.isprintable() and not any(c.isspace() or c == "," for c in text)


def is_tag_key(text: str) -> bool:
    """Letters (of any script), digits, dot, dash, slash and underscore; the first is a letter or a digit."""
    return text[:1].isalnum() and all(c.isalnum() or c in "._-/" for c in text)


def is_user_name(text: str) -> bool:
    """Letters (of any script), digits, dot, dash and underscore; not starting with a dot or dash."""
    return text[:1] not in ".-" and all(c.isalnum() or c in "._-" for c in text)


def is_email(text: str) -> bool:
    """Empty, or something before and behind one `@`, as mail servers take it."""
    before, _, behind = text.partition("@")
    plain = text.isprintable() and not any(c.isspace() or c in "<>,;" for c in text)
    return not text or (plain and bool(before) and bool(behind.strip(".")) and "@" not in behind)


def is_digest(text: str) -> bool:
    """A SHA-256 in hexadecimal, as we write it; it becomes the name of a file."""
    return len(text) == 64 and all(c in "0123456789abcdef" for c in text)


ShortText = Annotated[str, MaxLen(200), Predicate(no_control_characters)]
Name = Annotated[str, MinLen(1), MaxLen(200), Predicate(no_control_characters), Predicate(is_not_blank)]
"""What a user calls something of theirs."""
Text = Annotated[str, MaxLen(20_000), Predicate(no_nul)]
CommandText = Annotated[str, MinLen(1), MaxLen(256_000), Predicate(no_nul)]
Argument = Annotated[str, MaxLen(32_000), Predicate(no_nul)]
PathText = Annotated[str, MinLen(1), MaxLen(4096), Predicate(no_control_characters)]
UserName = Annotated[str, MinLen(1), MaxLen(64), Predicate(is_user_name)]
Password = Annotated[str, MinLen(8), MaxLen(1000), Predicate(no_nul)]
Secret = Annotated[str, MinLen(1), MaxLen(1000), Predicate(no_nul)]
Digest = Annotated[str, MinLen(64), MaxLen(64), Predicate(is_digest)]
StudentId = Annotated[str, MaxLen(64), Predicate(no_control_characters)]
Email = Annotated[str, MaxLen(254), Predicate(is_email)]
NodeName = Annotated[str, MinLen(1), MaxLen(200), Predicate(is_node_name)]
TagKey = Annotated[str, MinLen(1), MaxLen(64), Predicate(is_tag_key)]
TagValue = Annotated[str, MinLen(1), MaxLen(200), Predicate(no_control_characters), Predicate(is_not_blank)]
TagText = Annotated[str, MinLen(1), MaxLen(265), Predicate(no_control_characters)]
"""`KEY=VALUE`, or `KEY` for whatever value."""
VariableName = Annotated[str, MinLen(1), MaxLen(200), Predicate(is_variable_name)]

JobId = Annotated[int, Ge(1), Le(2**32 - 1)]
Count = Annotated[int, Ge(0), Le(10_000)]
AUTO: Final = "auto"
"""In the place of a number: Danlu shall find one."""
CountOrAuto = Count | Literal["auto"]
Niceness = Annotated[int, Ge(0), Le(19)]
GpuIndex = Annotated[int, Ge(0), Le(1023)]
Megabytes = Annotated[int, Ge(0), Le(2**31 - 1)]
Seconds = Annotated[float, Ge(0), Le(10 * 366 * 86_400)]

STRICT: dict[str, Any] = {"extra": "forbid", "allow_inf_nan": False}
"""Requests refuse fields they do not know: a mistyped field must never be silently ignored. Their numbers are
numbers and their switches true or false (`api/deferred.py`): `true` is not one GPU."""
