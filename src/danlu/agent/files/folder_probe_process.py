"""A process that looks at files with the rights of one account, question after question."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from pathlib import Path
from typing import Any

import danlu
from danlu.codec import encode
from danlu.core.task import UnixAccount

PATIENCE_S = 2.0
"""The longest that a caller waits for a file system that hangs."""
IDLE_S = 300.0
_LONGEST_ANSWER = 1 << 22

_CODE = """\
import sys
sys.path.append(sys.argv.pop(1))
from danlu.agent.files.folder_probe import main
main()
"""


def looker_argv() -> list[str]:
    return [sys.executable, "-I", "-S", "-c", _CODE, str(Path(danlu.__file__).parents[1])]


class FolderProbeProcess:
    """Starts with the first question, and ends when there was none for a while."""

    def __init__(self, account: UnixAccount | None) -> None:
        self._account = account
        self._turn = asyncio.Lock()
        self._process: asyncio.subprocess.Process | None = None
        self._idle: asyncio.TimerHandle | None = None
        self.is_over = False

    @property
    def is_gone(self) -> bool:
        """It has ended, and the kernel has let go of it."""
        return self.is_over and (self._process is None or self._process.returncode is not None)

    async def ask(self, question: dict[str, Any]) -> dict[str, Any] | None:
        """None: it does not answer in time, and is not asked again."""
        try:
            async with asyncio.timeout(PATIENCE_S), self._turn:
                return await self._exchange(question)
        except (TimeoutError, OSError, ValueError):
            self.end()
            return None

    async def _exchange(self, question: dict[str, Any]) -> dict[str, Any]:
        if self._process is None:
            self._process = await asyncio.create_subprocess_exec(
                *looker_argv(),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                cwd="/",
                # It becomes the user's own process, whose environment they can read: nothing is in it.
                env={"LC_ALL": "C.UTF-8"},
                start_new_session=True,
                limit=_LONGEST_ANSWER,
            )
        if self.is_over or self._process.stdin is None or self._process.stdout is None:
            raise ValueError("it has ended")
        told = {**question, "account": encode(self._account) if self._account else None}
        self._process.stdin.write(json.dumps(told).encode() + b"\n")
        await self._process.stdin.drain()
        answer: dict[str, Any] = json.loads(await self._process.stdout.readline())
        if self._idle is not None:
            self._idle.cancel()
        self._idle = asyncio.get_running_loop().call_later(IDLE_S, self.end)
        return answer

    def end(self) -> None:
        """One that hangs in the kernel is left to it."""
        self.is_over = True
        if self._idle is not None:
            self._idle.cancel()
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    async def close(self) -> None:
        """End it, and see it off if it lets itself be seen off."""
        self.end()
        if self._process is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(PATIENCE_S):
                    await self._process.wait()
