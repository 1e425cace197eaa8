"""Everything that can go wrong between a program and a Danlu server.

    ClientError
    ├── ApiError            the server refused: its Problem and the HTTP status
    │   ├── LockHeld        another holder has the lock, and went on having it
    │   └── KeyChanged      a key has another revision than it should have
    ├── LockLost            a lock was held no more before it was given back
    ├── Unreachable         no server answers at the address
    │   ├── NoneReachable   nor at any other address of the installation
    │   └── Unanswered      it took a change in and said nothing: whether it was made is not known
    ├── NotDanlu            something answers, but not in Danlu's words
    ├── Distrusted          who answers did not prove to be the server; nothing was sent
    │   ├── UnknownCertificate  no known authority vouches for it, and no fingerprint is known
    │   ├── ChangedKey      its key is not the one that was pinned
    │   └── NotEncrypted    a key was pinned, but the server at a plain address proves to have none
    ├── JobFailed           the job ended without success: why, and the end of its log
    ├── Closed              the client was closed while a caller waited for a job
    ├── CallTooLarge        a function and its arguments are more than a server takes
    └── NowhereToGo         no server was named and none was found
        ├── NotRunning      the data folder has no running server
        ├── NoProfile       there is no profile of that name
        └── BadProfiles     the file of profiles cannot be read

    RemoteError             stands for an exception of a function that could not be brought here itself
    RemoteTraceback         the cause of every exception that a function raised: where that happened

Sentences for people are not made here: `ApiError` carries the server's, the others carry their facts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from danlu.wire.server import Problem


class ClientError(Exception):
    """The root of the tree."""


class ApiError(ClientError):
    def __init__(self, problem: Problem, status: int) -> None:
        super().__init__(f"{problem.message} {problem.hint or ''}".rstrip())
        self.problem = problem
        self.status = status


class LockHeld(ApiError):
    pass


class KeyChanged(ApiError):
    pass


class LockLost(ClientError):
    def __init__(self, name: str, fence: int) -> None:
        super().__init__(f"lock {name} ({fence}) was lost while it was needed")
        self.name = name
        self.fence = fence


class Unreachable(ClientError):
    def __init__(self, url: str, reason: str) -> None:
        super().__init__(f"{url}: {reason}")
        self.url = url
        self.reason = reason


class NoneReachable(Unreachable):
    """`tried` has the reason for each address."""

    def __init__(self, tried: Mapping[str, str]) -> None:
        super().__init__(", ".join(tried), "; ".join(dict.fromkeys(tried.values())))
        self.args = ("; ".join(f"{url}: {reason}" for url, reason in tried.items()),)
        self.tried = dict(tried)


class Unanswered(Unreachable):
    pass


class NotDanlu(ClientError):
    def __init__(self, url: str, status: int) -> None:
        super().__init__(f"{url} answers (HTTP {status}), but not as Danlu does")
        self.url = url
        self.status = status


class Distrusted(ClientError):
    """Below it, `fingerprint` is of the key that was shown and `pinned` of the one that was expected."""

    def __init__(self, url: str, message: str) -> None:
        super().__init__(message)
        self.url = url


class UnknownCertificate(Distrusted):
    def __init__(self, url: str, fingerprint: str, reason: str) -> None:
        super().__init__(url, f"the certificate of {url} is not trusted: {reason}")
        self.fingerprint = fingerprint
        self.reason = reason


class ChangedKey(Distrusted):
    def __init__(self, url: str, fingerprint: str, pinned: str) -> None:
        super().__init__(url, f"{url} has the key {fingerprint}, but {pinned} was pinned")
        self.fingerprint = fingerprint
        self.pinned = pinned


class NotEncrypted(Distrusted):
    def __init__(self, url: str, pinned: str) -> None:
        super().__init__(
            url, f"{url} is not encrypted and has no key, but {pinned} was pinned: use its https:// address"
        )
        self.pinned = pinned


class JobFailed(ClientError):
    """A job that ended without success, or without a result where one was expected.

    `message` is the server's sentence (or the function's own), `log` the last lines of its output."""

    def __init__(
        self,
        job_id: int | str,
        message: str,
        *,
        state: str,
        reason: str | None = None,
        exit_code: int | None = None,
        signal: int | None = None,
        log: str = "",
    ) -> None:
        shown = "".join(f"\n  | {line}" for line in log.splitlines())
        super().__init__(f"job {job_id}: {message}{shown}")
        self.job_id = job_id
        self.message = message
        self.state = state
        self.reason = reason
        self.exit_code = exit_code
        self.signal = signal
        self.log = log


class Closed(ClientError):
    def __init__(self) -> None:
        super().__init__(
            "the client was closed; the job goes on, and client.job(id) of a new one finds it again"
        )


class CallTooLarge(ClientError):
    def __init__(self, size: int, largest: int) -> None:
        super().__init__(
            f"the function and its arguments take more than {largest >> 20} MiB ({size} bytes so far): "
            "put large data into files and pass their names"
        )
        self.size = size
        self.largest = largest


class RemoteError(Exception):
    """`type` is the name of the exception's class where the function ran."""

    def __init__(self, type: str, message: str) -> None:
        super().__init__(type, message)
        self.type = type
        self.message = message

    def __str__(self) -> str:
        return f"{self.type.removeprefix('builtins.')}: {self.message}"


class RemoteTraceback(Exception):
    """Never raised: it only shows, as the cause of an exception, the traceback from where that was raised."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text

    def __str__(self) -> str:
        return f'\n"""\n{self.text}"""'


class NowhereToGo(ClientError):
    def __init__(self, message: str = "no server is running here and no profile is set") -> None:
        super().__init__(message)


class NotRunning(NowhereToGo):
    def __init__(self, folder: Path) -> None:
        super().__init__(f"no server is running in {folder}")
        self.folder = folder


class NoProfile(NowhereToGo):
    def __init__(self, name: str, known: list[str]) -> None:
        super().__init__(f"there is no profile {name}")
        self.name = name
        self.known = known


class BadProfiles(NowhereToGo):
    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason
