"""Every refusal in the user's language: the thing, the reason, the remedy, and the exit code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from danlu.cli.exit_codes import FAILED, WRONG_USAGE
from danlu.sdk.errors import (
    ApiError,
    BadProfiles,
    ChangedKey,
    ClientError,
    NoneReachable,
    NoProfile,
    NotDanlu,
    NotEncrypted,
    NotRunning,
    NowhereToGo,
    Unanswered,
    UnknownCertificate,
    Unreachable,
)
from danlu.wording.catalogue import knows

if TYPE_CHECKING:
    from danlu.cli.session import Session


class Refused(Exception):
    """The command line itself says no: `KEY` is the reason, `KEY.hint` the remedy."""

    def __init__(self, key: str, *, exit_code: int = WRONG_USAGE, **facts: Any) -> None:
        super().__init__(key, facts)
        self.key = key
        self.exit_code = exit_code
        self.facts = facts


class UnreadableValue(click.BadParameter):
    """A value that its option does not take."""

    def __init__(self, key: str, value: str, **facts: Any) -> None:
        super().__init__(f"{value}: {key}")
        self.key = key
        self.facts = {"value": value, **facts}


def report(session: Session, fault: Exception) -> int:
    """Say it on standard error; the exit code."""
    match fault:
        case Refused():
            return _show(
                session, session.say(fault.key, **fault.facts), _hint(session, fault), fault.exit_code
            )
        case ApiError():
            return _show_problem(session, fault)
        case ClientError():
            key, facts = _describe(session, fault)
            return _show(session, session.say(key, **facts), session.say(f"{key}.hint", **facts), FAILED)
        case click.UsageError():
            return _show_usage(session, fault)
        case _:
            return _show(session, str(fault), None, FAILED)


def sentence_of(session: Session, fault: Exception) -> str:
    """What went wrong between us and a server, without the remedy."""
    match fault:
        case ApiError():
            return fault.problem.message
        case ClientError():
            key, facts = _describe(session, fault)
            return session.say(key, **facts)
        case _:
            return str(fault)


def _hint(session: Session, fault: Refused) -> str | None:
    key = f"{fault.key}.hint"
    return session.say(key, **fault.facts) if knows(key) else None


def _show(session: Session, message: str, hint: str | None, exit_code: int) -> int:
    click.echo(session.say("cli.refusal", message=message), err=True)
    if hint:
        click.echo(session.say("cli.remedy", hint=hint), err=True)
    return exit_code


def _show_problem(session: Session, fault: ApiError) -> int:
    problem = fault.problem
    message = problem.message
    if problem.field:
        from danlu.wire.options import find_field, option_of

        field = find_field(problem.field)
        option = option_of(field) if field else problem.field
        for mark in (f"{problem.field}: ", f"{problem.field}：", f"{problem.field}:"):
            message = message.removeprefix(mark)
        message = session.say("cli.field_refused", field=option, reason=message)
    return _show(session, message, problem.hint, WRONG_USAGE if fault.status in (400, 413, 422) else FAILED)


def _describe(session: Session, fault: ClientError) -> tuple[str, dict[str, Any]]:
    match fault:
        case NoneReachable():
            each = "\n".join(f"  {url}: {reason}" for url, reason in fault.tried.items())
            return "cli.none_reachable", {"each": each}
        case Unanswered():
            return "cli.unanswered", {"url": fault.url, "reason": fault.reason}
        case Unreachable():
            return "cli.unreachable", {"url": fault.url, "reason": fault.reason}
        case UnknownCertificate():
            facts = {"url": fault.url, "fingerprint": fault.fingerprint, "reason": fault.reason}
            return "cli.unknown_certificate", facts
        case ChangedKey():
            facts = {"url": fault.url, "fingerprint": fault.fingerprint, "pinned": fault.pinned}
            return "cli.changed_key", facts
        case NotEncrypted():
            return "cli.not_encrypted", {"url": fault.url, "pinned": fault.pinned}
        case NotDanlu():
            return "cli.not_danlu", {"url": fault.url, "status": fault.status}
        case NotRunning():
            return "cli.not_running", {"folder": fault.folder}
        case NoProfile():
            known = ", ".join(fault.known) or session.say("cli.none")
            return "cli.no_profile", {"name": fault.name, "known": known}
        case BadProfiles():
            return "cli.bad_profiles", {"path": fault.path, "reason": fault.reason}
        case NowhereToGo():
            return "cli.nowhere", {}
        case _:
            raise fault


def _show_usage(session: Session, fault: click.UsageError) -> int:
    """Click's own refusals, in our words."""
    command = fault.ctx.command_path if fault.ctx is not None else "danlu"
    remedy = session.say("cli.usage.see_help", command=command)
    match fault:
        case UnreadableValue():
            reason = session.say(fault.key, **fault.facts)
            message = session.say("cli.field_refused", field=_name_of(fault), reason=reason)
            remedy = session.say(f"{fault.key}.hint", **fault.facts)
        case click.MissingParameter():
            message = session.say("cli.usage.missing", name=_name_of(fault))
        case click.BadParameter():
            message = session.say("cli.field_refused", field=_name_of(fault), reason=fault.message)
        case click.NoSuchOption():
            message = session.say("cli.usage.no_such_option", name=fault.option_name)
            remedy = _closest(session, fault.possibilities) or remedy
        case click.NoSuchCommand():
            message = session.say("cli.usage.no_such_command", name=fault.command_name)
            remedy = _closest(session, fault.possibilities) or remedy
        case click.BadOptionUsage():
            key = "cli.usage.takes_no_value" if _is_switch(fault) else "cli.usage.needs_value"
            message = session.say(key, name=fault.option_name)
        case _:
            message = fault.format_message()
    return _show(session, message, remedy, WRONG_USAGE)


def _is_switch(fault: click.BadOptionUsage) -> bool:
    params = fault.ctx.command.params if fault.ctx is not None else []
    return any(
        isinstance(param, click.Option)
        and param.is_flag
        and fault.option_name in (*param.opts, *param.secondary_opts)
        for param in params
    )


def _name_of(fault: click.BadParameter) -> str:
    parameter = fault.param
    if parameter is None:
        return str(fault.param_hint or "")
    if isinstance(parameter, click.Option):
        return max(parameter.opts, key=len)
    return parameter.human_readable_name


def _closest(session: Session, possibilities: list[str] | None) -> str | None:
    if not possibilities:
        return None
    return session.say("cli.usage.did_you_mean", names=session.say("cli.or").join(possibilities))
