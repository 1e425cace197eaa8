"""Makes a machine a node over ssh: looks at it, sends it the same Danlu as runs here, has it join."""

from __future__ import annotations

import asyncio
import base64
import json
import zlib
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Protocol

from danlu.control.nodes.installations import NodeInstallation, Target
from danlu.control.nodes.membership import MeetingPoint, Membership
from danlu.core.errors import Conflict, DanluError, Unavailable
from danlu.launch.install import runtime
from danlu.launch.install.bundle import Bundle, CannotBundle, Needs, make_bundle
from danlu.launch.install.ssh import Done, Ssh, connected
from danlu.launch.install.ssh_keys import SshKeys
from danlu.wire.units import show_bytes

ROOM_BYTES = 200_000_000
"""What must be free beside the packages themselves."""
# The token comes by standard input: every user of the machine can read a command's words.
WITH_TOKEN = 'IFS= read -r DANLU_JOIN_TOKEN; export DANLU_JOIN_TOKEN; exec "$@"'  # noqa: S105
FIND_PYTHON = """\
printf 'data\\t%s\\n' "${DANLU_DATA:-${XDG_DATA_HOME:-$HOME/.local/share}/danlu}"
for python in "$@"; do
  found=$(command -v "$python" 2>/dev/null) || continue
  "$found" -I -c 'import sys; print("python", sys.executable, *sys.version_info[:2], sep="\\t")' 2>/dev/null
done
true
"""


class Upgrading(Protocol):
    """How nodes that have joined are reached."""

    async def upgrade(self, node: str, bundle: str, path: str) -> None:
        """Have a node fetch a bundle (`path` is below the data folder) and become it."""


class NodeInstaller:
    """Implements `Installer`. The machine's side of it is `runtime`, which travels with each command."""

    def __init__(self, data: Path, membership: Membership, agents: Upgrading) -> None:
        self._data = data
        self._keys = SshKeys(data / "ssh", membership.database)
        self._membership = membership
        self._agents = agents
        self._bundling = asyncio.Lock()

    async def install(
        self, target: Target, make_token: Callable[[], Awaitable[str]], progress: NodeInstallation
    ) -> str:
        """Raises DanluError with what is wrong and what to do."""
        meeting = self._membership.meeting
        if meeting is None:
            raise Conflict("not_a_cluster")
        progress.begin("connect")
        async with connected(target, self._keys) as ssh:
            progress.begin("bundle")
            bundle = await self.make_bundle()
            progress.begin("look")
            machine = await _meet(ssh, target, bundle.needs)
            facts = await machine.look(meeting, bundle.name)
            _check(target, facts, bundle, meeting)
            if facts["agent"] and facts["member"] not in {each.id for each in self._membership.members()}:
                raise Conflict("install_other_cluster", target=str(target), node=facts["node"])
            progress.begin("send")
            if not facts["has_runtime"]:
                await machine.send(bundle, progress)
            progress.begin("join")
            # One that runs already is replaced; its jobs go on.
            await machine.do("stop")
            await machine.do("switch", bundle.name)
            node = await machine.join(meeting, await make_token())
            if facts["systemd"]:
                await machine.do("service")
            return node

    async def prepare_upgrade(self) -> str:
        return (await self.make_bundle()).name

    async def upgrade(self, node: str, bundle: str) -> None:
        await self._agents.upgrade(node, bundle, f"bundles/{bundle}.tar.gz")

    async def make_bundle(self) -> Bundle:
        """Of what runs here. Raises Unavailable."""
        async with self._bundling:
            try:
                return await asyncio.to_thread(make_bundle, self._data / "bundles")
            except (CannotBundle, OSError) as problem:
                raise Unavailable("install_no_bundle", reason=str(problem)) from problem


class Machine:
    """A machine with a Python that fits, and the folder that shall be its data folder."""

    def __init__(self, ssh: Ssh, target: Target, python: str, data: str) -> None:
        self._ssh = ssh
        self._target = target
        self._python = python
        self._data = data

    async def look(self, meeting: MeetingPoint, bundle: str) -> dict[str, Any]:
        host, _, port = meeting.address.rpartition(":")
        done = await self.do("look", host.strip("[]"), port, bundle)
        facts: dict[str, Any] = json.loads(done.out)
        self._data = facts["data"]
        return facts

    async def send(self, bundle: Bundle, progress: NodeInstallation) -> None:
        with bundle.file.open("rb") as file:
            done = await self._ssh.send(
                file,
                lambda sent: progress.advance(100 * sent // bundle.size),
                *self._words("unpack", bundle.name),
            )
        self._check(done, "install_unpack_failed")

    async def join(self, meeting: MeetingPoint, token: str) -> str:
        """The name it got."""
        danlu = str(runtime.runtime_of(Path(self._data)) / runtime.CURRENT / "bin" / "danlu")
        words = [danlu, "join", meeting.address, "--data", self._data, "--daemon"]
        for name, value in (("--name", self._target.name), ("--role", self._target.role)):
            words += [] if value is None else [name, str(value)]
        done = await self._ssh.run("sh", "-c", WITH_TOKEN, "danlu", *words, text_in=f"{token}\n")
        self._check(done, "install_join_refused")
        return (await self.do("member")).out.strip()

    async def do(self, verb: str, *rest: str) -> Done:
        done = await self._ssh.run(*self._words(verb, *rest))
        self._check(done, "install_unpack_failed")
        return done

    def _check(self, done: Done, code: str) -> None:
        if done.code != 0:
            reason = "\n".join((done.err.strip() or done.out.strip() or done.reason).splitlines()[-6:])
            raise _failure(code, str(self._target), reason)

    def _words(self, verb: str, *rest: str) -> list[str]:
        return [self._python, "-I", "-c", _carried_code(), verb, self._data, *rest]


async def _meet(ssh: Ssh, target: Target, needs: Needs) -> Machine:
    """Find a Python there that fits. Raises Unavailable."""
    major, minor = needs.python
    wanted = f"{major}.{minor}"
    names = [target.python] if target.python is not None else [f"python{wanted}", "python3"]
    done = await ssh.run("sh", "-c", FIND_PYTHON, "sh", *names)
    lines = [line.split("\t") for line in done.out.splitlines()]
    found = [words[1:] for words in lines if words[0] == "python" and len(words) == 4]
    if not found:
        raise Unavailable("install_no_python", target=str(target), wanted=wanted)
    for path, *version in found:
        if version == [str(major), str(minor)]:
            data = target.data or next(words[1] for words in lines if words[0] == "data")
            return Machine(ssh, target, path, data)
    seen = ", ".join(sorted({".".join(version) for _, *version in found}))
    raise Unavailable("install_wrong_python", target=str(target), found=seen, wanted=wanted)


def _check(target: Target, facts: dict[str, Any], bundle: Bundle, meeting: MeetingPoint) -> None:
    """Raises Unavailable for what would fail later."""
    place, needs = str(target), bundle.needs
    libc = tuple(int(part) for part in str(facts["libc_version"]).split(".")[:2] if part.isdigit())
    if (facts["machine"], facts["libc"]) != (needs.machine, needs.libc) or libc < needs.libc_version:
        wanted = f"{needs.machine}, {needs.libc} {'.'.join(map(str, needs.libc_version))}"
        found = f"{facts['machine']}, {facts['libc'] or '?'} {facts['libc_version']}"
        raise Unavailable("install_wrong_machine", target=place, found=found, wanted=wanted)
    if not facts["writable"]:
        raise Unavailable("install_not_writable", target=place, folder=facts["folder"])
    needed = 0 if facts["has_runtime"] else bundle.unpacked + ROOM_BYTES
    if facts["free_bytes"] < needed:
        free = show_bytes(facts["free_bytes"])
        raise Unavailable(
            "install_no_space", target=place, folder=facts["folder"], needed=show_bytes(needed), free=free
        )
    if facts["reach"]:
        raise Unavailable(
            "install_cannot_reach", target=place, address=meeting.address, reason=facts["reach"]
        )


def _failure(code: str, target: str, reason: str) -> DanluError:
    if code == "install_join_refused":
        return Unavailable("install_join_refused", target=target, reason=reason)
    return Unavailable("install_unpack_failed", target=target, reason=reason)


def _carried_code() -> str:
    """`runtime` as one word of a command line, with nothing in it that any shell could take amiss."""
    source = Path(runtime.__file__).read_bytes()
    start = "import sys; sys.exit(main(sys.argv[1:]))"
    packed = base64.b64encode(zlib.compress(source + b"\n" + start.encode(), 9)).decode()
    return f"import base64,zlib;exec(compile(zlib.decompress(base64.b64decode('{packed}')),'danlu','exec'))"
