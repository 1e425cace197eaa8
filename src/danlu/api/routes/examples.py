"""Ready-made trainings for users who have never written a job."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Request

from danlu.api.auth import TheControl, TheUser
from danlu.api.errors import language_of
from danlu.api.router import make_router
from danlu.api.routes.jobs import IdempotencyKey
from danlu.api.views.form_views import show_example
from danlu.control.jobs.examples import find_example, list_examples
from danlu.wire.forms import ExampleRow
from danlu.wire.jobs import BatchSubmitted

router = make_router("examples", "/examples")


@router.get("")
async def list_all_examples(request: Request, _user: TheUser) -> list[ExampleRow]:
    language = language_of(request)
    return [show_example(language, example) for example in list_examples()]


@router.post("/{key}/start", status_code=201)
async def start_example(
    key: Annotated[str, Path(max_length=50)],
    user: TheUser,
    control: TheControl,
    submission: IdempotencyKey = None,
) -> BatchSubmitted:
    """Submit the jobs of an example, all or none; their ids, in the order of its steps."""
    steps = find_example(key).steps
    accepted = await control.submissions.submit_steps(user, steps, submission or None)
    return BatchSubmitted(ids=accepted.ids, gpus=accepted.gpus)
