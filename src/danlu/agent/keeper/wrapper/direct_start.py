"""Starting a command without a fork of our own, where nothing has to be done between that and the exec.

A fork copies all that a Python process knows and throws it away at the exec; `posix_spawn` copies nothing.
The wrapper itself steps into the task's group for that moment, and out of it again.
"""

from __future__ import annotations

import contextlib
import os
from typing import NamedTuple

from danlu.agent.keeper.isolation.cgroups import Group
from danlu.agent.keeper.problem import SetupProblem
from danlu.agent.keeper.spec import Order, Spec
from danlu.agent.keeper.wrapper.calls import CallFiles
from danlu.agent.keeper.wrapper.command import OUR_SIGNALS, KeeperFacts, enter, prepare
from danlu.agent.keeper.wrapper.script import script_of
from danlu.agent.keeper.wrapper.shell_free import as_bash_would, without_shell


def is_plain(spec: Spec, order: Order, around: KeeperFacts) -> bool:
    """Whether the wrapper can start the command itself.

    Not where rights or priorities are to be dropped, nor into a group that is held to what its task asked
    for: the kernel might kill the wrapper there. Nor where more is touched of the user's than a folder and a
    program, or time counts: a disk that hangs would hold the wrapper, and not only its child. And not
    without a group: the kernel does not kill what is started so with its wrapper, the keeper does. (With a
    lease that would be too late: the keeper may be dead as well.)
    """
    return (
        spec["group_mode"] != "none"
        and order["account"] is None
        and not around.raised
        and order["environment"] is None
        and order["stdout"] is None
        and order["stderr"] is None
        and order["time_limit_s"] is None
        and not order.get("nice")
        and not order.get("cpus")
        and not order.get("memory_mb")
        and not order.get("leased")
        and order.get("gang") is None
        and order.get("staging") is None
        and script_of(order) is None
    )


class PlainStart(NamedTuple):
    """A command that is ready to be started in the current directory."""

    argv: list[str]
    words: list[str] | None
    """The program and its words, where no shell is needed."""
    variables: dict[str, str]

    def start(self, group: Group, output: int, call: CallFiles | None) -> int:
        """The pid of the command, or a SetupProblem."""
        variables = self.variables if call is None else self.variables | call.pass_on()
        try:
            group.join()
            if self.words is not None:
                # Whatever speaks against it, a shell finds it out as well, and knows how to say it.
                with contextlib.suppress(OSError, ValueError):
                    program, *words = self.words
                    return _spawn(program, words, as_bash_would(variables, program, os.getcwd()), output)
            return _spawn(self.argv[0], self.argv, variables, output)
        except (OSError, ValueError) as error:
            raise SetupProblem("command_unrunnable", f"{self.argv[0]}: {error}") from error
        finally:
            group.leave()


def prepare_plainly(spec: Spec, order: Order, around: KeeperFacts) -> PlainStart:
    """Enter the task's folder and look for its program."""
    enter(order["directory"])
    argv, variables = prepare(spec, order, around)
    return PlainStart(argv, without_shell(argv, variables), variables)


def _spawn(path: str, words: list[str], variables: dict[str, str], output: int) -> int:
    return os.posix_spawn(
        path,
        words,
        variables,
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_DUP2, output, 1),
            (os.POSIX_SPAWN_DUP2, output, 2),
        ],
        setsid=True,
        setsigmask=(),
        setsigdef=OUR_SIGNALS,
    )
