"""What the form of a job asks before anything is submitted, and what repeats a job."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import TypeAdapter

from danlu.api.auth import TheControl, TheUser
from danlu.api.errors import fault_of, language_of, problem_of, tell_once
from danlu.api.router import make_router
from danlu.api.routes.jobs import JobIdPath
from danlu.api.views.form_views import refuse, show_check
from danlu.core.errors import Invalid
from danlu.core.job_id import parse_label
from danlu.wire.forms import CommandLine, JobCheck, JobToCheck


class CheckRoute(APIRoute):
    """A field that is no good value is what one wants to know here: part of the answer, not an error."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def check(request: Request) -> Response:
            try:
                return await handle(request)
            except RequestValidationError as error:
                faults = tell_once(error.errors())
                if any(fault["loc"][:2] != ("body", "fields") for fault in faults):
                    raise
                language = language_of(request)
                inside = [{**fault, "loc": fault["loc"][1:]} for fault in faults]
                problems = [problem_of(language, fault_of(language, fault)) for fault in inside]
                return Response(_CHECK.dump_json(refuse(problems)), media_type="application/json")

        return check


_CHECK = TypeAdapter(JobCheck)

router = make_router("forms", "/jobs")


async def check_job(request: Request, asked: JobToCheck, user: TheUser, control: TheControl) -> JobCheck:
    """What would become of a job, or of an edit, if it were handed in now. Nothing is written."""
    checked = await control.checking.check(
        user, asked.fields, asked.clear, _read_ref(asked.job), with_defaults=asked.defaults
    )
    return show_check(language_of(request), checked)


router.add_api_route("/check", check_job, methods=["POST"], route_class_override=CheckRoute)


@router.get("/{job_id}/command")
async def show_command(job_id: JobIdPath, user: TheUser, control: TheControl) -> CommandLine:
    """The command that repeats a job, for its owner, their mentor and administrators."""
    return CommandLine(command_line=await control.checking.command_of(user, job_id))


def _read_ref(job: str | None) -> int | None:
    try:
        return None if job is None else parse_label(job)
    except ValueError:
        raise Invalid("bad_job_id", field="job", job=job) from None
