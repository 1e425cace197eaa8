"""Everything that can go wrong between a program and a Danlu server.

    ClientError
    ├── ApiError            the server refused: its Problem and the HTTP status
    ├── Unreachable         nobody answers at the address
    ├── NotDanlu            something answers, but not in Danlu's words
    └── NowhereToGo         no server was named and none was found
        ├── NotRunning      the data folder has no running server
        ├── NoProfile       there is no profile of that name
        └── BadProfiles     the file of profiles cannot be read

Sentences for people are not made here: `ApiError` carries the server's, the others carry their facts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from danlu.wire.server import Problem


class ClientError(Exception):
    """The root of the tree."""


class ApiError(ClientError):
    def __init__(self, problem: Problem, status: int) -> None:
        super().__init__(f"{problem.message} {problem.hint or ''}".rstrip())
        self.problem = problem
        self.status = status


class Unreachable(ClientError):
    def __init__(self, url: str, reason: str) -> None:
        super().__init__(f"{url}: {reason}")
        self.url = url
        self.reason = reason


class NotDanlu(ClientError):
    def __init__(self, url: str, status: int) -> None:
        super().__init__(f"{url} answers (HTTP {status}), but not as Danlu does")
        self.url = url
        self.status = status


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
