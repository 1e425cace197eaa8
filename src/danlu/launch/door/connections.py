"""Who may be connected: so many in all, so many strangers per address. The connection that does least has to
make room: idle strangers first, then those that have not sent a whole request yet. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import ip_network

from danlu.api.proxy import read_address

MOST = 8192
MOST_STRANGERS = 256
"""From one address: a whole lab may be behind one router, and a browser opens six."""
RESERVED_FILES = 512
"""For the database, the logs that are followed, the nodes and what else a server opens."""


@dataclass(frozen=True, slots=True)
class Limits:
    in_all: int = MOST
    strangers_per_address: int = MOST_STRANGERS

    @classmethod
    def within(cls, open_files: int) -> Limits:
        """What a process may have that can open so many files."""
        return cls(in_all=max(32, min(MOST, open_files - max(RESERVED_FILES, open_files // 4))))


class ConnectionSlot:
    """The place of one connection. It is a stranger's until it shows who it is."""

    __slots__ = ("_connections", "group", "send_away", "signed_in")

    def __init__(self, connections: Connections, group: str | None) -> None:
        self._connections = connections
        self.group = group
        self.signed_in = False
        self.send_away: Callable[[], None] = _nothing
        """Has the connection end. Set by the connection itself."""

    def wait(self) -> None:
        """The other side is in the middle of a request."""
        self._connections._move(self, "pending")

    def work(self) -> None:
        """A request is being answered: its connection does not have to make room."""
        self._connections._move(self, None)

    def rest(self) -> None:
        """Between two requests."""
        self._connections._move(self, "idle")

    def sign_in(self) -> None:
        if not self.signed_in:
            self._connections._sign_in(self)

    def leave(self) -> None:
        self._connections._remove(self)


class Connections:
    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._all: set[ConnectionSlot] = set()
        self._strangers: dict[str, dict[ConnectionSlot, None]] = {}
        """By where they come from, the oldest first."""
        self._idle: dict[ConnectionSlot, None] = {}
        self._pending: dict[ConnectionSlot, None] = {}
        self._idle_known: dict[ConnectionSlot, None] = {}

    def __len__(self) -> int:
        return len(self._all)

    def admit(self, group: str | None) -> ConnectionSlot | None:
        """A place for a connection from there, if need be that of another. `None` as the group: a proxy of
        ours, which speaks for many."""
        if group is not None and not self._make_room_in(group):
            return None
        if len(self._all) >= self.limits.in_all and not self.make_room():
            return None
        seat = ConnectionSlot(self, group)
        self._all.add(seat)
        if group is not None:
            self._strangers.setdefault(group, {})[seat] = None
        self._pending[seat] = None
        return seat

    def make_room(self) -> bool:
        """Close a connection that does nothing; False when there is none."""
        for pool in (self._idle, self._pending, self._idle_known):
            for seat in pool:
                self._send_away(seat)
                return True
        return False

    def _make_room_in(self, group: str) -> bool:
        here = self._strangers.get(group, {})
        if len(here) < self.limits.strangers_per_address:
            return True
        for seat in here:
            if seat in self._pending or seat in self._idle:
                self._send_away(seat)
                return True
        return False

    def _send_away(self, seat: ConnectionSlot) -> None:
        self._remove(seat)
        seat.send_away()

    def _move(self, seat: ConnectionSlot, to: str | None) -> None:
        if seat not in self._all:
            return
        for pool in (self._idle, self._pending, self._idle_known):
            pool.pop(seat, None)
        if to == "idle":
            (self._idle_known if seat.signed_in else self._idle)[seat] = None
        elif to == "pending" and not seat.signed_in:
            self._pending[seat] = None

    def _sign_in(self, seat: ConnectionSlot) -> None:
        seat.signed_in = True
        self._pending.pop(seat, None)
        self._forget_stranger(seat)

    def _remove(self, seat: ConnectionSlot) -> None:
        self._move(seat, None)
        self._all.discard(seat)
        self._forget_stranger(seat)

    def _forget_stranger(self, seat: ConnectionSlot) -> None:
        if seat.group is not None and (here := self._strangers.get(seat.group)) is not None:
            here.pop(seat, None)
            if not here:
                del self._strangers[seat.group]


def group_of(peer: str) -> str:
    """Whom one machine can be: its address; of IPv6 the network, in which it can have any."""
    address = read_address(peer.partition("%")[0])
    if address is None:
        return peer
    return str(address) if address.version == 4 else str(ip_network((int(address), 64), strict=False))


def _nothing() -> None:
    pass
