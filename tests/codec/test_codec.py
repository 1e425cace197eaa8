"""What the codec promises of any type: there and back, bounds, and words of a newer version."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, Literal, NamedTuple

import pytest
from annotated_types import Ge, Le, MaxLen

from danlu.codec import BadValue, Cut, decode, encode, encode_said, known_word


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Spot(NamedTuple):
    x: Annotated[int, Ge(0)]
    y: int


@dataclass(frozen=True, slots=True)
class Part:
    colour: Colour = Colour.RED
    size: Annotated[int, Ge(0), Le(9)] = 0


@dataclass(frozen=True, slots=True)
class Thing:
    name: Annotated[str, MaxLen(5)]
    colour: Colour
    last: Colour | None
    spot: Spot | None = None
    parts: tuple[Part, ...] = ()
    colours: frozenset[Colour] = frozenset()
    pairs: tuple[tuple[str, float], ...] = ()
    by_number: Mapping[int, Part] = field(default_factory=dict)
    either: int | str | None = None
    data: bytes = b""
    said: Annotated[str, Cut(4)] = ""
    mode: Literal["fast", "slow"] = "fast"
    anything: Any = None


FULL = Thing(
    name="name",
    colour=Colour.BLUE,
    last=Colour.RED,
    spot=Spot(1, -2),
    parts=(Part(Colour.BLUE, 3), Part()),
    colours=frozenset(Colour),
    pairs=(("a", 1.5), ("b", 2.0)),
    by_number={7: Part(size=1)},
    either="word",
    data=b"\xff\0",
    said="text",
    mode="slow",
    anything={"deep": [1, None]},
)


def over_json(value: Any) -> Any:
    return json.loads(json.dumps(value))


@pytest.mark.parametrize("trusted", [False, True])
@pytest.mark.parametrize("thing", [FULL, Thing("", Colour.RED, None)])
def test_there_and_back_is_the_same(thing: Thing, trusted: bool) -> None:
    assert decode(Thing, over_json(encode(thing)), trusted=trusted) == thing


def test_sets_are_written_in_order() -> None:
    assert encode(FULL)["colours"] == ["blue", "red"]


def test_what_was_not_said_stays_out_of_requests_alone() -> None:
    thing = Thing("a", Colour.RED, None)
    assert "last" not in encode_said(thing)
    assert encode(thing)["last"] is None


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"name": 5}, "name: 5 is not a text"),
        ({"name": "too long"}, "name: 'too long' is longer than 5"),
        ({"parts": [{}, {"size": 10}]}, "parts.1.size: 10 is more than 9"),
        ({"parts": {}}, "parts: an object is not a list"),
        ({"spot": [1]}, "spot: a list is not a list of 2"),
        ({"spot": [-1, 0]}, "spot.x: -1 is less than 0"),
        ({"pairs": [["a", "b"]]}, "pairs.0.1: 'b' is not a number"),
        ({"by_number": {"x": {}}}, "by_number.'x': 'x' is not a whole number"),
        ({"by_number": {"1": []}}, "by_number.'1': a list is not an object"),
        ({"colour": "green"}, "colour: 'green' is not one of red, blue"),
        ({"colours": ["green"]}, "colours.0: 'green' is not one of"),
        ({"last": 5}, "last: 5 is not one of"),
        ({"either": 1.5}, "either: 1.5 is not"),
        ({"data": "?"}, "data: '?' is not base64"),
        ({"mode": "other"}, "mode: 'other' is not one of fast, slow"),
    ],
    ids=str,
)
def test_what_another_machine_says_is_refused_with_the_way_to_what_is_wrong(
    change: dict[str, Any], why: str
) -> None:
    with pytest.raises(BadValue) as raised:
        decode(Thing, {**encode(FULL), **change})
    assert why in str(raised.value)


def test_prose_of_another_machine_is_cut() -> None:
    assert decode(Thing, {**encode(FULL), "said": "a\0bcdef"}).said == "a\ufffdb…"


class TestWhatANewerVersionWrote:
    def read(self, **change: Any) -> Thing:
        return decode(Thing, {**over_json(encode(FULL)), **change}, trusted=True)

    def test_fields_that_are_new_are_left_out(self) -> None:
        assert self.read(new={"a": 1}, parts=[{"new": 1}]).parts == (Part(),)

    def test_fields_that_are_gone_have_their_defaults(self) -> None:
        assert decode(Thing, {"name": "a", "colour": "red", "last": None}, trusted=True) == Thing(
            "a", Colour.RED, None
        )

    def test_a_word_that_is_new_counts_as_not_said(self) -> None:
        assert self.read(last="green").last is None
        assert self.read(parts=[{"colour": "green", "size": 2}]).parts == (Part(size=2),)
        assert self.read(colours=["green", "red"]).colours == {Colour.RED}
        assert self.read(mode="other").mode == "other"

    def test_what_cannot_go_unsaid_is_bad(self) -> None:
        with pytest.raises(BadValue, match="colour: 'green' is not one of"):
            self.read(colour="green")

    def test_only_a_word_can_be_new(self) -> None:
        with pytest.raises(BadValue, match="last"):
            self.read(last=["red"])

    def test_wider_bounds_hold(self) -> None:
        assert self.read(name="a longer name", said="longer").name == "a longer name"

    def test_types_hold_all_the_same(self) -> None:
        with pytest.raises(BadValue, match=r"parts\.0\.size"):
            self.read(parts=[{"size": "2"}])


def test_a_word_of_a_column() -> None:
    assert known_word(Colour, "red", None) is Colour.RED
    assert known_word(Colour, "green", Colour.BLUE) is Colour.BLUE
    assert known_word(Colour, None, None) is None
