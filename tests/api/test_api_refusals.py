"""What a request is refused for: in our own words, in the reader's language, naming the field."""

from __future__ import annotations

import re
from typing import Any

import pytest
from annotated_types import Predicate
from pydantic import TypeAdapter, ValidationError

import danlu.api.router  # noqa: F401 - prepares the forms, as it does for the server
from danlu.api.errors import fault_of, problem_of, tell_once
from danlu.wire import accounts, fields, jobs, locks, settings
from danlu.wire.accounts import NewUser, TokenRequest, UserEdit
from danlu.wire.jobs import JobEdit, JobFields, MoveRequest
from danlu.wire.locks import LockRequest
from danlu.wire.nodes import installations
from danlu.wire.server import Problem
from danlu.wire.settings import SettingsEdit
from danlu.wording.catalogue import Language, knows
from tests.support.reading import english_pieces

REFUSED: list[tuple[type, dict[str, Any], str]] = [
    (JobFields, {"gpus": True}, "gpus"),
    (JobFields, {"gpus": "1"}, "gpus"),
    (JobFields, {"gpus": 1.0}, "gpus"),
    (JobFields, {"gpus": 10**400}, "gpus"),
    (JobFields, {"gpus": "some"}, "gpus"),
    (JobFields, {"cpus": False}, "cpus"),
    (JobFields, {"memory_mb": "1000"}, "memory_mb"),
    (JobFields, {"gpu_ids": [0, 0]}, "gpu_ids"),
    (JobFields, {"gpu_ids": [True]}, "gpu_ids.0"),
    (JobFields, {"after": [True]}, "after.0"),
    (JobFields, {"after": ["3"]}, "after.0"),
    (JobFields, {"time_limit_s": True}, "time_limit_s"),
    (JobFields, {"time_limit_s": float("nan")}, "time_limit_s"),
    (JobFields, {"grace_s": float("inf")}, "grace_s"),
    (JobFields, {"grace_s": "5"}, "grace_s"),
    (JobFields, {"urgent": 1}, "urgent"),
    (JobFields, {"urgent": "yes"}, "urgent"),
    (JobFields, {"command": 5}, "command"),
    (JobFields, {"name": ""}, "name"),
    (JobFields, {"name": " \u3000"}, "name"),
    (JobFields, {"name": "two\nlines"}, "name"),
    (JobFields, {"node": ""}, "node"),
    (JobFields, {"launcher": "rocket"}, "launcher"),
    (JobFields, {"retry_on": ["whim"]}, "retry_on.0"),
    (JobFields, {"variables": {"A B": "x"}}, "variables"),
    (JobFields, {"variables": {"1A": "x"}}, "variables"),
    (JobFields, {"variables": {"A": 1}}, "variables.A"),
    (JobFields, {"variables": {"A.B": 1}}, "variables"),
    (JobFields, {"variables": []}, "variables"),
    (JobFields, {"gpuz": 1}, "gpuz"),
    (JobFields, {"gpu z": 1}, "gpu z"),
    (JobEdit, {"set": {"gpus": True}}, "set.gpus"),
    (JobEdit, {"set": []}, "set"),
    (MoveRequest, {"position": True}, "position"),
    (MoveRequest, {"position": 0}, "position"),
    (MoveRequest, {}, "position"),
    (TokenRequest, {"name": ""}, "name"),
    (TokenRequest, {"name": "  "}, "name"),
    (TokenRequest, {"name": "x", "lifetime_s": True}, "lifetime_s"),
    (NewUser, {"name": "", "password": "long enough"}, "name"),
    (NewUser, {"name": "li", "password": "short"}, "password"),
    (NewUser, {"name": "li", "password": "long enough", "unix_account": " "}, "unix_account"),
    (UserEdit, {"priority": True}, "priority"),
    (UserEdit, {"locked": 1}, "locked"),
    (LockRequest, {"name": " ", "holder": "x"}, "name"),
    (LockRequest, {"name": "x", "holder": ""}, "holder"),
    (SettingsEdit, {"auto_gpus": True}, "auto_gpus"),
    (SettingsEdit, {"stage_disk_percent": "90"}, "stage_disk_percent"),
]

ACCEPTED: list[tuple[type, dict[str, Any]]] = [
    (JobFields, {"gpus": "auto"}),
    (JobFields, {"gpus": None, "name": None, "gpu_ids": []}),
    (JobFields, {"time_limit_s": 5, "launcher": "torchrun", "retry_on": ["vanished"]}),
    (JobFields, {"name": " spaces around "}),
    (JobEdit, {"set": {"gpus": 1}, "clear": ["cpus"]}),
    (UserEdit, {"priority": 2}),
]


def problems(form: type, body: dict[str, Any], language: Language) -> list[Problem]:
    try:
        TypeAdapter(form).validate_python(body)
    except ValidationError as error:
        details = [{**detail, "loc": ("body", *detail["loc"])} for detail in error.errors()]
        return [problem_of(language, fault_of(language, detail)) for detail in tell_once(details)]
    return []


@pytest.mark.parametrize(("form", "body", "field"), REFUSED, ids=lambda each: str(each)[:60])
def test_it_names_the_field_and_the_reason_in_both_languages(
    form: type, body: dict[str, Any], field: str
) -> None:
    [english, *_] = problems(form, body, "en")
    [chinese, *_] = problems(form, body, "zh")
    assert english.field == chinese.field == field
    assert re.search("[\u4e00-\u9fff]", chinese.message)
    assert english_pieces(chinese.message + (chinese.hint or "")) == []
    for said in (english.message, chinese.message):
        assert not re.search(r"pydantic|Predicate|\[key\]|\^\[|Input should", said)


@pytest.mark.parametrize(("form", "body"), ACCEPTED)
def test_what_is_meant_so_is_taken(form: type, body: dict[str, Any]) -> None:
    assert problems(form, body, "en") == []


def test_an_entry_with_a_bad_name_is_called_by_it() -> None:
    [problem] = problems(JobFields, {"variables": {"A B": "x"}}, "en")
    assert problem.message.startswith('variables: "A B": a variable name may contain only letters')
    [problem] = problems(JobFields, {"variables": {"x" * 500 + " ": "x"}}, "en")
    assert len(problem.message) < 250


def test_every_rule_of_the_forms_has_its_words() -> None:
    modules = (accounts, fields, installations, jobs, locks, settings)
    rules = {
        each.func.__name__
        for module in modules
        for kind in vars(module).values()
        for each in getattr(kind, "__metadata__", ())
        if isinstance(each, Predicate)
    }
    assert {"no_nul", "is_not_blank", "is_user_name"} <= rules
    assert [rule for rule in sorted(rules) if not knows(f"errors.kind.{rule}")] == []


def test_what_nobody_thought_of_is_refused_in_our_words_too() -> None:
    detail = {"type": "url_scheme", "loc": ("body", "x"), "msg": "URL scheme should be 'http'", "ctx": {}}
    assert "URL" not in problem_of("zh", fault_of("zh", detail)).message
