"""Everything the command line can say exists, in both languages, with the same facts."""

from __future__ import annotations

import dataclasses
import re
import string
from pathlib import Path
from typing import get_args

import click
import pytest

import danlu.cli
from danlu.cli.job_options import retry_reasons
from danlu.cli.program import MODULES, SECTIONS, make_program
from danlu.cli.session import Session
from danlu.cli.worded import WordedArgument, WordedOption, key_of
from danlu.core import blockers
from danlu.core.nodes.node import NodeState
from danlu.core.states import RETRYABLE, EndReason, JobState
from danlu.wire.accounts import Role
from danlu.wire.job_fields import FIELDS, OPTIONS
from danlu.wire.jobs import JobFields
from danlu.wire.options import find_field, option_of
from danlu.wording.cli import MESSAGES

COMMANDS = [
    "audit",
    "groups",
    "users",
    "up",
    "down",
    "status",
    "server-log",
    "settings",
    "notices",
    "submit",
    "run",
    "examples",
    "ps",
    "show",
    "elements",
    "top",
    "logs",
    "cancel",
    "hold",
    "release",
    "move",
    "edit",
    "resubmit",
    "delete",
    "why",
    "pause",
    "resume",
    "scheduling",
    "backup",
    "restore",
    "database",
    "nodes",
    "gpus",
    "gpu",
    "drain",
    "undrain",
    "join",
    "leave",
    "doctor",
    "defaults",
    "kv",
    "locks",
    "login",
    "logout",
    "whoami",
    "version",
]


def facts_of(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def contexts() -> list[click.Context]:
    """A context of every command there is."""
    root = click.Context(make_program(), info_name="danlu", obj=Session({}))
    found = [root]
    for context in found:
        if isinstance(context.command, click.Group):
            for name in context.command.list_commands(context):
                command = context.command.get_command(context, name)
                assert command is not None
                found.append(click.Context(command, info_name=name, parent=context))
    return found


@pytest.mark.parametrize("key", sorted(MESSAGES))
def test_both_languages_tell_the_same_facts(key):
    english, chinese = MESSAGES[key]
    assert english.strip()
    assert chinese.strip()
    assert facts_of(english) == facts_of(chinese)


def test_every_key_that_the_code_names_exists():
    for path in Path(next(iter(danlu.cli.__path__))).rglob("*.py"):
        for key in re.findall(r'"(cli\.[a-z_.?]+[a-z_?])"', path.read_text("utf-8")):
            assert key in MESSAGES, f"{path.name}: {key}"


def test_every_refusal_has_its_remedy():
    kinds = ("cli.bad.", "cli.no_", "cli.script_", "cli.not_")
    answers = {"cli.no_defaults", "cli.nothing_deleted"}
    refusals = [key for key in MESSAGES if key.startswith(kinds) and not key.endswith(".hint")]
    assert [key for key in refusals if f"{key}.hint" not in MESSAGES and key not in answers] == []
    for key in refusals:
        if f"{key}.hint" in MESSAGES and not key.startswith("cli.bad."):
            assert facts_of(MESSAGES[f"{key}.hint"][0]) <= facts_of(MESSAGES[key][0]) | {"known", "path"}


def test_states_reasons_and_blockers_are_all_worded():
    assert {f"cli.state.{state}" for state in JobState} <= set(MESSAGES)
    assert {f"cli.end.{reason}" for reason in EndReason} <= set(MESSAGES)
    assert set(retry_reasons()) == RETRYABLE
    assert {f"cli.node.{state}" for state in NodeState} <= set(MESSAGES)
    assert {f"cli.role.{role}" for role in get_args(Role)} <= set(MESSAGES)
    codes = {kind.code for kind in blockers.Blocker.__subclasses__()}
    assert {f"cli.short.{code}" for code in codes} <= set(MESSAGES)


def test_short_reasons_use_only_facts_that_the_blockers_have():
    for kind in blockers.Blocker.__subclasses__():
        assert facts_of(MESSAGES[f"cli.short.{kind.code}"][0]) <= {
            field.name for field in dataclasses.fields(kind)
        }


def test_the_commands_are_the_ones_that_were_promised():
    assert sorted(MODULES) == sorted(COMMANDS)
    assert all(f"cli.heading.{section}" in MESSAGES for section in SECTIONS)


def test_every_command_and_option_is_explained_with_examples():
    for context in contexts():
        key = key_of(context)
        assert f"cli.help.{key}" in MESSAGES
        assert "danlu" in MESSAGES[f"cli.examples.{key}"][0]
        for param in context.command.params:
            if isinstance(param, WordedOption) and not param.hidden:
                assert f"cli.option.{param.words or param.name}" in MESSAGES
            elif isinstance(param, WordedArgument):
                assert f"cli.argument.{param.name}" in MESSAGES


def test_no_sentence_is_left_over():
    used = {
        f"cli.option.{param.words or param.name}"
        for c in contexts()
        for param in c.command.params
        if isinstance(param, WordedOption)
    }
    used |= {
        f"cli.argument.{param.name}"
        for c in contexts()
        for param in c.command.params
        if isinstance(param, WordedArgument)
    }
    known = {key for key in MESSAGES if key.startswith(("cli.option.", "cli.argument."))}
    assert known - used == {"cli.option.help"}


def test_the_examples_can_be_typed_as_they_stand():
    """Each example parses: its command and its options exist."""
    import shlex

    program = make_program()
    for key, (english, _) in MESSAGES.items():
        if not key.startswith("cli.examples."):
            continue
        for line in english.split("\n"):
            words = shlex.split(line.partition(" | ")[2] or line, comments=True)
            if words[0] != "danlu" or ">" in words or "submit" in words:
                continue
            context = program.make_context("danlu", words[1:], obj=Session({}))
            name, command, rest = program.resolve_command(context, [*context._protected_args, *context.args])
            assert command is not None
            command.make_context(name, rest, parent=context)


def test_every_job_field_has_an_option_and_a_label():
    fields = {field.name for field in dataclasses.fields(JobFields)}
    assert set(FIELDS) == fields
    assert set(OPTIONS) == fields - {"command", "arguments", "call"}
    assert {f"cli.label.{field}" for field in fields} <= set(MESSAGES)


def test_the_servers_fields_are_named_as_options():
    assert option_of("memory_mb") == "--mem"
    assert option_of("wait_for_hardware") == "--wait-for-hardware"
    assert find_field("set.gpu_ids.0") == "gpu_ids"
    assert find_field("position") is None


@pytest.mark.parametrize("lang", ["en_US.UTF-8", "zh_CN.UTF-8"])
@pytest.mark.parametrize(
    "command",
    ["", *COMMANDS, "defaults set", "defaults clear", "scheduling pass", "database show", "database move"],
)
def test_help_in_both_languages(alone, command, lang):
    said = alone(*command.split(), "--help", lang=lang)
    assert said.code == 0
    assert ("示例" if lang.startswith("zh") else "Examples") in said.out
    assert ("用法" if lang.startswith("zh") else "Usage") in said.out
    assert f"danlu {command}".strip() in said.out
