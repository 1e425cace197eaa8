"""Several servers of one installation, each as good as the others: whose turn it is to be asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from danlu.sdk.errors import NoneReachable, Unreachable

if TYPE_CHECKING:
    from danlu.sdk.connecting.connection import Locate, Server


class Turns:
    """The server that answered last is asked again; one that does not answer is passed over."""

    def __init__(self, locate: Locate) -> None:
        self._locate = locate
        self._turn = 0
        self._failed: dict[str, str] = {}
        self._last_round: dict[str, str] = {}

    @property
    def here(self) -> Server:
        """Whose turn it is. Raises NotRunning."""
        every = self._every()
        return every[self._turn % len(every)]

    @property
    def are_several(self) -> bool:
        return len(self._every()) > 1

    @property
    def is_first_round(self) -> bool:
        """Not all of them have failed to answer since the last answer."""
        return not self._last_round

    def note_answer(self) -> None:
        self._failed, self._last_round = {}, {}

    def begin_again(self) -> None:
        """With the first one, as if no server had been asked yet."""
        self._turn = 0
        self.note_answer()

    def pass_over(self, server: Server, reason: str) -> bool:
        """This one did not answer. Whether there is another that was not tried since the last answer; if not,
        a new round begins."""
        self._failed = {**self._failed, server.url: reason}
        if self.here.url == server.url:
            self._turn += 1
        if self.here.url not in self._failed:
            return True
        self._last_round, self._failed = self._failed, {}
        return False

    def none_answers(self, reason: str) -> Unreachable:
        """What to raise after a round in vain."""
        tried = self._last_round or {self.here.url: reason}
        if len(tried) == 1:
            return Unreachable(*next(iter(tried.items())))
        return NoneReachable(tried)

    def _every(self) -> tuple[Server, ...]:
        first = self._locate()
        return (first, *first.others)
