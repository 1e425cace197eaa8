"""Which of the machine's file systems people want to know about. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

MOST_DISKS = 16

_ON_OTHER_MACHINES = re.compile(
    r"nfs4?|cifs|smb3|9p|virtiofs|lustre|ceph|beegfs|gpfs|glusterfs|afs|orangefs|panfs|"
    r"fuse\.(glusterfs|ceph|sshfs|juicefs|lizardfs|moosefs|mfs|s3fs|rclone)"
)
_NOT_FOR_DATA = frozenset({"squashfs", "iso9660", "udf", "erofs"})
_NOT_FOR_PEOPLE = ("/boot", "/dev", "/efi", "/etc", "/proc", "/run", "/snap", "/sys")
_OF_CONTAINERS = ("/var/lib/docker/", "/var/lib/containers/", "/var/lib/kubelet/", "/var/snap/")


@dataclass(frozen=True, slots=True)
class Mount:
    """`device` is the kernel's number of it, `source` what was mounted."""

    path: str
    kind: str
    source: str
    device: str


def parse_mounts(text: str) -> list[Mount]:
    """/proc/self/mountinfo. Of several mounts at one place the last one is seen."""
    found: dict[str, Mount] = {}
    for line in text.splitlines():
        words = line.split(" ")
        try:
            kind, source = words[words.index("-", 6) + 1 :][:2]
        except ValueError:
            continue
        path = _unescape(words[4])
        # The latest one comes last, as it lies on top.
        found.pop(path, None)
        found[path] = Mount(path, kind, _unescape(source), words[2])
    return list(found.values())


def choose_disks(mounts: Iterable[Mount], folders: Sequence[str]) -> list[str]:
    """Where the root, these folders and whatever else holds data are mounted, each device once."""
    places = {mount.path: mount for mount in mounts}
    needed = [mount for folder in ("/", *folders) if (mount := _mount_of(folder, places)) is not None]
    others = sorted((each for each in places.values() if _holds_data(each)), key=lambda each: len(each.path))
    chosen: dict[str, str] = {}
    for mount in (*needed, *others):
        chosen.setdefault(_identity(mount), mount.path)
    return list(chosen.values())[:MOST_DISKS]


def _mount_of(folder: str, places: dict[str, Mount]) -> Mount | None:
    """Found by its name alone: to ask the file system would be to wait for it."""
    while folder not in places and folder != "/":
        folder = folder.rpartition("/")[0] or "/"
    return places.get(folder)


def _holds_data(mount: Mount) -> bool:
    if any(mount.path == place or mount.path.startswith(f"{place}/") for place in _NOT_FOR_PEOPLE):
        return False
    if mount.path.startswith(_OF_CONTAINERS):
        return False
    local = mount.source.startswith("/dev/") and mount.kind not in _NOT_FOR_DATA
    return local or mount.kind == "zfs" or _ON_OTHER_MACHINES.fullmatch(mount.kind) is not None


def _identity(mount: Mount) -> str:
    """Parts of one device are that device: subvolumes, data sets of one pool, folders mounted elsewhere."""
    if mount.kind == "zfs":
        return mount.source.partition("/")[0]
    return mount.source if mount.source.startswith("/dev/") else mount.device


def _unescape(word: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), word)
