"""Ids of jobs, and of the elements of an array: job 12 is `12`, its element with index 3 is `12[3]`.

Everywhere inside, an id is one integer. A plain job's is below 2^32; an element of an array carries its index
above those bits, so that it has states, attempts, logs and events of its own like any job. The largest id
is below 2^53, which every JSON reader keeps exact. People and programs outside only ever see the text.
"""

from __future__ import annotations

import re

LARGEST_JOB = 2**32 - 1
LARGEST_INDEX = 2**20 - 2
PATTERN = r"^[1-9][0-9]{0,9}(\[[0-9]{1,7}\])?$"

_ABOVE_JOBS = LARGEST_JOB + 1
_LABEL = re.compile(PATTERN, re.ASCII)


def element_id(array_id: int, index: int) -> int:
    """The id of one element of an array."""
    return array_id + (index + 1) * _ABOVE_JOBS


def job_of(job_id: int) -> int:
    """The job itself, or the array that an element belongs to."""
    return job_id % _ABOVE_JOBS


def index_of(job_id: int) -> int | None:
    """The index of an element in its array; None for a job that is no such element."""
    index = job_id // _ABOVE_JOBS - 1
    return index if index >= 0 else None


def is_element(job_id: int) -> bool:
    return job_id >= _ABOVE_JOBS


def label_of(job_id: int) -> str:
    """How an id is written."""
    index = index_of(job_id)
    return str(job_id) if index is None else f"{job_of(job_id)}[{index}]"


def parse_label(text: str) -> int:
    """The id that `12` or `12[3]` means. Raises ValueError."""
    text = text.strip()
    if _LABEL.match(text) is None:
        raise ValueError(text)
    job, _, index = text.rstrip("]").partition("[")
    if int(job) > LARGEST_JOB or int(index or 0) > LARGEST_INDEX:
        raise ValueError(text)
    return element_id(int(job), int(index)) if index else int(job)
