"""From a fork of the wrapper to the user's command. Rights are dropped before any user path is touched."""

from __future__ import annotations

import contextlib
import json
import os
import signal
from typing import NamedTuple, NoReturn

from danlu.agent.keeper import libc
from danlu.agent.keeper.isolation import priorities
from danlu.agent.keeper.isolation.cgroups import Group
from danlu.agent.keeper.isolation.process_rights import become
from danlu.agent.keeper.problem import SetupProblem
from danlu.agent.keeper.spec import AccountSpec, Order, Places, Spec
from danlu.agent.keeper.staging.staging import stage
from danlu.agent.keeper.wrapper.calls import CallFiles
from danlu.agent.keeper.wrapper.environments import find_environment
from danlu.agent.keeper.wrapper.interfaces import add_interface
from danlu.agent.keeper.wrapper.launchers import under_launcher
from danlu.agent.keeper.wrapper.outputs import open_outputs, places_of
from danlu.agent.keeper.wrapper.script import script_of
from danlu.agent.keeper.wrapper.setup import (
    Person,
    behind_sources,
    build_argv,
    build_variables,
    find_python,
    rank_of,
)
from danlu.agent.keeper.wrapper.shell_free import as_bash_would, without_shell

_LONGEST_DETAIL = 4000

OUR_SIGNALS = (
    signal.SIGPIPE,
    signal.SIGXFSZ,
    signal.SIGINT,
    signal.SIGQUIT,
    signal.SIGHUP,
    signal.SIGCHLD,
    signal.SIGTERM,
)
"""What Python, the keeper and the wrapper have changed. (To ask all 64 takes longer than all else here.)"""


class KeeperFacts(NamedTuple):
    """What the keeper found out about itself when it started; its forks need not ask again."""

    boot_id: str
    uid: int
    person: Person
    variables: dict[str, str]
    shell: str
    open_files: tuple[int, int]
    """The limit of open files that tasks get: the keeper raises its own."""
    notes: str
    raised: bool
    """The keeper has raised priorities, which tasks do not get."""


def become_command(
    spec: Spec,
    order: Order,
    around: KeeperFacts,
    group: Group,
    wrapper: int,
    log: int,
    call: CallFiles | None,
    report: int,
) -> NoReturn:
    """Run in the child. Ends in the user's command, or with the problem written to `report`."""
    try:
        _leave_wrapper(group, around)
        _die_with(wrapper)
        locks = stage(spec, order, lambda: _become_account(order, log, report))
        _drop_rights(order["account"])
        _die_with(wrapper)
        if nice := order.get("nice"):
            priorities.give_way(nice)
        enter(order["directory"])
        stdout, stderr = open_outputs(order, log)
        _tell_places(report, order, stdout, stderr)
        argv, variables = prepare(spec, order, around)
        _make_checkpoint_dir(order)
        _connect(stdout, stderr)
        if call is not None:
            variables |= call.pass_on()
        locks.pass_on()
        _execute(argv, variables)
    except SetupProblem as problem:
        _tell(report, problem.reason, problem.detail)
    except BaseException as error:
        _tell(report, "launch_failed", f"{type(error).__name__}: {error}")
    finally:
        os._exit(1)


def read_report(report: int) -> tuple[SetupProblem | None, Places | None]:
    """The problem that the child wrote, none when it became the user's command (or was killed on the way);
    and where its output began, if it goes to files of the user's."""
    text = b""
    while part := os.read(report, 1 << 16):
        text += part
    problem, places = None, None
    for line in text.splitlines():
        told = json.loads(line)
        if isinstance(told, list):
            problem = SetupProblem(*told)
        else:
            # What was said first: a task that staged its data has written there already.
            places = places or told
    return problem, places


def _leave_wrapper(group: Group, around: KeeperFacts) -> None:
    os.setsid()
    group.join()
    signal.set_wakeup_fd(-1)
    for number in OUR_SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    if around.raised:
        priorities.take_usual()


def _drop_rights(account: AccountSpec | None) -> None:
    """None: it runs as the keeper itself, which `settle_account` has allowed."""
    if account is not None:
        become(account["uid"], account["gid"], account["groups"])
    os.umask(0o022)


def _become_account(order: Order, log: int, report: int) -> int:
    """For a process that does something in the place of the command: where it may say so."""
    _drop_rights(order["account"])
    enter(order["directory"])
    stdout, stderr = open_outputs(order, log)
    _tell_places(report, order, stdout, stderr)
    return stderr


def _die_with(wrapper: int) -> None:
    """Whatever kills the wrapper kills the command, whose end would never be recorded."""
    libc.die_with_parent(signal.SIGKILL)
    if os.getppid() != wrapper:
        os._exit(1)


def enter(directory: str) -> None:
    try:
        os.chdir(directory)
    except OSError as error:
        raise SetupProblem("directory_missing", f"{directory}: {error.strerror}") from error


def prepare(spec: Spec, order: Order, around: KeeperFacts) -> tuple[list[str], dict[str, str]]:
    account = order["account"]
    person = Person(account["name"], account["home"], account["shell"]) if account else around.person
    foreign = account is not None and account["uid"] != around.uid
    environment = None
    if order["environment"] is not None:
        environment = find_environment(order["environment"], person.home, order["environment_roots"])
    variables = build_variables(spec, order, person, {} if foreign else around.variables, environment)
    argv = build_argv(order, around.shell, script_of(order), spec["script_path"])
    gang = order.get("gang")
    if gang is not None:
        rank = rank_of(order)
        argv = under_launcher(argv, gang, rank, around.shell, find_python(variables), spec["script_path"])
        variables = add_interface(variables, gang["members"][rank]["address"])
    return behind_sources(argv, around.shell, environment.scripts if environment else ()), variables


def _make_checkpoint_dir(order: Order) -> None:
    """For those that will want it: not for every small job, whose folder would fill with empty ones."""
    path = order.get("checkpoint_dir")
    if path and (order.get("leased") or order.get("gang") is not None):
        # Who cannot have it may not want it.
        with contextlib.suppress(OSError):
            os.makedirs(path, exist_ok=True)


def _connect(stdout: int, stderr: int) -> None:
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(stdout, 1)
    os.dup2(stderr, 2)


def _execute(argv: list[str], variables: dict[str, str]) -> NoReturn:
    words = without_shell(argv, variables)
    if words is not None:
        # Whatever speaks against it, a shell finds it out as well, and knows how to say it.
        with contextlib.suppress(OSError, ValueError):
            os.execve(words[0], words[1:], as_bash_would(variables, words[0], os.getcwd()))  # noqa: S606
    try:
        os.execve(argv[0], argv, variables)  # noqa: S606 (the shell is in argv where one is wanted)
    except (OSError, ValueError) as error:
        raise SetupProblem("command_unrunnable", f"{argv[0]}: {error}") from error


def _tell(report: int, reason: str, detail: str) -> None:
    os.write(report, json.dumps([reason, detail[:_LONGEST_DETAIL]]).encode() + b"\n")


def _tell_places(report: int, order: Order, stdout: int, stderr: int) -> None:
    if places := places_of(order, stdout, stderr):
        os.write(report, json.dumps(places).encode() + b"\n")
