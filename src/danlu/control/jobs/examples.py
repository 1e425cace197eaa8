"""Ready-made trainings for users who have never written a job."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from danlu import examples
from danlu.core.errors import NotFound
from danlu.wire.jobs import JobFields

LONGEST_S = 600.0


@dataclass(frozen=True, slots=True)
class Example:
    """In `after_ok` of a step stand earlier steps, counted from 1."""

    key: str
    steps: tuple[JobFields, ...]


def list_examples() -> tuple[Example, ...]:
    """All there are, the simplest first."""
    return (
        Example("classifier", (_step("classifier"),)),
        Example("cpu", (_step("cpu", cpus=2),)),
        Example("shared-gpu", (_step("shared_gpu", gpus=1, share=True, gpu_memory_mb=1024),)),
        Example("chain", (_step("prepare"), _step("train", after_ok=[1]))),
        Example("array", (_step("array", array="0-5%3"),)),
    )


def find_example(key: str) -> Example:
    """Raises NotFound."""
    known = {example.key: example for example in list_examples()}
    if key not in known:
        raise NotFound("no_such_example", example=key, possible=", ".join(known))
    return known[key]


def _step(script: str, **fields: Any) -> JobFields:
    """A job that carries its script with it: its account could not read ours. It begins where every account
    may, for not every user's home is there."""
    text = (Path(examples.__file__).parent / f"{script}.py").read_text()
    named = {"name": f"example-{script.replace('_', '-')}", "directory": "/tmp", "time_limit_s": LONGEST_S}  # noqa: S108
    return JobFields(command=text, **{"gpus": 0, **named, **fields})
