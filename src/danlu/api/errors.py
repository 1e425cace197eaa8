"""Every error leaves in one shape, in the language of the request."""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from danlu.codec import encode
from danlu.core.errors import DanluError, Invalid
from danlu.core.nodes.node import Node
from danlu.core.resources import Ask
from danlu.wire.server import Problem
from danlu.wire.units import show_memory
from danlu.wording.catalogue import Language, knows, language_of_header, name_field, say
from danlu.wording.os_errors import word_os_error
from danlu.wording.sentences import describe_ask

log = logging.getLogger(__name__)

MOST_NAMES = 8
"""Of nodes in one sentence."""
LONGEST_KEY = 60
_FIELD_NAME = re.compile(r"[\w-]+")
_A_KEY = "[key]"
"""Behind the name of an entry that is itself no good name."""


def add_error_handlers(app: FastAPI) -> None:
    app.add_exception_handler(DanluError, _on_danlu_error)
    app.add_exception_handler(RequestValidationError, _on_validation_error)
    app.add_exception_handler(HTTPException, _on_http_error)
    app.add_exception_handler(Exception, _on_bug)


def language_of(request: Request) -> Language:
    return language_of_header(request.headers.get("accept-language"))


TheLanguage = Annotated[Language, Depends(language_of)]


def problem_response(
    language: Language, status: int, code: str, field: str | None = None, **facts: Any
) -> JSONResponse:
    body = encode(_problem(language, code, field, facts))
    headers = {"Retry-After": str(facts["wait_s"])} if "wait_s" in facts else None
    return JSONResponse(body, status, headers)


def problem_of(language: Language, error: DanluError) -> Problem:
    """An error in the words of the request's language."""
    return _problem(language, error.code, error.field, _worded_facts(language, error))


def _problem(language: Language, code: str, field: str | None, facts: dict[str, Any]) -> Problem:
    facts = {"field": name_field(language, field) if field else None, **facts}
    hint = f"errors.{code}.hint"
    return Problem(
        code=code,
        message=_printable(say(language, f"errors.{code}", **facts)),
        field=_printable(field) if field else None,
        hint=_printable(say(language, hint, **facts)) if knows(hint) else None,
    )


async def _on_danlu_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, DanluError)  # noqa: S101 - registered for this type alone
    language = language_of(request)
    facts = _worded_facts(language, error)
    return problem_response(language, error.status, error.code, error.field, **facts)


def _worded_facts(language: Language, error: DanluError) -> dict[str, Any]:
    facts = dict(error.facts)
    if isinstance(ask := facts.get("ask"), Ask):
        best = _describe_best(language, ask, facts.get("nodes", []))
        facts |= {"ask": describe_ask(language, ask), "best": best}
    if isinstance(names := facts.get("names"), list):
        facts["names"] = ", ".join([*names[:MOST_NAMES], *(["…"] if len(names) > MOST_NAMES else [])])
    if error.code == "start_unchecked":
        kinds = [say(language, f"forms.{kind}") for kind in facts["what"]]
        facts["what"] = say(language, "reasons.comma").join(kinds)
    if error.code == "node_not_for_jobs":
        facts["role"] = say(language, f"cli.role.{facts['role']}")
    if isinstance(reason := facts.get("reason"), str):
        facts["reason"] = word_os_error(language, reason)
    facts |= {name: show_memory(size) for name, size in facts.items() if name.endswith("_mb")}
    if "allowed" in facts:
        facts["state"] = say(language, f"cli.state.{facts['state']}")
        facts["allowed"] = ", ".join(say(language, f"cli.state.{state}") for state in facts["allowed"])
    return facts


async def _on_validation_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)  # noqa: S101
    language = language_of(request)
    fault = fault_of(language, error.errors()[0])
    return problem_response(language, fault.status, fault.code, fault.field, **fault.facts)


_CHOICES = ("constrained-int", "literal['auto']")
"""What the validation calls the two kinds of value of a number that may be `auto`."""


def tell_once(details: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without what is said a second time of the same value: that it is not the other kind either."""
    return [detail for detail in details if detail["loc"][-1] != _CHOICES[1]]


def fault_of(language: Language, detail: dict[str, Any]) -> Invalid:
    """What the validation of a request found, as an error of ours."""
    kind, place = detail["type"], detail["loc"]
    if kind == "json_invalid":
        return Invalid("bad_request", reason=say(language, "errors.kind.json_invalid", place=place[-1]))
    field, key = _find_field(place[1:])
    if kind == "unexpected_keyword_argument":
        if field.rpartition(".")[2] == "mail":
            # A field of earlier versions, which clients may still send.
            return Invalid("mail_not_sent", field=field)
        names = [name for name in (field, key) if name and not (key and name == "body")]
        return Invalid("unknown_field", field=".".join(names))
    reason = _reason_of(language, kind, detail)
    if key:
        reason = say(language, "errors.kind.of_key", named=key, reason=reason)
    return Invalid("invalid_value", field=field, reason=reason)


def _find_field(place: Sequence[Any]) -> tuple[str, str]:
    """The field that a place within a request is in, and what of it if the client named that: `A B`
    of the variables."""
    names: list[str] = []
    for part in (str(part) for part in place if part not in _CHOICES):
        if not _FIELD_NAME.fullmatch(part):
            key = names.pop() if part == _A_KEY and names else part
            return ".".join(names) or "body", _shortened(key)
        names.append(part)
    return ".".join(names) or "body", ""


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST_KEY else f"{text[:LONGEST_KEY]}…"


def _reason_of(language: Language, kind: str, error: dict[str, Any]) -> str:
    """Always in words of ours: those of the validation are English, and made for programmers."""
    facts = dict(error.get("ctx") or {})
    if kind == "predicate_failed":
        kind = str(error["msg"]).split("'")[1]
    if "expected" in facts:
        facts["expected"] = ", ".join(re.findall(r"'([^']*)'", str(facts["expected"])))
    if kind == "string_too_short" and facts["min_length"] == 1:
        kind = "is_not_blank"
    key = f"errors.kind.{kind}"
    return say(language, key if knows(key) else "errors.kind.other", **facts)


async def _on_http_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)  # noqa: S101
    language, path = language_of(request), request.url.path
    if error.status_code == 405:
        response = problem_response(language, 405, "wrong_method", path=path, method=request.method)
    elif error.status_code == 404:
        response = problem_response(language, 404, "no_such_page", path=path)
    else:
        reason = say(language, "errors.kind.unreadable")
        response = problem_response(language, error.status_code, "bad_request", reason=reason)
    response.headers.update(error.headers or {})
    return response


async def _on_bug(request: Request, error: Exception) -> JSONResponse:
    bug_id = secrets.token_hex(4)
    log.error("bug %s in %s %s", bug_id, request.method, request.url.path, exc_info=error)
    return problem_response(language_of(request), 500, "internal", id=bug_id)


def _describe_best(language: Language, ask: Ask, nodes: list[Node]) -> str:
    """The largest node in a few words, with what the ask is particular about."""
    if not nodes:
        return "-"
    node = max(nodes, key=lambda node: (len(node.managed_gpus), node.facts.cpus, node.facts.memory_mb))
    gpus = node.managed_gpus
    parts = [f"{len(gpus)} GPU"]
    if ask.gpu_ids and gpus:
        parts.append(say(language, "reasons.best_gpu_ids", ids=",".join(str(gpu.index) for gpu in gpus)))
    if ask.gpu_memory_mb and gpus:
        largest_mb = max(gpu.memory_mb for gpu in gpus)
        parts.append(say(language, "reasons.best_gpu_memory", memory=show_memory(largest_mb)))
    if removed := len(node.facts.gpus) - len(gpus):
        parts.append(say(language, "reasons.best_removed", removed=removed))
    parts += [f"{node.facts.cpus} CPU", show_memory(node.facts.memory_mb)]
    return f"{node.name} ({', '.join(parts)})"


def _printable(text: str) -> str:
    """What the user sent comes back in messages; a lone surrogate could not even be encoded."""
    return text.encode("utf-8", "replace").decode("utf-8")
