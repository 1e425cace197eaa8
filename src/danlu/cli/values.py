"""The kinds of values that options take. Each refusal has its reason and its remedy in the catalogue."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import click

from danlu.cli.log_link import LogLink, is_link, parse_link
from danlu.cli.refusals import UnreadableValue
from danlu.wire.units import parse_duration, parse_memory_mb


class Value(click.ParamType[Any]):
    """A text that `parse` understands; a ValueError of it is refused with `cli.bad.NAME`."""

    def __init__(self, name: str, parse: Callable[[str], Any], **facts: Any) -> None:
        self.name = name
        self._parse = parse
        self._facts = facts

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ARG002
        if not isinstance(value, str):
            return value
        try:
            return self._parse(value)
        except (ValueError, OverflowError) as fault:
            raise UnreadableValue(f"cli.bad.{self.name}", value, **self._facts) from fault


class Word(click.ParamType[str]):
    """One of a few words."""

    def __init__(self, words: Callable[[], Iterable[str]]) -> None:
        self.name = "word"
        self._words = words

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ARG002
        return one_of(value, list(self._words()))


def one_of(word: str, words: list[str]) -> str:
    """The word itself if it is among the words; a mistyped one is told which was probably meant.
    Raises UnreadableValue."""
    if word in words:
        return word
    from difflib import get_close_matches

    if close := get_close_matches(word, words, 1):
        raise UnreadableValue("cli.bad.word_close", word, close=close[0])
    raise UnreadableValue("cli.bad.word", word, words=", ".join(words))


def number(minimum: int = 0, maximum: int = 2**53) -> Value:
    def parse(text: str) -> int:
        found = int(text) if re.fullmatch(r"[+-]?\d{1,20}", text.strip()) else None
        if found is None or not minimum <= found <= maximum:
            raise ValueError(text)
        return found

    if maximum == 2**53:
        return Value("number", parse, minimum=minimum)
    return Value("number_between", parse, minimum=minimum, maximum=maximum)


def _count_or_auto(text: str) -> int | str:
    # It comes with the rules of all fields, which most commands need not load.
    from danlu.wire.fields import AUTO

    plain = text.strip().lower()
    if plain == AUTO:
        return AUTO
    if not re.fullmatch(r"\d{1,15}", plain, re.ASCII):
        raise ValueError(text)
    return int(plain)


def _whole_numbers(minimum: int) -> Callable[[str], list[int]]:
    def parse(text: str) -> list[int]:
        words = text.replace(",", " ").split()
        if not words or not all(word.isascii() and word.isdigit() and int(word) >= minimum for word in words):
            raise ValueError(text)
        return [int(word) for word in words]

    return parse


def _ref(text: str) -> int | str:
    """A job, `12`, or an element of an array, `12[3]`; `12.3` spares quotes where a shell minds brackets."""
    match = re.fullmatch(r"([1-9]\d{0,9})(?:\[(\d{1,7})\]|\.(\d{1,7}))?", text.strip(), re.ASCII)
    if match is None:
        raise ValueError(text)
    job, bracketed, dotted = match.groups()
    index = bracketed if bracketed is not None else dotted
    return int(job) if index is None else f"{job}[{int(index)}]"


def _ref_or_link(text: str) -> int | str | LogLink:
    if not is_link(text):
        return _ref(text)
    link = parse_link(text)
    return replace(link, job=_ref(str(link.job)))


def _refs(text: str) -> list[int | str]:
    found = [_ref(word) for word in text.replace(",", " ").split()]
    if not found:
        raise ValueError(text)
    return found


def _variable(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (equals and name.isascii() and name.isidentifier()):
        raise ValueError(text)
    return name, value


def _tag(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not (equals and key.strip() and value.strip()):
        raise ValueError(text)
    return key.strip(), value.strip()


def _words(text: str) -> list[str]:
    found = [word for word in re.split(r"[,\s]+", text) if word]
    if not found:
        raise ValueError(text)
    return found


def _moment(text: str) -> float:
    """A time of this machine's zone (`2026-11-20 18:00`), a day, or how long from now (`2h`)."""
    from datetime import datetime

    plain = text.strip()
    if re.match(r"\d{4}-", plain, re.ASCII):
        return datetime.fromisoformat(plain).timestamp()
    return time.time() + parse_duration(plain)


def _moment_or_never(text: str) -> float | str:
    return "never" if text.strip() == "never" else _moment(text)


def _key(text: str) -> str:
    if not (text and text.isascii() and text.isprintable() and len(text) <= 200):
        raise ValueError(text)
    return text


def _past(text: str) -> float:
    """A moment: `7d` is so long ago, `2026-11-18` the beginning of that day here."""
    import time
    from datetime import datetime

    try:
        return datetime.fromisoformat(text.strip()).timestamp()
    except ValueError:
        return time.time() - parse_duration(text)


def _cluster(text: str) -> str:
    if not re.fullmatch(r"[1-9]\d{0,3}|[1-9]\d{0,3}x\d{1,3}", text):
        raise ValueError(text)
    return text


COUNT = number()
COUNT_OR_AUTO = Value("count_or_auto", _count_or_auto)
POSITION = number(1)
PORT = number(0, 65_535)
JOB_ID = Value("job", _ref)
JOB_OR_LINK = Value("job_or_link", _ref_or_link)
JOB_REFS = Value("jobs", _refs)
JOB_IDS = Value("job_ids", _whole_numbers(1))
GPU_IDS = Value("gpu_ids", _whole_numbers(0))
DURATION = Value("duration", parse_duration)
PAST = Value("past", _past)
MOMENT = Value("moment", _moment)
MOMENT_OR_NEVER = Value("moment_or_never", _moment_or_never)
MEMORY_MB = Value("memory", parse_memory_mb)
LIMIT_MB = Value("memory", lambda text: 0 if text.strip() == "0" else parse_memory_mb(text))
VARIABLE = Value("variable", _variable)
TAG = Value("tag", _tag)
LIST = Value("list", _words)
KEY = Value("key", _key)
CLUSTER = Value("cluster", _cluster)
