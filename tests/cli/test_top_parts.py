"""The parts of `danlu top` that need no server: its lines, its filter, its reading of logs."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len

from danlu.cli.session import Session
from danlu.cli.top.drawing import bar, draw_gpu, draw_job, draw_node
from danlu.cli.top.log_text import LogText
from danlu.cli.top.picture import choose
from danlu.codec import decode
from danlu.wire.jobs import JobRow
from danlu.wire.nodes.node import GpuProcessRow, GpuRow, NodeRow
from tests.cli import rows

ENGLISH = Session({"LANG": "en_US.UTF-8"})
CHINESE = Session({"LANG": "zh_CN.UTF-8"})


def a_job(job_id: int = 12, **facts: object) -> JobRow:
    return decode(JobRow, {**rows.a_job(job_id, **facts), "ref": str(job_id)}, trusted=True)


def a_gpu(**facts: object) -> GpuRow:
    usual = {
        "node": "n1",
        "index": 0,
        "uuid": "u",
        "name": "NVIDIA A100",
        "memory_mb": 81920,
        "drained": False,
    }
    return GpuRow(**{**usual, "job": None, "user": None, **facts})  # type: ignore[arg-type]


def a_node(**facts: object) -> NodeRow:
    usual = {
        "name": "n1",
        "state": "up",
        "since": 0.0,
        "drained": False,
        "simulated": False,
        "gpus": [],
        "jobs": [],
    }
    numbers = {"runs_as_root": False, "cpus": 64, "cpus_used": 8, "memory_mb": 262144, "memory_used_mb": 1024}
    return NodeRow(**{**usual, **numbers, **facts})  # type: ignore[arg-type]


class TestLines:
    @given(st.floats(-1, 2, allow_nan=False), st.integers(1, 60))
    def test_a_bar_has_its_length_and_grows_with_the_number(self, fraction, columns):
        drawn = bar(fraction, columns).plain
        assert cell_len(drawn) == columns
        more = bar(min(fraction + 0.3, 2), columns).plain
        assert more.count("█") >= drawn.count("█")

    def test_a_bar_is_full_at_one_and_empty_without_a_number(self):
        assert bar(1.0, 8).plain == "█" * 8
        assert bar(None, 8).plain == "─" * 8

    @pytest.mark.parametrize("session", [ENGLISH, CHINESE], ids=["en", "zh"])
    @given(st.text(max_size=60), st.integers(20, 200))
    @example("\U0001d300", 69)  # wide since Unicode 16
    def test_no_line_is_wider_than_the_terminal_whatever_people_call_things(self, session, name, columns):
        job = a_job(name=name, owner=name)
        assert cell_len(draw_job(session, job, columns).plain) <= max(columns, 70)
        assert cell_len(draw_node(session, a_node(name=name), columns).plain) <= columns
        assert (
            cell_len(draw_gpu(session, a_gpu(name=name, fault=name, state="faulty"), columns).plain)
            <= columns
        )
        assert "\x1b" not in draw_job(session, job, columns).plain

    def test_a_gpu_says_what_it_does_and_whose_it_is(self):
        used = a_gpu(
            state="used",
            job=12,
            jobs=[12],
            user="li",
            load=87,
            used_mb=40960,
            temperature_c=65,
            power_w=251.4,
        )
        line = draw_gpu(ENGLISH, used, 120).plain
        assert all(part in line for part in ("87%", "40 GB/80 GB", "65°C", "251W", "#12 li", "NVIDIA A100"))
        process = GpuProcessRow(pid=1, user="wang", command="python", memory_mb=3)
        assert (
            "wang (in use by others)"
            in draw_gpu(ENGLISH, a_gpu(state="foreign", processes=[process]), 120).plain
        )
        assert "faulty: Xid 79" in draw_gpu(ENGLISH, a_gpu(state="faulty", fault="Xid 79"), 120).plain

    def test_what_the_driver_does_not_tell_is_a_dash(self):
        assert draw_gpu(ENGLISH, a_gpu(), 120).plain.count(" -") == 4


class TestFilter:
    def test_every_word_must_be_found_somewhere(self):
        rows = [a_job(1, name="train"), a_job(2, name="train", owner="wang"), a_job(3, name="eval")]
        assert [row.id for row in choose(rows, "")] == [1, 2, 3]
        assert [row.id for row in choose(rows, "TRAIN wang")] == [2]
        assert choose(rows, "train nobody") == []


class TestLogText:
    def test_a_progress_bar_shows_its_last_state(self):
        text = LogText()
        assert text.feed(b"epoch 1\n 10%|#\r 20%|##\r") == ["epoch 1"]
        assert text.rest == " 20%|##"
        assert text.feed(b" 30%|###") == []
        assert text.rest == " 30%|###"
        assert text.feed(b"\nnext") == [" 30%|###"]
        assert text.rest == "next"

    def test_colours_and_tricks_are_left_out(self):
        assert LogText().feed(b"\x1b[31mred\x1b[0m \x1b]0;title\x07\x1b[2Jplain\x07\n") == ["red plain\ufffd"]

    @given(st.lists(st.sampled_from(["a", "é", "\r", "\n", "炉", "\x1b[1m"]), max_size=40), st.data())
    def test_however_the_bytes_come_the_lines_are_the_same(self, parts, data):
        whole = "".join(parts).encode()
        cut = data.draw(st.integers(0, len(whole)))
        at_once, in_pieces = LogText(), LogText()
        assert at_once.feed(whole) == in_pieces.feed(whole[:cut]) + in_pieces.feed(whole[cut:])
        assert at_once.rest == in_pieces.rest
