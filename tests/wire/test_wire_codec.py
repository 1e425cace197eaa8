"""What goes over the wire comes out as it went in."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest

from danlu.codec import BadValue, decode, encode_said
from danlu.core.states import EndReason, JobState
from danlu.wire.accounts import UserRow
from danlu.wire.jobs import JobDetail, JobEdit, JobFields, JobRow
from danlu.wire.server import SchedulingEdit, Version
from tests.wire.builders import full, least, wire_classes

CLASSES = wire_classes()


def over_the_wire(value: Any) -> Any:
    return json.loads(json.dumps(value))


def with_nulls(value: Any) -> Any:
    """As the server answers: every field there, null where there is nothing."""
    return over_the_wire(dataclasses.asdict(value))


def test_the_wire_has_its_classes() -> None:
    names = {kind.__name__ for kind in CLASSES}
    assert {"JobFields", "JobEdit", "JobDetail", "NodeRow", "Problem", "EventRow", "UserEdit"} <= names


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_with_every_field_set_nothing_is_lost(kind: type) -> None:
    sent = full(kind)
    assert decode(kind, over_the_wire(encode_said(sent)), trusted=True) == sent
    assert decode(kind, with_nulls(sent), trusted=True) == sent


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_with_as_little_as_possible_defaults_fill_the_rest(kind: type) -> None:
    sent = least(kind)
    assert decode(kind, with_nulls(sent), trusted=True) == sent


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_what_a_newer_server_adds_is_ignored(kind: type) -> None:
    sent = full(kind)
    assert decode(kind, {**encode_said(sent), "from_the_future": {"x": 1}}, trusted=True) == sent


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_values_on_the_wire_are_plain(kind: type) -> None:
    plain = encode_said(full(kind))
    assert over_the_wire(plain) == plain


def test_what_was_not_said_stays_out_of_a_request() -> None:
    assert encode_said(JobFields(command="x", gpus=0, urgent=False, stage=[])) == {
        "command": "x",
        "gpus": 0,
        "urgent": False,
        "stage": [],
    }
    assert encode_said(JobEdit(clear=["gpus"])) == {"set": {}, "clear": ["gpus"]}
    assert encode_said(SchedulingEdit()) == {}


def test_enums_become_words_and_words_become_enums_again() -> None:
    fields = JobFields(command="x", retry_on=[EndReason.SIGNAL])
    assert encode_said(fields)["retry_on"] == ["signal"]
    assert decode(JobFields, {"command": "x", "retry_on": ["signal"]}, trusted=True) == fields
    row = decode(JobRow, encode_said(full(JobRow)) | {"state": "held"}, trusted=True)
    assert row.state is JobState.HELD


def test_nested_objects_come_out_as_objects() -> None:
    detail = decode(JobDetail, over_the_wire(encode_said(full(JobDetail))), trusted=True)
    assert isinstance(detail.fields, JobFields)
    assert isinstance(detail.attempts[0].tasks[0].gpu_ids, list)


def test_facts_of_any_shape_pass_unchanged() -> None:
    facts = {"jobs": [1, 2], "node": None, "deep": {"a": [True, 1.5]}}
    assert encode_said(facts) == facts
    assert decode(dict[str, Any], facts, trusted=True) == facts


def test_a_missing_field_that_must_be_there_is_an_error() -> None:
    with pytest.raises(BadValue, match="version"):
        decode(Version, {"name": "danlu", "api": "v1"}, trusted=True)
    with pytest.raises(BadValue, match="created_at"):
        decode(UserRow, {"name": "ann"}, trusted=True)


def test_an_unknown_word_for_a_state_is_an_error() -> None:
    with pytest.raises(ValueError, match="burning"):
        decode(JobRow, encode_said(full(JobRow)) | {"state": "burning"}, trusted=True)
