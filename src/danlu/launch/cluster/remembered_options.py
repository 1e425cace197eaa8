"""What a data folder was told about a cluster at an earlier start."""

from __future__ import annotations

import json
from pathlib import Path

from danlu.codec import decode, encode
from danlu.launch.locations import write_private
from danlu.settings import ClusterSettings

REMEMBERED = "cluster.json"


def remember_cluster(data: Path, cluster: ClusterSettings) -> None:
    """A later start without a word about it is a cluster again."""
    write_private(data / REMEMBERED, json.dumps(encode(cluster)) + "\n")


def remembered_cluster(data: Path) -> ClusterSettings | None:
    try:
        kept = json.loads((data / REMEMBERED).read_text())
    except FileNotFoundError:
        return None
    return decode(ClusterSettings, kept, trusted=True)
