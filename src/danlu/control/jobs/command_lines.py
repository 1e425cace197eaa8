"""A job as the `danlu submit` that would make it, to be pasted into a shell. Pure.

What the user's defaults, or Danlu's own, would say anyway is left out, but for the number of GPUs: what a job
gets that says nothing of them is the lab's to change. A few things cannot be typed: that a field is empty
which the defaults fill, and a value that is spelled like an option of the command.
"""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import Any

from danlu.control.jobs.specs import fields_of, means_same_memory, merge_fields
from danlu.core.job import JobSpec
from danlu.wire.default_name import default_name
from danlu.wire.field_kinds import LISTS, PAIRS, JobField
from danlu.wire.job_fields import OPTIONS
from danlu.wire.jobs import JobFields
from danlu.wire.options import option_of, switch_of
from danlu.wire.units import write_duration

_SAID_FIRST = ("name", "directory")
_MAY_BE_EMPTY = ("retry_on",)
_DANLUS_OWN = fields_of(JobSpec(command=""))


def command_line(fields: JobFields, defaults: JobFields, *, hold: bool) -> str:
    """The command that makes this job for a user with these defaults. The fields are those of a whole job."""
    command = fields.command or ""
    name = fields.name or default_name(command)
    words = ["danlu", "submit", *_option("--name", name), *_option("--dir", fields.directory or "/")]
    said = merge_fields(JobFields(hold=hold), fields)
    unsaid = _what_goes_without_saying(said, defaults)
    for field in OPTIONS.values():
        value, without = getattr(said, field.name), getattr(unsaid, field.name)
        if field.name not in _SAID_FIRST and _plain(field, value) != _plain(field, without):
            words += _words(field, value)
    return _with_command(words, command, fields.arguments or [])


def _what_goes_without_saying(said: JobFields, defaults: JobFields) -> JobFields:
    """What the job would have of each field if the command left it out; `take_defaults` has the rules."""
    unsaid = merge_fields(defaults, _DANLUS_OWN)
    if not means_same_memory(said, defaults):
        unsaid = replace(unsaid, gpu_memory_mb=None)
    if said.gpu_ids:
        return replace(unsaid, gpus=0, gpu_ids=None)
    if said.gpus == 0:
        return replace(unsaid, gpus=None, share=False, no_sharing=False, gpu_model=None, gpu_memory_mb=None)
    return replace(unsaid, gpus=None if defaults.gpu_ids else defaults.gpus)


def _plain(field: JobField, value: Any) -> Any:
    """Values that mean the same are equal."""
    if field.kind in (*LISTS, "paths"):
        return sorted(value or ())
    return value or None if field.kind in (*PAIRS, "size") or field.name == "hold" else value


def _words(field: JobField, value: Any) -> list[str]:
    """The option that says this; none where no option can."""
    kind = field.kind
    if value is None or (not value and kind in (*LISTS, "size") and field.name not in _MAY_BE_EMPTY):
        return []
    if kind == "switch":
        return [switch_of(field.name)[0 if value else 1]]
    name = option_of(field.name)
    if kind in PAIRS:
        return [word for key, text in value.items() for word in _option(name, f"{key}={text}")]
    if kind == "paths":
        return [word for text in value for word in _option(name, text)]
    if kind == "duration":
        return [name, write_duration(value)]
    if kind == "size":
        return [name, f"{value // 1024}G" if value % 1024 == 0 else f"{value}M"]
    if kind in LISTS:
        return [name, ",".join(str(each) for each in value)]
    return _option(name, str(value))


def _option(name: str, value: str) -> list[str]:
    return [f"{name}={value}"] if value.startswith("-") else [name, value]


def _with_command(words: list[str], command: str, arguments: list[str]) -> str:
    if "\n" in command or command.startswith("#!"):
        end = _end_of(command)
        line = shlex.join([*words, "-", *arguments])
        text = command if command.endswith("\n") else f"{command}\n"
        return f"{line} <<'{end}'\n{text}{end}"
    if arguments:
        # As the node itself puts them behind the command.
        command = f"{command.strip()} {shlex.join(arguments)}"
    return shlex.join([*words, "--", *_command_words(command)])


def _command_words(command: str) -> list[str]:
    """The words that `danlu submit` takes for just this command: its own where they are plain, else all of it
    as one word, which has to have a space to be read as a command."""
    try:
        own = shlex.split(command)
    except ValueError:
        own = []
    if own and own[0] and shlex.join(own) == command and (len(own) > 1 or not _has_space(own[0])):
        return own
    return [command if _has_space(command) else f"{command} "]


def _has_space(text: str) -> bool:
    return any(character.isspace() for character in text)


def _end_of(script: str) -> str:
    """A word that is no line of the script."""
    lines, number = set(script.splitlines()), 0
    while (end := f"EOF{number or ''}") in lines:
        number += 1
    return end
