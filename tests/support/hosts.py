"""Several hosts on this one machine: network namespaces with host names of their own, on one switch.

    with hosts(3, tmp_path) as (one, two, three):
        master = one.up()                       # `danlu up --cluster`; a LiveServer: http, cli, submit, job …
        node = two.join(master)                 # `danlu join`, in the foreground there; waits until it is up
        job = master.submit("hostname", node=node.name)
        master.wait_ended(job)

        two.cut()                               # its cable is dead: nothing comes through, no end is told
        two.heal()
        node.kill(); node.start()               # kill -9 of its agent; `danlu join` again, without a token
        two.kill("keeper")                      # kill -9 of its keeper ("agent", "nats", "keeper")
        two.power_off()                         # every process of the host is gone at once
        two.danlu("nodes"), two.run("ls")       # commands there, as its root

A host has a second cable, to the tests alone: `master.http` works also while the host is cut off from the
others. Namespaces are those of network and host name only (and of mounts, after `have_own_mounts`): /proc
shows the processes of all of them. Each host has its own data folder, `host.data`. `lease_s` is what nodes
are granted (DANLU_LEASE_S of every master started here); `environment` is added to what is started on the
hosts. At the end all their processes are killed.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import httpx
import pytest

from danlu.agent.keeper_process import label_of
from tests.support import preloaded
from tests.support.installation import REPOSITORY, LiveServer, Process, wait_until
from tests.support.network import REASON, can_make_machines

MESSAGES_PORT = 7323
NAMES = ("one", "two", "three", "four", "five")
TESTS = "10.217.0.1"
LEASE_S = 3.0
_numbers = itertools.count()


class Host:
    """`address` is what the other hosts reach it by, `door` what the tests do."""

    def __init__(
        self, switch: Switch, index: int, name: str, folder: Path, environment: Mapping[str, str]
    ) -> None:
        number = switch.number * 8 + index
        self.name = name
        self.address = f"10.214.0.{index + 1}"
        self.door = f"10.216.{number >> 8 & 255}.{number & 255}"
        self.data = folder / self.name / "data"
        self.environment = dict(environment)
        self.space = f"dl{switch.number}{self.name}"
        self._switch = switch
        self._cable, self._second = f"dc{switch.number}h{index}", f"dt{switch.number}h{index}"
        self._names = folder / f"{self.name}.uts"
        self._mounts: Path | None = None
        self._outputs = itertools.count()

    def plug_in(self) -> None:
        self.data.parent.mkdir(parents=True)
        _ip("netns", "add", self.space)
        _ip("link", "add", self._cable, "type", "veth", "peer", "name", "eth0", "netns", self.space)
        _ip("link", "set", self._cable, "master", self._switch.name, "up")
        _ip("link", "add", self._second, "type", "veth", "peer", "name", "eth1", "netns", self.space)
        _ip("address", "add", TESTS, "peer", self.door, "dev", self._second)
        _ip("link", "set", self._second, "up")
        _ip("-n", self.space, "link", "set", "lo", "up")
        _ip("-n", self.space, "address", "add", f"{self.address}/24", "dev", "eth0")
        _ip("-n", self.space, "address", "add", self.door, "peer", TESTS, "dev", "eth1")
        for device in ("eth0", "eth1"):
            _ip("-n", self.space, "link", "set", device, "up")
        self._names.touch()
        _run("unshare", f"--uts={self._names}", "hostname", self.name)

    def unplug(self) -> None:
        _run("umount", str(self._names), check=False)
        _run("ip", "netns", "delete", self.space, check=False)
        for cable in (self._cable, self._second):
            _run("ip", "link", "delete", cable, check=False)

    def have_own_mounts(self) -> None:
        """From now on what is mounted there is seen there alone, and so is what is taken away."""
        holder = self.popen("unshare", "--mount", "--propagation", "private", "sleep", "infinity")
        mounts = Path(f"/proc/{holder.pid}/ns/mnt")
        wait_until(lambda: mounts.readlink() != Path("/proc/self/ns/mnt").readlink(), 10, "its own mounts")
        self._mounts = mounts

    def cut(self, *, all_cables: bool = False) -> None:
        """Nothing it sends arrives, nothing arrives at it; connections do not hear of it. With `all_cables`
        it is cut off from the tests too."""
        _ip("link", "set", self._cable, "nomaster")
        if all_cables:
            _ip("link", "set", self._second, "down")

    def heal(self) -> None:
        _ip("link", "set", self._cable, "master", self._switch.name)
        _ip("link", "set", self._second, "up")

    def popen(self, *words: str, output: str | None = None, **extra: str) -> subprocess.Popen[bytes]:
        """Start something there; its output goes to a file beside the data folder."""
        path = self.data.parent / (output or f"{next(self._outputs)}.out")
        with path.open("ab") as out:
            return subprocess.Popen(
                [*self._inside, *words],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                cwd=REPOSITORY,
                env=self._environment(extra),
                start_new_session=True,
            )

    def fork(self, entry: Sequence[str], words: Sequence[str], output: str) -> Process:
        """`python ENTRY WORDS` there, which need not load Danlu again if nothing speaks against it."""
        environment = self._environment({})
        if not preloaded.is_enough(environment):
            return self.popen(sys.executable, *entry, *words, output=output)
        with (self.data.parent / output).open("ab") as out:
            return preloaded.start(entry, words, out, environment, self._spaces)

    def run(
        self, *words: str, check: bool = True, text_in: str = "", timeout_s: float = 60, **extra: str
    ) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [*self._inside, *words],
            check=False,
            capture_output=True,
            text=True,
            input=text_in,
            cwd=REPOSITORY,
            env=self._environment(extra),
            timeout=timeout_s,
        )
        return self._checked(done, check)

    def danlu(
        self, *words: str, check: bool = True, text_in: str = "", timeout_s: float = 60, **extra: str
    ) -> subprocess.CompletedProcess[str]:
        """`danlu WORDS` there."""
        environment = self._environment(extra)
        spaces = self._spaces
        done = preloaded.run(
            words, environment, text_in=text_in, cwd=REPOSITORY, spaces=spaces, timeout_s=timeout_s
        )
        return self._checked(done, check)

    def up(self, *options: str) -> Master:
        """A running master."""
        return Master(self, *(options or ("--cluster",))).start()

    def join(self, master: Master, *options: str, token: str | None = None) -> JoinedNode:
        """A node of `master` that has reported in."""
        address = f"{master.host.address}:{MESSAGES_PORT}"
        node = JoinedNode(self, master)
        node.start("join", address, "--token", token or master.make_join_token(), *options)
        return node

    def pids(self) -> set[int]:
        """All processes of this host."""
        listed = _run("ip", "netns", "pids", self.space, check=False).stdout
        return {int(line) for line in listed.split()}

    def pids_of(self, part: str) -> set[int]:
        """The processes of one part of Danlu there: "agent", "keeper" or "nats"."""
        if part == "keeper":
            return set(LiveServer(self.data).keeper_pids())
        lock = self.data / {"agent": "agent.lock", "nats": "messages.lock"}[part]
        try:
            return {int(lock.read_text().split()[0])} & self.pids()
        except (OSError, ValueError, IndexError):
            return set()

    def kill(self, part: str) -> None:
        """kill -9 of a part that runs there."""
        pids = self.pids_of(part)
        assert pids, f"no {part} runs on {self.name}"
        _kill(pids)

    def power_off(self) -> None:
        """kill -9 of everything, at once: first stopped, so that nothing sees the end of anything."""
        while found := self.pids():
            for number in (signal.SIGSTOP, signal.SIGKILL):
                for pid in found:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, number)
            wait_until(lambda: not self.pids() & found, 10, f"the end of {self.name}")

    def clear_away(self) -> None:
        """Nothing of it is left, also not the groups of its tasks."""
        self.power_off()
        label = label_of(self.data / "node")
        # Others come and go meanwhile: a walk passes over what is no longer there.
        for folder, _, _ in os.walk("/sys/fs/cgroup", topdown=False):
            if label in folder:
                with contextlib.suppress(OSError):
                    Path(folder).rmdir()

    def _checked(
        self, done: subprocess.CompletedProcess[str], check: bool
    ) -> subprocess.CompletedProcess[str]:
        if check and done.returncode != 0:
            words = " ".join(done.args)
            raise AssertionError(f"{words} on {self.name} -> {done.returncode}\n{done.stdout}\n{done.stderr}")
        return done

    @property
    def _inside(self) -> list[str]:
        own_mounts = [f"--mount={self._mounts}", f"--wd={REPOSITORY}"] if self._mounts else []
        return ["nsenter", f"--net=/run/netns/{self.space}", f"--uts={self._names}", *own_mounts]

    @property
    def _spaces(self) -> list[str]:
        own_mounts = [str(self._mounts)] if self._mounts else []
        return [f"/run/netns/{self.space}", str(self._names), *own_mounts]

    def _environment(self, extra: Mapping[str, str]) -> dict[str, str]:
        own = {"DANLU_DATA": str(self.data), "HOME": str(self.data.parent), "PYTHONUNBUFFERED": "1"}
        plain = {"LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
        return {**os.environ, **plain, **own, **self.environment, **extra}


class Master(LiveServer):
    """The server of a cluster, on a host."""

    def __init__(self, host: Host, *options: str) -> None:
        super().__init__(host.data, *options)
        self.host = host

    def start(self, entry: tuple[str, ...] | None = None) -> Master:
        words = ("up", "--port", "0", "--host", "0.0.0.0", "--plain-http", *self.options)
        self.process = self.host.fork(entry or self.entry, words, output=f"{self.data.name}.out")
        self._wait_up()
        self._set_default_gpus()
        return self

    def output(self) -> str:
        path = self.data.parent / f"{self.data.name}.out"
        return path.read_text(errors="replace") if path.exists() else ""

    @property
    def url(self) -> str:
        """As the tests reach it."""
        known = httpx.URL(json.loads((self.data / "server.json").read_text())["url"])
        return str(known.copy_with(host=self.host.door)).rstrip("/")

    def cli(
        self,
        *words: str,
        check: bool = True,
        text_in: str = "",
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        timeout_s: float = 60,
    ) -> subprocess.CompletedProcess[str]:
        assert cwd is None
        return self.host.danlu(*words, check=check, text_in=text_in, timeout_s=timeout_s, **(env or {}))

    def make_join_token(self, **fields: object) -> str:
        made = self.http.post("/join-tokens", json=fields)
        assert made.status_code == 201, made.text
        return str(made.json()["token"])

    def node(self, name: str) -> dict:
        reply = self.http.get(f"/nodes/{name}")
        return reply.json() if reply.status_code == 200 else {}

    def wait_node(self, name: str, state: str = "up", timeout_s: float = 30.0) -> dict:
        def reached() -> dict | None:
            node = self.node(name)
            return node if node.get("state") == state else None

        return wait_until(reached, timeout_s, f"node {name} {state}: {self.node(name)}\n{self.log()[-2000:]}")


class JoinedNode:
    """The agent of a host that joined."""

    def __init__(self, host: Host, master: Master) -> None:
        self.host = host
        self.master = master
        self.process: Process | None = None

    @property
    def name(self) -> str:
        return str(json.loads((self.host.data / "member.json").read_text())["node"])

    def start(self, *words: str) -> JoinedNode:
        """`danlu join` there; waits until the master knows that it is up."""
        self.process = self.host.fork(preloaded.DANLU, words or ("join",), output="join.out")
        wait_until(self._is_up, 40, f"{self.host.name} joining:\n{self.output()}")
        return self

    def start_again(self) -> None:
        """Like `start`, without waiting: the master may be away."""
        self.process = self.host.fork(preloaded.DANLU, ("join",), output="join.out")

    def output(self) -> str:
        path = self.host.data.parent / "join.out"
        return path.read_text(errors="replace") if path.exists() else ""

    def kill(self) -> None:
        """kill -9 of the agent; the keeper and the tasks go on."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        """As systemd stops it."""
        assert self.process is not None
        self.process.terminate()
        self.process.wait(30)

    def _is_up(self) -> bool:
        assert self.process is not None
        if self.process.poll() is not None:
            raise AssertionError(f"danlu join ended with {self.process.returncode}:\n{self.output()}")
        if (
            self.process.pid not in self.host.pids_of("agent")
            or not (self.host.data / "member.json").exists()
        ):
            return False
        return self.master.node(self.name).get("state") == "up"


class Switch:
    """What the cables of the hosts end in. Its number keeps those of tests that run side by side apart."""

    def __init__(self) -> None:
        self.number = (os.getpid() * 4 + next(_numbers)) % 8000
        self.name = f"db{self.number}"

    def __enter__(self) -> Switch:
        _ip("link", "add", self.name, "type", "bridge")
        _ip("link", "set", self.name, "up")
        return self

    def __exit__(self, *_: object) -> None:
        _run("ip", "link", "delete", self.name, check=False)


@contextlib.contextmanager
def hosts(
    count: int,
    folder: Path,
    *,
    lease_s: float = LEASE_S,
    environment: Mapping[str, str] | None = None,
    names: Sequence[str] = NAMES,
) -> Iterator[tuple[Host, ...]]:
    """So many hosts, with nothing running on them."""
    if not can_make_machines():
        if os.environ.get("CI") == "true":
            pytest.fail(REASON)
        pytest.skip(REASON)
    given = {"DANLU_LEASE_S": str(lease_s), **(environment or {})}
    with Switch() as switch, contextlib.ExitStack() as stack:
        made = tuple(Host(switch, index, names[index], folder, given) for index in range(count))
        for host in made:
            stack.callback(host.unplug)
            stack.callback(host.clear_away)
            host.plug_in()
        yield made


def _kill(pids: set[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    wait_until(lambda: all(_is_gone(pid) for pid in pids), 10, f"the end of {pids}")


def _is_gone(pid: int) -> bool:
    """A zombie is gone too: who reaps it may take its time."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def _run(*words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    if check and done.returncode != 0:
        raise AssertionError(f"{' '.join(words)} -> {done.returncode}: {done.stderr}")
    return done


def _ip(*words: str) -> None:
    _run("ip", *words)
