"""Ten thousand jobs in one request, looked over a few at a time: others are answered in between."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, ClassVar

from annotated_types import MaxLen, MinLen
from fastapi.exceptions import RequestValidationError
from pydantic import TypeAdapter, ValidationError, ValidatorFunctionWrapHandler, WrapValidator

from danlu.wire.fields import STRICT
from danlu.wire.jobs import MOST_IN_BATCH, JobFields

AT_A_TIME = 200


def _later(value: Any, check: ValidatorFunctionWrapHandler) -> Any:
    """Only what is no list of that length is refused at once; `check_in_pieces` sees to the rest."""
    is_for_later = isinstance(value, list) and 0 < len(value) <= MOST_IN_BATCH
    return value if is_for_later else check(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class JobBatch:
    """Many jobs in one request: all are accepted, or none."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    jobs: Annotated[list[JobFields], MinLen(1), MaxLen(MOST_IN_BATCH), WrapValidator(_later)]


async def check_in_pieces(batch: JobBatch) -> list[JobFields]:
    """The jobs of a batch. Raises RequestValidationError as if they had been looked over all at once."""
    found: list[JobFields] = []
    for start in range(0, len(batch.jobs), AT_A_TIME):
        try:
            found += _adapter().validate_python(batch.jobs[start : start + AT_A_TIME])
        except ValidationError as refusal:
            raise RequestValidationError([_as_of_all(each, start) for each in refusal.errors()]) from None
        await asyncio.sleep(0)
    return found


def _as_of_all(detail: Any, start: int) -> dict[str, Any]:
    number, *rest = detail["loc"]
    return {**detail, "loc": ("body", "jobs", start + number, *rest)}


@cache
def _adapter() -> TypeAdapter[list[JobFields]]:
    return TypeAdapter(list[JobFields])
