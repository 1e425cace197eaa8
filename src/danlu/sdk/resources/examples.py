"""Ready-made trainings, to see how it all works."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import quote

from danlu.wire.forms import ExampleRow

if TYPE_CHECKING:
    from danlu.sdk.handles import JobHandle
    from danlu.sdk.resources.jobs import Jobs


class Examples:
    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs

    def start(self, key: str) -> Sequence[JobHandle]:
        """The jobs of an example, submitted, in the order of its steps.

        >>> client.examples.start("classifier")
        [<Danlu job 12>]
        """
        headers = {"Idempotency-Key": str(uuid.uuid4())}
        path = f"/examples/{quote(key, safe='')}/start"
        started = self._jobs.api.json_call("POST", path, headers=headers, repeatable=True)
        return [self._jobs.handle(job_id) for job_id in started["ids"]]

    def list(self) -> Sequence[ExampleRow]:
        return self._jobs.api.get(list[ExampleRow], "/examples")
