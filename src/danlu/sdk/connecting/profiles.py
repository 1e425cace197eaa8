"""Servers a user has logged in to: one small file, readable only by them."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from danlu.sdk.errors import BadProfiles

DEFAULT_PROFILE = "default"


@dataclass(frozen=True, slots=True)
class ServerPlace:
    """Where a server is; `fingerprint` is of its key, where no authority vouches for it."""

    url: str
    fingerprint: str | None = None


@dataclass(frozen=True, slots=True)
class Profile:
    """A server and who one is there; `others` are servers of the same installation."""

    url: str
    name: str
    token: str
    fingerprint: str | None = None
    others: tuple[ServerPlace, ...] = ()


@dataclass(frozen=True, slots=True)
class Profiles:
    """All of them by their names, and which one is meant when none is named."""

    profiles: dict[str, Profile] = field(default_factory=dict)
    default: str | None = None

    def with_profile(self, key: str, profile: Profile) -> Profiles:
        """The one logged in to last becomes the default."""
        return Profiles({**self.profiles, key: profile}, key)

    def without(self, key: str) -> Profiles:
        left = {name: profile for name, profile in self.profiles.items() if name != key}
        return replace(self, profiles=left, default=next(iter(left), None))


def profiles_path(environment: Mapping[str, str]) -> Path:
    base = environment.get("XDG_CONFIG_HOME") or Path(environment.get("HOME") or "~").expanduser() / ".config"
    return Path(base) / "danlu" / "profiles.json"


def read_profiles(path: Path) -> Profiles:
    """No file means no profiles. Raises BadProfiles."""
    try:
        data: dict[str, Any] = json.loads(path.read_text("utf-8"))
        found = {
            key: Profile(
                str(row["url"]),
                str(row["name"]),
                str(row["token"]),
                row.get("fingerprint"),
                tuple(
                    ServerPlace(str(each["url"]), each.get("fingerprint")) for each in row.get("others", ())
                ),
            )
            for key, row in data["profiles"].items()
        }
        default = data.get("default")
    except FileNotFoundError:
        return Profiles()
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as fault:
        raise BadProfiles(path, str(fault)) from fault
    return Profiles(found, default if default in found else next(iter(found), None))


def write_profiles(path: Path, profiles: Profiles) -> None:
    """Replaces the file in one step; never readable by others, not even for a moment."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    data = {
        "default": profiles.default,
        "profiles": {
            key: {
                **_place(row),
                "name": row.name,
                "token": row.token,
                **({"others": [_place(other) for other in row.others]} if row.others else {}),
            }
            for key, row in profiles.profiles.items()
        },
    }
    draft = path.with_name(f"{path.name}.{os.getpid()}.new")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(data, file, indent=2, ensure_ascii=False)
        file.write("\n")
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def _place(row: Profile | ServerPlace) -> dict[str, str]:
    return {"url": row.url, **({"fingerprint": row.fingerprint} if row.fingerprint else {})}
