"""The servers that an installation has beside the one the user logged in to: kept with the login, so that
the next one is asked when that is away."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from danlu.cli.session import Session, is_local
from danlu.sdk.connecting.profiles import Profile, ServerPlace, profiles_path, read_profiles, write_profiles

if TYPE_CHECKING:
    from danlu.sdk.connecting.connection import Server
    from danlu.wire.server import ServerRow

MOST = 8


def merge_others(profile: Profile, rows: Sequence[ServerRow]) -> tuple[ServerPlace, ...]:
    """Those that are there now, then those that were: one that is away for a while may be back when it is
    needed. No server gets the token in the clear that would not have got it so before."""
    there = [_place_of(row) for row in rows if row.role != "lost"]
    found = {place.url: place for place in there if _is_another(profile, place)}
    known = {place.url: place for place in profile.others if _is_another(profile, place)}
    return (*found.values(), *(place for url, place in known.items() if url not in found))[:MOST]


def keep_others(session: Session, server: Server, rows: Sequence[ServerRow]) -> None:
    """Remember them with the login by which the server was found, if it was by one."""
    if server.profile is None:
        return
    path = profiles_path(session.environment)
    profiles = read_profiles(path)
    profile = profiles.profiles.get(server.profile)
    if profile is None:
        return
    others = merge_others(profile, rows)
    if others != profile.others:
        kept = replace(profile, others=others)
        # A home that cannot be written to is no reason to say nothing else.
        with suppress(OSError):
            write_profiles(path, replace(profiles, profiles={**profiles.profiles, server.profile: kept}))


def _place_of(row: ServerRow) -> ServerPlace:
    return ServerPlace(row.url, row.fingerprint)


def _is_another(profile: Profile, place: ServerPlace) -> bool:
    """Whether it is another server, and the way there as safe as the one that the user chose."""
    if place.url == profile.url:
        return False
    if profile.fingerprint is not None and place.fingerprint in (None, profile.fingerprint):
        return False
    if place.url.startswith("https:"):
        return is_local(profile.url) or not is_local(place.url)
    # A tunnel is plain at this end only: what is plain elsewhere would leave the machine in the clear.
    return not profile.url.startswith("https:") and is_local(profile.url) == is_local(place.url)
