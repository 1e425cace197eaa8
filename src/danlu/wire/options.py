"""How the fields of a job are spelled as options of the command line, for whatever reads or writes such a
line."""

from __future__ import annotations

from danlu.wire.job_fields import FIELDS, OPTIONS


def option_of(field: str) -> str:
    """The long spelling; of a switch, the side that turns it on."""
    return FIELDS[field].option[-1].partition("/")[0]


def switch_of(field: str) -> tuple[str, str]:
    """Both sides of a switch: on and off."""
    on, _, off = FIELDS[field].option[-1].partition("/")
    return on, off


def find_field(place: str) -> str | None:
    """The field of a job that a place within a request is in: `gpu_ids` of `set.gpu_ids.0`."""
    return next((part for part in place.split(".") if part in OPTIONS), None)
