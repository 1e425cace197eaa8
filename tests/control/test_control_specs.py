"""From what a user wrote to a job that can run, and back."""

from __future__ import annotations

from dataclasses import fields as fields_of_class
from dataclasses import replace
from typing import Any

import pytest

from danlu.control.jobs.specs import (
    FIELD_NAMES,
    apply_edit,
    check_defaults,
    fields_of,
    make_spec,
    merge_fields,
)
from danlu.control.jobs.start_sizes import LONGEST_WORD_BYTES
from danlu.core.errors import Invalid
from danlu.core.job import Dependency, DependencyKind, JobSpec, Launcher
from danlu.core.states import DEFAULT_RETRY_ON, RETRYABLE, EndReason
from danlu.wire.fields import Argument, VariableName
from danlu.wire.jobs import JobEdit, JobFields

EVERYTHING = JobFields(
    command="python train.py --epochs 9",
    arguments=["a", "b c"],
    name="训练",
    directory="/home/ann/项目",
    environment="torch",
    nodes="1:4",
    launcher=Launcher.TORCHRUN,
    spread=True,
    only_nodes=["forge", "anvil"],
    exclude_nodes=["bellows"],
    gpu_model="A100",
    restartable=True,
    service=False,
    gpus=3,
    gpu_ids=[2, 0],
    gpu_arg="--gpus",
    cpus=4,
    memory_mb=512,
    share=True,
    no_sharing=False,
    gpu_memory_mb=4096,
    stage=["/data/imagenet", "lists/train.txt"],
    nice=10,
    array="0-9%3",
    time_limit_s=90.0,
    grace_s=5.0,
    after=[3, 1],
    after_ok=[2],
    urgent=True,
    retries=2,
    retry_backoff_s=1.5,
    retry_on=[EndReason.SIGNAL, EndReason.TIME_LIMIT],
    stdout="out.log",
    stderr="err.log",
    variables={"K": "v"},
    tags={"project": "vit"},
    description="what it is for",
    wait_for_hardware=True,
)


def refused(fields: JobFields) -> Invalid:
    with pytest.raises(Invalid) as refusal:
        make_spec(fields, "/home/ann")
    return refusal.value


class TestMakeSpec:
    def test_a_command_alone_is_enough(self) -> None:
        spec = make_spec(JobFields(command="python train.py"), "/home/ann")
        assert spec == JobSpec("python train.py", name="train.py", directory="/home/ann")
        assert spec.retry_on == DEFAULT_RETRY_ON

    def test_every_field_finds_its_place(self) -> None:
        spec = make_spec(EVERYTHING, "/home/ann")
        assert spec.gpu_ids == (0, 2)
        assert spec.ask.gpus == 3
        assert spec.dependencies == (
            Dependency(1),
            Dependency(2, DependencyKind.OK),
            Dependency(3),
        )
        assert spec.retry_on == {EndReason.SIGNAL, EndReason.TIME_LIMIT}

    def test_needing_an_end_and_a_success_is_needing_a_success(self) -> None:
        spec = make_spec(JobFields(command="x", after=[4, 4], after_ok=[4]), "/")
        assert spec.dependencies == (Dependency(4, DependencyKind.OK),)

    @pytest.mark.parametrize("command", [None, "", "  \n\t "])
    def test_without_a_command_it_is_refused(self, command: str | None) -> None:
        refusal = refused(JobFields(command=command))
        assert (refusal.code, refusal.field) == ("no_command", "command")

    @pytest.mark.parametrize("directory", ["work", "./work", "~/work"])
    def test_a_directory_must_say_where_it_is(self, directory: str) -> None:
        refusal = refused(JobFields(command="x", directory=directory))
        assert (refusal.code, refusal.field) == ("relative_directory", "directory")

    @pytest.mark.parametrize("name", ["CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES", "DANLU_JOB_ID"])
    def test_what_danlu_sets_itself_cannot_be_set(self, name: str) -> None:
        refusal = refused(JobFields(command="x", variables={"OK": "1", name: "0,1"}))
        assert (refusal.code, refusal.field) == ("reserved_variable", "variables")
        assert refusal.facts["name"] == name

    @pytest.mark.parametrize("reason", sorted(frozenset(EndReason) - RETRYABLE))
    def test_a_good_end_or_a_wanted_one_cannot_be_retried(self, reason: EndReason) -> None:
        refusal = refused(JobFields(command="x", retry_on=[EndReason.SIGNAL, reason]))
        assert (refusal.code, refusal.field) == ("reason_not_retryable", "retry_on")
        assert refusal.facts["reason"] == reason.value

    def test_every_other_reason_can(self) -> None:
        spec = make_spec(JobFields(command="x", retry_on=sorted(RETRYABLE)), "/")
        assert spec.retry_on == RETRYABLE

    def test_no_reason_at_all_is_an_answer_too(self) -> None:
        assert make_spec(JobFields(command="x", retry_on=[]), "/").retry_on == frozenset()

    def test_what_is_staged_is_found_by_one_name(self) -> None:
        spec = make_spec(JobFields(command="x", directory="/home/ann", stage=["/d/a", "b/", "/d/a"]), "/")
        assert spec.stage == ("/d/a", "/home/ann/b")
        assert spec.ask.stage

    @pytest.mark.parametrize("path", ["/", "..", "/data/..", "."])
    def test_what_has_no_name_cannot_be_staged(self, path: str) -> None:
        refusal = refused(JobFields(command="x", directory="/", stage=[path]))
        assert (refusal.code, refusal.field) == ("stage_without_name", "stage")

    def test_two_that_would_have_one_name_are_refused(self) -> None:
        refusal = refused(JobFields(command="x", stage=["/a/data", "/b/data/"]))
        assert (refusal.code, refusal.field) == ("stage_same_name", "stage")
        assert refusal.facts["name"] == "data"

    @pytest.mark.parametrize(("odd", "field"), [({"gpu_ids": [0]}, "gpu_ids"), ({"share": True}, "share")])
    def test_what_says_a_number_otherwise_leaves_none_to_danlu(self, odd: dict, field: str) -> None:
        assert refused(JobFields(command="x", gpus="auto", **odd)).field == field

    def test_defaults_follow_the_rules_but_need_no_command(self) -> None:
        check_defaults(JobFields(gpus=1, directory="/data"))
        with pytest.raises(Invalid):
            check_defaults(JobFields(directory="data"))


class TestRoundTrip:
    @pytest.mark.parametrize(
        "fields",
        [
            EVERYTHING,
            JobFields(command="true"),
            JobFields(command="x", gpus="auto", nodes="auto", gpu_memory_mb=9),
        ],
        ids=["all", "least", "auto"],
    )
    def test_the_fields_of_a_job_make_the_same_job_again(self, fields: JobFields) -> None:
        spec = make_spec(fields, "/home/ann")
        assert make_spec(fields_of(spec), "/elsewhere") == spec

    def test_no_field_is_forgotten_on_the_way(self) -> None:
        shown = fields_of(make_spec(EVERYTHING, "/home/ann"))
        lost = {name for name in FIELD_NAMES if getattr(shown, name) is None}
        # One node or several; a function runs on one. `hold` is a state of the job, no part of its spec.
        assert lost == {"hold", "node", "call"}
        alone = replace(EVERYTHING, nodes=None, only_nodes=None, node="forge", call="ab" * 32)
        shown = fields_of(make_spec(alone, "/home/ann"))
        assert (shown.node, shown.call) == (alone.node, alone.call)

    def test_every_part_of_a_spec_can_be_said_or_has_its_place_reserved(self) -> None:
        reserved = {"queue", "nodes_min", "auto"}
        parts = {field.name for field in fields_of_class(JobSpec)} - reserved
        assert parts == (set(FIELD_NAMES) - {"after", "after_ok", "hold"}) | {"dependencies"}


class TestMerging:
    def test_what_is_said_wins_over_what_is_usual(self) -> None:
        merged = merge_fields(JobFields(command="x", gpus=0), JobFields(gpus=4, cpus=2))
        assert merged == JobFields(command="x", gpus=0, cpus=2)

    def test_an_empty_list_and_a_no_are_said_too(self) -> None:
        usual = JobFields(gpu_ids=[1], urgent=True, variables={"K": "v"})
        merged = merge_fields(JobFields(gpu_ids=[], urgent=False, variables={}), usual)
        assert merged == JobFields(gpu_ids=[], urgent=False, variables={})

    @pytest.mark.parametrize(
        ("said", "usual", "memory_mb"),
        [
            ({"gpus": "auto"}, {"gpus": 2}, None),
            ({"gpus": "auto"}, {"share": True}, None),
            ({"gpus": "auto"}, {"gpus": "auto"}, 9),
            ({"gpus": "auto", "gpu_memory_mb": 5}, {"gpus": 2}, 5),
            ({"gpus": 3}, {"gpus": "auto"}, None),
            ({"gpus": 0}, {"gpus": "auto"}, None),
            ({"gpus": 3, "gpu_memory_mb": 5}, {"gpus": "auto"}, 5),
            ({"gpus": 3}, {"gpus": 2}, 9),
            ({"gpus": 3}, {"share": True}, 9),
            ({}, {"gpus": "auto"}, 9),
            ({"share": True}, {"gpus": 2}, 9),
            ({"gpu_ids": [0]}, {"share": True}, 9),
        ],
    )
    def test_memory_of_each_gpu_is_not_taken_for_that_of_all(self, said, usual, memory_mb) -> None:
        merged = merge_fields(JobFields(**said), JobFields(gpu_memory_mb=9, **usual))
        assert merged.gpu_memory_mb == memory_mb

    @pytest.mark.parametrize("said", [{"share": True}, {"gpu_ids": [0, 1]}])
    def test_a_number_usually_left_to_danlu_gives_way_to_what_says_one(self, said: dict) -> None:
        usual = JobFields(gpus="auto", gpu_memory_mb=9)
        assert merge_fields(JobFields(command="x", **said), usual) == JobFields(command="x", **said)
        own = merge_fields(JobFields(command="x", gpu_memory_mb=5, **said), usual)
        assert make_spec(own, "/home/ann").ask.gpus == len(said.get("gpu_ids", [0]))
        assert own.gpu_memory_mb == 5

    @pytest.mark.parametrize("said", [{"share": False}, {"gpu_ids": []}, {"cpus": 2}])
    def test_it_stays_where_nothing_says_one(self, said: dict) -> None:
        assert merge_fields(JobFields(**said), JobFields(gpus="auto")).gpus == "auto"


class TestEditing:
    def test_some_fields_are_set_and_some_set_back(self) -> None:
        before = JobFields(command="x", gpus=2, node="forge")
        after = apply_edit(before, JobEdit(set=JobFields(gpus=4), clear=["node"]))
        assert after == JobFields(command="x", gpus=4)

    def test_a_field_both_set_and_cleared_is_set(self) -> None:
        after = apply_edit(JobFields(gpus=2), JobEdit(set=JobFields(gpus=4), clear=["gpus"]))
        assert after.gpus == 4

    @pytest.mark.parametrize("clear", [[], ["gpus"]])
    def test_memory_goes_with_the_kind_of_number_it_was_said_of(self, clear: list[str]) -> None:
        left = JobFields(gpus="auto", gpu_memory_mb=9)
        assert apply_edit(left, JobEdit(set=JobFields(gpus=3), clear=clear)) == JobFields(gpus=3)
        assert apply_edit(left, JobEdit(set=JobFields(gpus="auto"), clear=clear)) == left
        number = JobFields(gpus=3, gpu_memory_mb=9)
        assert apply_edit(number, JobEdit(set=left, clear=clear)) == left
        assert apply_edit(number, JobEdit(set=JobFields(gpus="auto"), clear=clear)) == JobFields(gpus="auto")
        shared = JobFields(share=True)
        assert apply_edit(left, JobEdit(set=shared, clear=clear)) == shared

    def test_clearing_what_is_not_there_changes_nothing(self) -> None:
        assert apply_edit(EVERYTHING, JobEdit(clear=["hold"])) == EVERYTHING

    def test_a_field_that_does_not_exist_cannot_be_cleared(self) -> None:
        with pytest.raises(Invalid) as refusal:
            apply_edit(EVERYTHING, JobEdit(clear=["gpus", "gpuz"]))
        assert (refusal.value.code, refusal.value.facts["name"]) == ("no_such_field", "gpuz")

    @pytest.mark.parametrize("name", FIELD_NAMES)
    def test_every_field_can_be_cleared(self, name: str) -> None:
        assert getattr(apply_edit(EVERYTHING, JobEdit(clear=[name])), name) is None


def test_a_job_without_a_name_is_called_after_its_program_and_not_after_a_secret() -> None:
    spec = make_spec(JobFields(command="WANDB_API_KEY=hunter2 ./train"), "/home/ann")
    assert spec.name == "train"


@pytest.mark.parametrize("gpus", [{"gpus": 1}, {"gpu_ids": [0]}, {"share": True}, {"gpus": "auto"}])
def test_no_cpus_are_none_with_gpus_and_refused_without(gpus: dict[str, Any]) -> None:
    spec = make_spec(JobFields(command="x", cpus=0, **gpus), "/home/ann")
    assert (spec.cpus, spec.ask.cpus, fields_of(spec).cpus) == (0, 0, 0)
    with pytest.raises(Invalid) as refusal:
        make_spec(JobFields(command="x", cpus=0), "/home/ann")
    assert (refusal.value.code, refusal.value.field) == ("no_cpus_without_gpus", "cpus")
    assert make_spec(JobFields(command="x"), "/home/ann").ask.cpus == 1


class TestWhatNoProcessCanBeStartedWith:
    LONG = "x" * (128 << 10)

    @pytest.mark.parametrize(
        "command", [f"python -c '{LONG}'", f'A=1 ./train "{LONG}"', f"./train {LONG}", f"./train --x={LONG}"]
    )
    def test_a_word_that_is_too_long_is_refused(self, command: str) -> None:
        with pytest.raises(Invalid) as refusal:
            make_spec(JobFields(command=command), "/")
        assert (refusal.value.code, refusal.value.field) == ("word_too_long", "command")

    @pytest.mark.parametrize(
        "command",
        [
            f"./train {'x ' * (100 << 10)}",
            f"echo '{LONG}' > file",
            f"./train <<< '{LONG}'",
            f"#!/usr/bin/python3\nprint('{LONG}')",
            f"./train\n# {LONG}",
        ],
    )
    def test_what_can_be_done_is_not(self, command: str) -> None:
        assert make_spec(JobFields(command=command), "/").command == command

    def test_the_ends_of_words_count_too(self) -> None:
        """And where they are: the kernel keeps all of it in one place."""
        just_enough = {"arguments": ["x" * 900] * 1000, "variables": {f"V{n}": "x" * 80 for n in range(900)}}
        make_spec(JobFields(command="true", **just_enough), "/")
        with pytest.raises(Invalid, match="start_too_large"):
            make_spec(JobFields(command="true", **just_enough | {"arguments": ["x" * 910] * 1000}), "/")

    def test_no_argument_or_variable_can_be_longer_than_a_word_may_be(self) -> None:
        longest, name = 32_000, 200
        assert Argument.__metadata__[0].max_length == longest
        assert VariableName.__metadata__[1].max_length == name
        assert len("𠀀".encode()) * longest + name + 1 <= LONGEST_WORD_BYTES
