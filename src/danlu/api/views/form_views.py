"""What the form of a job shows, in the words of the request's language."""

from __future__ import annotations

from dataclasses import replace

from danlu.api.errors import problem_of
from danlu.api.views.job_views import show_why
from danlu.control.jobs.checking import Checked
from danlu.control.jobs.examples import Example
from danlu.control.jobs.forecast import NEWCOMER, Forecast
from danlu.core.array import parse_array
from danlu.core.blockers import Held
from danlu.core.states import JobState
from danlu.wire.forms import ExampleRow, FolderPage, JobCheck, Starts
from danlu.wire.jobs import Why
from danlu.wire.server import Problem
from danlu.wording.catalogue import Language, say
from danlu.wording.sentences import sentence_of_auto


def show_check(language: Language, checked: Checked) -> JobCheck:
    problems = [problem_of(language, problem) for problem in checked.draft.problems]
    foresight = checked.foresight
    if foresight is None:
        return refuse(problems)
    place = foresight.allocation
    why = _show_blockers(language, foresight, checked.now)
    return JobCheck(
        ok=not problems,
        problems=problems,
        command_line=checked.command_line,
        starts=_starts(foresight),
        node=place.node if place else None,
        gpu_ids=list(place.gpu_ids) if place else [],
        message=_message(language, checked, foresight, why),
        why=why,
        ahead=foresight.ahead,
        auto=sentence_of_auto(language, checked.draft.spec),
        warnings=[problem_of(language, warning) for warning in checked.warnings],
    )


def refuse(problems: list[Problem]) -> JobCheck:
    """Of a job that is so wrong that nothing else can be told."""
    return JobCheck(
        ok=False,
        problems=problems,
        command_line="",
        starts=None,
        node=None,
        gpu_ids=[],
        message=problems[0].message,
        why=[],
        ahead=0,
    )


def _starts(foresight: Forecast) -> Starts:
    if foresight.allocation is not None:
        return "now"
    return "held" if any(isinstance(blocker, Held) for blocker in foresight.blockers) else "later"


def _show_blockers(language: Language, foresight: Forecast, now: float) -> list[Why]:
    if foresight.allocation is not None:
        return []
    shown = show_why(language, NEWCOMER, JobState.WAITING, foresight.blockers, now)
    on_hold = say(language, "forms.would_be_held")
    return [replace(why, message=on_hold) if why.code == Held.code else why for why in shown]


def _message(language: Language, checked: Checked, foresight: Forecast, why: list[Why]) -> str:
    place = foresight.allocation
    if place is None:
        reasons = " ".join(each.message for each in why)
        return reasons if _starts(foresight) == "held" else say(language, "forms.would_wait", reasons=reasons)
    gpus = say(language, "forms.gpus", ids=", ".join(map(str, place.gpu_ids))) if place.gpu_ids else ""
    if len(foresight.allocations) > 1:
        gpus = ""
    where = {"node": ", ".join(each.node for each in foresight.allocations), "gpus": gpus}
    if (array := checked.draft.spec.array) is None:
        return say(language, "forms.would_start", **where)
    total = len(parse_array(array))
    return say(language, "forms.elements_would_start", started=foresight.started, total=total, **where)


def show_folder(language: Language, page: FolderPage) -> FolderPage:
    """Its problem in words."""
    if page.problem is None:
        return page
    return replace(page, problem=say(language, f"forms.folder.{page.problem}", path=page.path))


def show_example(language: Language, example: Example) -> ExampleRow:
    return ExampleRow(
        key=example.key,
        title=say(language, f"forms.example.{example.key}.title"),
        text=say(language, f"forms.example.{example.key}.text"),
        steps=list(example.steps),
    )
